#include "codegen/lowering/appends.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// Whether the element of a chain with this body appends to `out`.
bool appends(const std::string &body) {
  const ir::Program program =
      parse("__codelet unsigned number(const Array<1, int> in) {\n"
            "  return in.size();\n}\n"
            "__codelet int signedNumber(const Array<1, int> in) {\n"
            "  return in.size();\n}\n"
            "__codelet void move(const Array<1, int> in, Array<1, int> out) {\n"
            "  out[0] = in[0];\n}\n"
            "__codelet unsigned run(unsigned carry, const Array<1, int> in,\n"
            "                       Array<1, int> out) {\n" +
            body + "}\n");
  const ir::Codelet &codelet = program.spectrum("run")->codelets.front();
  return appendsFromCarry(codelet, codelet.params[2].get());
}

std::string moving(const std::string &from, const std::string &to) {
  return "  fold(move, all(in), partition(out, 1, sequence(" + from + "), sequence(1), sequence(" +
         to + ")));\n";
}

const char *const counts = "  unsigned total = number(in);\n  unsigned next = carry + total;\n";
const char *const returns = "  return next;\n";

TEST(Appends, FromTheCarryToWhatIsReturned) {
  EXPECT_TRUE(appends(counts + moving("carry", "next") + returns));
  EXPECT_TRUE(appends(counts + moving("carry", "next") + moving("carry", "next") + returns));
}

TEST(Appends, NotBeforeOrBehindThat) {
  EXPECT_FALSE(appends(counts + moving("0", "next") + returns));
  EXPECT_FALSE(appends(counts + moving("carry", "next + 1") + returns));
  EXPECT_FALSE(appends(counts + moving("carry", "next") + moving("total", "next") + returns));
  EXPECT_FALSE(appends(counts + moving("carry", "next") + "  out[next] = 0;\n" + returns));
}

TEST(Appends, NotWhereTheNextOneMayStartBefore) {
  EXPECT_FALSE(appends("  int total = signedNumber(in);\n  unsigned next = carry - total;\n" +
                       moving("carry", "next") + returns));
  EXPECT_FALSE(appends(counts + moving("carry", "next") + "  return total;\n"));
  EXPECT_FALSE(appends(counts + moving("carry", "next") + "  next = 0;\n" + returns));
  EXPECT_FALSE(appends(counts + std::string("  if (total > 3) return 7;\n") +
                       moving("carry", "next") + returns));
}

} // namespace
} // namespace tangram::codegen

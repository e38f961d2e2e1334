#include "codegen/lowering/contracts.h"

#include "codegen/lowering/lower.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// What a spectrum of containers a, b and c with `body` says of the sizes that it is called with.
std::string shapeOf(const std::string &body) {
  const ir::Program program = parse("__codelet void f(const Array<1, int> a, const Array<1, int> b,"
                                    " Array<2, int> c, int k) {\n" +
                                    body + "}\n");
  const auto result = lower(program, "f", devolve(0, "f", compute(1, "f", 0)),
                            projected("simple-cpu", "openmp"), "openmp");
  std::string text;
  for (const ShapeContract &each : std::get<LoweredPlan>(result).shape)
    text += each.extent->name + " == " + ir::toString(each.equals) + "\n";
  return text;
}

TEST(LowerContracts, EquationsOfSumsAreSolvedForASize) {
  EXPECT_EQ(shapeOf("  require(a.size() + 1 == b.size() + c.size(0));\n"),
            "a_size == b_size + c_size0 - 1\n");
  EXPECT_EQ(shapeOf("  require(a.size() + b.size() == c.size(1) - 1);\n"),
            "c_size1 == a_size + b_size + 1\n");
  EXPECT_EQ(shapeOf("  require(a.size() + b.size() == c.size(1) + c.size(0));\n"),
            "a_size == c_size1 + c_size0 - b_size\n");
  EXPECT_EQ(shapeOf("  require(2 == a.size() - 2 * b.size());\n"), "a_size == 2 + 2 * b_size\n");
}

TEST(LowerContracts, SizesEqualNumbersWithoutASign) {
  EXPECT_EQ(shapeOf("  require((int)a.size() == ((int)b.size() - k) / 2 + 1);\n"),
            "a_size == (index)(((int)b_size - k) / 2 + 1)\n");
  EXPECT_EQ(shapeOf("  require(a.size() == k);\n"), "a_size == (index)k\n");
}

TEST(LowerContracts, OtherConditionsGiveNoSize) {
  EXPECT_EQ(shapeOf("  require(a.size() + 1 <= b.size());\n"), "");
  EXPECT_EQ(shapeOf("  require(2 * a.size() == 3 * b.size());\n"), "");
  EXPECT_EQ(shapeOf("  require(a.size() % 2 + 1 == a.size() + b.size() % 2);\n"), "");
  EXPECT_EQ(shapeOf("  require((unsigned char)a.size() + 1 == k);\n"), "");
}

} // namespace
} // namespace tangram::codegen

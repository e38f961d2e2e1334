#include "codegen/cost/loops.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// Of the loop over elements in this body.
double divisions(const std::string &body) {
  const ir::Program program = fixture::parse(
      "#include <cmath>\n__codelet double f(const Array<1, double> in) { double m = 0, s = 0;\n"
      "  for (unsigned i = 0; i < in.size(); ++i) {" +
      body + "}\n  return m + s; }");
  double found = -1;
  ir::forEach(program.spectrums.at(0).codelets.at(0).body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::For)
      found = dependentDivisions(s);
  });
  return found;
}

TEST(Loops, DivisionsThatWaitForTheRoundBefore) {
  EXPECT_EQ(divisions("m += (in[i] - m) / (i + 1);"), 1);
  EXPECT_EQ(divisions("double d = in[i] - m; double q = d / 3; m = m + sqrt(q) / 7;"), 3);
  EXPECT_EQ(divisions("s /= in[i];"), 1);
}

TEST(Loops, DivisionsThatWaitForNothing) {
  EXPECT_EQ(divisions("s += in[i] / 3;"), 0);
  EXPECT_EQ(divisions("double q = in[i] / 3; m = fmax(m, q); s += sqrt(q);"), 0);
}

} // namespace
} // namespace tangram::codegen

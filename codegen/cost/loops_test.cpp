#include "codegen/cost/loops.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// Of the loop over elements in this body.
double counted(const std::string &body, double (*count)(const ir::Stmt &)) {
  const ir::Program program = fixture::parse(
      "#include <cmath>\n__codelet double f(const Array<1, double> in) { double m = 0, s = 0;\n"
      "  for (unsigned i = 0; i < in.size(); ++i) {" +
      body + "}\n  return m + s; }");
  double found = -1;
  ir::forEach(program.spectrums.at(0).codelets.at(0).body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::For)
      found = count(s);
  });
  return found;
}

double divisions(const std::string &body) { return counted(body, dependentDivisions); }
double operations(const std::string &body) { return counted(body, dependentOperations); }

TEST(Loops, DivisionsThatWaitForTheRoundBefore) {
  EXPECT_EQ(divisions("m += (in[i] - m) / (i + 1);"), 1);
  EXPECT_EQ(divisions("double d = in[i] - m; double q = d / 3; m = m + sqrt(q) / 7;"), 3);
  EXPECT_EQ(divisions("s /= in[i];"), 1);
}

TEST(Loops, DivisionsThatWaitForNothing) {
  EXPECT_EQ(divisions("s += in[i] / 3;"), 0);
  EXPECT_EQ(divisions("double q = in[i] / 3; m = fmax(m, q); s += sqrt(q);"), 0);
}

TEST(Loops, OperationsThatWaitForTheRoundBefore) {
  EXPECT_EQ(operations("s += in[i] * in[i];"), 1); // a product that is added is one with the sum
  EXPECT_EQ(operations("s = s * in[i] + 1;"), 1);
  EXPECT_EQ(operations("double d = in[i] - m; m = m + d * d / 7;"), 4);
  EXPECT_EQ(operations("s += in[i]; m += in[i];"), 1); // side by side
}

TEST(Loops, OperationsThatWaitForNothing) {
  EXPECT_EQ(operations("double d = in[i] * in[i] + 3; m = fmax(m, d);"), 0);
}

} // namespace
} // namespace tangram::codegen

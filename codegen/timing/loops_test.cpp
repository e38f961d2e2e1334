#include "codegen/timing/loops.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// Of the loop over elements in this body.
double counted(const std::string &body, double (*count)(const ir::Stmt &)) {
  const ir::Program program = fixture::parse(
      "#include <cmath>\n__codelet double f(const Array<1, double> in, Array<1, double> out) {\n"
      "  double m = 0, s = 0;\n"
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

TEST(Loops, ElementsThatAreTheSameInAllRoundsWaitLikeVariables) {
  EXPECT_EQ(divisions("out[1] += (in[i] - out[1]) / (i + 1);"), 1);
  EXPECT_EQ(operations("double d = in[i] - out[0]; out[0] = out[0] + d * d / 7;"), 4);
  EXPECT_EQ(operations("out[0] += in[i]; out[1] += out[0];"), 2);
  EXPECT_EQ(operations("out[0] = in[i] * 3;"), 0);
  EXPECT_EQ(operations("out[i] += in[i];"), 0);
}

/// Whether a compiler makes vectors of the loop over `i`, which has integers around it.
bool isSimpleLoop(const std::string &body) {
  const ir::Program program =
      fixture::parse("__codelet int f(const Array<1, int> in, Array<1, int> out,\n"
                     "                        Array<1, float> sums) { int n = 0;\n"
                     "  for (unsigned i = 0; i < in.size(); ++i) {" +
                     body + "}\n  return n; }");
  const ir::Stmt *outermost = nullptr;
  ir::forEach(program.spectrums.at(0).codelets.at(0).body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::For && !outermost)
      outermost = &s;
  });
  return isSimple(*outermost, onlyLoopIn(*outermost));
}

TEST(Loops, VectorsChooseBetweenValues) {
  EXPECT_TRUE(isSimpleLoop("if (in[i] > 3) out[i] = in[i];"));
  EXPECT_TRUE(isSimpleLoop("if (in[i] > 3) n = 0;"));
  EXPECT_FALSE(isSimpleLoop("atomicAdd(out[i], in[i]);"));
}

TEST(Loops, VectorsWriteNothingWhereAnotherRoundMayRead) {
  EXPECT_FALSE(isSimpleLoop("if (out[in[i]] > 3) out[in[i]] = 3;"));
  EXPECT_FALSE(isSimpleLoop("int v = in[i]; if (out[v] > 3) out[v] = 3;"));
  EXPECT_TRUE(isSimpleLoop("out[in[i]] = 3;")) << "which nobody reads";
  EXPECT_TRUE(isSimpleLoop("if (out[i] > 3) out[i] = in[i];")) << "its own";
}

TEST(Loops, VectorsBeginWithPartsOfWhatIsAddedUp) {
  EXPECT_TRUE(isSimpleLoop("n += in[i];"));
  EXPECT_TRUE(isSimpleLoop("n = max(n, in[i]);"));
  EXPECT_FALSE(isSimpleLoop("n = n * 3 + in[i];"));
  EXPECT_FALSE(isSimpleLoop("out[n] = in[i]; n += in[i] > 3 ? 1 : 0;")); // which is asked for
}

TEST(Loops, SumsInOneElementAreNoVectors) {
  EXPECT_FALSE(isSimpleLoop("sums[1] += in[i];"));
  EXPECT_FALSE(isSimpleLoop("sums[1] = in[i] - sums[1];"));
  EXPECT_TRUE(isSimpleLoop("sums[i] += in[i];"));
  EXPECT_TRUE(isSimpleLoop("sums[1] = in[i];"));
  // Of each round its own, which a loop inside adds to.
  EXPECT_TRUE(isSimpleLoop("for (unsigned k = 0; k < out.size(); ++k) sums[i] += out[k];"));
}

TEST(Loops, VectorsAreMadeOfLoopsAroundShortOnesAndOne) {
  EXPECT_TRUE(isSimpleLoop("int s = 0; for (unsigned k = 0; k < 3; ++k) s += in[i] * k; n += s;"));
  EXPECT_TRUE(
      isSimpleLoop("int s = 0; for (unsigned k = 0; k < out.size(); ++k) s += out[k]; n += s;"));
  EXPECT_FALSE(isSimpleLoop("for (unsigned k = 0; k < out.size(); ++k) out[k] = 0;"
                            "for (unsigned k = 0; k < out.size(); ++k) out[k] += in[i];"));
}

TEST(Loops, OperationsOfARoundFindNoPlaces) {
  EXPECT_EQ(counted("s += in[i + 3] * in[2 * i];",
                    [](const ir::Stmt &s) { return operationsIn(s.children[2]); }),
            3); // two elements, and what is done with them at once
}

} // namespace
} // namespace tangram::codegen

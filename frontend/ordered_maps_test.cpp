// fold and chain: maps whose elements depend on the ones before them.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

const char *const spectrums = R"(
__codelet void add(const Array<1, int> in, Array<1, int> sums) { sums[0] += in[0]; }
__codelet float step(float carry, int x) { return carry + x; }
__codelet float turn(int x, float carry) { return carry + x; }
)";

std::string composed(const std::string &body) {
  std::string text = std::string(spectrums) +
                     "__codelet float f(const Array<2, int> m, const "
                     "Array<1, int> in, Array<1, int> out) {\n" +
                     body + "return 0;\n}\n";
  ParseResult result = parseSource(text);
  if (!result.program)
    return diagnose(text);
  return "\n" + ir::toString(result.program->spectrums.back().codelets.back().body);
}

} // namespace

TEST(OrderedMaps, Fold) {
  EXPECT_EQ(composed("fold(add, m, all(out));\n"), "\nfold(add, m, all(out));\nreturn 0;\n");
}

TEST(OrderedMaps, Chain) {
  // The carry is converted as an argument is.
  EXPECT_EQ(composed("return chain(step, 1, in) + chain(step, in[0], in);\n"), R"(
return chain(step, 1, in) + chain(step, (float)in[0], in);
return 0;
)");
}

TEST(OrderedMaps, TheirResults) {
  ParseResult result = parseSource(R"(
__codelet void add(int x, Array<1, int> sums) { sums[0] += x; }
__codelet float step(float carry, int x) { return carry + x; }
__codelet float f(const Array<1, int> in, Array<1, int> out) {
  fold(add, in, all(out));
  return chain(step, 0, in);
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const auto &body = result.program->spectrums.at(2).codelets.at(0).body->children;
  EXPECT_EQ(body.at(0)->value->op, ir::Operator("fold"));
  EXPECT_EQ(ir::spelling(body.at(0)->value->type), "void");
  EXPECT_EQ(body.at(1)->value->op, ir::Operator("chain"));
  EXPECT_EQ(ir::spelling(body.at(1)->value->type), "float");
  EXPECT_EQ(body.at(1)->value->args.at(0)->type.scalar, ir::Scalar::F32);
}

TEST(OrderedMaps, FoldAppliesAVoidSpectrum) {
  EXPECT_EQ(composed("fold(step, 1, in);\n"), R"(
test.cpp:6:6: error: 'fold' applies a spectrum that returns nothing, 'step' returns 'float'
fold(step, 1, in);
     ^~~~
)");
}

TEST(OrderedMaps, ChainAppliesASpectrumThatReturnsTheCarry) {
  EXPECT_EQ(composed("chain(add, m, all(out));\nchain(turn, 1, in);\n"), R"(
test.cpp:6:7: error: 'chain' applies a spectrum that returns a scalar of its first parameter's type, 'add' takes 'const Array<1, int>' and returns 'void'
chain(add, m, all(out));
      ^~~
test.cpp:7:7: error: 'chain' applies a spectrum that returns a scalar of its first parameter's type, 'turn' takes 'int' and returns 'float'
chain(turn, 1, in);
      ^~~~
)");
}

TEST(OrderedMaps, CarryIsAScalar) {
  EXPECT_EQ(composed("chain(step, in, in);\nchain(step, 1, 2);\nchain(step, 1);\n"), R"(
test.cpp:6:13: error: the carry of 'chain' must be a scalar
chain(step, in, in);
            ^~
test.cpp:7:1: error: 'chain' needs a container that is not in 'all', or a sequence with an end, among its arguments
chain(step, 1, 2);
^~~~~~~~~~~~~~~~~
test.cpp:8:1: error: 'chain' gives 'step' 1 argument, it takes 2
chain(step, 1);
^~~~~~~~~~~~~~
test.cpp:3:17: note: spectrum 'step' is declared here
__codelet float step(float carry, int x) { return carry + x; }
                ^~~~
)");
}

TEST(OrderedMaps, ConstContainers) {
  EXPECT_EQ(composed("fold(add, m, all(in));\n"), R"(
test.cpp:6:14: error: 'fold' gives 'const Array<1, int>' to parameter 'sums' of 'add', which is 'Array<1, int>'
fold(add, m, all(in));
             ^~~~~~~
test.cpp:2:58: note: the parameter is declared here
__codelet void add(const Array<1, int> in, Array<1, int> sums) { sums[0] += in[0]; }
                                                         ^~~~
)");
}

} // namespace tangram::frontend

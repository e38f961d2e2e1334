#include "codegen/analysis/contraction.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

bool contracts(const std::string &body, const std::string &before = "") {
  const ir::Program program = fixture::parse(
      before + "\n__codelet void f(const Array<1, float> in, Array<1, float> out, int n) {" + body +
      "}");
  EXPECT_FALSE(program.spectrums.empty());
  return contractionOf(program, "f") != Contraction::Refused;
}

TEST(Contraction, WhereNothingDecidesProductsGoIntoSums) {
  EXPECT_TRUE(contracts("for (unsigned i = 0; i < in.size(); i++) out[0] += in[i] * in[i];"));
  EXPECT_TRUE(contracts("float x = in[0] * in[1] + 1; out[0] = max(x, 0.0f);"));
}

TEST(Contraction, ComparisonsAndConversionsDecide) {
  const std::string sum = "float x = in[0] * in[1] + 1;";
  EXPECT_FALSE(contracts(sum + "if (x < 4) out[0] = 1;"));
  EXPECT_FALSE(contracts(sum + "out[0] = x < 4 ? 1.0f : 2.0f;"));
  EXPECT_FALSE(
      contracts(sum + "int k = 0; while (x * x < 4 && k < n) { x += 1; k++; } out[0] = k;"));
  EXPECT_FALSE(contracts(sum + "out[(int)x] = 1;"));
  EXPECT_FALSE(contracts(sum + "out[0] = floor(x);"));
}

TEST(Contraction, WhatChoosesTheSmallerOrLargerDoesNot) {
  const std::string sum = "float x = in[0] * in[1] + 1; float y = in[2];";
  EXPECT_TRUE(contracts(sum + "out[0] = x < y ? x : y;"));
  EXPECT_TRUE(contracts(sum + "out[0] = x > 0 ? x : 0;"));
  EXPECT_TRUE(contracts(sum + "if (x < y) y = x; out[0] = y;"));
  EXPECT_FALSE(contracts(sum + "if (x < y) { y = x; out[1] = 1; } out[0] = y;"));
  EXPECT_FALSE(contracts(sum + "if (x < y) y = x; else y = 1; out[0] = y;"));
}

TEST(Contraction, WhatOtherRoundingsDoNotChangeDecidesTheSame) {
  const std::string sum = "float x = in[0] * in[1] + 1; out[0] = x;";
  EXPECT_TRUE(contracts(sum + "float part = ((float)n + 0.5f) * 0.25f; if (part < 4) out[1] = 1;"));
  EXPECT_TRUE(contracts(sum + "float part = (float)n / 3; out[1] = floor(-part);"));
  EXPECT_TRUE(contracts(sum + "float part = (float)n / 3; out[(int)part] = 1;"));
  // A product goes into a sum, also by a name.
  EXPECT_FALSE(contracts(sum + "float part = (float)n * 0.3f + 1; if (part < 4) out[1] = 1;"));
  EXPECT_FALSE(contracts(sum + "float part = (float)n * 0.3f; if (1 - part < 4) out[1] = 1;"));
  EXPECT_FALSE(contracts(sum + "float part = (float)n; part = x; if (part < 4) out[1] = 1;"));
  EXPECT_FALSE(contracts(sum + "float part = sqrt((float)n); if (part < in[2]) out[1] = 1;"));
}

TEST(Contraction, WithoutProductsOrSumsNothingCanBeContracted) {
  EXPECT_TRUE(contracts("if (in[0] * in[1] < 4) out[0] = 1;"));
  EXPECT_TRUE(contracts("if (in[0] + in[1] < 4) out[0] = 1;"));
  EXPECT_TRUE(contracts("int k = n * n + 1; if (in[0] < 4) out[0] = k;"));
}

TEST(Contraction, SourcesSayNothingOfItThen) {
  const ir::Program program =
      fixture::parse("__codelet float f(const Array<1, float> in) { return in[0] * in[1] / 2; }");
  EXPECT_EQ(contractionOf(program, "f"), Contraction::Nothing);
}

TEST(Contraction, WhatIsCalledCounts) {
  const std::string sum = "out[0] = in[0] * in[1] + 1;";
  EXPECT_FALSE(
      contracts(sum + "out[1] = sign(in[0]);", "int sign(float x) { return x < 0 ? -1 : 1; }"));
  EXPECT_FALSE(contracts("g(in, out);",
                         "__codelet void g(const Array<1, float> a, Array<1, float> b) {"
                         " b[0] = a[0] * a[0] + 1; if (a[1] > 2) b[1] = 0; }"));
  // Called by nobody.
  EXPECT_TRUE(contracts(sum, "int sign(float x) { return x < 0 ? -1 : 1; }"));
}

} // namespace
} // namespace tangram::codegen

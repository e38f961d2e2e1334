#include "codegen/targets/opencl/opencl.h"

#include "codegen/targets/opencl/opencl_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

TEST(PrintOpencl, WhatItemsUpdateInGlobalMemoryIsOrderedByItsFence) {
  EXPECT_NE(kernelOfParts().find("  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"),
            std::string::npos);
}

TEST(PrintOpencl, PartsThatFollowEachOtherAreNotOrderedByBarriers) {
  const std::string text = kernelOfParts("");
  EXPECT_EQ(text.find("barrier("), std::string::npos) << text;
}

TEST(PrintOpencl, ArgumentsOfAMinimumHaveOneTypeThoughTheyAreLiterals) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = min(i ? 2 : 1, 3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_EQ(linesFrom(text, "c[i]").at(0), "c[i] = (int)min((ulong)(i != 0 ? 2 : 1), (ulong)3);");
}

TEST(PrintOpencl, AKernelIsHandedNoBool) {
  const std::string text = kernelOf(R"(
__codelet void f(bool flip, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = flip ? -c[i] : c[i];
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("uchar flip"), std::string::npos) << text;
}

TEST(PrintOpencl, OperandsOfMinAndMaxHaveItsTypeAsAWhole) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, unsigned long> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = max(1 < c.size(), (unsigned long)3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("max((ulong)(1 < c_size), "), std::string::npos) << text;
}

TEST(PrintOpencl, ReciprocalRootsOfFloatsAloneHaveAFunction) {
  const std::string text = kernelOf(R"(
float inverse(float x) { return 1 / sqrt(x); }
__codelet void f(Array<1, float> c, Array<1, double> d) {
  for (unsigned i = 0; i < c.size(); i++) {
    c[i] = inverse(c[i]) + 1 / sqrt(c[i] + 1) + 2 / sqrt(c[i]);
    d[i] = 1 / sqrt(d[i]);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("return rsqrt(x);"), std::string::npos) << text;
  EXPECT_NE(text.find("+ rsqrt(c[i] + 1.0f) + 2.0f / sqrt(c[i]);"), std::string::npos) << text;
  EXPECT_NE(text.find("d[i] = 1.0 / sqrt(d[i]);"), std::string::npos) << text;
}

TEST(PrintOpencl, TheSineAndTheCosineOfANumberAreFoundTogether) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, float> c) {
  for (unsigned i = 0; i + 1 < c.size(); i++) {
    float angle = 3 * c[i];
    c[i] = 2 * cos(angle);
    c[i + 1] = sin(angle);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  const std::vector<std::string> expected{"const float angle = 3.0f * c[i];", "float cosine;",
                                          "const float sine = sincos(angle, &cosine);",
                                          "c[i] = 2.0f * cosine;", "c[i + 1] = sine;"};
  std::vector<std::string> lines = linesFrom(text, "const float angle");
  lines.resize(expected.size());
  EXPECT_EQ(lines, expected);
}

TEST(PrintOpencl, ParametersThatAreNamedAsFunctionsOfOpenclHaveOtherNames) {
  const std::string text = kernelOf(R"(
float inverse(float rsqrt) { return 1 / sqrt(rsqrt); }
__codelet void f(float sincos, Array<1, float> rsqrt) {
  for (unsigned i = 0; i < rsqrt.size(); i++) {
    float angle = sincos * i;
    rsqrt[i] = inverse(rsqrt[i]) + 1 / sqrt(sin(angle) + cos(angle));
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("float inverse(float rsqrt_2)"), std::string::npos) << text;
  EXPECT_NE(text.find("return rsqrt(rsqrt_2);"), std::string::npos) << text;
  EXPECT_NE(text.find("const float angle = sincos_2 * (float)i;"), std::string::npos) << text;
  EXPECT_NE(text.find("rsqrt_2[i] = inverse(rsqrt_2[i]) + rsqrt(sine + cosine);"),
            std::string::npos)
      << text;
}

TEST(PrintOpencl, TheSineOfANumberThatChangesIsFoundAlone) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, float> c) {
  for (unsigned i = 0; i < c.size(); i++) {
    float angle = c[i];
    c[i] = cos(angle);
    angle += 1;
    c[i] += sin(angle);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_EQ(text.find("sincos"), std::string::npos) << text;
}

/// What declares the array of a group of which each item reads some elements.
std::string arrayReadAt(const std::string &subscript) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[4 * coopDim()];
  tmp[4 * coopIdx()] = a[0];
  int sum = 0;
  for (unsigned j = 0; j < coopDim(); ++j)
    sum += tmp[)" + subscript + R"(];
  if (coopIdx() < c.size())
    c[coopIdx()] = sum;
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  return linesFrom(text, "__local").at(0);
}

TEST(PrintOpencl, ArraysThatAreReadByFoursBeginAtAVector) {
  EXPECT_EQ(arrayReadAt("4 * j + 1"),
            "__local __attribute__((aligned(16))) int tmp[4 * NUM_THREADS];");
  EXPECT_EQ(arrayReadAt("3 * j + 1"), "__local int tmp[4 * NUM_THREADS];");
}

/// The host of rounds up to this number, of parameters a and b.
std::string hostOfRounds(const std::string &end) {
  const ir::Program program = parse(R"(
__codelet void g(Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += 1;
}
__codelet void f(unsigned a, unsigned b, Array<1, int> c) {}
__codelet __tag(rounds) void f(unsigned a, unsigned b, Array<1, int> c) {
  for (unsigned t = 0; t < )" + end +
                                    R"(; ++t)
    g(c);
}
)");
  const composer::Machine machine = projected("simple-gpu", "opencl");
  const ir::PlanPtr one = devolve(0, "g", devolve(1, "g", compute(2, "g", 0)));
  auto lowered = lower(program, "f", compound(0, "f", 1, {one}), machine, "opencl");
  const LoweredPlan plan = optimize(std::get<LoweredPlan>(std::move(lowered)), {});
  auto source = printOpencl(plan, {}, Contraction::Nothing);
  return printOpenclHost(plan, *program.spectrum("f"), std::get<OpenclSource>(source), {}).text;
}

TEST(PrintOpencl, AHostCountsToNumbersInParentheses) {
  for (const auto &[end, inC] : {std::pair("min(a, b)", "t < (a < b ? a : b); ++t"),
                                 std::pair("(a & 7)", "t < (a & 7); ++t"),
                                 std::pair("a + b", "t < (uint32_t)(a + b); ++t")}) {
    const std::string host = hostOfRounds(end);
    EXPECT_NE(host.find(inC), std::string::npos) << host;
  }
}

TEST(PrintOpencl, AbsoluteValuesAreSigned) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, const Array<1, double> b, Array<1, int> c) {
  if (abs(a[0]) - 3 < 0 && abs(b[0]) > 0.5)
    c[0] = 1;
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("if ((int)((uint)absolute_i32(a[0]) - 3) < 0 && fabs(b[0]) > 0.5)"),
            std::string::npos)
      << text;
}

TEST(PrintOpencl, SoIsWhatOneItemWritesAfterAnother) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] = 0;
  if (coopIdx() < c.size())
    c[coopIdx()] = a[coopIdx()];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"), std::string::npos)
      << text;
}

TEST(PrintOpencl, GreatestOfShortNumbersHasTheirTypeWhereOneIsChosen) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, short> a, Array<1, short> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = max(a[i], i > 0 ? a[i - 1] : (short)-3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("max(a[i], (short)("), std::string::npos) << text;
}

} // namespace
} // namespace tangram::codegen

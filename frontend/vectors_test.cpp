// Vectors become their components.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

/// Signatures and bodies of all functions and codelets of a source.
std::string split(const std::string &text) {
  ParseResult result = parseSource(text);
  if (!result.program)
    return diagnose(text);
  std::string all = "\n";
  auto add = [&](const std::string &name, const std::vector<ir::VarPtr> &params,
                 const ir::StmtPtr &body) {
    all += name + ":";
    for (const ir::VarPtr &param : params)
      all += " " + param->name + (param->type.isContainer() ? "[" + std::to_string(param->type.rank) + "]" : "");
    all += "\n" + ir::toString(body) + "--\n";
  };
  for (const ir::Function &f : result.program->functions)
    add(f.name, f.params, f.body);
  for (const ir::Spectrum &spectrum : result.program->spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      add(spectrum.name, codelet.params, codelet.body);
  }
  return all;
}

} // namespace

TEST(Vectors, ElementsAndLocals) {
  EXPECT_EQ(split(R"(
__codelet void f(const Array<1, float2> in, Array<1, float2> out) {
  float2 a = in[0];
  a.x += 1.0f;
  out[0] = -a + in[1] * 2.0f;
  out[1].y = a.x;
  float2 b[2];
  b[1] = float2(1, 2);
  b[0] = b[1];
}
)"),
            R"(
)");
}

TEST(Vectors, WhatIsMadeOfOtherComponentsIsReadFirst) {
  EXPECT_EQ(split(R"(
__codelet void f(Array<1, int2> out) {
  out[0] = int2(out[0].y, out[0].x);
  out[1] += out[0];
}
)"),
            R"(
)");
}

TEST(Vectors, FunctionsGiveOneComponentEach) {
  EXPECT_EQ(split(R"(
float2 turned(float2 a, float s) {
  if (s < 0)
    return float2(0);
  return make_float2(a.y, a.x) * (s + 1);
}
__codelet void f(float2 by, Array<1, float2> out) { out[0] = turned(out[0] + by, 3); }
)"),
            R"(
)");
}

TEST(Vectors, SpectrumsWriteThem) {
  EXPECT_EQ(split(R"(
__codelet float2 half_of(float2 a) { return a / 2; }
__codelet float2 sum(const Array<1, float2> in) {
  float2 s(0);
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}
__codelet float2 sum(const Array<1, float2> in) {
  __tunable unsigned p;
  return sum(map(sum, rows(in, p)));
}
__codelet void f(const Array<1, float2> in, Array<1, float2> out) {
  out = map(half_of, in);
}
)"),
            R"(
)");
}

TEST(Vectors, LanesReadAllBeforeTheyWrite) {
  EXPECT_EQ(split(R"(
__codelet __coop float2 sum(const Array<1, float2> in) {
  __shared float2 t[coopDim()];
  t[coopIdx()] = in[coopIdx()];
  t[coopIdx()] += t[0];
  return t[1];
}
)"),
            R"(
)");
}

TEST(Vectors, DotAndLength) {
  EXPECT_EQ(split(R"(
__codelet float f(const Array<1, float3> in) { return dot(in[0], in[1]) + length(in[0] - in[1]); }
)"),
            R"(
)");
}

TEST(Vectors, WholesAreNotCompared) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int2> in) { return in[0] == in[1] ? 1 : 0; }
)"),
            R"(
)");
}

TEST(Vectors, AtomicsAreOnComponents) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, int2> out) { atomicAdd(out[0], int2(1)); }
)"),
            R"(
)");
}

TEST(Vectors, TunablesAreIntegers) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int2 p;
  return p.x;
}
)"),
            R"(
)");
}

TEST(Vectors, FunctionsOfNumbersTakeComponents) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, int2> out) {
  out[0] = max(out[0], out[1]);
  int n = length(out[0]);
}
)"),
            R"(
)");
}

TEST(Vectors, CarriesOfChainsAreNumbers) {
  EXPECT_EQ(diagnose(R"(
__codelet int2 add(int2 carry, int2 value) { return carry + value; }
__codelet int2 f(const Array<1, int2> in) { return chain(add, int2(0), in); }
)"),
            R"(
)");
}

TEST(Vectors, HeadsOfLoopsChangeNumbers) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, int2> out) {
  for (int2 i(0); i.x < 4; i += int2(1, 2))
    out[0] = i;
}
)"),
            R"(
)");
}

TEST(Vectors, PartsThatThereAreNot) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, float4> out) {
  out[0].xy = 1;
  Array<1, float4> other = out;
}
)"),
            R"(
)");
}

} // namespace tangram::frontend

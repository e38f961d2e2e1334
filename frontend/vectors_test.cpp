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
      all += " " + param->name +
             (param->type.isContainer() ? "[" + std::to_string(param->type.rank) + "]" : "");
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
f: in[2] out[2]
require(in.size(1) == 2);
require(out.size(1) == 2);
float a_x = in[0][0];
float a_y = in[0][1];
a_x += 1;
out[0][0] = -a_x + in[1][0] * 2;
out[0][1] = -a_y + in[1][1] * 2;
out[1][1] = a_x;
float b[4];
b[2] = 1;
b[3] = 2;
b[0] = b[2];
b[1] = b[3];
--
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
f: out[2]
require(out.size(1) == 2);
int value_x = out[0][1];
int value_y = out[0][0];
out[0][0] = value_x;
out[0][1] = value_y;
out[1][0] += out[0][0];
out[1][1] += out[0][1];
--
)");
}

TEST(Vectors, ViewsAreOfTheSameMemory) {
  EXPECT_EQ(split(R"(
__codelet void f(Array<2, int2> out) {
  auto row = out[0];
  row[0] = int2(out[0][0].y, out[0][0].x);
}
)"),
            R"(
f: out[3]
require(out.size(2) == 2);
int value_x = out[0][0][1];
int value_y = out[0][0][0];
out[0][0][0] = value_x;
out[0][0][1] = value_y;
--
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
turned_x: a_x a_y s
if (s < 0)
  return 0;
float factor = s + 1;
return a_y * factor;
--
turned_y: a_x a_y s
if (s < 0)
  return 0;
float factor = s + 1;
return a_x * factor;
--
f: by_x by_y out[2]
require(out.size(1) == 2);
float vector_x = out[0][0] + by_x;
float vector_y = out[0][1] + by_y;
out[0][0] = turned_x(vector_x, vector_y, 3);
out[0][1] = turned_y(vector_x, vector_y, 3);
--
)");
}

TEST(Vectors, ParametersHaveNamesOfTheirOwn) {
  EXPECT_EQ(split(R"(
float2 turned(float2 a, float a_x) { return a * a_x; }
float turned_y(float a) { return a; }
__codelet float2 f(float2 a, float a_x, float f_result) { return turned(a, turned_y(a_x)) + f_result; }
)"),
            R"(
turned_x: a_x_ a_y a_x
return a_x_ * a_x;
--
turned_y_: a_x_ a_y a_x
return a_y * a_x;
--
turned_y: a
return a;
--
f: a_x_ a_y a_x f_result f_result_[1]
require(f_result_.size() == 2);
float factor = turned_y(a_x);
f_result_[0] = turned_x(a_x_, a_y, factor) + f_result;
f_result_[1] = turned_y_(a_x_, a_y, factor) + f_result;
--
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
half_of: a_x a_y half_of_result[1]
require(half_of_result.size() == 2);
half_of_result[0] = a_x / 2;
half_of_result[1] = a_y / 2;
--
sum: in[2] sum_result[1]
require(sum_result.size() == 2);
require(in.size(1) == 2);
float s_x = 0;
float s_y = 0;
for (unsigned i = 0; i < in.size(0); i += 1) {
  s_x += in[i][0];
  s_y += in[i][1];
}
sum_result[0] = s_x;
sum_result[1] = s_y;
--
sum: in[2] sum_result[1]
require(sum_result.size() == 2);
require(in.size(1) == 2);
__tunable unsigned p;
Array<2, float> sum_results = Array<2, float>(p, 2);
map(sum, partition(in, p, sequence(0, (in.size(0) + p - 1) / p, in.size(0)), sequence(1), sequence((in.size(0) + p - 1) / p, (in.size(0) + p - 1) / p, in.size(0) + 1)), sum_results);
sum(sum_results, sum_result);
--
f: in[2] out[2]
require(in.size(1) == 2);
require(out.size(1) == 2);
map(half_of, transpose(in)[0], transpose(in)[1], out);
--
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
sum: in[2] sum_result[1]
require(sum_result.size() == 2);
require(in.size(1) == 2);
__shared float t[coopDim() * 2];
t[coopIdx() * 2] = in[coopIdx()][0];
t[coopIdx() * 2 + 1] = in[coopIdx()][1];
float value_x = t[coopIdx() * 2] + t[0];
float value_y = t[coopIdx() * 2 + 1] + t[1];
t[coopIdx() * 2] = value_x;
t[coopIdx() * 2 + 1] = value_y;
sum_result[0] = t[2];
sum_result[1] = t[3];
--
)");
}

TEST(Vectors, NumbersAreInAllComponents) {
  EXPECT_EQ(split(R"(
template <class T> __codelet
T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum = i > 3 ? accum + in[i] : 1;
  return accum;
}
template int2 sum<int2>(const Array<1, int2>);
)"),
            R"(
sum<int2>: in[2] sum_result[1]
require(sum_result.size() == 2);
require(in.size(1) == 2);
int accum_x = 0;
int accum_y = 0;
for (unsigned i = 0; i < in.size(0); i += 1) {
  accum_x = i > 3 ? accum_x + in[i][0] : 1;
  accum_y = i > 3 ? accum_y + in[i][1] : 1;
}
sum_result[0] = accum_x;
sum_result[1] = accum_y;
--
)");
}

TEST(Vectors, DotAndLength) {
  EXPECT_EQ(split(R"(
__codelet float f(const Array<1, float3> in) { return dot(in[0], in[1]) + length(in[0] - in[1]); }
)"),
            R"(
f: in[2]
require(in.size(1) == 3);
float vector_x = in[0][0] - in[1][0];
float vector_y = in[0][1] - in[1][1];
float vector_z = in[0][2] - in[1][2];
return in[0][0] * in[1][0] + in[0][1] * in[1][1] + in[0][2] * in[1][2] + sqrt(vector_x * vector_x + vector_y * vector_y + vector_z * vector_z);
--
)");
}

TEST(Vectors, WholesAreNotCompared) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int2> in) { return in[0] == in[1] ? 1 : 0; }
)"),
            R"(
test.cpp:2:51: error: vectors are not compared as wholes: compare their components, 'a.x == b.x'
__codelet int f(const Array<1, int2> in) { return in[0] == in[1] ? 1 : 0; }
                                                  ^~~~~~~~~~~~~~
)");
}

TEST(Vectors, AtomicsAreOnComponents) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, int2> out) { atomicAdd(out[0], int2(1)); }
)"),
            R"(
test.cpp:2:50: error: 'atomicAdd' works on numbers, not on 'int2': use it on the components, one by one
__codelet void f(Array<1, int2> out) { atomicAdd(out[0], int2(1)); }
                                                 ^~~~~~
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
test.cpp:3:18: error: '__tunable' must qualify an integer local variable, 'p' has type 'int2'
  __tunable int2 p;
                 ^
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
test.cpp:3:12: error: unsupported construct: 'max' of vectors; it works on their components
  out[0] = max(out[0], out[1]);
           ^~~~~~~~~~~~~~~~~~~
test.cpp:4:11: error: 'length' works on vectors of float and double, not on 'int2'
  int n = length(out[0]);
          ^~~~~~~~~~~~~~
)");
}

TEST(Vectors, CarriesOfChainsAreNumbers) {
  EXPECT_EQ(diagnose(R"(
__codelet int2 add(int2 carry, int2 value) { return carry + value; }
__codelet int2 f(const Array<1, int2> in) { return chain(add, int2(0), in); }
)"),
            R"(
test.cpp:3:58: error: 'chain' applies a spectrum that returns a scalar of its first parameter's type, 'add' takes 'int2' and returns 'int2': a chain for each component, or a loop, does it
__codelet int2 f(const Array<1, int2> in) { return chain(add, int2(0), in); }
                                                         ^~~
)");
}

TEST(Vectors, BoundariesAreNumbers) {
  EXPECT_EQ(diagnose(R"(
__codelet int2 first(const Array<1, int2> in) { return in[0]; }
__codelet void f(const Array<1, int2> in, Array<1, int2> out) {
  out = map(first, slide(pad(in, 1, 1, constant(int2(1, 2))), 3, 1));
}
)"),
            R"(
test.cpp:4:49: error: value of a 'constant' boundary must be a scalar, which is in all components
  out = map(first, slide(pad(in, 1, 1, constant(int2(1, 2))), 3, 1));
                                                ^~~~~~~~~~
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
test.cpp:3:28: error: unsupported construct: vector changed in the head of a loop; change it at the end of the body
  for (int2 i(0); i.x < 4; i += int2(1, 2))
                           ^~~~~~~~~~~~~~~
)");
}

TEST(Vectors, PartsThatThereAreNot) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, float4> out) {
  out[0].xy = 1;
}
)"),
            R"(
test.cpp:3:10: error: 'float4' has components x, y, z and w, one by one, and no 'xy'
  out[0].xy = 1;
         ^~
)");
}

} // namespace tangram::frontend

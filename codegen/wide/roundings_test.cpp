#include "codegen/wide/roundings.h"

#include "codegen/printing/rounding_functions.h"
#include "codegen/test_fixture.h"

#include <regex>

namespace tangram::codegen {
namespace {

using ir::Scalar;

/// The body of the first codelet of a program with its operations marked.
std::string marked(const std::string &source, const WiderTypes &types = {}) {
  const ir::Program program = withRoundings(fixture::parse(source), rounded(types));
  return ir::toString(program.spectrums.at(0).codelets.at(0).body);
}

TEST(Roundings, AreThoseOfOperationsOnNumbersThatBecomeWider) {
  EXPECT_EQ(marked(R"(
#include <cmath>
float twice(float x) { return x * 2; }
__codelet float f(const Array<1, float> in, int n) {
  float s = in[0] / 3 - in[1];
  s += twice(sqrt(in[2]));
  s *= -erf((float)n);
  return s > 0 ? s : fabs(s);
}
)"),
            "float s = difference f32(result f32(in[0] / 3, 0), in[1]);\n"
            "s = sum f32(s, twice(result f32(sqrt(in[2]), 0)));\n"
            "s = result f32(s * -result f32(erf(result f32((float)n, 0)), 16), 0);\n"
            "return s > 0 ? s : fabs(s);\n");
}

TEST(Roundings, AreNotThoseOfNumbersThatStay) {
  // Doubles stay doubles where no output is one.
  EXPECT_EQ(marked("__codelet float f(const Array<1, float> in) { double s = 0; s += 0.1; return "
                   "(float)s; }"),
            "double s = 0;\ns += 0.10000000000000001;\nreturn result f32((float)s, 0);\n");
}

TEST(Roundings, HaveOneDefinitionForEachPairOfTypes) {
  const auto name = [](Scalar type) {
    return type == Scalar::F32    ? "float"
           : type == Scalar::F64  ? "double"
           : type == Scalar::F128 ? "__float128"
           : type == Scalar::U32  ? "uint"
                                  : "ulong";
  };
  const std::string text = roundingDefinitions("result f32", Scalar::F64, name);
  for (const char *part : {"static inline double sum_f32_in_f64(double a, double b) {",
                           "#define result_f32_in_f64(x, ulps) (x)\n",
                           "#define difference_f32_in_f64(a, b) ((a) - (b))\n", "uint bits;"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_FALSE(std::regex_search(text, std::regex("NARROW|WIDE|BITS|WORD|INFINITE|NAME"))) << text;
  EXPECT_TRUE(isRounding("sum f64"));
  EXPECT_FALSE(isRounding("sum"));
  EXPECT_EQ(roundedType("difference f64"), Scalar::F64);
}

} // namespace
} // namespace tangram::codegen

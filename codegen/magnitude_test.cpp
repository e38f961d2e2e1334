// The magnitudes that rounding errors are relative to, as code.
#include "codegen/magnitude.h"

#include "codegen/test_fixture.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace ir;

class MagnitudesTest : public testing::Test {
protected:
  static VarPtr variable(const char *name, Scalar type = Scalar::F32) {
    Var v;
    v.name = name;
    v.type = scalarType(type);
    return std::make_shared<const Var>(v);
  }

  /// What is returned for the magnitude of `e`.
  std::string of(const ExprPtr &e) const {
    Magnitudes magnitudes({"helper"});
    for (const VarPtr &v : {a, b})
      magnitudes.pair(v, Magnitudes::twinOf(v));
    return toString(magnitudes.body(returns(e), {}, Scalar::F32));
  }

  static ExprPtr op(const char *o, const ExprPtr &x, const ExprPtr &y) { return binary(o, x, y); }

  VarPtr a = variable("a");
  VarPtr b = variable("b");
  VarPtr n = variable("n", Scalar::I32);
  ExprPtr A = varRef(a);
  ExprPtr B = varRef(b);
};

TEST_F(MagnitudesTest, OfOperators) {
  EXPECT_EQ(of(op("-", A, B)), of(op("+", A, B)));
  EXPECT_EQ(of(op("+", A, B)), "return a_magnitude + b_magnitude;\n");
  EXPECT_EQ(of(op("*", A, unary("-", B))), "return a_magnitude * b_magnitude;\n");
  EXPECT_EQ(of(op("/", A, B)), "return a_magnitude / fabs(b) * (b_magnitude / fabs(b));\n");
  EXPECT_EQ(of(op("/", A, realLiteral(-2, Scalar::F32))), "return a_magnitude / 2;\n");
  EXPECT_EQ(of(op("*", realLiteral(-2, Scalar::F32), A)), "return 2 * a_magnitude;\n");
  EXPECT_EQ(of(op("*", A, cast(Scalar::F32, varRef(n)))), "return a_magnitude * fabs((float)n);\n");
}

TEST_F(MagnitudesTest, OfChoices) {
  EXPECT_EQ(of(call("min", scalarType(Scalar::F32), {A, B})),
            "return max(a_magnitude, b_magnitude);\n");
  EXPECT_EQ(of(select(op("<", A, B), A, B)), "return max(a_magnitude, b_magnitude);\n");
  EXPECT_EQ(of(select(op("<", varRef(n), intLiteral(3, Scalar::I32)), A, B)),
            "return n < 3 ? a_magnitude : b_magnitude;\n");
  // The branch that is not taken may read past the end.
  VarPtr x = variable("x");
  ExprPtr element = index(varRef(x), {varRef(n)});
  EXPECT_EQ(of(select(op("<", A, B), A, element)), "return a < b ? a_magnitude : fabs(x[n]);\n");
}

TEST_F(MagnitudesTest, OfCalls) {
  const Type f32 = scalarType(Scalar::F32);
  EXPECT_EQ(of(call("helper", f32, {A, varRef(n)})),
            "return magnitude_of_helper(a, n, a_magnitude);\n");
  EXPECT_EQ(of(call("exp", f32, {A})), "return fabs(exp(a)) + exp(a) * a_magnitude;\n");
  EXPECT_EQ(of(call("fma", f32, {A, B, A})), "return a_magnitude * b_magnitude + a_magnitude;\n");
  EXPECT_EQ(of(call("sqrt", f32, {A})), "return fabs(a) > 0 ? fabs(sqrt(a)) * (a_magnitude / "
                                        "fabs(a)) : sqrt(a_magnitude);\n");
}

TEST_F(MagnitudesTest, StandBesideTheValues) {
  VarPtr r = variable("r");
  StmtPtr body =
      block({declare(r, realLiteral(-1, Scalar::F32)),
             ifThen(op(">", varRef(r), A), assign(varRef(r), "-=", A)), returns(varRef(r))});
  EXPECT_EQ(toString(Magnitudes({}).body(body, {a}, Scalar::F32)),
            "float a_magnitude = fabs(a);\n"
            "float r_magnitude = 1;\n"
            "float r = -1;\n"
            "if (r > a) {\n"
            "  r_magnitude = r_magnitude + a_magnitude;\n"
            "  r -= a;\n"
            "}\n"
            "return r_magnitude;\n");
}

TEST_F(MagnitudesTest, OfALoopThatCountsInFloatingPoint) {
  VarPtr t = variable("t");
  StmtPtr body = block({forLoop(declare(t, A), op("<", varRef(t), B), assign(varRef(t), "+=", A),
                                block({jump(StmtKind::Continue)}))});
  EXPECT_EQ(toString(Magnitudes({}).body(body, {}, Scalar::F32)),
            "float t_magnitude = fabs(a);\n"
            "float t = a;\n"
            "for (bool again = false; ; again = true) {\n"
            "  if (again) {\n"
            "    t_magnitude = t_magnitude + fabs(a);\n"
            "    t += a;\n"
            "  }\n"
            "  if (!(t < b))\n"
            "    break;\n"
            "  continue;\n"
            "}\n");
}

} // namespace
} // namespace tangram::codegen

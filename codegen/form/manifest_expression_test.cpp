#include "codegen/form/manifest_expression.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace ir;

ExprPtr variable(const char *name, Scalar type) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(type);
  var->kind = VarKind::Param;
  return varRef(var);
}

const ExprPtr n = variable("n", Scalar::Index);
const ExprPtr k = variable("k", Scalar::I32);
const ExprPtr x = variable("x", Scalar::F32);

TEST(ManifestExpression, NegativeNumbers) {
  EXPECT_EQ(manifestText(intLiteral(-8)), "-8");
  EXPECT_EQ(manifestText(unary("-", k)), "-k");
  EXPECT_EQ(manifestText(binary("-", k, intLiteral(9, Scalar::I32))), "k + -9");
  EXPECT_EQ(manifestText(binary("-", k, binary("+", k, k))), "k + -(k + k)");
  // Sizes are never below 0: a difference that is, is an error.
  EXPECT_EQ(manifestText(binary("-", n, intLiteral(1, Scalar::Index))), "n - 1");
}

TEST(ManifestExpression, ConversionsThatChangeNumbersHaveNames) {
  EXPECT_EQ(manifestText(cast(Scalar::U8, k)), "u8(k)");
  EXPECT_EQ(manifestText(cast(Scalar::I64, k)), "k");
  EXPECT_EQ(manifestText(cast(Scalar::U32, n)), "u32(n)");
  EXPECT_EQ(manifestText(cast(Scalar::Index, k)), "u64(k)");
  EXPECT_EQ(manifestText(cast(Scalar::Index, variable("u", Scalar::U8))), "u");
  EXPECT_EQ(manifestText(unary("~", variable("u", Scalar::U32))), "u32(-1 + -u)");
  EXPECT_EQ(manifestText(intLiteral(1, Scalar::Bool)), "1");
}

TEST(ManifestExpression, SizesOfNumbersThatAreNotBelowZero) {
  const ExprPtr zero = intLiteral(0, Scalar::I32);
  const ExprPtr atLeastZero = call("max", k->type, {k, zero});
  EXPECT_EQ(manifestText(cast(Scalar::Index, atLeastZero)), "max(k, 0)");
  EXPECT_EQ(manifestText(cast(Scalar::Index, binary("+", atLeastZero, zero))), "max(k, 0) + 0");
  EXPECT_EQ(manifestText(cast(Scalar::Index, binary("+", atLeastZero, k))), "u64(max(k, 0) + k)");
  EXPECT_EQ(manifestText(cast(Scalar::Index, binary("-", atLeastZero, zero))),
            "u64(max(k, 0) + -0)");
}

TEST(ManifestExpression, SumsOfNumbersThatMayWrapAround) {
  const ExprPtr u = variable("u", Scalar::U32);
  const ExprPtr one = intLiteral(1, Scalar::U32);
  EXPECT_EQ(manifestText(binary("+", cast(Scalar::U32, k), one)), "u32(k + 1)");
  EXPECT_EQ(manifestText(binary("-", binary("+", u, one), k)), "u32(u + 1 + -k)");
  EXPECT_EQ(manifestText(binary("*", binary("*", u, u), u)), "u32(u32(u * u) * u)");
  EXPECT_EQ(manifestText(binary("+", cast(Scalar::Index, k), n)), "u64(k + n)");
  EXPECT_EQ(manifestText(binary("+", cast(Scalar::Index, u), n)), "u + n");
}

TEST(ManifestExpression, SomeThingsAreNotForManifests) {
  EXPECT_EQ(unwritable(binary("<", x, realLiteral(1, Scalar::F32))),
            "x < 1 is about floating-point values");
  EXPECT_EQ(unwritable(call("abs", scalarType(Scalar::I32), {k})), "abs(k) calls abs");
  EXPECT_EQ(unwritable(call("min", scalarType(Scalar::Index), {n, k})), std::nullopt);
}

} // namespace
} // namespace tangram::codegen

#include "ir/expr.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(Type, ShortNamesAreFoundAgain) {
  for (Scalar each : {Scalar::Void, Scalar::Bool, Scalar::I8, Scalar::U8, Scalar::I16, Scalar::U16,
                      Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F16, Scalar::F32,
                      Scalar::F64, Scalar::F128, Scalar::Index})
    EXPECT_EQ(scalarNamed(shortName(each)), each) << shortName(each);
  EXPECT_EQ(scalarNamed("f80"), Scalar::Void);
}

TEST(Type, NumbersOf128BitsAreTheWidest) {
  EXPECT_EQ(shortName(Scalar::F128), "f128");
  EXPECT_EQ(byteSize(Scalar::F128), 16U);
  EXPECT_TRUE(isFloating(Scalar::F128));
  EXPECT_FALSE(isInteger(Scalar::F128));
  EXPECT_TRUE(isSigned(Scalar::F128));
  EXPECT_EQ(commonScalar(Scalar::F64, Scalar::F128), Scalar::F128);
  EXPECT_EQ(commonScalar(Scalar::F128, Scalar::U64), Scalar::F128);
}

} // namespace
} // namespace tangram::ir

#include "driver/run/wide_vectors.h"

#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

constexpr const char *source =
    "typedef float float8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
    "typedef double double8 __attribute__((vector_size(64), aligned(8), may_alias));\n";

TEST(WideVectors, AreThoseThatDoNotFitARegister) {
  EXPECT_EQ(widestVector(source), 64U);
  EXPECT_EQ(widestVector("float x;"), 0U);
  EXPECT_EQ(widestVector("__attribute__((vector_size("), 0U);
  EXPECT_EQ(tooWideVectors(source, 64), "");
  EXPECT_EQ(tooWideVectors(source, 0), "");
  EXPECT_EQ(tooWideVectors(source, 32),
            "made for vectors of 512 bits, this processor has 256: GCC makes slow code of it; "
            "`tangram hw detect > here.json` and `synth --hw here.json` suit it");
}

TEST(WideVectors, OfBundlesThatAreNotThereAreNoMatter) {
  testing::internal::CaptureStderr();
  tellOfWideVectors({"/nonexistent"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace tangram::driver

#include "codegen/printing/place_offsets.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class PlaceOffsetsTest : public ::testing::Test, protected Kernel4 {
protected:
  E j = variable("j");
  E k = variable("k");
  E l = variable("l");
  E d = variable("d"); ///< declared as j - 1

  /// In a loop over k that is unrolled and one over l that is not, "place, offset" of a[subscript].
  std::string of(const E &subscript, const char *array = "a") {
    auto unrolled = std::make_shared<ir::Stmt>(*upTo(k, 8, {set(out[k], 0)}));
    unrolled->unroll = 8;
    const LoweredPlan all = plan({lanes({let(d, j - 1), upTo(l, n, {unrolled})})});
    const E element = array == std::string("a") ? a[subscript] : in[subscript];
    const auto parts = PlaceOffsets(all, all.body).of(*element.e);
    return parts ? ir::toString(parts->place) + ", " + ir::toString(parts->offset) : "";
  }
};

TEST_F(PlaceOffsetsTest, WhatAnUnrolledRoundAddsIsApart) {
  EXPECT_EQ(of(j + k), "j, k");
  EXPECT_EQ(of((j + k) * 80 + (l + 3)), "j * 80 + l, k * 80 + 3");
  EXPECT_EQ(of((j + (k + 2)) * (K + 16) + l), "j * (K + 16) + l, (k + 2) * (K + 16)");
  EXPECT_EQ(of(l * 20 + k), "l * 20, k");
}

TEST_F(PlaceOffsetsTest, NothingIsWhereNoneAddsToAPlace) {
  EXPECT_EQ(of(k * 4 + 1), "");   // no place
  EXPECT_EQ(of(j * 4 + 1), "");   // no round
  EXPECT_EQ(of(j * n + l), "");   // rounds that are not unrolled
  EXPECT_EQ(of(j * k + l), "");   // a product of both
  EXPECT_EQ(of(j + k, "in"), ""); // memory of all groups
}

TEST_F(PlaceOffsetsTest, WhatMayWrapAroundStaysInOneSum) {
  EXPECT_EQ(of(j - 1 + k), "");
  EXPECT_EQ(of(j + (k - 1)), "");
  EXPECT_EQ(of((j - l) * 4 + k), "");
  EXPECT_EQ(of(d + k), "");
}

} // namespace
} // namespace tangram::codegen

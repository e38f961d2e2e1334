#include "codegen/test_fixture.h"
#include "codegen/timing/walks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// Walks of groups whose position is `place(number)`, by values that `rows` have been asked for.
std::vector<Walk> walksOfGroups(const std::function<double(double)> &place,
                                const std::vector<double> &rows, double groups = 6000) {
  const LoweredPlan plan;
  SampledValues values(plan, {});
  const E group = variable("group", ir::Scalar::Index);
  Samples number = Samples::all(0);
  for (std::size_t i = 0; i < Samples::groupsTried; ++i)
    number.at[Samples::groups + i] =
        std::floor(groups / 6 * static_cast<double>(i) + groups * 413 / 6000);
  number.at[Samples::steps] = 1;
  values.set(group.var().get(), number);
  values.setGroups(number, groups, Samples::steps);
  for (const double row : rows)
    values((group / static_cast<int>(row)).e);
  Samples position;
  for (std::size_t i = 0; i < Samples::most; ++i)
    position.at[i] = place(number.at[i]);
  return walksOf({{Walk::Kind::Groups, groups, Samples::steps}}, position, 4, values);
}

std::string text(const std::vector<Walk> &walks) {
  std::string all;
  for (const Walk &walk : walks)
    all += std::to_string(std::lround(walk.count)) + " x " +
           std::to_string(std::lround(walk.stride)) + "; ";
  return all;
}

TEST(Walks, GroupsOneBehindTheOther) {
  EXPECT_EQ(text(walksOfGroups([](double g) { return 8 * g; }, {})), "6000 x 32; ");
  EXPECT_EQ(text(walksOfGroups([](double g) { return 8 * g; }, {30})), "6000 x 32; ");
}

TEST(Walks, GroupsInRows) {
  const auto tile = [](double g) { return std::floor(g / 30) * 10000 + std::fmod(g, 30) * 16; };
  EXPECT_EQ(text(walksOfGroups(tile, {30})), "200 x 40000; 30 x 64; ");
  // Nobody divides their number by such a row: what the next group says.
  EXPECT_EQ(text(walksOfGroups(tile, {25})), "6000 x 64; ");
}

TEST(Walks, GroupsInRowsOfRows) {
  const auto box = [](double g) {
    return std::floor(g / 600) * 90000 + std::floor(std::fmod(g, 600) / 30) * 1000 +
           std::fmod(g, 30) * 16;
  };
  EXPECT_EQ(text(walksOfGroups(box, {30, 600})), "10 x 360000; 20 x 4000; 30 x 64; ");
}

TEST(Walks, TheFirstGroupMayBeHeldBackAtAnEnd) {
  const auto padded = [](double g) {
    return std::max(0.0, std::floor(g / 30) * 10000 - 20000) +
           std::max(0.0, std::fmod(g, 30) * 16 - 2);
  };
  EXPECT_EQ(text(walksOfGroups(padded, {30})), "200 x 40000; 30 x 64; ");
}

TEST(Walks, TheFirstOfAFewGroupsMayBeHeldBackAtAnEnd) {
  const auto padded = [](double g) { return std::max(0.0, g * 1000 - 1); };
  EXPECT_EQ(text(walksOfGroups(padded, {}, 8)), "8 x 4000; ");
}

/// Walks of 256 items whose position is `place(number)`.
std::vector<Walk> walksOfItems(const std::function<double(double)> &place) {
  const LoweredPlan plan;
  const SampledValues values(plan, {});
  Samples position = Samples::all(place(0));
  position.at[Samples::middleItem] = place(127);
  position.at[Samples::lastItem] = place(255);
  position.at[Samples::items] = place(1);
  return walksOf({{Walk::Kind::Items, 256, Samples::items, true}}, position, 4, values);
}

TEST(Walks, TheFirstItemMayBeHeldBackAtAnEnd) {
  EXPECT_EQ(text(walksOfItems([](double l) { return std::max(l, 1.0) - 1; })), "256 x 4; ");
  EXPECT_EQ(text(walksOfItems([](double l) { return std::max(l, 4.0) - 4; })), "256 x 4; ");
}

TEST(Walks, ItemsInRows) {
  const auto tile = [](double l) { return std::floor(l / 16) * 1000 + std::fmod(l, 16); };
  EXPECT_EQ(text(walksOfItems(tile)), "16 x 4000; 16 x 4; ");
  EXPECT_EQ(text(walksOfItems([](double l) { return std::floor(l / 32); })), "8 x 4; 32 x 0; ");
}

} // namespace
} // namespace tangram::codegen

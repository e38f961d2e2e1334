#include "codegen/timing/activity.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

/// 1 where groups do something, all items of them alike; the first group apart.
Samples done(bool first, bool others) {
  Samples s = Samples::all(first ? 1 : 0);
  for (std::size_t i = 0; i < Samples::groupsTried; ++i)
    s.at[Samples::groups + i] = others ? 1 : 0;
  return s;
}

TEST(Activity, WhatTheFirstGroupAloneDoesIsNoShareOfAll) {
  const Spread edge = spreadOf(done(true, false), {}, true, true);
  EXPECT_TRUE(edge.firstGroupAlone);
  EXPECT_EQ(edge.most, 1);
}

TEST(Activity, WhatGroupsDoThatAreTriedIsTheirShare) {
  const Spread inside = spreadOf(done(false, true), {}, true, true);
  EXPECT_FALSE(inside.firstGroupAlone);
  EXPECT_EQ(inside.active.share(), 1);
  const Spread all = spreadOf(done(true, true), {}, true, true);
  EXPECT_FALSE(all.firstGroupAlone);
  EXPECT_EQ(all.active.share(), 1);
}

TEST(Activity, ItemsThatDivideWorkByARestAreTriedWithDifferentOnes) {
  // Of 256 items those do something whose number ends, in eights, with less than five.
  Samples s = Samples::all(1);
  s.at[Samples::middleItem] = 127 % 8 < 5;
  s.at[Samples::lastItem] = 255 % 8 < 5;
  const std::array<int, Samples::betweenTried> between{51, 85, 170, 204};
  for (std::size_t i = 0; i < between.size(); ++i)
    s.at[Samples::between + i] = between.at(i) % 8 < 5;
  EXPECT_NEAR(spreadOf(s, {}, true, false).active.share(), 5.0 / 8, 0.15);
}

TEST(Activity, WhatGrowsWithTheNumberOfAnItemIsASumOfGroupsAndItems) {
  // 64 groups of 64 items, of which each does one round more than the one before.
  Samples s = Samples::all(1);
  s.at[Samples::middleItem] = 1 + 31;
  s.at[Samples::lastItem] = 1 + 63;
  for (std::size_t i = 0; i < Samples::betweenTried; ++i)
    s.at[Samples::between + i] = 1 + Samples::itemTried(i, 64);
  for (std::size_t i = 0; i < Samples::groupsTried; ++i)
    s.at[Samples::groups + i] = 1 + 64 * Samples::groupTried(i, 64);
  EXPECT_NEAR(meanOf(s, {}, true, true), 64 * 64 / 2, 100);
}

TEST(Activity, WithoutGroupsNoneIsFirst) {
  const Spread spread = spreadOf(done(true, false), {}, true, false);
  EXPECT_FALSE(spread.firstGroupAlone);
  EXPECT_EQ(spread.active.share(), 1);
}

} // namespace
} // namespace tangram::codegen

#include "runtime/tune/best_known.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

TuningCase at(std::uint64_t size) {
  TuningCase of;
  of.plan = "1a2b3c4d";
  of.target = "openmp";
  of.code = "c0de";
  of.device = "host";
  of.driver = "12";
  of.extents = {{"in_size", size}};
  return of;
}

Choice choiceAt(const TuningCase &of, std::uint64_t p, std::int64_t when = 1) {
  return {of, {{"p", p}}, 1, 1, 1, false, when};
}

std::uint64_t found(const std::vector<Choice> &choices, const TuningCase &wanted) {
  const Choice *best = bestKnown(choices, wanted);
  return best ? best->tunables.at("p") : 0;
}

TEST(BestKnown, TheNearestSizes) {
  const std::vector<Choice> choices{choiceAt(at(1000), 1), choiceAt(at(1000000), 2)};
  EXPECT_EQ(found(choices, at(10)), 1U);
  EXPECT_EQ(found(choices, at(20000)), 1U); // by ratio
  EXPECT_EQ(found(choices, at(100000)), 2U);
  EXPECT_EQ(found({}, at(10)), 0U);
}

TEST(BestKnown, OnlyOfThisCodeAndDevice) {
  for (std::string TuningCase::*part :
       {&TuningCase::plan, &TuningCase::target, &TuningCase::code, &TuningCase::device}) {
    TuningCase other = at(1000);
    other.*part = "x";
    EXPECT_EQ(found({choiceAt(other, 1)}, at(1000)), 0U);
  }
  TuningCase otherShape = at(1000);
  otherShape.extents = {{"a_size0", 1000}};
  EXPECT_EQ(found({choiceAt(otherShape, 1)}, at(1000)), 0U);
  TuningCase otherDriver = at(1000);
  otherDriver.driver = "13";
  EXPECT_EQ(found({choiceAt(otherDriver, 1)}, at(1000)), 1U); // better than nothing
}

TEST(BestKnown, OfThoseAsNear) {
  TuningCase cold = at(1000);
  cold.caches = Caches::Cold;
  EXPECT_EQ(found({choiceAt(cold, 1, 9), choiceAt(at(1000), 2, 5)}, at(1000)), 2U);
  EXPECT_EQ(found({choiceAt(at(1000), 1, 5), choiceAt(cold, 2, 9)}, cold), 2U);
  TuningCase older = at(1000);
  older.driver = "11";
  EXPECT_EQ(found({choiceAt(older, 1, 5), choiceAt(at(1000), 2, 9)}, at(2000)), 2U); // the newer
}

} // namespace
} // namespace tangram::runtime

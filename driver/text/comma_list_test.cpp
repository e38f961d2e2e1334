#include "driver/text/comma_list.h"

#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

using Items = std::vector<std::string>;

TEST(CommaList, ItemsStandBetweenCommas) {
  EXPECT_EQ(itemsOf("tree"), Items{"tree"});
  EXPECT_EQ(itemsOf("tree,kog, sum#2"), (Items{"tree", "kog", "sum#2"}));
  EXPECT_EQ(itemsOf("S_P, regroup(a, P)"), (Items{"S_P", "regroup(a, P)"}));
}

TEST(CommaList, InstancesOfTemplatesAreOneItem) {
  EXPECT_EQ(itemsOf("reduce<int, plus<int>, zero<int>>:tree,kog"),
            (Items{"reduce<int, plus<int>, zero<int>>:tree", "kog"}));
  EXPECT_EQ(itemsOf("map<f(a, b)>,scan<float,add>"), (Items{"map<f(a, b)>", "scan<float,add>"}));
}

} // namespace
} // namespace tangram::driver

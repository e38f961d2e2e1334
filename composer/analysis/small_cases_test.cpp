#include "composer/analysis/small_cases.h"

#include "composer/analysis/analysis_fixture.h"

#include <gtest/gtest.h>

#include <set>

namespace tangram::composer {
namespace {

using namespace fixture;

/// The sizes of containers with these names, and the values that they are tried with.
struct Tried {
  std::size_t cases = 0;
  std::vector<std::set<std::int64_t>> values;
  bool equal = true; ///< all of them, in each case
};

Tried tried(const std::vector<VarPtr> &containers, const std::vector<ExprPtr> &guards) {
  std::vector<ExprPtr> sizes;
  for (const VarPtr &each : containers)
    sizes.push_back(sizeAs(each));
  Tried result;
  result.values.resize(containers.size());
  const SmallCases cases(codelet("", containers, {}), sizes, guards);
  cases.forEach([&](const Environment &, const SmallCases::Values &values) {
    ++result.cases;
    for (std::size_t k = 0; k < values.size(); ++k) {
      result.values[k].insert(values[k].second);
      result.equal &= values[k].second == values[0].second;
    }
  });
  return result;
}

TEST(SmallCases, SizesThatNothingRelatesAreEqualHoweverMany) {
  std::vector<VarPtr> containers;
  for (int k = 0; k < 16; ++k)
    containers.push_back(input("c" + std::to_string(k)));
  const Tried result = tried(containers, {});
  EXPECT_GT(result.cases, 3u);
  EXPECT_EQ(result.cases, result.values[0].size());
  EXPECT_TRUE(result.equal);
}

TEST(SmallCases, SizesOfAKnownNumberHaveNoOther) {
  const VarPtr a = input("a"), b = input("b"), c = input("c");
  const Tried result = tried({a, b, c}, {op(sizeAs(b), "==", 3)});
  EXPECT_EQ(result.values[1], std::set<std::int64_t>{3});
  EXPECT_GT(result.cases, 3u);
  EXPECT_EQ(result.values[0].size(), result.cases);
}

TEST(SmallCases, SizesThatAreRelatedAreTriedTogetherAndOthersEqual) {
  const VarPtr a = input("a"), b = input("b"), c = input("c"), d = input("d");
  const Tried result = tried({a, b, c, d}, {op(sizeAs(b), "<=", sizeAs(a))});
  const std::size_t each = result.values[0].size();
  EXPECT_EQ(result.values[1].size(), each);
  EXPECT_EQ(result.cases, each * each * each);
}

} // namespace
} // namespace tangram::composer

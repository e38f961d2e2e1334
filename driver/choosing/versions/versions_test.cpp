// The plans that become versions of a library, and the rules among them, by given times.
#include "driver/choosing/versions/size_grid.h"
#include "driver/choosing/versions/version_choice.h"
#include "driver/choosing/versions/version_rules.h"

#include <gtest/gtest.h>

#include <random>

namespace tangram::driver {
namespace {

using codegen::VersionRule;

runtime::Parameter container(const std::string &name, const std::vector<std::string> &extents) {
  runtime::Parameter p;
  p.name = name;
  p.extents = extents;
  return p;
}

runtime::Signature line() {
  runtime::Signature signature;
  signature.parameters = {container("in", {"in_size"})};
  return signature;
}

/// Rows by columns times a vector of as many elements as there are columns.
runtime::Signature matrix() {
  runtime::Signature signature;
  signature.parameters = {container("a", {"rows", "columns"}), container("x", {"x_size"})};
  signature.shape = {{"x_size", *runtime::Expression::parse("columns")}};
  return signature;
}

/// "n < 64: 1, otherwise: 0"
std::string text(const std::vector<VersionRule> &rules) {
  std::string text;
  for (const VersionRule &rule : rules)
    text += (text.empty() ? "" : ", ") + (rule.when.empty() ? "otherwise" : rule.when) + ": " +
            std::to_string(rule.version);
  return text;
}

double costOf(const std::vector<VersionRule> &rules, const std::vector<SizeFeature> &features,
              const std::vector<std::vector<double>> &costs) {
  double sum = 0;
  for (std::size_t point = 0; point < costs.front().size(); ++point)
    sum += costs[versionAt(rules, features, point)][point];
  return sum;
}

TEST(SizeGrid, CoversWhatIsFree) {
  const std::vector<runtime::SizeChoice> sizes = sizeGrid(matrix());
  EXPECT_LE(sizes.size(), 200U);
  std::uint64_t most = 0;
  for (const runtime::SizeChoice &choice : sizes) {
    EXPECT_EQ(choice.named.size(), 2U); // x_size follows
    const std::uint64_t rows = choice.named.at("rows").front();
    const std::uint64_t columns = choice.named.at("columns").front();
    EXPECT_LE(rows * columns, std::uint64_t{1} << 30);
    most = std::max(most, columns);
  }
  EXPECT_EQ(most, std::uint64_t{1} << 28);
  EXPECT_EQ(sizeGrid(line()).size(), 17U);
}

TEST(SizeGrid, IsBoundedHoweverManyExtentsThereAre) {
  runtime::Signature signature;
  for (const char *name : {"a", "b", "c", "d", "e", "f", "g"})
    signature.parameters.push_back(container(name, {std::string(name) + "_size"}));
  EXPECT_LE(sizeGrid(signature).size(), 250U);
}

TEST(VersionChoice, TakesWhatIsBestAloneThenWhatHelpsMost) {
  const PlanTimes times{{1, 1, 8, 8}, {9, 9, 1, 2}, {3, 3, 2, 2}, {9, 9, 9, 1}};
  EXPECT_EQ(chooseVersions(times, 1), std::vector<std::size_t>{2});
  EXPECT_EQ(chooseVersions(times, 2), (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(chooseVersions(times, 9), (std::vector<std::size_t>{2, 0, 1, 3}));
}

TEST(VersionChoice, TakesNoMoreThanHelp) {
  const PlanTimes times{{1, 1, 1}, {1, 1, 0.995}, {5, 5, 5}};
  EXPECT_EQ(chooseVersions(times, 3), std::vector<std::size_t>{1});
}

TEST(VersionChoice, ASizeThatIsNotServedCostsMost) {
  const PlanTimes times{{1, 1, unserved}, {50, 50, 50}, {unserved, unserved, 1}};
  EXPECT_EQ(chooseVersions(times, 1), std::vector<std::size_t>{1});
  EXPECT_EQ(chooseVersions(times, 2), (std::vector<std::size_t>{1, 0}));
}

TEST(VersionChoice, SizesThatNobodyServesDoNotCount) {
  const PlanTimes times{{unserved, 1}, {unserved, 2}};
  EXPECT_EQ(chooseVersions(times, 2), std::vector<std::size_t>{0});
}

TEST(VersionRules, OneThresholdInTheMiddle) {
  const std::vector<SizeFeature> features{{"n", {1, 16, 256, 4096, 65536}}};
  const std::vector<std::vector<double>> costs{{0, 0, 0, 4, 9}, {9, 4, 1, 0, 0}};
  EXPECT_EQ(text(rulesFor(features, costs)), "n < 1024: 0, otherwise: 1");
}

TEST(VersionRules, NoThresholdWhereOneVersionIsBestOrNearlySo) {
  const std::vector<SizeFeature> features{{"n", {1, 16, 256}}};
  EXPECT_EQ(text(rulesFor(features, {{0, 0, 0}, {1, 1, 1}})), "otherwise: 0");
  EXPECT_EQ(text(rulesFor(features, {{0, 0, 0.01}, {1, 1, 0}})), "otherwise: 0");
}

TEST(VersionRules, FewWhereMoreWouldBeBetter) {
  const std::vector<SizeFeature> features{{"n", {1, 4, 16, 64, 256, 1024}}};
  const std::vector<std::vector<double>> costs{{0, 5, 0, 5, 0, 5}, {5, 0, 5, 0, 5, 0}};
  EXPECT_EQ(rulesFor(features, costs).size(), 4U);
  EXPECT_EQ(rulesFor(features, costs, {.mostRules = 2}).size(), 2U);
}

TEST(VersionRules, OfTwoExtents) {
  // Version 0 for many rows, 1 for few long ones, 2 for what is small.
  std::vector<std::map<std::string, std::uint64_t>> points;
  std::vector<std::vector<double>> costs(3);
  for (std::uint64_t rows : {1, 16, 256, 4096}) {
    for (std::uint64_t columns : {1, 16, 256, 4096}) {
      points.push_back({{"rows", rows}, {"columns", columns}, {"x_size", columns}});
      const std::size_t best = rows * columns < 4096 ? 2 : rows >= 256 ? 0 : 1;
      for (std::size_t version = 0; version < 3; ++version)
        costs[version].push_back(version == best ? 0 : 3);
    }
  }
  const std::vector<SizeFeature> features = featuresOf(points, matrix());
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[2].text, "rows * columns");
  const std::vector<VersionRule> rules = rulesFor(features, costs);
  EXPECT_EQ(rules.size(), 3U) << text(rules);
  EXPECT_EQ(costOf(rules, features, costs), 0) << text(rules);
}

// Whatever the costs are: every point has a version (the last rule is for all that is left), each rule more
// costs no more, and one rule costs what the version does that is best alone.
TEST(VersionRules, OfRandomCosts) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::map<std::string, std::uint64_t>> points;
    for (std::uint64_t rows : {1, 7, 64, 1000})
      for (std::uint64_t columns : {1, 100, 4096})
        points.push_back({{"rows", rows}, {"columns", columns}});
    std::vector<std::vector<double>> costs(3);
    for (auto &version : costs) {
      for (std::size_t i = 0; i < points.size(); ++i)
        version.push_back(static_cast<double>(random() % 100));
    }
    const std::vector<SizeFeature> features = featuresOf(points, matrix());
    double alone = 1e9;
    for (const auto &version : costs) {
      double sum = 0;
      for (double each : version)
        sum += each;
      alone = std::min(alone, sum);
    }
    double before = alone;
    for (std::size_t most = 1; most <= 4; ++most) {
      const std::vector<VersionRule> rules =
          rulesFor(features, costs, {.mostRules = most, .leastGain = 0});
      ASSERT_LE(rules.size(), most);
      for (std::size_t i = 0; i < rules.size(); ++i)
        ASSERT_EQ(rules[i].when.empty(), i + 1 == rules.size()) << text(rules);
      const double now = costOf(rules, features, costs);
      ASSERT_LE(now, before) << text(rules);
      if (most == 1) {
        ASSERT_EQ(now, alone);
      }
      before = now;
    }
  }
}

// Where a version gets better and better than another with size there is one threshold.
TEST(VersionRules, MonotoneCostsGiveOneThreshold) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    SizeFeature n{"n", {}};
    std::vector<std::vector<double>> costs(2);
    double lead = -static_cast<double>(random() % 30);
    for (std::uint64_t at = 1; at < 1U << 24; at *= 4) {
      n.values.push_back(at);
      costs[0].push_back(std::max(lead, 0.0));
      costs[1].push_back(std::max(-lead, 0.0));
      lead += static_cast<double>(random() % 8);
    }
    const std::vector<VersionRule> rules = rulesFor({n}, costs);
    ASSERT_LE(rules.size(), 2U) << text(rules);
    ASSERT_EQ(costOf(rules, {n}, costs), 0);
  }
}

} // namespace
} // namespace tangram::driver

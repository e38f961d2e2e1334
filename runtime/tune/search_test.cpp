#include "runtime/tune/search.h"
#include "runtime/tune/surrogate.h"
#include "runtime/tune/tunable_space_fixture.h"

#include <cmath>
#include <set>

namespace tangram::runtime {
namespace {

double log2Of(std::uint64_t value) { return std::log2(static_cast<double>(value)); }

using Landscape = std::function<std::optional<double>(std::size_t, const TunableValues &)>;

/// The fastest of all plans, and how many measurements it took.
struct Found {
  double seconds = INFINITY;
  std::size_t plan = 0;
  TunableValues values;
  SearchResult result;
};

Found found(const std::vector<const TunableSpace *> &plans, const Landscape &landscape,
            SearchOptions options) {
  Found f;
  f.result = searchPlans(
      plans, options,
      [&](std::size_t plan, const TunableValues &values, std::size_t) {
        EXPECT_TRUE(plans[plan]->allows(values));
        return landscape(plan, values);
      },
      [] { return false; });
  for (std::size_t plan = 0; plan < plans.size(); ++plan) {
    const auto &best = f.result.best[plan];
    if (!best.empty() && best.front().seconds < f.seconds)
      f = {best.front().seconds, plan, best.front().values, std::move(f.result)};
  }
  return f;
}

/// With a tenth of the measurements or less, from every seed: at most 2 % above what exhaustive
/// search finds.
void agree(const std::vector<const TunableSpace *> &plans, const Landscape &landscape,
           std::size_t budget) {
  const Found all = found(plans, landscape, {.exhaustive = true});
  ASSERT_TRUE(all.result.exhaustive);
  ASSERT_GE(all.result.evaluated, budget * 10);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Found some = found(plans, landscape, {.budget = budget, .seed = seed});
    EXPECT_LE(some.result.evaluated, budget);
    EXPECT_FALSE(some.result.exhaustive);
    EXPECT_LE(some.seconds, all.seconds * 1.02)
        << "seed " << seed << ": plan " << some.plan << ", not " << all.plan;
  }
}

const std::vector<SpaceFixture::Axis> tiles{
    {"GROUPS", 1, 65536, 256}, {"ITEMS", 32, 1024, 256}, {"CHAINS", 1, 16, 4}};

TEST(Search, ABowl) {
  const SpaceFixture f(tiles, {});
  agree(
      {&*f.space},
      [](std::size_t, const TunableValues &v) {
        const double g = log2Of(v.at("GROUPS")) - 12, i = log2Of(v.at("ITEMS")) - 7,
                     c = log2Of(v.at("CHAINS")) - 3;
        return 1e-3 * (1 + 0.02 * g * g + 0.1 * i * i + 0.05 * c * c);
      },
      160);
}

/// As a GPU does it: bytes over the bandwidth that enough work in flight reaches, waves of groups that
/// the last one fills in part, and a launch.
TEST(Search, AMemoryBoundKernel) {
  const SpaceFixture f(tiles, {});
  agree(
      {&*f.space},
      [](std::size_t, const TunableValues &v) {
        const auto groups = static_cast<double>(v.at("GROUPS")),
                   items = static_cast<double>(v.at("ITEMS")),
                   chains = static_cast<double>(v.at("CHAINS"));
        const double residents = std::floor(2048 / items) * 132;
        const double waves = std::ceil(groups / residents) / (groups / residents);
        const double flight = std::min(groups, residents) * items * chains;
        const double spill = chains > 8 ? 1 + 0.1 * (chains - 8) : 1;
        return 5e-6 + groups * 2e-9 + 2.5e-4 * waves * spill * (1 + 6e5 / flight);
      },
      160);
}

/// Tiles whose product is bounded: the best lie along the bound.
TEST(Search, AValleyAlongAConstraint) {
  const SpaceFixture f({{"M", 1, 256, 16}, {"N", 1, 256, 16}, {"K", 1, 256, 4}, {"W", 1, 8, 1}},
                       {"M * K + K * N <= 12288", "M * N <= 16384"});
  agree(
      {&*f.space},
      [](std::size_t, const TunableValues &v) {
        const double m = log2Of(v.at("M")), n = log2Of(v.at("N")), k = log2Of(v.at("K"));
        const double reuse = 1 / std::exp2(m) + 1 / std::exp2(n);
        const double skew = std::abs(m - n - 1), vector = std::abs(log2Of(v.at("W")) - 2);
        return reuse + 0.02 + 0.004 * skew + 0.01 / std::exp2(k) + 0.005 * vector;
      },
      160);
}

/// Many hollows, one of them the deepest.
TEST(Search, Hollows) {
  const SpaceFixture f(tiles, {});
  agree(
      {&*f.space},
      [](std::size_t, const TunableValues &v) {
        const double g = log2Of(v.at("GROUPS")), i = log2Of(v.at("ITEMS"));
        const double c = log2Of(v.at("CHAINS"));
        return 1 + 0.02 * (g - 11) * (g - 11) + 0.05 * (i - 8) * (i - 8) +
               0.05 * (c - 2) * (c - 2) + 0.15 * (1 - std::cos(3 * (g - 11))) +
               0.1 * (1 - std::cos(4 * (i - 8)));
      },
      160);
}

/// What crashes or is wrong costs a measurement and nothing else.
TEST(Search, ARegionThatCrashes) {
  const SpaceFixture f(tiles, {});
  agree(
      {&*f.space},
      [](std::size_t, const TunableValues &v) -> std::optional<double> {
        if (v.at("ITEMS") * v.at("CHAINS") > 1024)
          return std::nullopt;
        const double i = log2Of(v.at("ITEMS")), c = log2Of(v.at("CHAINS"));
        const double g = log2Of(v.at("GROUPS")) - 13;
        return 1 + std::abs(i + c - 9.9) * 0.1 + 0.02 * g * g + 0.02 * std::abs(i - 7);
      },
      160);
}

/// Eight plans: the quickest by default is not the quickest when tuned.
TEST(Search, SeveralPlans) {
  std::vector<std::unique_ptr<SpaceFixture>> fixtures;
  std::vector<const TunableSpace *> plans;
  for (int i = 0; i < 8; ++i) {
    fixtures.push_back(std::make_unique<SpaceFixture>(tiles, std::vector<std::string>{}));
    plans.push_back(&*fixtures.back()->space);
  }
  agree(
      plans,
      [](std::size_t plan, const TunableValues &v) {
        const double g = log2Of(v.at("GROUPS")), i = log2Of(v.at("ITEMS")),
                     c = log2Of(v.at("CHAINS"));
        const double floor[] = {1.3, 1.25, 2, 1.0, 3, 1.4, 1.2, 5};
        const double from[] = {8, 8, 8, 11, 8, 9, 9, 8};
        return floor[plan] * (1 + 0.02 * (g - from[plan]) * (g - from[plan]) +
                              0.04 * (i - 7) * (i - 7) + 0.03 * (c - 1) * (c - 1));
      },
      120);
}

TEST(Search, SmallSpacesAreMeasuredWhole) {
  const SpaceFixture a({{"A", 1, 8, 4}}, {}), b({{"B", 1, 4, 2}}, {"B != 3"});
  std::set<std::pair<std::size_t, TunableValues>> seen;
  std::vector<std::size_t> order;
  const SearchResult r = searchPlans(
      {&*a.space, &*b.space}, {.budget = 11},
      [&](std::size_t plan, const TunableValues &values,
          std::size_t repeat) -> std::optional<double> {
        EXPECT_EQ(repeat, 10U);
        EXPECT_TRUE(seen.insert({plan, values}).second);
        order.push_back(plan);
        return 1.0;
      },
      [] { return false; });
  EXPECT_TRUE(r.exhaustive);
  EXPECT_EQ(r.evaluated, 11U);
  EXPECT_EQ(order[0], 0U);
  EXPECT_EQ(order[1], 1U); // defaults first
  EXPECT_TRUE(seen.contains({0, {{"A", 4}}}));
}

TEST(Search, TheSameSeedIsTheSameSearch) {
  const SpaceFixture f(tiles, {});
  std::vector<TunableValues> first, second;
  for (std::vector<TunableValues> *order : {&first, &second}) {
    searchPlans(
        {&*f.space}, {.budget = 40, .seed = 7},
        [&](std::size_t, const TunableValues &values, std::size_t) {
          order->push_back(values);
          return log2Of(values.at("GROUPS")) + 1;
        },
        [] { return false; });
  }
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.front(), f.standard);
}

TEST(Search, EndsWhenItIsTold) {
  const SpaceFixture f(tiles, {});
  for (bool exhaustive : {false, true}) {
    std::size_t calls = 0;
    const SearchResult r = searchPlans(
        {&*f.space}, {.exhaustive = exhaustive},
        [&](std::size_t, const TunableValues &, std::size_t) { return 1.0 + ++calls; },
        [&] { return calls >= 5; });
    EXPECT_EQ(calls, 5U);
    EXPECT_FALSE(r.exhaustive);
    EXPECT_EQ(r.best[0].front().seconds, 2.0);
  }
}

TEST(Search, NothingRuns) {
  const SpaceFixture f(tiles, {});
  const SearchResult r = searchPlans(
      {&*f.space, &*f.space}, {.budget = 20},
      [](std::size_t, const TunableValues &, std::size_t) { return std::optional<double>(); },
      [] { return false; });
  EXPECT_EQ(r.evaluated, 20U);
  EXPECT_TRUE(r.best[0].empty());
}

TEST(Surrogate, InterpolatesAndDoubts) {
  const Surrogate s({{0.0}, {0.5}, {1.0}}, {1, 0, 1});
  EXPECT_NEAR(s.at({0.5}).mean, 0, 0.1);
  EXPECT_NEAR(s.at({0.0}).mean, 1, 0.1);
  EXPECT_LT(s.at({0.5}).deviation, s.at({0.25}).deviation);
  EXPECT_GT(s.improvement({0.45}, 0), s.improvement({0.99}, 0));
  const Surrogate flat({{0.0}, {0.0}}, {2, 2}); // the same place twice
  EXPECT_NEAR(flat.at({0.7}).mean, 2, 1e-9);
}

} // namespace
} // namespace tangram::runtime

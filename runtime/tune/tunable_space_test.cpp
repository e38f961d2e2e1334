#include "runtime/tune/tunable_space_fixture.h"

#include <set>

namespace tangram::runtime {
namespace {

using Settings = std::set<TunableValues>;
using Values = std::vector<std::uint64_t>;

Settings listed(const TunableSpace &space) {
  Settings all;
  space.forEach([&](const TunableValues &values) {
    EXPECT_TRUE(all.insert(values).second) << "twice";
    return true;
  });
  return all;
}

/// The product of the grids, without those that break a constraint.
Settings rejectedFrom(const SpaceFixture &f) {
  Settings all{TunableValues()};
  for (const TunableAxis &axis : f.space->axes()) {
    Settings longer;
    for (TunableValues values : all) {
      for (std::uint64_t value : axis.values) {
        values[axis.name] = value;
        longer.insert(values);
      }
    }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const TunableValues &values) {
    Bindings b = f.bindings;
    for (const auto &[name, value] : values)
      b.values[name] = value;
    return std::any_of(f.requirements.begin(), f.requirements.end(),
                       [&](const Requirement &r) { return r.violation(b).has_value(); });
  });
  return all;
}

TEST(Grid, OfTunables) {
  Tunable t;
  t.min = 1;
  t.max = 100000;
  Bindings b{{{"n", 600}}, {}};
  // Launch: up to what there is work for; powers of two, and the default's multiples by them.
  EXPECT_EQ(gridOf(t, 132, 1000, b),
            (Values{1, 2, 4, 8, 16, 32, 33, 64, 66, 128, 132, 256, 264, 512, 528, 1000}));
  t.tries = {*Expression::parse("n / 2"), *Expression::parse("n / 0")};
  EXPECT_EQ(gridOf(t, 4000, 8, b), (Values{1, 2, 3, 4, 5, 6, 7, 8, 300, 4000}));
  t = Tunable();
  t.compileTime = true;
  t.max = 16;
  EXPECT_EQ(gridOf(t, 4, 2, b).size(), 16U);
  t.values = {32, 8, 16};
  t.max = 32;
  EXPECT_EQ(gridOf(t, 16, 2, b), (Values{8, 16, 32}));
}

TEST(TunableSpace, IsSolvedNotRejected) {
  const SpaceFixture f(
      {{"A", 1, 1024, 32}, {"B", 1, 1024, 32}, {"C", 1, 1024, 1}, {"D", 1, 1024, 1}},
      {"A * B * C * D == 1024", "A <= B"});
  const Settings all = listed(*f.space);
  EXPECT_EQ(all, rejectedFrom(f));
  EXPECT_EQ(f.space->count(1000000), all.size());
  EXPECT_EQ(f.space->count(3), 3U);
  EXPECT_EQ(f.space->rejected(), 0U);
}

TEST(TunableSpace, WithoutASetting) {
  const SpaceFixture f({{"A", 1, 8, 1}}, {"A > n"}, {{"n", 8}});
  EXPECT_EQ(f.space->count(10), 0U);
  std::mt19937_64 numbers(1);
  EXPECT_FALSE(f.space->random(numbers));
  const SpaceFixture sizes({{"A", 1, 8, 1}}, {"n > 8"}, {{"n", 8}});
  EXPECT_EQ(sizes.space->count(10), 0U);
  EXPECT_FALSE(sizes.space->allows({{"A", 1}}));
}

TEST(TunableSpace, FixedTunables) {
  SpaceFixture f({{"A", 1, 8, 4}, {"B", 1, 8, 2}}, {});
  const TunableSpace space(f.manifest, f.requirements, f.bindings, f.standard, {{"A", 4}});
  EXPECT_EQ(space.count(100), 8U);
}

/// A random constraint on some of the names.
std::string constraint(std::mt19937_64 &numbers, const std::vector<std::string> &names) {
  auto pick = [&](const std::vector<std::string> &all) { return all[numbers() % all.size()]; };
  const std::string a = pick(names), b = pick(names), c = pick(names);
  switch (numbers() % 8) {
  case 0:
    return a + " * " + b + " <= " + std::to_string(numbers() % 500 + 1);
  case 1:
    return a + " % " + b + " == 0 || " + c + " > 3";
  case 2:
    return "(n + " + a + " - 1) / " + a + " <= " + b;
  case 3:
    return a + " + " + b + " >= " + c;
  case 4:
    return "n - " + a + " * " + b + " >= " + c; // no difference: no value
  case 5:
    return "min(" + a + ", " + b + ") * 4 <= max(" + c + ", 8)";
  case 6:
    return "(" + a + " & 1) == 0";
  default:
    return a + " << (" + b + " / 8) <= " + c + " * 64";
  }
}

TEST(TunableSpace, AgreesWithBruteForce) {
  std::size_t settings = 0, rejected = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 numbers(seed);
    std::vector<SpaceFixture::Axis> axes;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < 2 + numbers() % 3; ++i) {
      names.push_back("T" + std::to_string(i));
      const std::uint64_t max = std::uint64_t{1} << (numbers() % 8);
      axes.push_back({names.back(), 1, max, 1 + numbers() % max, {}, numbers() % 2 == 0});
    }
    std::vector<std::string> constraints;
    for (std::size_t i = 0; i < 1 + numbers() % 3; ++i)
      constraints.push_back(constraint(numbers, names));
    const SpaceFixture f(axes, constraints, {{"n", numbers() % 300}});
    const Settings all = listed(*f.space);
    EXPECT_EQ(all, rejectedFrom(f)) << "seed " << seed;
    settings += all.size();
    rejected += f.space->rejected();
    const std::optional<TunableValues> some = f.space->random(numbers);
    ASSERT_EQ(some.has_value(), !all.empty()) << "seed " << seed;
    if (!some)
      continue;
    EXPECT_TRUE(all.contains(*some));
    EXPECT_TRUE(f.space->allows(*some));
    std::vector<TunableValues> around = f.space->neighbours(*some);
    const std::vector<TunableValues> lines = f.space->alongAxes(*some);
    around.insert(around.end(), lines.begin(), lines.end());
    for (const TunableValues &near : around) {
      EXPECT_TRUE(all.contains(near));
      EXPECT_NE(near, *some);
    }
  }
  EXPECT_GT(settings, 1000U);
  EXPECT_EQ(rejected, 0U);
}

TEST(TunableSpace, RandomReachesEverything) {
  const SpaceFixture f({{"A", 1, 16, 1}, {"B", 1, 16, 1}}, {"A * B <= 16"});
  const Settings all = listed(*f.space);
  Settings seen;
  std::mt19937_64 numbers(1);
  for (int i = 0; i < 5000; ++i)
    seen.insert(*f.space->random(numbers));
  EXPECT_EQ(seen, all);
}

TEST(TunableSpace, NeighboursAlongABound) {
  // From A = 4, B = 4 no single step up is allowed; one up and one down is.
  const SpaceFixture f({{"A", 1, 16, 4, {1, 2, 4, 8, 16}}, {"B", 1, 16, 4, {1, 2, 4, 8, 16}}},
                       {"A * B <= 16"});
  const auto near = f.space->neighbours({{"A", 4}, {"B", 4}});
  EXPECT_EQ(
      Settings(near.begin(), near.end()),
      (Settings{
          {{"A", 2}, {"B", 4}}, {{"A", 4}, {"B", 2}}, {{"A", 8}, {"B", 2}}, {{"A", 2}, {"B", 8}}}));
}

} // namespace
} // namespace tangram::runtime

#include "runtime/data/generate.h"
#include "runtime/data/inputs.h"
#include "runtime/data/scalar_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tangram::runtime {
namespace {

template <class T> std::vector<T> valuesOf(const HostArray &array) {
  const auto *data = reinterpret_cast<const T *>(array.memory.data());
  return {data, data + array.count()};
}

HostArray emptyArray(ir::Scalar element, std::uint64_t count) {
  return {element, {count}, HostMemory(count * ir::byteSize(element))};
}

template <class T>
std::vector<T> made(ir::Scalar element, DataKind kind, std::uint64_t seed,
                    std::uint64_t count = 2000) {
  HostArray array = emptyArray(element, count);
  generate(array, seed, 0, kind);
  return valuesOf<T>(array);
}

std::vector<std::int64_t> within(DataKind kind, std::uint64_t seed, std::int64_t low,
                                 std::int64_t high) {
  HostArray array = emptyArray(ir::Scalar::I64, 500);
  generateWithin(array, low, high, seed, 0, kind);
  return valuesOf<std::int64_t>(array);
}

std::vector<std::uint32_t> ascending(DataKind kind, std::uint64_t seed) {
  HostArray array = emptyArray(ir::Scalar::U32, 11);
  generateAscending(array, 0, 100, seed, 0, kind);
  return valuesOf<std::uint32_t>(array);
}

template <class T> bool has(const std::vector<T> &values, T value) {
  return std::ranges::count(values, value) != 0;
}

constexpr std::uint64_t someSeeds = 8;

TEST(DataKinds, AreNamedInAList) {
  EXPECT_EQ(*parseKinds("few,full,few"), (std::vector{DataKind::Few, DataKind::Full}));
  EXPECT_EQ(*parseKinds("usual"), usualKinds());
  EXPECT_EQ(parseKinds("usual,special")->size(), usualKinds().size() + 1);
  EXPECT_EQ(
      parseKinds("fulll").error().message,
      "--data fulll: expected ordinary, full, few, sorted, reversed, edges, constants, special "
      "or usual; did you mean full?");
}

TEST(DataKinds, FullCoversEachIntegerTypeWithItsEnds) {
  const auto check = []<class T>(T, ir::Scalar element) {
    using Limits = std::numeric_limits<T>;
    const std::vector<T> values = made<T>(element, DataKind::Full, 1);
    EXPECT_TRUE(has<T>(values, Limits::min())) << ir::shortName(element);
    EXPECT_TRUE(has<T>(values, Limits::max())) << ir::shortName(element);
    EXPECT_TRUE(has<T>(values, 0)) << ir::shortName(element);
    EXPECT_TRUE(has<T>(values, 32)) << ir::shortName(element);
    EXPECT_TRUE(has<T>(values, 65)) << ir::shortName(element);
    const auto beyond = [](T value) {
      return value > Limits::max() / 4 * 3 && value < Limits::max() - 1;
    };
    EXPECT_TRUE(std::ranges::any_of(values, beyond)) << ir::shortName(element);
  };
  check(std::int8_t{}, ir::Scalar::I8);
  check(std::uint8_t{}, ir::Scalar::U8);
  check(std::int16_t{}, ir::Scalar::I16);
  check(std::uint16_t{}, ir::Scalar::U16);
  check(std::int32_t{}, ir::Scalar::I32);
  check(std::uint32_t{}, ir::Scalar::U32);
  check(std::int64_t{}, ir::Scalar::I64);
  check(std::uint64_t{}, ir::Scalar::U64);
}

TEST(DataKinds, FewAreFewAlsoInRunsAndAllEqual) {
  std::set<std::size_t> counts;
  bool runs = false;
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    const auto values = made<std::int32_t>(ir::Scalar::I32, DataKind::Few, seed);
    counts.insert(std::set(values.begin(), values.end()).size());
    std::size_t changes = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
      changes += values[i] != values[i - 1] ? 1 : 0;
    runs = runs || (changes > 0 && changes < values.size() / 2);
  }
  EXPECT_TRUE(counts.contains(1));
  EXPECT_GE(counts.size(), 2U);
  EXPECT_LE(*counts.rbegin(), 4U);
  EXPECT_TRUE(runs);
}

TEST(DataKinds, FewFloatsHaveZerosOfBothSigns) {
  bool plus = false, minus = false;
  for (std::uint64_t seed = 0; seed < 4 * someSeeds; ++seed) {
    for (const float value : made<float>(ir::Scalar::F32, DataKind::Few, seed)) {
      plus = plus || (value == 0 && !std::signbit(value));
      minus = minus || (value == 0 && std::signbit(value));
    }
  }
  EXPECT_TRUE(plus && minus);
}

TEST(DataKinds, SortedAscendsAndReversedDescendsWithAndWithoutTies) {
  bool ties = false, strict = false;
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    const auto up = made<std::int64_t>(ir::Scalar::I64, DataKind::Sorted, seed);
    const auto down = made<std::int64_t>(ir::Scalar::I64, DataKind::Reversed, seed);
    const auto floats = made<double>(ir::Scalar::F64, DataKind::Sorted, seed);
    EXPECT_TRUE(std::ranges::is_sorted(up));
    EXPECT_TRUE(std::ranges::is_sorted(down, std::greater()));
    EXPECT_TRUE(std::ranges::is_sorted(floats));
    const bool tie = std::ranges::adjacent_find(floats) != floats.end();
    ties = ties || tie;
    strict = strict || !tie;
    const auto bytes = made<std::uint8_t>(ir::Scalar::U8, DataKind::Sorted, seed);
    EXPECT_TRUE(std::ranges::is_sorted(bytes));
  }
  EXPECT_TRUE(ties && strict);
}

TEST(DataKinds, EveryKindObeysContracts) {
  for (const DataKind kind : usualKinds()) {
    for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
      const auto values = within(kind, seed, -3, 700);
      EXPECT_GE(*std::ranges::min_element(values), -3) << name(kind) << seed;
      EXPECT_LT(*std::ranges::max_element(values), 700) << name(kind) << seed;
      EXPECT_EQ(within(kind, seed, 5, 6), std::vector<std::int64_t>(500, 5)) << name(kind);
      const auto offsets = ascending(kind, seed);
      EXPECT_TRUE(std::ranges::is_sorted(offsets)) << name(kind) << seed;
      EXPECT_EQ(offsets.front(), 0U) << name(kind) << seed;
      EXPECT_EQ(offsets.back(), 100U) << name(kind) << seed;
    }
  }
}

TEST(DataKinds, EdgesAreTheEndsOfAContract) {
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    const auto values = within(DataKind::Edges, seed, 10, 1000);
    seen.insert(values.begin(), values.end());
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{10, 11, 998, 999}));
  // One row has everything.
  EXPECT_EQ(ascending(DataKind::Edges, 0),
            (std::vector<std::uint32_t>{0, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100}));
  EXPECT_EQ(ascending(DataKind::Edges, 1),
            (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100}));
}

TEST(DataKinds, ConstantsAreNamedNumbersAndTheirNeighbours) {
  const NamedNumbers named{{0xFEEDFACE, 300}, {2.5}};
  const auto ofSeed = [&]<class T>(T, ir::Scalar element, std::uint64_t seed) {
    HostArray array = emptyArray(element, 500);
    generate(array, seed, 0, DataKind::Constants, named);
    return valuesOf<T>(array);
  };
  std::set<std::uint8_t> bytes; // hold none of the large ones
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto values = ofSeed(std::uint32_t{}, ir::Scalar::U32, seed);
    for (const std::uint32_t wanted : {0xFEEDFACEU, 0xFEEDFACDU, 300U, 301U, 2U})
      EXPECT_TRUE(has(values, wanted)) << wanted << " of seed " << seed;
    const auto some = ofSeed(std::uint8_t{}, ir::Scalar::U8, seed);
    bytes.insert(some.begin(), some.end());
  }
  EXPECT_TRUE(bytes.contains(3));
  EXPECT_TRUE(has(ofSeed(std::int32_t{}, ir::Scalar::I32, 1), -300));
  EXPECT_TRUE(has(ofSeed(float{}, ir::Scalar::F32, 0), 2.5F));
  EXPECT_TRUE(has(ofSeed(float{}, ir::Scalar::F32, 3), -300.0F));
}

TEST(DataKinds, ConstantsOfFloatsAreAlsoAllBeyondThem) {
  bool above = false, below = false;
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    HostArray array = emptyArray(ir::Scalar::F32, 100);
    generate(array, seed, 0, DataKind::Constants, {{1000}, {3.4e38}});
    const auto values = valuesOf<float>(array);
    above = above || std::ranges::all_of(values, [](float value) { return value >= 999; });
    below = below || std::ranges::all_of(values, [](float value) { return value <= -999; });
    for (const float value : values)
      EXPECT_LT(std::abs(value), 3000) << "the largest number is an identity, and no element";
  }
  EXPECT_TRUE(above && below);
}

TEST(DataKinds, ConstantsObeyContracts) {
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    HostArray array = emptyArray(ir::Scalar::I64, 500);
    generateWithin(array, -3, 700, seed, 0, DataKind::Constants, {{44, 1000}, {}});
    const auto values = valuesOf<std::int64_t>(array);
    EXPECT_TRUE(has<std::int64_t>(values, 44));
    EXPECT_GE(*std::ranges::min_element(values), -3);
    EXPECT_LT(*std::ranges::max_element(values), 700);
  }
}

TEST(DataKinds, ScalarsAreConstantsToo) {
  Parameter p{"limit", false, ir::Scalar::U32, Access::In, {}};
  p.anyValue = true;
  p.most = UINT32_MAX;
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    HostArray array{p.element, {}, HostMemory(sizeof(std::uint32_t))};
    generateScalar(array, p, DataKind::Constants, seed, 0, {{4096}, {}});
    seen.insert(*reinterpret_cast<const std::uint32_t *>(array.memory.data()));
  }
  EXPECT_TRUE(seen.contains(4096) && seen.contains(4097));
  EXPECT_LE(*seen.begin(), 10U);
}

TEST(DataKinds, OnlySpecialHasNumbersThatAreNotFinite) {
  for (std::uint64_t seed = 0; seed < someSeeds; ++seed) {
    for (const DataKind kind : usualKinds()) {
      for (const float value : made<float>(ir::Scalar::F32, kind, seed))
        EXPECT_TRUE(std::isfinite(value)) << name(kind);
    }
  }
  std::set<int> classes;
  for (const float value : made<float>(ir::Scalar::F32, DataKind::Special, 1))
    classes.insert(std::fpclassify(value));
  EXPECT_EQ(classes, (std::set<int>{FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL}));
}

TEST(DataKinds, ScalarsThatMayBeAnyValueAreExtremes) {
  Parameter p{"n", false, ir::Scalar::I16, Access::In, {}};
  p.anyValue = true;
  p.least = -32768;
  p.most = 500;
  const auto values = [&](bool any) {
    p.anyValue = any;
    std::set<std::int16_t> seen;
    for (std::uint64_t seed = 0; seed < 21; ++seed) {
      HostArray array{p.element, {}, HostMemory(sizeof(std::int16_t))};
      generateScalar(array, p, DataKind::Full, seed, 0);
      seen.insert(*reinterpret_cast<const std::int16_t *>(array.memory.data()));
    }
    return seen;
  };
  const std::set<std::int16_t> any = values(true);
  for (const std::int16_t wanted : {0, 1, -1, -32768, 500})
    EXPECT_TRUE(any.contains(wanted)) << wanted;
  const std::set<std::int16_t> few = values(false);
  EXPECT_EQ(*few.begin(), 0);
  EXPECT_EQ(*few.rbegin(), 10);
}

} // namespace
} // namespace tangram::runtime

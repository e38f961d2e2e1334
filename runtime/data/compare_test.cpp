#include "runtime/data/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tangram::runtime {
namespace {

template <class T> HostMemory memory(const std::vector<T> &values) {
  HostMemory m(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(m.data(), values.data(), m.bytes());
  return m;
}

/// What is wrong with `got`, or "".
template <class T, class Wide>
std::string compared(ir::Scalar element, const std::vector<T> &got,
                     const std::vector<Wide> &expected, const std::vector<Wide> &magnitude = {},
                     std::uint64_t depth = 0) {
  std::vector<Output> outputs{{"out", element, {got.size()}, got.size()}};
  std::vector<HostMemory> values;
  values.push_back(memory(got));
  ReferenceValues reference;
  reference.values.push_back(memory(expected));
  reference.magnitudes.push_back(memory(magnitude));
  Result<std::vector<Mismatch>> result =
      compareOutputs(outputs, values, reference, {{element, depth}});
  if (!result)
    return result.error().message;
  return text(*result);
}

TEST(Compare, IntegersAreEqual) {
  std::vector<int> expected{1, 2, 3, 4};
  EXPECT_EQ(compared<int>(ir::Scalar::I32, {1, 2, 3, 4}, expected), "");
  EXPECT_EQ(compared<int>(ir::Scalar::I32, {1, 5, 3, -6}, expected),
            "out: 2 of 4 elements differ, the first at 1: got 5, expected 2");
  EXPECT_EQ(compared<std::uint8_t>(ir::Scalar::U8, {200}, std::vector<std::uint8_t>{201}),
            "out: got 200, expected 201");
  EXPECT_EQ(compared<std::uint64_t>(ir::Scalar::U64, {UINT64_MAX}, std::vector<std::uint64_t>{0}),
            "out: got 18446744073709551615, expected 0");
}

TEST(Compare, EveryWrongOutputIsNamedWithItsPlace) {
  std::vector<Output> outputs{{"t", ir::Scalar::I32, {2, 3}, 6},
                              {"fine", ir::Scalar::I32, {1}, 1},
                              {"s", ir::Scalar::F32, {2, 1, 2}, 4}};
  std::vector<HostMemory> got;
  got.push_back(memory<int>({0, 0, 0, 0, 7, 7}));
  got.push_back(memory<int>({5}));
  got.push_back(memory<float>({0, 1, 0, 9}));
  ReferenceValues reference;
  reference.values.push_back(memory<int>({0, 0, 0, 0, 0, 0}));
  reference.values.push_back(memory<int>({5}));
  reference.values.push_back(memory<double>({0, 1, 0, 1}));
  for (int i = 0; i < 3; ++i)
    reference.magnitudes.push_back(memory<double>({0, 1, 0, 0}));
  Result<std::vector<Mismatch>> wrong =
      compareOutputs(outputs, got, reference, {{ir::Scalar::F32, 1}});
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_EQ(text(*wrong), "t: 2 of 6 elements differ, the first at (1, 1): got 7, expected 0; "
                          "s: 1 of 4 elements differ, the first at (1, 0, 1): got 9, expected 1 "
                          "(bound 5.960464477539063e-08)");
}

TEST(Compare, OutputsOfEachTypeHaveTheRoundingsOfTheirType) {
  std::vector<Output> outputs{{"wide", ir::Scalar::F64, {1}, 1},
                              {"narrow", ir::Scalar::F32, {1}, 1}};
  std::vector<HostMemory> got;
  got.push_back(memory<double>({1 + 0x1p-22}));
  got.push_back(memory<float>({1 + 0x1p-22F}));
  ReferenceValues reference;
  reference.values.push_back(memory<long double>({1}));
  reference.values.push_back(memory<double>({1}));
  reference.magnitudes.push_back(memory<long double>({1}));
  reference.magnitudes.push_back(memory<double>({1}));
  // Two roundings of a float are as much as 2^30 of a double.
  Result<std::vector<Mismatch>> wrong = compareOutputs(
      outputs, got, reference, {{ir::Scalar::F64, 1ULL << 30}, {ir::Scalar::F32, 2}});
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_EQ(text(*wrong), "wide: got 1.000000238418579, expected 1 (bound 1.1920930387265996e-07); "
                          "narrow: got 1.0000002, expected 1 (bound 1.788139556424565e-07)");
}

TEST(Compare, FloatsWithinTheirBound) {
  // depth 2, magnitude 1: g = 2u / (1 - 2u), a little more than 2^-23; and u for the store.
  std::vector<double> one{1};
  float ulp = std::nextafter(1.0F, 2.0F) - 1; // 2^-23
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1 + ulp}, one, one, 2), "");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1 + 2 * ulp}, one, one, 2),
            "out: got 1.0000002, expected 1 (bound 1.788139556424565e-07)");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1 + 2 * ulp}, one, {8.0}, 2), "");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1}, one, one, 0), "");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1 + ulp}, one, one, 0),
            "out: got 1.0000001, expected 1 (bound 5.960464477539063e-08)");
  double tiny = std::nextafter(1.0, 2.0) - 1;
  EXPECT_EQ(compared<double>(ir::Scalar::F64, {1 + tiny}, std::vector<long double>{1}, {1.0L}, 2),
            "");
  EXPECT_EQ(
      compared<double>(ir::Scalar::F64, {1 + 2 * tiny}, std::vector<long double>{1}, {1.0L}, 2),
      "out: got 1.0000000000000004, expected 1 (bound 3.3306690738754706e-16)");
}

TEST(Compare, NotANumberAndInfinity) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr auto nanf = std::numeric_limits<float>::quiet_NaN();
  constexpr auto inff = std::numeric_limits<float>::infinity();
  auto same = [](float got, double expected) {
    return compared<float>(ir::Scalar::F32, {got}, std::vector<double>{expected},
                           {std::abs(expected)}, 10)
        .empty();
  };
  EXPECT_TRUE(same(nanf, nan));
  EXPECT_FALSE(same(nanf, 1));
  EXPECT_FALSE(same(1, nan));
  EXPECT_FALSE(same(nanf, inf));
  EXPECT_TRUE(same(inff, inf));
  EXPECT_FALSE(same(-inff, inf));
  EXPECT_FALSE(same(1, inf));
  EXPECT_FALSE(same(inff, 1));
  EXPECT_TRUE(same(inff, 1e300)); // above every float
}

TEST(Compare, AMagnitudeThatBoundsNothingIsNoWrongResult) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1, 2}, std::vector<double>{1, 3}, {1, -4}, 2),
            "out at 1: the error bound could not be computed: the magnitude is -4");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {2}, std::vector<double>{3}, {nan}, 2),
            "out: the error bound could not be computed: the magnitude is nan");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {2}, std::vector<double>{3}, {inf}, 2),
            "out: the error bound could not be computed: the magnitude is inf");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {3}, std::vector<double>{3}, {nan}, 2), "");
  // What is wrong beside it stays wrong.
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {2, 9}, std::vector<double>{3, 8}, {nan, 0}, 1),
            "out: 1 of 2 elements differ, the first at 1: got 9, expected 8 "
            "(bound 4.76837158203125e-07)");
}

TEST(Compare, AnOverflowInOneOrderOfTheTermsIsNoWrongResult) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (float got : {inf, -inf, nan})
    EXPECT_EQ(compared<float>(ir::Scalar::F32, {got}, std::vector<double>{0}, {1.2e39}, 2),
              "out: the error bound could not be computed: the magnitude is 1.2e+39");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {inf}, std::vector<double>{1.2e39}, {1.2e39}, 2), "");
  // Nor where the reference, which is wider, has a number that the type has not.
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {7.7e32F}, std::vector<double>{-4.4e50}, {1e60}, 2),
            "out: the error bound could not be computed: the magnitude is 1e+60");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {inf}, std::vector<double>{0}, {3e38}, 0),
            "out: got inf, expected 0 (bound 0)");
}

TEST(Compare, TheResultIsRoundedWhenItIsStored) {
  // A third, not representable: exact in the wider reference, rounded once where it is kept.
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1.0F / 3}, std::vector<double>{1.0 / 3}, {1}, 0), "");
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {std::nextafter(1.0F / 3, 1.0F)},
                            std::vector<double>{1.0 / 3}, {1}, 0),
            "out: got 0.33333337, expected 0.3333333333333333 (bound 1.9868214925130207e-08)");
}

TEST(Compare, ABoundThatAcceptsAnythingIsRefused) {
  EXPECT_EQ(compared<float>(ir::Scalar::F32, {1}, std::vector<double>{1}, {1.0}, 1ULL << 24),
            "the error bound says nothing: 16777216 dependent roundings in float32");
}

} // namespace
} // namespace tangram::runtime

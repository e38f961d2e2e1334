#include "runtime/data/extents.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

Parameter container(const std::string &name, std::vector<std::string> extents) {
  return {name, true, ir::Scalar::I32, Access::In, std::move(extents)};
}

/// Containers of one dimension, and equations "extent == expression".
Signature signature(const std::vector<std::string> &names,
                    const std::vector<std::pair<std::string, std::string>> &equations) {
  Signature s;
  for (const std::string &name : names)
    s.parameters.push_back(container(name, {name}));
  for (const auto &[extent, equals] : equations)
    s.shape.push_back({extent, *Expression::parse(equals)});
  return s;
}

using Values = std::map<std::string, std::uint64_t>;

/// What follows from `given` and then a usual size of `usual`; the message when nothing does.
std::pair<Values, std::string> derived(const Signature &s, const Values &given,
                                       std::uint64_t usual = 10, const Bindings &scalars = {}) {
  Extents extents(s, scalars);
  for (const auto &[name, value] : given) {
    if (Status status = extents.fix(name, value, name + ".npy"); !status)
      return {{}, status.error().message};
  }
  if (Status status = extents.derive(); !status)
    return {{}, status.error().message};
  Status status = extents.complete([&](const std::string &) { return usual; }, "--size 10");
  return {extents.values(), status ? "" : status.error().message};
}

Signature csr() {
  return signature({"values", "columns", "offsets", "x", "y"},
                   {{"columns", "values"}, {"offsets", "y + 1"}});
}

TEST(Extents, EquationsGiveWhatNothingElseDoes) {
  EXPECT_EQ(derived(csr(), {}).first,
            (Values{{"values", 10}, {"columns", 10}, {"offsets", 11}, {"x", 10}, {"y", 10}}));
  EXPECT_EQ(derived(csr(), {}, 0).first,
            (Values{{"values", 0}, {"columns", 0}, {"offsets", 1}, {"x", 0}, {"y", 0}}));
}

TEST(Extents, EquationsAreSolvedInBothDirections) {
  EXPECT_EQ(derived(csr(), {{"offsets", 7}, {"columns", 3}}).first,
            (Values{{"values", 3}, {"columns", 3}, {"offsets", 7}, {"x", 10}, {"y", 6}}));
  Signature s = signature({"a", "b"}, {{"a", "2 * (b - 1) + 5 - b"}});
  EXPECT_EQ(derived(s, {{"a", 9}}).first, (Values{{"a", 9}, {"b", 6}}));
  // The unknown one on both sides: a == 3a - 8.
  EXPECT_EQ(derived(signature({"a"}, {{"a", "3 * a - 8"}}), {}).first, (Values{{"a", 4}}));
}

TEST(Extents, ChainsAndCircles) {
  Signature chain = signature({"a", "b", "c", "d"}, {{"b", "a + 1"}, {"c", "b + 1"}, {"d", "c"}});
  EXPECT_EQ(derived(chain, {{"d", 9}}).first, (Values{{"a", 7}, {"b", 8}, {"c", 9}, {"d", 9}}));
  Signature circle = signature({"a", "b"}, {{"a", "b"}, {"b", "a"}});
  EXPECT_EQ(derived(circle, {}).first, (Values{{"a", 10}, {"b", 10}}));
}

TEST(Extents, WhatIsNotLinearIsOnlyChecked) {
  Signature s = signature({"a", "b"}, {{"a", "(b + 3) / 4"}});
  EXPECT_EQ(derived(s, {{"a", 3}, {"b", 9}}).second, "");
  EXPECT_EQ(derived(s, {{"b", 9}}).first, (Values{{"a", 3}, {"b", 9}}));
  EXPECT_EQ(derived(s, {{"a", 4}}).second,
            "expected a == (b + 3) / 4, found a = 4 (a.npy) and (b + 3) / 4 = 3 with b = 10 "
            "(--size 10)");
}

TEST(Extents, ContradictionsNameBothSides) {
  EXPECT_EQ(derived(csr(), {{"values", 3}, {"columns", 4}}).second,
            "expected columns == values, found columns = 4 (columns.npy) and values = 3 "
            "(values.npy)");
  EXPECT_EQ(derived(csr(), {{"offsets", 5}, {"y", 5}}).second,
            "expected offsets == y + 1, found offsets = 5 (offsets.npy) and y + 1 = 6 with y = 5 "
            "(y.npy)");
  EXPECT_EQ(derived(csr(), {{"offsets", 0}}).second,
            "expected offsets == y + 1, found offsets = 0 (offsets.npy): no y fits");
  EXPECT_EQ(derived(signature({"a", "b"}, {{"a", "2 * b"}}), {{"a", 3}}).second,
            "expected a == 2 * b, found a = 3 (a.npy): no b fits");
  EXPECT_EQ(derived(signature({"a"}, {{"a", "4"}}), {{"a", 3}}).second,
            "expected a == 4, found a = 3 (a.npy)");
}

TEST(Extents, ScalarsOfTheCall) {
  Signature s = signature({"a", "b"}, {{"a", "b * k"}});
  EXPECT_EQ(derived(s, {}, 10, {{{"k", 3}}, {}}).first, (Values{{"a", 30}, {"b", 10}}));
  EXPECT_EQ(derived(s, {{"a", 12}}, 10, {{{"k", 3}}, {}}).first, (Values{{"a", 12}, {"b", 4}}));
  EXPECT_EQ(derived(s, {}, 10, {{}, {{"k", "is negative (-3)"}}}).second,
            "expected a == b * k, found 'b * k': k is negative (-3)");
}

TEST(Extents, WhatCannotBeEvaluatedIsRefused) {
  Signature s = signature({"a", "b"}, {{"a", "b - 1"}});
  Extents extents(s, {});
  ASSERT_TRUE(extents.fix("b", 0, "--size b"));
  Status status = extents.derive();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().fault, Fault::Refused);
  EXPECT_EQ(status.error().message, "expected a == b - 1, found 'b - 1': 0 - 1 is below 0");
}

TEST(Extents, SuggestionsGiveWay) {
  const Signature s = csr();
  Extents extents(s, {});
  ASSERT_TRUE(extents.fix("y", 4, "y.npy"));
  ASSERT_TRUE(extents.derive());
  ASSERT_TRUE(extents.suggest(*Expression::parse("x + 1"), 8, "a.mtx"));
  ASSERT_TRUE(extents.suggest(*Expression::parse("offsets - 1"), 9, "a.mtx"));
  EXPECT_EQ(extents.values(), (Values{{"offsets", 5}, {"x", 7}, {"y", 4}}));
}

} // namespace
} // namespace tangram::runtime

#include "algebra/size_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace tangram::algebra {
namespace {

SizeExpression parsed(const std::string &text) {
  return std::get<SizeExpression>(SizeExpression::parse(text));
}

std::string bounds(const std::string &text, const SizeRanges &ranges) {
  const auto result = boundsOf(parsed(text), ranges);
  return result ? decimal(result->low) + ".." + decimal(result->high) : "none";
}

TEST(SizeBounds, Values) {
  const SizeRanges r{{"n", {10, 20}}, {"p", {1, 4}}, {"z", {0, 0}}, {"k", {0, 3}}};
  EXPECT_EQ(bounds("(n + p - 1) / p", r), "2..23");
  EXPECT_EQ(bounds("n - p", r), "6..19");
  EXPECT_EQ(bounds("p - n", r), "none"); // a difference of sizes is not below 0
  EXPECT_EQ(bounds("n / z", r), "none");
  EXPECT_EQ(bounds("n / k", r), "3..20"); // where it has a value, k is not 0
  EXPECT_EQ(bounds("n % 4", r), "0..3");
  EXPECT_EQ(bounds("p % 7", r), "1..4");
  EXPECT_EQ(bounds("n <= p * 2", r), "0..0");
  EXPECT_EQ(bounds("n <= p * 3", r), "0..1");
  EXPECT_EQ(bounds("n > 9 && p < 5", r), "1..1");
  EXPECT_EQ(bounds("n < 5 || q", r), "none");
  EXPECT_EQ(bounds("n > 5 || q", r), "1..1");
  EXPECT_EQ(bounds("p > 9 ? q : min(n, 12)", r), "10..12");
  EXPECT_EQ(bounds("even_parts(n, 1056, 32)", r), "924..1056");
  EXPECT_EQ(bounds("1 << k", r), "1..8");
  EXPECT_EQ(bounds("u8(n * 10 + 56)", r), "0..255");
  EXPECT_EQ(bounds("18446744073709551615 * n", r), "none");
}

/// Every operator, with names that have small ranges.
std::string randomExpression(int depth) {
  if (depth == 0 || *rc::gen::inRange(0, 4) == 0)
    return *rc::gen::element<std::string>("a", "b", "c", "0", "1", "3", "70");
  const std::string x = "(" + randomExpression(depth - 1) + ")",
                    y = "(" + randomExpression(depth - 1) + ")";
  const auto op = *rc::gen::element<std::string>(
      "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&",
      "||", "min", "max", "?:", "!", "-1*", "u8", "i8", "bool");
  if (op == "min" || op == "max")
    return op + "(" + x + ", " + y + ")";
  if (op == "?:")
    return x + " ? " + y + " : (" + randomExpression(depth - 1) + ")";
  if (op == "!")
    return "!" + x;
  if (op == "-1*")
    return "-" + x;
  return op == "u8" || op == "i8" || op == "bool" ? op + x : x + " " + op + " " + y;
}

RC_GTEST_PROP(SizeBounds, HoldsEveryValue, ()) {
  const SizeExpression e = parsed(randomExpression(4));
  SizeRanges ranges;
  for (const char *name : {"a", "b", "c"}) {
    const int low = *rc::gen::inRange(0, 6);
    ranges[name] = {low, low + *rc::gen::inRange(0, 5)};
  }
  const auto bounds = boundsOf(e, ranges);
  for (auto a = ranges["a"].low; a <= ranges["a"].high; ++a) {
    for (auto b = ranges["b"].low; b <= ranges["b"].high; ++b) {
      for (auto c = ranges["c"].low; c <= ranges["c"].high; ++c) {
        const SizeBindings at{{{"a", a}, {"b", b}, {"c", c}}, {}};
        const auto value = e.evaluate(at);
        const auto *number = std::get_if<__int128>(&value);
        RC_ASSERT((!number || (bounds && bounds->contains(*number))));
        // And where each is one number, it is the value.
        const auto point = boundsOf(e, {{"a", {a, a}}, {"b", {b, b}}, {"c", {c, c}}});
        RC_ASSERT((point.has_value() == (number != nullptr)));
        RC_ASSERT((!point || *point == SizeInterval{*number, *number}));
      }
    }
  }
}

} // namespace
} // namespace tangram::algebra

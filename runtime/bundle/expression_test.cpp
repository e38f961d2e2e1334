#include "runtime/bundle/expression.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

std::uint64_t valueOf(const std::string &text, const Bindings &bindings = {}) {
  Result<Expression> e = Expression::parse(text);
  EXPECT_TRUE(e) << text;
  Result<std::uint64_t> value = e->evaluate(bindings);
  EXPECT_TRUE(value) << text;
  return value ? *value : 0xDEAD;
}

std::string parseError(const std::string &text) {
  Result<Expression> e = Expression::parse(text);
  return e ? "parsed" : e.error().message;
}

std::string evaluationError(const std::string &text, const Bindings &bindings = {}) {
  Result<Expression> e = Expression::parse(text);
  EXPECT_TRUE(e) << text;
  Result<std::uint64_t> value = e->evaluate(bindings);
  return value ? "evaluated" : value.error().message;
}

TEST(Expression, PrecedenceIsThatOfC) {
  EXPECT_EQ(valueOf("2 + 3 * 4"), 14U);
  EXPECT_EQ(valueOf("(2 + 3) * 4"), 20U);
  EXPECT_EQ(valueOf("20 / 2 / 5"), 2U);
  EXPECT_EQ(valueOf("20 - 5 - 3"), 12U);
  EXPECT_EQ(valueOf("17 % 10 * 2"), 14U);
  EXPECT_EQ(valueOf("1 + 1 < 3 == 1"), 1U);
  EXPECT_EQ(valueOf("3 > 2 > 1"), 0U);
  EXPECT_EQ(valueOf("1 || 0 && 0"), 1U);
  EXPECT_EQ(valueOf("0 == 1 || 2 != 2"), 0U);
  EXPECT_EQ(valueOf("!0 + 1"), 2U);
  EXPECT_EQ(valueOf("!(1 <= 2)"), 0U);
  EXPECT_EQ(valueOf("1 != 2"), 1U);
  EXPECT_EQ(valueOf("!1 != 1"), 1U);
  EXPECT_EQ(valueOf("0 ? 1 : 0 ? 2 : 3"), 3U);
  EXPECT_EQ(valueOf("1 ? 2 : 3 + 4"), 2U);
  EXPECT_EQ(valueOf("5 >= 5"), 1U);
}

TEST(Expression, MinMaxAndNames) {
  Bindings bindings{{{"n", 1000}, {"p", 7}, {"min", 3}}, {}};
  EXPECT_EQ(valueOf("min(n, p) + max(n, 2000)", bindings), 2007U);
  EXPECT_EQ(valueOf("(n + p - 1) / p", bindings), 143U);
  EXPECT_EQ(valueOf("min + 1", bindings), 4U);
  Result<Expression> e = Expression::parse("a_1 + b * a_1 + min(c, 1)");
  ASSERT_TRUE(e);
  EXPECT_EQ(e->names(), (std::vector<std::string>{"a_1", "b", "c"}));
  EXPECT_EQ(e->text(), "a_1 + b * a_1 + min(c, 1)");
}

TEST(Expression, OnlyWhatIsNeededIsEvaluated) {
  EXPECT_EQ(valueOf("0 && 1 / 0"), 0U);
  EXPECT_EQ(valueOf("5 || 1 / 0"), 1U);
  EXPECT_EQ(valueOf("1 ? 4 : 1 / 0"), 4U);
  EXPECT_EQ(valueOf("2 && 3"), 1U);
}

TEST(Expression, LargestNumbers) {
  EXPECT_EQ(valueOf("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(valueOf("18446744073709551614 + 1"), UINT64_MAX);
  EXPECT_EQ(valueOf("4294967296 * 4294967295"), 18446744069414584320U);
}

TEST(Expression, NothingWraps) {
  EXPECT_EQ(evaluationError("18446744073709551615 + 1"),
            "'18446744073709551615 + 1': 18446744073709551615 + 1 is above 2^64 - 1");
  EXPECT_EQ(evaluationError("n * 8", {{{"n", 1ULL << 62}}, {}}),
            "'n * 8': 4611686018427387904 * 8 is above 2^64 - 1");
  EXPECT_EQ(evaluationError("n - 4", {{{"n", 3}}, {}}), "'n - 4': 3 - 4 is below 0");
}

TEST(Expression, DivisionByZero) {
  EXPECT_EQ(evaluationError("n / p", {{{"n", 3}, {"p", 0}}, {}}),
            "'n / p': division by 0 (p is 0)");
  EXPECT_EQ(evaluationError("7 % (1 - 1)"), "'7 % (1 - 1)': division by 0");
}

TEST(Expression, NamesWithoutAValue) {
  EXPECT_EQ(evaluationError("n + 1"), "'n + 1': unknown name n");
  EXPECT_EQ(evaluationError("k + 1", {{}, {{"k", "is negative (-3)"}}}),
            "'k + 1': k is negative (-3)");
}

TEST(Expression, SyntaxErrorsNameTheColumn) {
  EXPECT_EQ(parseError(""), "'': expected a number, a name or '(' at column 1, found the end");
  EXPECT_EQ(parseError("(a + "),
            "'(a + ': expected a number, a name or '(' at column 6, found the end");
  EXPECT_EQ(parseError("(a"), "'(a': expected ')' at column 3, found the end");
  EXPECT_EQ(parseError("a b"), "'a b': expected an operator or the end at column 3, found 'b'");
  EXPECT_EQ(parseError("a ? 1"), "'a ? 1': expected ':' at column 6, found the end");
  EXPECT_EQ(parseError("min(a)"), "'min(a)': expected ',' at column 6, found ')'");
  EXPECT_EQ(parseError("+1"), "'+1': expected a number, a name or '(' at column 1, found '+'");
  EXPECT_EQ(parseError("a ~ b"), "'a ~ b': expected an operator or the end at column 3, found '~'");
  EXPECT_EQ(parseError("18446744073709551616"),
            "'18446744073709551616': expected a number below 2^64 at column 1, found "
            "'18446744073709551616'");
}

TEST(Expression, DeepNestingIsAnErrorNotACrash) {
  std::string deep(5000, '(');
  EXPECT_EQ(parseError(deep), "'" + deep + "': is nested more than 200 deep");
  std::string nots(5000, '!');
  EXPECT_EQ(parseError(nots), "'" + nots + "': is nested more than 200 deep");
  EXPECT_EQ(parseError(std::string(20000, '1')),
            "'11111111111111111111...': is longer than 10000 characters");
}

/// The value, or what is wrong.
std::string signedValue(const std::string &text, const Bindings &bindings = {{{"n", 300}}, {}}) {
  Result<Expression> e = Expression::parse(text);
  if (!e)
    return e.error().message;
  Result<__int128> value = e->evaluateSigned(bindings);
  return value ? std::to_string(static_cast<std::int64_t>(*value)) : value.error().message;
}

TEST(Expression, NumbersBelowZero) {
  EXPECT_EQ(signedValue("-8"), "-8");
  EXPECT_EQ(signedValue("- -8 * -2"), "-16");
  EXPECT_EQ(signedValue("1 + -n"), "-299");
  EXPECT_EQ(signedValue("-7 / 2"), "-3");
  EXPECT_EQ(signedValue("-1 < n"), "1");
  EXPECT_EQ(signedValue("-3 - 5"), "-8");
  EXPECT_EQ(signedValue("1 - n"), "'1 - n': 1 - 300 is below 0");
  EXPECT_EQ(signedValue("-9223372036854775807 - 2"),
            "'-9223372036854775807 - 2': -9223372036854775807 - 2 is below -2^63");
  Result<Expression> negative = Expression::parse("1 + -n");
  ASSERT_TRUE(negative);
  EXPECT_EQ(negative->evaluate({{{"n", 9}}, {}}).error().message, "'1 + -n': -8 is below 0");
}

TEST(Expression, NamesOfNumbersBelowZero) {
  const Bindings bindings{{{"n", 300}, {"k", -3}}, {}};
  EXPECT_EQ(signedValue("k * 2 + 5", bindings), "-1");
  EXPECT_EQ(signedValue("k < n", bindings), "1");
  EXPECT_EQ(signedValue("u64(k) < n", bindings), "0");
  EXPECT_EQ(signedValue("u64(k) + n", bindings),
            "'u64(k) + n': 18446744073709551613 + 300 is above 2^64 - 1");
  EXPECT_EQ(signedValue("k > 0 ? n / u64(k) + u64(k) : 0", bindings), "0");
}

TEST(Expression, Conversions) {
  EXPECT_EQ(signedValue("u8(n)"), "44");
  EXPECT_EQ(signedValue("i8(n - 100)"), "-56");
  EXPECT_EQ(signedValue("u32(-1) == 4294967295"), "1");
  EXPECT_EQ(signedValue("bool(n) + bool(0)"), "1");
  EXPECT_EQ(signedValue("u8"), "'u8': unknown name u8");
  EXPECT_EQ(signedValue("u8(n"), "'u8(n': expected ')' at column 5, found the end");
}

TEST(Expression, Bits) {
  EXPECT_EQ(signedValue("n & 15 | 1 << 4 ^ 2"), "30");
  EXPECT_EQ(signedValue("n >> 2 == 75 && (n & 1) == 0"), "1");
  EXPECT_EQ(signedValue("1 << 64"), "'1 << 64': 1 << 64 does not shift by 0 to 63");
}

} // namespace
} // namespace tangram::runtime

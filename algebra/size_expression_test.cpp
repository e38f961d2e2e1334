#include "algebra/size_expression.h"

#include "algebra/device_facts.h"

#include "ir/reserved_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tangram::algebra {
namespace {

SizeExpression parsed(const std::string &text) {
  auto e = SizeExpression::parse(text);
  if (const auto *error = std::get_if<SizeSyntaxError>(&e)) {
    ADD_FAILURE() << text << ": " << error->text();
    return {};
  }
  return std::get<SizeExpression>(e);
}

std::string value(const std::string &text, const SizeBindings &bindings = {}) {
  const auto result = parsed(text).evaluate(bindings);
  const auto *number = std::get_if<__int128>(&result);
  return number ? decimal(*number) : std::get<std::string>(result);
}

std::string wrong(const std::string &text) {
  const auto e = SizeExpression::parse(text);
  const auto *error = std::get_if<SizeSyntaxError>(&e);
  return error ? error->text() : "none";
}

TEST(SizeExpression, Values) {
  const SizeBindings b{{{"n", 10}, {"p", 4}}, {}};
  EXPECT_EQ(value("(n + p - 1) / p", b), "3");
  EXPECT_EQ(value("n % p == 2 && !(p > n) ? max(n, p) : 0", b), "10");
  EXPECT_EQ(value("min(n, 3) << 2 | 1", b), "13");
  EXPECT_EQ(value("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(value("p == 0 || n / p > 1", b), "1");
}

TEST(SizeExpression, EvenParts) {
  EXPECT_EQ(value("even_parts(1048576, 1056, 32)"), "1025"); // of 1024; of 1056 parts each has 993
  EXPECT_EQ(value("even_parts(2048, 64, 32)"), "64");
  EXPECT_EQ(value("even_parts(100, 8, 32)"), "8"); // 13 each, 15 in 7 parts: none
  EXPECT_EQ(value("even_parts(0, 8, 32)"), "8");
  EXPECT_EQ(value("even_parts(100, 0, 32)"), "0");
  EXPECT_EQ(value("even_parts(100, 8, 0)"), "8");
  EXPECT_EQ(value("even_parts(n, 8, 2)"), "unknown name n");
  EXPECT_EQ(wrong("even_parts(1, 2)"), "expected ',' at column 16, found ')'");
  EXPECT_EQ(value("even_parts(18446744073709551615, 4000000000, 64)"), "3999999947");
}

TEST(SizeExpression, NegativeLiteralsAndConversions) {
  const SizeBindings b{{{"n", 10}}, {}};
  EXPECT_EQ(value("-8"), "-8");
  EXPECT_EQ(value("- -8 - -1"), "9");
  EXPECT_EQ(value("-7 / 2"), "-3");
  EXPECT_EQ(value("u8(300)"), "44");
  EXPECT_EQ(value("i8(200)"), "-56");
  EXPECT_EQ(value("u32(-1)"), "4294967295");
  EXPECT_EQ(value("bool(n) + 1", b), "2");
}

TEST(SizeExpression, NothingWraps) {
  const SizeBindings b{{{"n", 3}, {"big", std::uint64_t{1} << 62}, {"p", 0}},
                       {{"m", "is negative (-3)"}}};
  EXPECT_EQ(value("n - 4", b), "3 - 4 is below 0");
  EXPECT_EQ(value("big * 8", b), "4611686018427387904 * 8 is above 2^64 - 1");
  EXPECT_EQ(value("big << 8", b), "4611686018427387904 << 8 is above 2^64 - 1");
  EXPECT_EQ(value("n << 64", b), "3 << 64 does not shift by 0 to 63");
  EXPECT_EQ(value("n / p", b), "division by 0 (p is 0)");
  EXPECT_EQ(value("m + 1", b), "m is negative (-3)");
  EXPECT_EQ(value("q", b), "unknown name q");
  EXPECT_EQ(value("-18446744073709551615"), "-18446744073709551615 is below -2^63");
}

TEST(SizeExpression, Wrong) {
  EXPECT_EQ(wrong("(a + "), "expected a number, a name or '(' at column 6, found the end");
  EXPECT_EQ(wrong("a b"), "expected an operator or the end at column 3, found 'b'");
  EXPECT_EQ(wrong("min(a)"), "expected ',' at column 6, found ')'");
  EXPECT_EQ(wrong("18446744073709551616"),
            "expected a number below 2^64 at column 1, found '18446744073709551616'");
  EXPECT_EQ(wrong("0x10"), "expected a whole decimal number at column 1, found '0x10'");
  EXPECT_EQ(wrong(std::string(300, '(')), "is nested more than 200 deep");
  EXPECT_EQ(wrong(std::string(10001, '1')), "is longer than 10000 characters");
}

TEST(SizeExpression, NamesInOrderWithTheirPlace) {
  const SizeExpression e = parsed("n / tile + min(n, p)");
  std::string names;
  for (const auto &[name, column] : e.names())
    names += name + "@" + std::to_string(column) + " ";
  EXPECT_EQ(names, "n@1 tile@5 p@19 ");
}

TEST(SizeExpression, AsC) {
  auto c = [](const std::string &text) {
    return parsed(text).inC([](const std::string &name) { return "f_" + name + "()"; });
  };
  EXPECT_EQ(c("compute_units * 8"), "f_compute_units() * 8");
  EXPECT_EQ(c("(a + 1) * 2 - (b - c)"), "(f_a() + 1) * 2 - (f_b() - f_c())");
  EXPECT_EQ(c("min(a, 8) + 1"), "(f_a() < 8 ? f_a() : 8) + 1");
  EXPECT_EQ(c("a ? b : c"), "f_a() ? f_b() : f_c()");
  EXPECT_EQ(c("2 * even_parts(a, b + 1, 32)"), "2 * tangram_even_parts(f_a(), f_b() + 1, 32)");
  EXPECT_EQ(c("!(a && b) || -c < 3"), "!(f_a() && f_b()) || -f_c() < 3");
  EXPECT_EQ(c("u8(a + 1)"), "(uint8_t)(f_a() + 1)");
}

TEST(SizeExpression, IsLinear) {
  const SizeBindings b{{{"p", 4}}, {}};
  const auto line = parsed("3 * (n + p) - 2").linearIn("n", b);
  ASSERT_TRUE(line);
  EXPECT_EQ(decimal(line->factor) + " " + decimal(line->offset), "3 10");
  EXPECT_FALSE(parsed("n * n").linearIn("n", b));
  EXPECT_FALSE(parsed("n / p").linearIn("n", b));
}

std::string contentOf(const char *file) {
  std::ifstream in(std::filesystem::path(TANGRAM_SOURCE_DIR) / file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(DeviceFacts, AreWhatTheDocumentationLists) {
  for (const char *file : {"docs/hardware-models.md", "docs/bundle.md", "hwmodels/schema.json"}) {
    const std::string text = contentOf(file);
    for (const DeviceFact &fact : deviceFacts())
      EXPECT_NE(text.find(fact.name), std::string::npos) << fact.name << " in " << file;
  }
  EXPECT_EQ(deviceFact("threads")->openmp, "(size_t)omp_get_max_threads()");
  EXPECT_EQ(deviceFact("cores"), nullptr);
}

// A parameter or a tunable of such a name would be taken for what the device says.
TEST(DeviceFacts, AreNoNamesOfVariables) {
  for (const std::string &name : deviceFactNames())
    EXPECT_EQ(ir::variableName(name), name + "_");
}

} // namespace
} // namespace tangram::algebra

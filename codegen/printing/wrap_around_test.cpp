#include "codegen/printing/wrap_around.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// The body of a function of these parameters, before and after, as text.
std::string wrapped(const std::string &parameters, const std::string &body,
                    Dialect dialect = Dialect::C) {
  const ir::Program program =
      fixture::parse("long f(" + parameters + ") { " + body +
                     " }\n__codelet void all(const Array<1, int> in, Array<1, long> out) {"
                     " for (unsigned i = 0; i < in.size(); ++i) out[i] = f(0, 0); }");
  EXPECT_EQ(program.functions.size(), 1U);
  return ir::toString(withWrapAround(program.functions.at(0).body, dialect));
}

/// An expression of two numbers of a type.
std::string value(const std::string &type, const std::string &text, Dialect dialect = Dialect::C) {
  std::string all = wrapped(type + " x, " + type + " y", "return " + text + ";", dialect);
  const std::string before = "return ";
  const std::size_t at = all.find(before);
  return all.substr(at + before.size(), all.find(';') - at - before.size());
}

TEST(WrapAround, WhatMayBeBeyondTheTypeIsComputedWithoutASign) {
  EXPECT_EQ(value("int", "x + y"), "(int)((unsigned)x + y)");
  EXPECT_EQ(value("int", "x * y - 1"), "(int)((unsigned)x * y - 1)");
  EXPECT_EQ(value("int", "1 - x"), "(int)(1 - (unsigned)x)");
  EXPECT_EQ(value("int", "-x"), "(int)-(unsigned)x");
  EXPECT_EQ(value("int", "x + 1 > y"), "(int)((unsigned)x + 1) > y");
  EXPECT_EQ(value("int", "x * 2 / 2"), "(int)((unsigned)x * 2) / 2");
  EXPECT_EQ(value("long", "x * y"), "(long)((unsigned long)x * y)");
  EXPECT_EQ(value("unsigned short", "x * y"), "(int)((unsigned)x * y)");
  EXPECT_EQ(value("int", "(unsigned)(x - y)"), "(unsigned)x - y");
}

TEST(WrapAround, LiteralsBelowZeroLoseTheirSignByAConversion) {
  EXPECT_EQ(value("int", "x + -2"), "(int)((unsigned)x - 2)");
  EXPECT_EQ(value("int", "x - -2"), "(int)((unsigned)x + 2)");
  EXPECT_EQ(value("int", "x * -2"), "(int)((unsigned)x * (unsigned)-2)");
}

TEST(WrapAround, WhatFitsStaysAsItIs) {
  EXPECT_EQ(value("short", "x * y + 1"), "x * y + 1");
  EXPECT_EQ(value("signed char", "-x"), "-x");
  EXPECT_EQ(value("int", "x % 1000 + 1"), "x % 1000 + 1");
  EXPECT_EQ(value("int", "(x & 255) * (y & 255)"), "(x & 255) * (y & 255)");
  EXPECT_EQ(value("unsigned", "x * y"), "x * y");
  EXPECT_EQ(value("int", "(x < y) + 1"), "(x < y) + 1");
  EXPECT_EQ(value("int", "min(max(x, 0), 9) + 1"), "min(max(x, 0), 9) + 1");
}

TEST(WrapAround, QuotientsOfTheLeastNumber) {
  EXPECT_EQ(value("int", "x / y"), "wrapping /(x, y)");
  EXPECT_EQ(value("int", "x % y"), "wrapping %(x, y)");
  EXPECT_EQ(value("int", "x / 3"), "x / 3");
  EXPECT_EQ(value("int", "7 / y"), "7 / y");
  EXPECT_EQ(value("short", "x / y"), "x / y");
  EXPECT_EQ(value("int", "abs(x)"), "wrapping abs(x)");
  EXPECT_EQ(value("short", "abs(x)"), "abs(x)");
}

TEST(WrapAround, ShiftsByMoreThanThereAreBits) {
  EXPECT_EQ(value("int", "x << 3"), "(int)((unsigned)x << 3)");
  EXPECT_EQ(value("int", "x >> y"), "x >> (y & 31)");
  EXPECT_EQ(value("int", "x << y", Dialect::OpenCL), "(int)((unsigned)x << y)");
  EXPECT_EQ(value("unsigned", "x << y"), "x << (y & 31)");
  EXPECT_EQ(value("int", "(x & 3) << 2"), "(x & 3) << 2");
}

TEST(WrapAround, Assignments) {
  EXPECT_EQ(wrapped("int x, int y", "int s = 0; s += x; s -= x * y; s *= 2; return s;"),
            "unsigned s = 0;\n"
            "s += x;\n"
            "s -= (int)((unsigned)x * y);\n"
            "s *= 2;\n"
            "return (int)s;\n");
  EXPECT_EQ(wrapped("int x, int y", "int s = x; s <<= y; s >>= 2; s /= y; s += 1; return s;"),
            "int s = x;\n"
            "s = (int)((unsigned)s << (y & 31));\n"
            "s >>= 2;\n"
            "s = wrapping /(s, y);\n"
            "s += 1;\n"
            "return s;\n");
  EXPECT_EQ(wrapped("int x, int y", "unsigned s = 0; s += x; s *= y; return s;"),
            "unsigned s = 0;\ns += x;\ns *= y;\nreturn s;\n");
  EXPECT_EQ(wrapped("int x, int y", "short s = 0; s += 1; s *= y; return s;"),
            "short s = 0;\ns += 1;\ns *= (unsigned)y;\nreturn s;\n");
  EXPECT_EQ(wrapped("float x, int y", "int s = y; s *= x; s = x; return s;"),
            "int s = y;\ns = (int)(s * x);\ns = (int)x;\nreturn s;\n");
}

TEST(WrapAround, CountersOfLoopsFit) {
  EXPECT_EQ(wrapped("int x, int y",
                    "int s = 0; for (int i = 0; i < y; ++i) if (x == i + 1) s = i; return s;"),
            "int s = 0;\n"
            "for (int i = 0; i < y; i += 1)\n"
            "  if (x == i + 1)\n"
            "    s = i;\n"
            "return s;\n");
  EXPECT_EQ(wrapped("int x, int y",
                    "int s = 0; for (int i = y; i > 0; --i) if (x == i - 1) s = i; return s;"),
            "int s = 0;\n"
            "for (int i = y; i > 0; i -= 1)\n"
            "  if (x == i - 1)\n"
            "    s = i;\n"
            "return s;\n");
  EXPECT_EQ(wrapped("int x, int y",
                    "int s = 0; for (int i = 0; i < y; i += 2) if (x == i) s = i; return s;"),
            "int s = 0;\n"
            "for (int i = 0; i < y; i += 2)\n"
            "  if (x == i)\n"
            "    s = i;\n"
            "return s;\n");
}

} // namespace
} // namespace tangram::codegen

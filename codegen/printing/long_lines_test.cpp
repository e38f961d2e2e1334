#include "codegen/printing/long_lines.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

TEST(LongLines, AreBrokenAtACommaInTheFewestParentheses) {
  EXPECT_EQ(withBrokenLines(
                "  static int check(const float *first_container, size_t first_container_size, "
                "float *second(int), size_t second_size) {\n"),
            "  static int check(const float *first_container, size_t first_container_size, float "
            "*second(int),\n      size_t second_size) {\n");
}

TEST(LongLines, AreBrokenBeforeAnOperator) {
  EXPECT_EQ(
      withBrokenLines("    const size_t elements_of_the_product = first_number_of_rows * "
                      "columns_of_the_second + what_is_left_of_it;\n"),
      "    const size_t elements_of_the_product = first_number_of_rows * columns_of_the_second\n"
      "        + what_is_left_of_it;\n");
}

TEST(LongLines, StringsAndCommentsStayWhole) {
  const std::string words(90, 'w');
  for (const std::string &line :
       {"  call(\"a, b " + words + " + c, d\");\n", "// a, b " + words + ", c, d\n",
        "  x = y; // a, b " + words + ", c, d\n", "#pragma omp a, b " + words + ", c\n"})
    EXPECT_EQ(withBrokenLines(line), line);
  const std::string letters(80, 'l');
  EXPECT_EQ(withBrokenLines("  call('\"', \"a, b" + letters + "\\\\\", \"c, d\");\n"),
            "  call('\"',\n      \"a, b" + letters + "\\\\\",\n      \"c, d\");\n");
}

TEST(LongLines, DefinitionsGoOnBehindABackslash) {
  const std::string option(50, 'o');
  EXPECT_EQ(withBrokenLines("#define OPTIONS \"-D" + option + "\" \"-D" + option + "\"\n"),
            "#define OPTIONS \"-D" + option + "\" \\\n    \"-D" + option + "\"\n");
  const std::string several = "#define TWO(a) \\\n  first(a, " + std::string(100, 'a') +
                              ", a); \\\n  second(a, " + std::string(100, 'a') + ", a)\n";
  EXPECT_EQ(withBrokenLines(several), several);
}

TEST(LongLines, LinesThatAreShortStay) {
  const std::string text = "int f(int a, int b) {\n  return a + b;\n}\n";
  EXPECT_EQ(withBrokenLines(text), text);
}

} // namespace
} // namespace tangram::codegen

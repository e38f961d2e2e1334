#include "escape/escape.h"

#include "escape/code_points.h"

#include <gtest/gtest.h>

namespace tangram::escape {
namespace {

// ESC, a byte of no UTF-8, C1's CSI, a turn of direction and an invisible letter.
const std::string hostile = "\033[2J\xff\xc2\x9b\xe2\x80\xae\xef\xbb\xbf";

TEST(CodePoints, TellsTextFromBytes) {
  EXPECT_TRUE(isPrintableLine("plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80 */ <!-- \\ \"$`"));
  for (const char *bad : {"\n", "\r", "\t", "\033", "\x7f", "\xc2\x85", "\xe2\x80\xa8",
                          "\xe2\x80\xae", "\xe2\x81\xa7", "\xef\xbb\xbf", "\xff", "\xc0\xaf",
                          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\xd8\x9c"})
    EXPECT_FALSE(isPrintableLine(std::string("a") + bad + "b")) << bad;
  EXPECT_EQ(unfinishedAtEnd("a\xe2\x82"), 2U);
  EXPECT_EQ(unfinishedAtEnd("a\xe2\x82\xac"), 0U);
  EXPECT_EQ(unfinishedAtEnd("\xf0\x9f\x98"), 3U);
  EXPECT_EQ(unfinishedAtEnd("\x82\x82\x82\x82"), 0U);
}

TEST(Escape, CommentsStayOnTheirLine) {
  EXPECT_EQ(comment("a title, of 3"), "a title, of 3");
  EXPECT_EQ(comment("a\n#error\r\\"), "a #error /");
  EXPECT_EQ(comment("*/ /* //* */**/"), "* / / * / / * * / ** /");
  EXPECT_EQ(comment("?"
                    "?/ ?"
                    "?"
                    "?/"),
            "? ?/ ? ? ?/");
  EXPECT_EQ(comment(hostile), " [2J    ");
}

TEST(Escape, Strings) {
  EXPECT_EQ(cString("a\"b\\\n?"
                    "?/\t\x1b\xc3\xa4"
                    "1"),
            "a\\\"b\\\\\\n?\\?/\\011\\033\\303\\2441");
  EXPECT_EQ(cmake("a\\\"$ENV{x}@b@\n"), "a\\\\\\\"\\$ENV{x}\\@b\\@?");
  EXPECT_EQ(pkgConfig("${x} # \\\nLibs: x"), "$${x} \\# /?Libs: x");
  EXPECT_EQ(python("\"\"\"\nimport os\\"), "\\\"\\\"\\\"?import os\\\\");
  EXPECT_EQ(xml("<a href=\"&'\">\n"), "&lt;a href=&quot;&amp;&#39;&quot;&gt;?");
  EXPECT_EQ(dot("a\"];\\\nb\r"), "a\\\"];\\\\\\nb?");
}

TEST(Escape, ShellWords) {
  EXPECT_EQ(shell("a-b/c.d"), "a-b/c.d");
  EXPECT_EQ(shell(""), "''");
  EXPECT_EQ(shell("$(rm) it's"), "'$(rm) it'\\''s'");
}

TEST(Escape, DocumentsOfJson) {
  EXPECT_EQ(json("{\n \"a\": \"\xc3\xa4\xe2\x80\xae\xff\xf3\xa0\x80\x81\"}"),
            "{\n \"a\": \"\xc3\xa4\\u202e\\ufffd\\udb40\\udc01\"}");
  EXPECT_EQ(scriptJson("\"<!-- </script> ]]>&\""),
            "\"\\u003c!-- \\u003c/script\\u003e ]]\\u003e\\u0026\"");
}

TEST(Escape, TerminalsShowWhatTheyWouldDo) {
  EXPECT_EQ(terminal("a\nb\tc"), "a\nb\tc");
  EXPECT_EQ(terminalLine("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(terminal(hostile), "\\x1b[2J\\xff\\x9b\\u202e\\ufeff");
  EXPECT_EQ(terminal("\xf3\xa0\x80\x81\r"), "\\U000e0001\\x0d");
}

} // namespace
} // namespace tangram::escape

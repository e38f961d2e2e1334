#include "ir/display_width.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(DisplayWidth, CharactersOfOneColumn) {
  EXPECT_EQ(displayWidth(""), 0U);
  EXPECT_EQ(displayWidth("a\tb"), 3U);
  EXPECT_EQ(displayWidth("gr\u00f6\u00dfe \u03b1 \u0436"), 9U);
}

TEST(DisplayWidth, WideAndFullwidthOnesTakeTwo) {
  EXPECT_EQ(displayWidth("\u5408\u8a08"), 4U); // ideographs
  EXPECT_EQ(displayWidth("\u304b\u30ab"), 4U); // kana
  EXPECT_EQ(displayWidth("\uff76"), 1U);       // a halfwidth one
  EXPECT_EQ(displayWidth("\ud569"), 2U);       // Hangul
  EXPECT_EQ(displayWidth("\uff21\uff08"), 4U); // fullwidth letter and parenthesis
  EXPECT_EQ(displayWidth("\U0001f680"), 2U);   // emoji
  EXPECT_EQ(displayWidth("\U00020000"), 2U);   // beyond the basic plane
}

TEST(DisplayWidth, MarksTakeNone) {
  EXPECT_EQ(displayWidth("e\u0301"), 1U);
  EXPECT_EQ(displayWidth("\u304b\u3099"), 2U); // upon a kana
  EXPECT_EQ(displayWidth("a\u200db\ufe0f"), 2U);
}

TEST(DisplayWidth, WhatIsNoUtf8IsCountedByBytes) {
  EXPECT_EQ(displayWidth("\x80z"), 1U); // the rest of a character
  EXPECT_EQ(displayWidth("\xe5z"), 2U); // one that is cut off
  EXPECT_EQ(displayWidth("\xff\xff"), 2U);
}

} // namespace
} // namespace tangram::ir

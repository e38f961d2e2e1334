#include "ir/diagnostic.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace tangram::ir {
namespace {

TEST(Diagnostic, RendersPlaceLineCaretSuggestionAndNotes) {
  std::string path = testing::TempDir() + "diagnostic_test.cpp";
  std::ofstream(path) << "int a;\n\tint bcd = 3;\n";
  Diagnostic d = errorAt({path, 2, 6, 3}, "bad name 'bcd'");
  d.suggestion = "bad";
  d.notes.push_back(noteAt({path, 1, 5, 1}, "first used here"));
  EXPECT_EQ(render(d), path +
                           ":2:6: error: bad name 'bcd'\n\tint bcd = 3;\n\t    ^~~\n\t    bad\n" +
                           path + ":1:5: note: first used here\nint a;\n    ^\n");
  std::remove(path.c_str());
}

TEST(Diagnostic, CaretsCountCharacters) {
  std::string path = testing::TempDir() + "diagnostic_utf8_test.cpp";
  std::ofstream(path) << "/* \u00e4\u00f6 */ gr\u00f6\u00dfe;\n";
  EXPECT_EQ(render(errorAt({path, 1, 12, 7}, "bad")),
            path + ":1:12: error: bad\n/* \u00e4\u00f6 */ gr\u00f6\u00dfe;\n         ^~~~~\n");
  std::remove(path.c_str());
}

TEST(Diagnostic, CaretsStandBelowWideCharactersAndMarks) {
  std::string path = testing::TempDir() + "diagnostic_wide_test.cpp";
  // Ideographs of 3 bytes and 2 columns; an e with an accent of its own, 3 bytes and 1 column.
  std::ofstream(path) << "/* \u5408\u8a08 e\u0301 */\t\u5024 = x;\n";
  EXPECT_EQ(render(errorAt({path, 1, 18, 3}, "bad")),
            path +
                ":1:18: error: bad\n/* \u5408\u8a08 e\u0301 */\t\u5024 = x;\n            \t^~\n");
  EXPECT_EQ(
      render(errorAt({path, 1, 24, 1}, "bad")),
      path + ":1:24: error: bad\n/* \u5408\u8a08 e\u0301 */\t\u5024 = x;\n            \t     ^\n");
  std::remove(path.c_str());
}

TEST(Diagnostic, UnreadableFileLeavesTheLineOut) {
  EXPECT_EQ(render(errorAt({"/no/such/file", 3, 1, 1}, "odd")), "/no/such/file:3:1: error: odd\n");
  EXPECT_EQ(render(errorAt({"/no/such/file", 0, 0, 1}, "cannot be read")),
            "/no/such/file: error: cannot be read\n");
}

TEST(Diagnostic, NearestOffersTyposOnly) {
  EXPECT_EQ(nearest("simple-gpo", {"simple-gpu", "simple-cpu", "h200"}), "simple-gpu");
  EXPECT_EQ(nearest("xyz", {"simple-gpu", "h200"}), "");
}

} // namespace
} // namespace tangram::ir

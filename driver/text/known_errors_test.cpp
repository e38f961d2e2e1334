#include "driver/text/known_errors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tangram::driver {
namespace {

TEST(KnownErrors, AreAscendingAndComplete) {
  ASSERT_GE(knownErrors().size(), 20U);
  std::string before;
  for (const KnownError &each : knownErrors()) {
    EXPECT_LT(before, each.number);
    EXPECT_EQ(each.number.size(), 5U) << each.number;
    EXPECT_FALSE(each.title.empty()) << each.number;
    EXPECT_FALSE(each.messages.empty()) << each.number;
    EXPECT_GT(each.text.size(), 100U) << each.number;
    EXPECT_EQ(each.text.find("<!--"), std::string::npos) << each.number;
    before = each.number;
  }
}

TEST(KnownErrors, AreFoundByTheirMessages) {
  const KnownError *known = errorIn("a.cpp: error: unknown spectrum 'sun', did you mean 'sum'?");
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->number, "T0101");
  EXPECT_EQ(errorIn("a.cpp: error: something else"), nullptr);
  EXPECT_EQ(errorIn(""), nullptr);
}

TEST(NumberedErrors, SayEachNumberOnce) {
  std::ostringstream out;
  {
    const NumberedErrors numbered(out, "tangram");
    out << "error: unknown" << " spectrum 'a'\nnext\n"
        << std::flush << "error: unknown spectrum 'b'\nend";
  }
  out << "\nerror: unknown spectrum 'c'\n";
  EXPECT_EQ(out.str(), "error: unknown spectrum 'a' [tangram explain T0101]\nnext\n"
                       "error: unknown spectrum 'b'\nend\nerror: unknown spectrum 'c'\n");
}

/// Lines that stand in fences of a page.
std::vector<std::string> shownLines(const std::filesystem::path &page) {
  std::vector<std::string> shown;
  std::ifstream stream(page);
  bool isCode = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```"))
      isCode = !isCode;
    else if (isCode)
      shown.push_back(line);
  }
  return shown;
}

TEST(KnownErrors, AreShownWithTheirNumbersByAllPages) {
  std::size_t numbered = 0;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(TANGRAM_SOURCE_DIR "/docs")) {
    if (entry.path().extension() != ".md")
      continue;
    std::set<std::string> said; // a command says each number once
    for (const std::string &line : shownLines(entry.path())) {
      const KnownError *known = errorIn(line);
      if (!known || line.starts_with("$ "))
        continue;
      const bool has = line.find(" explain " + known->number + "]") != std::string::npos;
      EXPECT_TRUE(has || said.contains(known->number)) << entry.path() << ": " << line;
      said.insert(known->number);
      numbered += has ? 1 : 0;
    }
  }
  EXPECT_GE(numbered, 20U);
}

TEST(Explain, PrintsThePage) {
  std::ostringstream out, err;
  EXPECT_EQ(explainCommand("t0101", out, err), 0);
  EXPECT_EQ(out.str().find("T0101: unknown spectrum\n\nThe source"), 0U) << out.str();
  EXPECT_NE(out.str().find("\n    $ tangram plans"), std::string::npos) << out.str();
  out.str("");
  EXPECT_EQ(explainCommand("", out, err), 0);
  EXPECT_EQ(out.str().find("T0101  unknown spectrum\nT0102  "), 0U) << out.str();
  EXPECT_EQ(err.str(), "");
  EXPECT_EQ(explainCommand("T9999", out, err), 2);
  EXPECT_EQ(err.str(),
            "error: no message has the number 'T9999'; `explain` lists those that have one\n");
}

} // namespace
} // namespace tangram::driver

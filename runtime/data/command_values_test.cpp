#include "runtime/data/command_values.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

std::string sizesText(const std::vector<std::string> &words) {
  Result<std::vector<SizeChoice>> choices = parseSizes(words);
  if (!choices)
    return choices.error().message;
  std::string text;
  for (const SizeChoice &choice : *choices) {
    text += "[";
    text += choice.all ? std::to_string(*choice.all) : "-";
    for (const auto &[name, shape] : choice.named) {
      text += " " + name;
      for (std::uint64_t extent : shape)
        text += ":" + std::to_string(extent);
    }
    text += "]";
  }
  return text;
}

std::string settingsText(const std::vector<std::string> &words) {
  Result<std::vector<TunableValues>> settings = parseSettings(words);
  if (!settings)
    return settings.error().message;
  std::string text;
  for (const TunableValues &setting : *settings) {
    text += "[";
    for (const auto &[name, value] : setting)
      text += name + "=" + std::to_string(value) + ";";
    text += "]";
  }
  return text;
}

TEST(CommandValues, Sizes) {
  EXPECT_EQ(sizesText({}), "[-]");
  EXPECT_EQ(sizesText({"0,1", "1000"}), "[0][1][1000]");
  EXPECT_EQ(sizesText({"2^24"}), "[16777216]");
  EXPECT_EQ(sizesText({"in=1,2", "7", "a=3x4"}), "[7 a:3:4 in:1][7 a:3:4 in:2]");
}

TEST(CommandValues, SizeMistakes) {
  EXPECT_EQ(sizesText({"10q"}), "--size 10q: expected a size such as 1000 or 2^24, found 10q");
  EXPECT_EQ(sizesText({"1,,2"}),
            "--size 1,,2: expected a size such as 1000 or 2^24, found nothing");
  EXPECT_EQ(sizesText({"-1"}), "--size -1: expected a size such as 1000 or 2^24, found -1");
  EXPECT_EQ(sizesText({"3x4"}), "--size 3x4: expected a size such as 1000 or 2^24, found 3x4; a "
                                "shape is one container's: --size NAME=3x4");
  EXPECT_EQ(sizesText({"a=3x4,b=2"}),
            "--size a=3x4,b=2: expected a size such as 1000 or 2^24, found "
            "b=2; each container has a --size of its own: --size b=2");
  EXPECT_EQ(sizesText({"2^64"}), "--size 2^64: expected a size such as 1000 or 2^24, found 2^64");
  EXPECT_EQ(sizesText({"in="}), "--size in=: expected a size such as 1000 or 2^24, found nothing");
  EXPECT_EQ(sizesText({"18446744073709551616"}), "--size 18446744073709551616: expected a size "
                                                 "such as 1000 or 2^24, found "
                                                 "18446744073709551616");
}

TEST(CommandValues, Settings) {
  EXPECT_EQ(settingsText({}), "[]");
  EXPECT_EQ(settingsText({"p=1,2", "q=5"}), "[p=1;q=5;][p=2;q=5;]");
  EXPECT_EQ(settingsText({"p=1", "p=2"}), "[p=1;][p=2;]");
  EXPECT_EQ(settingsText({"p"}), "--set p: expected NAME=VALUE[,VALUE...]");
  EXPECT_EQ(settingsText({"=3"}), "--set =3: expected NAME=VALUE[,VALUE...]");
  EXPECT_EQ(settingsText({"p=x"}), "--set p=x: expected an integer, 0 or more, found x");
}

TEST(CommandValues, Named) {
  Result<std::map<std::string, std::string>> named = parseNamed("--input", {"in=a=b.npy", "n=5"});
  ASSERT_TRUE(named);
  EXPECT_EQ(*named, (std::map<std::string, std::string>{{"in", "a=b.npy"}, {"n", "5"}}));
  EXPECT_EQ(parseNamed("--input", {"in"}).error().message, "--input in: expected NAME=FILE");
  EXPECT_EQ(parseNamed("--input", {"in="}).error().message, "--input in=: expected NAME=FILE");
  EXPECT_EQ(parseNamed("--input", {"in=a", "in=b"}).error().message,
            "--input in=b: in is given a second time");
}

} // namespace
} // namespace tangram::runtime

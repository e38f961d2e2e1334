#include "files/replace_folder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tangram::files {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class ReplaceFolder : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "files-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(root); }

  void put(const fs::path &file, const std::string &text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  /// "name: content" of all there is, by name.
  std::string contents() const {
    std::map<std::string, std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(root)) {
      std::ostringstream text;
      if (entry.is_regular_file())
        text << std::ifstream(entry.path()).rdbuf();
      files[entry.path().lexically_relative(root).string()] = text.str();
    }
    std::string result;
    for (const auto &[name, text] : files)
      result += name + ": " + text + "\n";
    return result;
  }

  fs::path root;
};

TEST_F(ReplaceFolder, MakesTheFolderAndTheOnesAbove) {
  EXPECT_EQ(replaceFolder(root / "a/out", {{{"x", "1"}, {"v/y", "2"}}}), "");
  EXPECT_EQ(contents(), "a: \na/out: \na/out/v: \na/out/v/y: 2\na/out/x: 1\n");
}

TEST_F(ReplaceFolder, ReplacesWhatIsOursAndKeepsTheRest) {
  put("out/x", "old");
  put("out/gone", "old");
  put("out/v/y", "old");
  put("out/w/z", "old");
  put("out/w/mine", "mine");
  put("out/build/deep/object.o", "built");
  put("out/notes", "years of work");
  fs::create_directory(root / "out/empty");
  fs::create_symlink("notes", root / "out/link");
  fs::permissions(root / "out", fs::perms(0750));
  const FolderContent content{{{"x", "new"}, {"u/t", "new"}}, {"x", "gone", "v/y", "w/z"}};
  EXPECT_EQ(inTheWay(root / "out", content), Names());
  EXPECT_EQ(replaceFolder(root / "out", content), "");
  EXPECT_EQ(contents(), "out: \nout/build: \nout/build/deep: \nout/build/deep/object.o: built\n"
                        "out/empty: \nout/link: years of work\nout/notes: years of work\nout/u: \n"
                        "out/u/t: new\nout/w: \nout/w/mine: mine\nout/x: new\n");
  EXPECT_TRUE(fs::is_symlink(root / "out/link"));
  EXPECT_EQ(fs::status(root / "out").permissions(), fs::perms(0750));
}

TEST_F(ReplaceFolder, NamesWhatIsInTheWay) {
  put("out/x", "mine");
  put("out/v", "mine");
  put("out/w/deep/z", "mine");
  put("out/ours", "old");
  const FolderContent content{{{"x", ""}, {"v/y", ""}, {"w/deep", ""}, {"ours", ""}}, {"ours"}};
  EXPECT_EQ(inTheWay(root / "out", content), (Names{"v", "w/deep", "x"}));
}

TEST_F(ReplaceFolder, FollowsALinkToTheFolder) {
  put("far/notes", "mine");
  fs::create_directory_symlink("far", root / "out");
  EXPECT_EQ(replaceFolder(root / "out", {{{"x", "1"}}}), "");
  EXPECT_TRUE(fs::is_symlink(root / "out"));
  EXPECT_EQ(contents(), "far: \nfar/notes: mine\nfar/x: 1\nout: \n");
}

TEST_F(ReplaceFolder, TheCurrentFolderStaysTheSame) {
  put("out/x", "old");
  put("out/v/gone", "old");
  put("out/notes", "mine");
  const fs::path before = fs::current_path();
  fs::current_path(root / "out");
  EXPECT_EQ(replaceFolder(".", {{{"x", "new"}, {"manifest.json", "{}"}}, {"x", "v/gone"}}), "");
  EXPECT_TRUE(fs::exists("notes"));
  EXPECT_FALSE(fs::exists("v"));
  fs::current_path(before);
  EXPECT_EQ(contents(), "out: \nout/manifest.json: {}\nout/notes: mine\nout/x: new\n");
}

TEST_F(ReplaceFolder, AFailureLeavesWhatWasThere) {
  put("out/x", "old");
  EXPECT_EQ(replaceFolder(root / "out", {{{"x", "1"}, {"x/y", "2"}}, {"x"}}),
            "cannot write " + (root / "out/x/y").string() + ": Not a directory");
  EXPECT_EQ(contents(), "out: \nout/x: old\n");
  EXPECT_EQ(replaceFolder(root / "out/x/below", {{{"x", "1"}}}),
            "cannot make " + (root / "out/x").string() + ": Not a directory");
}

TEST_F(ReplaceFolder, WhatIsListedButAFolderOrBehindALinkStays) {
  put("far/y", "mine");
  put("out/x/deep", "mine");
  fs::create_directory_symlink("../far", root / "out/v");
  const FolderContent content{{{"manifest.json", "{}"}}, {"x", "v/y"}};
  const std::string after =
      "far: \nfar/y: mine\nout: \nout/manifest.json: {}\nout/v: \nout/x: \nout/x/deep: mine\n";
  EXPECT_EQ(replaceFolder(root / "out", content), "");
  EXPECT_EQ(contents(), after);
  const fs::path before = fs::current_path();
  fs::current_path(root / "out");
  EXPECT_EQ(replaceFolder(".", content), "");
  fs::current_path(before);
  EXPECT_EQ(contents(), after);
}

TEST(InnerPath, LeadsNowhereElse) {
  for (const char *good : {"sum.c", "v/sum.c", "..c", "a b/\n"})
    EXPECT_TRUE(isInnerPath(good)) << good;
  for (const char *bad : {"", "/etc", "..", ".", "../x", "v/../x", "v/./x", "v/", "/"})
    EXPECT_FALSE(isInnerPath(bad)) << bad;
  EXPECT_FALSE(isInnerPath(std::string("a\0b", 3)));
}

TEST_F(ReplaceFolder, WhatAKilledOneLeftGoes) {
  put(".tangram-unfinished-abc/x", "half");
  EXPECT_EQ(replaceFolder(root / "out", {{{"x", "1"}}}), "");
  EXPECT_EQ(contents(), "out: \nout/x: 1\n");
}

} // namespace
} // namespace tangram::files

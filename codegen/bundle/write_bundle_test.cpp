#include "codegen/bundle/write_bundle.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace tangram::codegen {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, gone afterwards.
class WriteBundle : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tangram-bundle-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(root); }

  void put(const fs::path &file, const std::string &text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  /// A bundle of `spectrum`: its manifest, and a file `name` that contains `text`.
  static BundleFiles bundle(const std::string &spectrum, const std::string &name,
                            const std::string &text) {
    return {{"manifest.json", R"({"format": "tangram-bundle", "spectrum": ")" + spectrum + "\"}"},
            {name, text}};
  }

  std::string write(const BundleFiles &files, const WriteOptions &options = {}) const {
    return writeBundle(files, root / "out", options);
  }

  /// "name: content" of all files that are no manifest, by name.
  std::string contents() const {
    std::map<std::string, std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(root)) {
      std::ostringstream text;
      if (entry.is_regular_file())
        text << std::ifstream(entry.path()).rdbuf();
      if (!entry.is_directory() && entry.path().filename() != "manifest.json")
        files[entry.path().lexically_relative(root).string()] = text.str();
    }
    std::string result;
    for (const auto &[name, text] : files)
      result += name + ": " + text + "\n";
    return result;
  }

  fs::path root;
  const std::string wayOut = "; choose another folder, or --force to write into this one";
};

TEST_F(WriteBundle, ListsItsFiles) {
  EXPECT_EQ(write(bundle("sum", "v/sum.c", "1")), "");
  std::ostringstream manifest;
  manifest << std::ifstream(root / "out/manifest.json").rdbuf();
  EXPECT_EQ(manifest.str(), "{\n  \"format\": \"tangram-bundle\",\n  \"spectrum\": \"sum\",\n  "
                            "\"contents\": [\n    \"manifest.json\",\n    \"v/sum.c\"\n  ]\n}\n");
}

TEST_F(WriteBundle, FillsAnEmptyFolder) {
  fs::create_directory(root / "out");
  EXPECT_EQ(writeBundle(bundle("sum", "sum.c", "1"), (root / "out").string() + "/"), "");
  EXPECT_EQ(contents(), "out/sum.c: 1\n");
}

TEST_F(WriteBundle, ReplacesWhatItsManifestListsAndNothingElse) {
  ASSERT_EQ(write(bundle("sum", "sum.cl", "old")), "");
  put("out/build/sum.o", "built");
  put("out/notes", "mine");
  EXPECT_EQ(write(bundle("sum", "sum.c", "new")), "");
  EXPECT_EQ(contents(), "out/build/sum.o: built\nout/notes: mine\nout/sum.c: new\n");
}

TEST_F(WriteBundle, LeavesAFolderThatIsNoBundleAlone) {
  for (const char *file : {"a", "b", "c.tex", "d/e"})
    put(fs::path("out") / file, "years of work");
  const std::string before = contents();
  EXPECT_EQ(write(bundle("sum", "sum.c", "1")),
            (root / "out").string() + " is no bundle and holds a, b, c.tex and 1 more" + wayOut);
  EXPECT_EQ(contents(), before);
}

TEST_F(WriteBundle, LeavesAManifestOfSomebodyElseAlone) {
  put("out/manifest.json", R"({"name": "a web application"})");
  EXPECT_EQ(write(bundle("sum", "sum.c", "1")),
            (root / "out").string() + " is no bundle and holds manifest.json" + wayOut);
}

TEST_F(WriteBundle, LeavesABundleOfAnotherSpectrumAlone) {
  ASSERT_EQ(write(bundle("dot", "dot.c", "1")), "");
  EXPECT_EQ(write(bundle("sum", "sum.c", "1")),
            (root / "out").string() + " holds a bundle of dot, not of sum" + wayOut);
  EXPECT_EQ(contents(), "out/dot.c: 1\n");
}

TEST_F(WriteBundle, LeavesFilesThatNoManifestListsAlone) {
  ASSERT_EQ(write(bundle("sum", "sum.c", "1")), "");
  put("out/sum.py", "mine");
  EXPECT_EQ(write(bundle("sum", "sum.py", "2")),
            (root / "out").string() +
                " holds files that are not of the bundle and would be replaced: sum.py" + wayOut);
  EXPECT_EQ(contents(), "out/sum.c: 1\nout/sum.py: mine\n");
}

TEST_F(WriteBundle, WhereItIsForcedOnlyFilesOfTheSameNamesGo) {
  put("out/sum.c", "mine");
  put("out/notes", "mine");
  EXPECT_EQ(write(bundle("sum", "sum.c", "1"), {.isForced = true}), "");
  EXPECT_EQ(contents(), "out/notes: mine\nout/sum.c: 1\n");
  EXPECT_EQ(write(bundle("dot", "dot.c", "2"), {.isForced = true}), "");
  EXPECT_EQ(contents(), "out/dot.c: 2\nout/notes: mine\n");
  put("out/mine.c/deep", "mine");
  EXPECT_EQ(write(bundle("dot", "mine.c", "3"), {.isForced = true}),
            (root / "out/mine.c").string() + " is in the way; choose another folder");
  EXPECT_EQ(contents(), "out/dot.c: 2\nout/mine.c/deep: mine\nout/notes: mine\n");
}

TEST_F(WriteBundle, AManifestThatListsFilesElsewhereMovesNone) {
  put("far/a", "mine");
  put("out/manifest.json", R"({"format": "tangram-bundle", "spectrum": "sum",
      "contents": ["../far/a", ")" +
                               (root / "far/a").string() + R"(", "manifest.json"]})");
  EXPECT_EQ(write(bundle("sum", "sum.c", "1")), "");
  EXPECT_EQ(contents(), "far/a: mine\nout/sum.c: 1\n");
}

TEST_F(WriteBundle, LeavesAFileAlone) {
  put("out", "mine");
  EXPECT_EQ(write(bundle("sum", "sum.c", "1")),
            (root / "out").string() + " is no folder; choose another name");
  EXPECT_EQ(contents(), "out: mine\n");
}

} // namespace
} // namespace tangram::codegen

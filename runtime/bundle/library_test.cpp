// Bundles of several plans: reading them, and which version is for which size. The versions are copies of a
// bundle in testdata, some of which serve some sizes only.
#include "runtime/bundle/library.h"

#include "runtime/data/text_file.h"
#include "runtime/session/report.h"
#include "runtime/session/session.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tangram::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path testdata = fs::path(TANGRAM_SOURCE_DIR) / "runtime/testdata";

class LibraryTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("OMP_NUM_THREADS", "2", 1);
    std::string pattern = testing::TempDir() + "library-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    version("small", "in_size <= 1000");
    version("even", "in_size % 2 == 0");
    version("large", "in_size >= 100");
    for (const char *file : {"sum.c", "sum.h"})
      std::ofstream(folder / file) << "";
    manifest = {
        {"format", "tangram-bundle"},
        {"version", 2},
        {"generator", "tangram 0.1.0"},
        {"spectrum", "sum"},
        {"target", "openmp"},
        {"model", "simple-cpu"},
        {"source", {{"file", "codelets/sum.cpp"}, {"hash", "0123456789abcdef"}}},
        {"versions", {"small", "even", "large"}},
        {"rules", {{{"when", "in_size < 64"}, {"version", "small"}}, {{"version", "large"}}}},
        {"files", {{"source", "sum.c"}, {"header", "sum.h"}}},
    };
    std::ofstream(folder / "sum.h") << "int sum(void);\n";
    std::ofstream(folder / "sum.c") << "#include \"sum.h\"\nint sum(void) { return 0; }\n";
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A bundle that serves what `require` says.
  void version(const std::string &name, const std::string &require) {
    fs::copy(testdata / "openmp_sum", folder / name);
    json document = json::parse(*readTextFile(folder / name / "manifest.json"));
    document["plan"]["id"] = name;
    document["constraints"] = {{{"require", require}, {"reason", "it is " + name}}};
    std::ofstream(folder / name / "manifest.json") << document.dump();
  }

  void change(const std::string &name, const json::json_pointer &at, const json &value) {
    json document = json::parse(*readTextFile(folder / name / "manifest.json"));
    document[at] = value;
    std::ofstream(folder / name / "manifest.json") << document.dump();
  }

  Result<Library> read() {
    std::ofstream(folder / "manifest.json") << manifest.dump();
    return readLibrary(folder);
  }

  /// Without the file's name.
  std::string error() {
    const Result<Library> library = read();
    if (library)
      return "fine";
    std::string text = library.error().message;
    const std::string file = (folder / "manifest.json").string() + ": ";
    for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file))
      text.erase(at, file.size());
    return text;
  }

  std::string versionAt(std::uint64_t size) {
    const Result<Library> library = read();
    Bindings bindings;
    bindings.values = {{"in_size", size}, {"threads", 2}};
    DeviceFacts facts;
    facts.values = {{"threads", 2}};
    const Result<std::size_t> chosen = library->versionFor(bindings, facts);
    return chosen ? library->versions[*chosen].planId : chosen.error().message;
  }

  /// The lines of a session of the bundle, without the bundle's name.
  std::string linesOf(SessionOptions options) {
    EXPECT_TRUE(read());
    options.bundles = {folder.string()};
    std::string lines;
    const Status status = runSession(
        options, [&](const Record &r) { lines += recordLine(r) + "\n"; },
        [](std::size_t, std::size_t, const std::string &) {});
    if (!status)
      return status.error().message;
    for (std::size_t at = lines.find(folder); at != std::string::npos; at = lines.find(folder))
      lines.erase(at, folder.string().size() + 2);
    return lines;
  }

  fs::path folder;
  json manifest;
};

TEST_F(LibraryTest, IsRead) {
  const Result<Library> library = read();
  ASSERT_TRUE(library) << library.error().message;
  ASSERT_EQ(library->versions.size(), 3U);
  EXPECT_EQ(library->versions[2].path("source"), folder / "large/sum.c");
  ASSERT_EQ(library->rules.size(), 2U);
  EXPECT_EQ(library->rules[0].when->text(), "in_size < 64");
  EXPECT_EQ(library->rules[1].version, 2U);
}

TEST_F(LibraryTest, OnePlanIsALibraryOfOne) {
  const Result<Library> library = readLibrary(testdata / "openmp_sum");
  ASSERT_TRUE(library);
  EXPECT_FALSE(library->isSeveral());
  EXPECT_EQ(library->versions.front().spectrum, "sum");
}

TEST_F(LibraryTest, TheRuleSaysWhichIsTriedAndItsConstraintsWhetherItServes) {
  EXPECT_EQ(versionAt(0), "small");
  EXPECT_EQ(versionAt(63), "small");
  EXPECT_EQ(versionAt(64), "small"); // large refuses; the next is the first
  EXPECT_EQ(versionAt(100), "large");
  EXPECT_EQ(versionAt(1000000), "large");
  manifest["rules"] = {{{"version", "even"}}};
  EXPECT_EQ(versionAt(8), "even");
  EXPECT_EQ(versionAt(7), "small"); // past large, which refuses too
  EXPECT_EQ(versionAt(1001), "large");
}

TEST_F(LibraryTest, SizesThatNoneServes) {
  manifest["versions"] = {"small", "even"};
  manifest["rules"] = {{{"version", "even"}}};
  EXPECT_EQ(versionAt(1001),
            "none of the versions serves these sizes:\n"
            "even: it is even: in_size % 2 == 0 does not hold with in_size = 1001\n"
            "small: it is small: in_size <= 1000 does not hold with in_size = 1001");
}

TEST_F(LibraryTest, AVersionThatWouldHaveToBeCompiledAnewComesLast) {
  change("large", json::json_pointer("/tunables/0/kind"), "compile");
  change("large", json::json_pointer("/tunables/0/default"), "4");
  change("large", json::json_pointer("/constraints/0/require"), "in_size < 1000 * p");
  EXPECT_EQ(versionAt(3999), "large");
  EXPECT_EQ(versionAt(4000), "even");
  EXPECT_EQ(versionAt(4001), "large"); // p becomes 8
}

TEST_F(LibraryTest, FilesAndVersionsAreInTheBundleAndNoLinks) {
  fs::create_symlink("sum.c", folder / "link.c");
  for (const char *file : {"link.c", "none.c", "large/sum.c", "../sum.c", "/etc/passwd", ".."}) {
    manifest["files"]["source"] = file;
    EXPECT_EQ(error().find("/files/source: expected "), 0U) << file;
  }
  manifest["files"]["source"] = "sum.c";
  fs::create_directory_symlink("small", folder / "linked");
  manifest["versions"] = {"linked", "even", "large"};
  EXPECT_EQ(error().find("/versions/0: expected the name of a folder in the bundle"), 0U);
}

TEST_F(LibraryTest, WhatIsWrongHasAPlace) {
  manifest["versions"] = {"small", "even", "../large"};
  EXPECT_EQ(error(), "/versions/2: expected the name of a folder in the bundle, found the string "
                     "\"../large\"");
  manifest["versions"] = {"small", "small"};
  manifest["rules"] = {{{"version", "small"}}};
  EXPECT_EQ(error(), "/versions/1: expected each folder once, found the string \"small\"");
  manifest["versions"] = {"small"};
  EXPECT_EQ(error(), "/versions: expected two versions or more, found an array");
  manifest["versions"] = {"small", "large"};
  manifest["rules"] = {{{"version", "lage"}}};
  EXPECT_EQ(error(), "/rules/0/version: expected one of the versions, found \"lage\"; did you mean "
                     "\"large\"?");
  manifest["rules"] = json::array();
  EXPECT_EQ(error(), "/rules: expected at least one rule, found an array");
  manifest["rules"] = {{{"when", "in_size < 3"}, {"version", "small"}}};
  EXPECT_EQ(error(), "/rules/0: expected a last rule without \"when\", for all other sizes");
  manifest["rules"] = {{{"version", "small"}}, {{"version", "large"}}};
  EXPECT_EQ(error(), "/rules/0: expected \"when\" in a rule that is not the last");
  manifest["rules"] = {{{"when", "n < 3"}, {"version", "small"}}, {{"version", "large"}}};
  EXPECT_EQ(error(), "/rules/0/when: expected an extent, found n");
  manifest["rules"] = {{{"when", "in_size <"}, {"version", "small"}}, {{"version", "large"}}};
  EXPECT_EQ(error(), "/rules/0/when: expected an expression, found 'in_size <': expected a number, "
                     "a name or '(' at column 10, found the end");
}

TEST_F(LibraryTest, VersionsAreOfOneSignature) {
  change("even", json::json_pointer("/signature/parameters/0/element"), "i64");
  EXPECT_EQ(error(), "/versions/1: expected the signature of small, found another in even");
  change("even", json::json_pointer("/spectrum"), "total");
  EXPECT_EQ(error(),
            "/versions/1: expected a version of sum for openmp, found one of total for openmp");
}

TEST_F(LibraryTest, WhatIsWrongWithAVersionIsSaid) {
  fs::remove(folder / "even/sum.c");
  EXPECT_EQ(error(), (folder / "even/manifest.json").string() +
                         ": /files/source: expected a file in the bundle, found none called sum.c");
}

TEST_F(LibraryTest, IsNoManifestOfOnePlan) {
  ASSERT_TRUE(read());
  const Result<Manifest> one = readManifest(folder);
  ASSERT_FALSE(one);
  EXPECT_EQ(
      one.error().message,
      (folder / "manifest.json").string() +
          ": /version: expected 1, found the number 2: this is a bundle of several plans, each "
          "of which has a manifest in its folder");
}

TEST_F(LibraryTest, ASessionRunsTheVersionForTheSize) {
  SessionOptions options;
  options.sizes = {{10, {}}, {64, {}}, {5000, {}}};
  EXPECT_EQ(linesOf(options), "verified  version small  in_size=10  p=2\n"
                              "verified  version small  in_size=64  p=2\n"
                              "verified  version large  in_size=5000  p=2\n");
  options.settings = {{{"p", 3}}};
  options.sizes = {{10, {}}};
  EXPECT_EQ(linesOf(options), "verified  version small  in_size=10  p=3\n");
  options.settings = {{{"q", 3}}};
  EXPECT_EQ(linesOf(options), "--set q: expected a tunable (p); did you mean p?");
}

TEST_F(LibraryTest, OrAllVersions) {
  SessionOptions options;
  options.allVersions = true;
  options.sizes = {{10, {}}, {5001, {}}};
  EXPECT_EQ(linesOf(options),
            "verified  version small  in_size=10  p=2\n"
            "verified  version even  in_size=10  p=2\n"
            "refused   version large  in_size=10: it is large: in_size >= 100 does not hold with "
            "in_size = 10\n"
            "refused   version small  in_size=5001: it is small: in_size <= 1000 does not hold "
            "with in_size = 5001\n"
            "refused   version even  in_size=5001: it is even: in_size % 2 == 0 does not hold "
            "with in_size = 5001\n"
            "verified  version large  in_size=5001  p=2\n");
}

TEST_F(LibraryTest, ASizeThatNoVersionServesIsRefused) {
  manifest["versions"] = {"small", "even"};
  manifest["rules"] = {{{"version", "even"}}};
  SessionOptions options;
  options.sizes = {{5001, {}}};
  EXPECT_EQ(linesOf(options), "refused   in_size=5001: none of the versions serves these sizes:\n");
}

} // namespace
} // namespace tangram::runtime

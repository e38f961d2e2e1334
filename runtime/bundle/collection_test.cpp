#include "runtime/bundle/collection.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tangram::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Collection : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "collection-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    manifest = {
        {"format", "tangram-bundle"},
        {"version", 3},
        {"generator", "tangram 0.1.0"},
        {"library", "blas"},
        {"target", "openmp"},
        {"model", "cpu"},
        {"source", {{"file", "blas.cpp"}, {"hash", "0123456789abcdef"}}},
        {"spectrums",
         {{{"spectrum", "dot"}, {"folder", "dot"}}, {{"spectrum", "sum"}, {"folder", "add"}}}},
        {"files", {{"header", "blas.h"}}}};
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The folders by name, or the message without the manifest's.
  std::string read() const {
    std::ofstream(folder / "manifest.json") << manifest.dump();
    const auto all = bundlesOfAll(folder);
    if (!all)
      return all.error().message.substr((folder / "manifest.json").string().size() + 2);
    std::string names;
    for (const std::string &each : *all)
      names += (names.empty() ? "" : ", ") + fs::relative(each, folder).string();
    return names;
  }

  fs::path folder;
  json manifest;
};

TEST_F(Collection, HasTheBundlesOfAllSpectrums) { EXPECT_EQ(read(), "dot, add"); }

TEST_F(Collection, IsAnythingElseAlone) {
  EXPECT_EQ(*bundlesOfAll("/nowhere"), std::vector<std::string>{"/nowhere"});
  manifest["version"] = 2;
  EXPECT_EQ(read(), ".");
}

TEST_F(Collection, NamesFoldersOfItsOwn) {
  const std::string expected =
      "/spectrums/1/folder: expected the name of a folder in the bundle, found the string ";
  for (const char *name : {"../add", "a/b", "/etc"}) {
    manifest["spectrums"][1]["folder"] = name;
    EXPECT_EQ(read(), expected + "\"" + name + "\"");
  }
  fs::create_symlink("/etc", folder / "link");
  manifest["spectrums"][1]["folder"] = "link";
  EXPECT_EQ(read(), expected + "\"link\"");
  manifest["spectrums"][1]["folder"] = "dot";
  EXPECT_EQ(read(), "/spectrums/1/folder: expected each folder once, found the string \"dot\"");
  manifest["spectrums"].erase(1);
  EXPECT_EQ(read(), "/spectrums: expected two spectrums or more, found an array");
}

} // namespace
} // namespace tangram::runtime

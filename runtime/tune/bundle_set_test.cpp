#include "runtime/tune/bundle_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tangram::runtime {
namespace {

namespace fs = std::filesystem;

class BundleSet : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "set-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    for (const char *name : {"b", "a", "notes"})
      fs::create_directory(folder / name);
    for (const char *name : {"b", "a"})
      std::ofstream(folder / name / "manifest.json") << "{}";
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string wrong(const std::string &list) {
    std::ofstream(folder / bundleSetFile) << list;
    const auto bundles = bundlesIn({folder.string()});
    return bundles ? "fine" : bundles.error().message.substr(folder.string().size() + 1);
  }

  fs::path folder;
};

TEST_F(BundleSet, AllInAFolder) {
  const auto bundles = bundlesIn({folder.string(), (folder / "b").string(), "/nowhere"});
  ASSERT_TRUE(bundles);
  EXPECT_EQ(*bundles, (std::vector<std::string>{(folder / "a").string(), (folder / "b").string(),
                                                (folder / "b").string(), "/nowhere"}));
  const auto none = bundlesIn({(folder / "notes").string()});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, (folder / "notes").string() +
                                      ": expected a bundle or a folder of bundles, found neither "
                                      "manifest.json nor a bundle in it");
}

TEST_F(BundleSet, AsAListHasThem) {
  EXPECT_EQ(wrong(R"({"format": "tangram-tune-set", "version": 1, "bundles": ["b"]})"), "fine");
  EXPECT_EQ(*bundlesIn({folder.string()}), std::vector<std::string>{(folder / "b").string()});
  const std::string expected =
      "tune-set.json: expected an object with \"format\": \"tangram-tune-set\", \"version\": 1 and "
      "\"bundles\", a list of folders; found ";
  EXPECT_EQ(wrong("{"), expected + "no object");
  EXPECT_EQ(wrong(R"({"format": "tangram-tune-set", "version": 2})"),
            expected + "format \"tangram-tune-set\", version 2");
  EXPECT_EQ(wrong(R"({"format": "tangram-tune-set", "version": 1, "bundles": [1]})"),
            expected + "bundles [1]");
}

} // namespace
} // namespace tangram::runtime

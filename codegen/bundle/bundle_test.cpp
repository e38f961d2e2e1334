#include "codegen/bundle/bundle.h"

#include "codegen/test_fixture.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

  static void put(const fs::path &file, const std::string &text) { std::ofstream(file) << text; }

  /// "name: content" of all files below `folder`, by name.
  static std::string contents(const fs::path &folder) {
    std::map<std::string, std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
      std::ostringstream text;
      if (entry.is_regular_file())
        text << std::ifstream(entry.path()).rdbuf();
      files[fs::relative(entry.path(), folder).string()] = text.str();
    }
    std::string result;
    for (const auto &[name, text] : files)
      result += name + ": " + text + "\n";
    return result;
  }

  fs::path root;
};

TEST_F(WriteBundle, MakesTheFolderAndTheOnesAbove) {
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}, {"sum.c", "int x;"}}, root / "a" / "out"), "");
  EXPECT_EQ(contents(root), "a: \na/out: \na/out/manifest.json: {}\na/out/sum.c: int x;\n");
}

TEST_F(WriteBundle, FillsAnEmptyFolder) {
  fs::create_directory(root / "out");
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}}, root / "out"), "");
  EXPECT_EQ(contents(root), "out: \nout/manifest.json: {}\n");
}

TEST_F(WriteBundle, ATrailingSlashMeansTheSameFolder) {
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}}, (root / "out").string() + "/"), "");
  EXPECT_EQ(contents(root), "out: \nout/manifest.json: {}\n");
}

TEST_F(WriteBundle, ReplacesABundleWithNothingOfItLeft) {
  ASSERT_EQ(writeBundle({{"manifest.json", "1"}, {"sum.cl", "old"}}, root / "out"), "");
  EXPECT_EQ(writeBundle({{"manifest.json", "2"}, {"sum.c", "new"}}, root / "out"), "");
  EXPECT_EQ(contents(root), "out: \nout/manifest.json: 2\nout/sum.c: new\n");
}

TEST_F(WriteBundle, LeavesAFolderThatIsNoBundleAlone) {
  fs::create_directory(root / "thesis");
  put(root / "thesis" / "chapter1.tex", "years of work");
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}}, root / "thesis"),
            (root / "thesis").string() + " exists and is no bundle; choose another folder");
  EXPECT_EQ(contents(root), "thesis: \nthesis/chapter1.tex: years of work\n");
}

TEST_F(WriteBundle, LeavesAFileAlone) {
  put(root / "notes", "mine");
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}}, root / "notes"),
            (root / "notes").string() + " exists and is no bundle; choose another folder");
  EXPECT_EQ(contents(root), "notes: mine\n");
}

TEST_F(WriteBundle, SaysWhereItCannotMakeAFolder) {
  put(root / "file", "mine");
  fs::path target = root / "file" / "out";
  EXPECT_EQ(writeBundle({{"manifest.json", "{}"}}, target),
            "cannot make the folder " + target.string() + ".new-" + std::to_string(getpid()) +
                ": Not a directory");
  EXPECT_EQ(contents(root), "file: mine\n");
}

TEST_F(WriteBundle, AFailureLeavesTheBundleThatWasThere) {
  ASSERT_EQ(writeBundle({{"manifest.json", "1"}, {"sum.c", "old"}}, root / "out"), "");
  fs::path fresh = (root / "out").string() + ".new-" + std::to_string(getpid());
  EXPECT_EQ(writeBundle({{"manifest.json", "2"}, {"manifest.json/sum.c", "new"}}, root / "out"),
            "cannot write " + (fresh / "manifest.json" / "sum.c").string());
  EXPECT_EQ(contents(root), "out: \nout/manifest.json: 1\nout/sum.c: old\n");
}

std::variant<BundleFiles, Refusal> sumBundle(const std::string &target, const ir::PlanPtr &plan) {
  ir::Program program = fixture::sumProgram();
  composer::Machine machine = fixture::projected("simple-gpu", target);
  return makeBundle({&program, "sum", plan, &machine, target, "1a2b3c4d", {"S_G"}, {}, {}});
}

std::string namesOf(const std::variant<BundleFiles, Refusal> &bundle) {
  if (auto *refusal = std::get_if<Refusal>(&bundle))
    return refusal->reason;
  std::string names;
  for (const auto &[name, text] : std::get<BundleFiles>(bundle))
    names += (names.empty() ? "" : " ") + name;
  return names;
}

TEST(MakeBundle, HoldsTheFilesOfItsTarget) {
  ir::PlanPtr plan = fixture::twoKernels(fixture::compute(1, "sum", fixture::kog));
  EXPECT_EQ(namesOf(sumBundle("opencl", plan)),
            "CMakeLists.txt example.c manifest.json reference.c sum.cl sum.h sum.pc "
            "sumConfig.cmake sum_host.c");
  EXPECT_EQ(namesOf(sumBundle("openmp", plan)), "CMakeLists.txt entry.c example.c manifest.json "
                                                "reference.c sum.c sum.h sum.pc sumConfig.cmake");
}

TEST(MakeBundle, RefusesATargetThatPlansAreOnlyInterpretedFor) {
  const ir::Program program = fixture::sumProgram();
  const composer::Machine machine = fixture::projected("gpu", "cuda");
  const ir::PlanPtr plan = fixture::compute(0, "sum", fixture::sequential);
  EXPECT_EQ(namesOf(makeBundle({&program, "sum", plan, &machine, "cuda", "1a2b3c4d", {}, {}, {}})),
            "no code generator for target cuda (there are: opencl, openmp)");
}

TEST(MakeBundle, RefusesAPlanThatCannotBecomeCode) {
  EXPECT_EQ(namesOf(sumBundle("opencl", fixture::compute(0, "sum", fixture::sequential))),
            "target opencl cannot compute at level G, which only launches kernels");
}

} // namespace
} // namespace tangram::codegen

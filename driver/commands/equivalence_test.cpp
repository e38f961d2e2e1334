#include "driver/commands/equivalence.h"
#include "driver/commands/equivalence_cases.h"
#include "driver/commands/equivalence_plans.h"
#include "driver/input/input.h"

#include "composer/analysis/analysis_fixture.h"
#include "composer/analysis/sites.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace tangram::driver {
namespace {

namespace fixture = composer::fixture;
namespace fs = std::filesystem;

std::vector<composer::Machine> machines() {
  std::vector<composer::Machine> found;
  std::ostringstream notes;
  for (const char *name : {"simple-cpu", "cpu"})
    found.push_back(readMachineFor(std::string(TANGRAM_SOURCE_DIR) + "/hwmodels/" + name + ".json",
                                   "openmp", notes)
                        .value());
  return found;
}

class EquivalencePlans : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "equivalence-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(EquivalencePlans, ACompoundCodeletIsPutToWorkOnEveryMachine) {
  CodeletPlans found = plansWith(fixture::sumProgram(), "sum", {"sum", 2}, {}, machines(), folder);
  ASSERT_EQ(found.plans.size(), 2u) << found.whyNone;
  EXPECT_EQ(found.plans[0].model, "simple-cpu");
  EXPECT_EQ(found.plans[1].model, "cpu");
  std::ifstream file(found.plans[0].bundle / "plan.json");
  std::stringstream plan;
  plan << file.rdbuf();
  EXPECT_NE(plan.str().find("\"codelet\": \"asso_tiled\""), std::string::npos) << plan.str();
  EXPECT_EQ(plan.str().find("stride_tiled"), std::string::npos) << plan.str();
  const std::vector<std::string> &options = found.plans[0].planning;
  ASSERT_EQ(options.size(), 8u);
  EXPECT_EQ(options[4], "--without");
  EXPECT_EQ(options[5], "kog,stride_tiled");
}

TEST_F(EquivalencePlans, ACooperativeCodeletNeedsAVectorLevel) {
  CodeletPlans found = plansWith(fixture::sumProgram(), "sum", {"sum", 1}, {}, machines(), folder);
  ASSERT_EQ(found.plans.size(), 1u) << found.whyNone;
  EXPECT_EQ(found.plans[0].model, "cpu");
  found = plansWith(fixture::sumProgram(), "sum", {"sum", 1}, {}, {machines()[0]}, folder);
  EXPECT_TRUE(found.plans.empty());
  EXPECT_EQ(found.whyNone, "no plan of simple-cpu uses it");
}

TEST_F(EquivalencePlans, ACodeletForAnotherTargetMeansTheSameHere) {
  ir::Program program = fixture::sumProgram();
  program.spectrums[0].codelets[2].targets = {"opencl"};
  CodeletPlans found = plansWith(program, "sum", {"sum", 2}, {}, machines(), folder);
  ASSERT_EQ(found.plans.size(), 2u) << found.whyNone;
  // `tangram run` does not take it for OpenMP.
  EXPECT_TRUE(found.plans[0].planning.empty());
}

TEST(Equivalence, TheReferenceIsTheFirstAutonomousCodelet) {
  ir::Spectrum sum = fixture::sumProgram().spectrums[0];
  EXPECT_EQ(composer::meaningOf(sum), 0u);
  std::swap(sum.codelets[0], sum.codelets[3]);
  EXPECT_EQ(composer::meaningOf(sum), 3u);
  sum.codelets.pop_back();
  EXPECT_EQ(composer::meaningOf(sum), std::nullopt);
}

TEST(Equivalence, SaysWhichSpectrumIsUnknown) {
  std::ostringstream out, err;
  EquivalenceOptions options;
  options.spectrum = "summ";
  EXPECT_EQ(checkEquivalence(options, fixture::sumProgram(), {}, out, err), 1);
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(err.str(), "error: no spectrum is called 'summ'\n");
}

TEST(Equivalence, NothingToCompareWithoutAnAutonomousCodelet) {
  ir::Program program = fixture::sumProgram();
  program.spectrums[0].codelets.erase(program.spectrums[0].codelets.begin());
  program.spectrums[0].location.file = program.file;
  std::ostringstream out, err;
  EXPECT_EQ(checkEquivalence({}, program, {}, out, err), 0);
  EXPECT_EQ(out.str(), "sum: no autonomous codelet says what it means\n"
                       "0 codelets: 0 agree, 0 differ\n");
}

TEST(Equivalence, ProblemsThatTookTheReferenceTooLongAreLeftOutLater) {
  runtime::CaseList cases;
  for (const std::uint64_t columns : {17, 5003, 10000}) {
    for (const std::uint64_t rows : {3, 5}) {
      runtime::SizeChoice sizes;
      sizes.named = {{"x_size0", {rows}}, {"x_size1", {columns}}};
      cases.cases.push_back({sizes, {}});
    }
  }
  RunChoice choice;
  EXPECT_EQ(leaveOutLong(cases, choice), 0u);
  choice.tooLong = {{{"x_size0", 5}, {"x_size1", 5003}, {"y_size", 15}}};
  choice.sizes = {"5x10000"};
  EXPECT_EQ(leaveOutLong(cases, choice), 0u);
  choice.sizes.clear();
  EXPECT_EQ(leaveOutLong(cases, choice), 2u);
  EXPECT_EQ(cases.cases.size(), 4u);
}

TEST(Equivalence, ACounterExampleIsAlsoACommand) {
  CounterExample example{
      {{"in_size", 3}, {"out_size", 3}}, {{"p", 2}}, 7, "out[2] is wrong", "full"};
  EXPECT_EQ(example.text(), "in_size=3 out_size=3 p=2");
  EXPECT_EQ(example.options({"in_size"}),
            (std::vector<std::string>{"--size", "in_size=3", "--set", "p=2", "--seed", "7",
                                      "--data", "full"}));
}

} // namespace
} // namespace tangram::driver

#include "driver/commands/comparison.h"

#include "driver/commands/compare_command.h"
#include "driver/commands/compare_page.h"
#include "driver/input/input.h"
#include "frontend/parse.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace tangram::driver {
namespace {

namespace fs = std::filesystem;

ir::Program sumProgram() {
  std::ostringstream err;
  auto program = readProgram(std::string(TANGRAM_SOURCE_DIR) + "/codelets/sum.cpp", {}, {}, err);
  EXPECT_TRUE(program) << err.str();
  return *program;
}

class Comparing : public testing::Test {
protected:
  std::unique_ptr<ComparedMachine> machine(const std::string &model, const std::string &target) {
    std::ostringstream err;
    auto read = readMachineFor(model, target, err);
    EXPECT_TRUE(read) << err.str();
    auto made = ComparedMachine::make(program, *read, target, options);
    return std::move(std::get<std::unique_ptr<ComparedMachine>>(made));
  }

  Comparison comparison() {
    ComparedMachines machines;
    machines.push_back(machine("gpu", "opencl"));
    machines.push_back(machine("simple-gpu", "opencl"));
    std::ostringstream err;
    auto made = compare(std::move(machines), options, err);
    EXPECT_TRUE(made) << err.str();
    return std::move(*made);
  }

  void SetUp() override {
    options.spectrum = "sum";
    options.limit = 2;
    options.planning.strategy = composer::PlanStrategy::Predict;
    options.planning.improving.asked = 40;
    runtime::SizeChoice size;
    size.named["in_size"] = {1 << 20};
    options.sizes = {size};
  }

  const ir::Program program = sumProgram();
  ComparisonOptions options;
};

TEST_F(Comparing, EveryPlanIsTriedOnEveryMachine) {
  const Comparison both = comparison();
  unsigned elsewhere = 0;
  for (const ComparedPlan &plan : both.plans) {
    ASSERT_EQ(plan.on.size(), 2U);
    // What is distributed to the chains of a thread is nothing for a machine without them.
    const bool chains = std::ranges::count(plan.outline.distributed, "I") > 0;
    EXPECT_EQ(plan.on[1].missing.empty(), !chains) << plan.id << plan.on[1].missing;
    EXPECT_TRUE(plan.on[0].account.seconds()) << plan.id;
    elsewhere += plan.on[0].position == 0 || plan.on[1].position == 0 ? 1 : 0;
  }
  EXPECT_GT(elsewhere, 0U);
  for (std::size_t p = 1; p < both.plans.size(); ++p) {
    EXPECT_LE(both.plans[p - 1].on[0].account.seconds(), both.plans[p].on[0].account.seconds());
  }
}

TEST_F(Comparing, TheStoresQuickestSettingOfEachProblemIsShown) {
  Comparison both = comparison();
  const auto first = std::ranges::find_if(
      both.plans, [](const ComparedPlan &plan) { return plan.on[0].position == 1; });
  ASSERT_NE(first, both.plans.end());
  const fs::path file = fs::path(testing::TempDir()) / "comparison_test.db";
  fs::remove(file);
  {
    auto store = runtime::Store::open(file);
    ASSERT_TRUE(store);
    runtime::Measurement one;
    one.of.spectrum = "sum";
    one.of.plan = first->id;
    one.of.target = "opencl";
    one.of.model = "gpu";
    one.of.device = "a device";
    one.of.extents = {{"in_size", 1 << 20}};
    one.verdict = runtime::Verdict::Measured;
    for (const double seconds : {3e-3, 1e-3, 2e-3}) {
      one.tunables["p"] = static_cast<std::uint64_t>(seconds * 1e6);
      one.times = {seconds, seconds * 0.9, seconds * 1.1, seconds * 0.8, 20};
      ASSERT_TRUE(store->put(one));
    }
    one.of.model = "another";
    one.times.median = 1e-6;
    ASSERT_TRUE(store->put(one));
  }
  {
    auto store = runtime::Store::openToRead(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE(addMeasurements(both, *store));
  }
  const std::vector<MeasuredTime> &measured = first->on[0].measured;
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].times.median, 1e-3);
  EXPECT_EQ(measured[0].tunables.at("p"), 1000U);
  EXPECT_TRUE(first->on[1].measured.empty());
  auto sizes = measuredSizes(file, "sum");
  ASSERT_TRUE(sizes);
  ASSERT_EQ(sizes->size(), 1U);
  EXPECT_EQ(sizes->front().named.at("in_size"), std::vector<std::uint64_t>{1 << 20});

  CompareOptions command;
  command.comparison = options;
  command.store = file;
  ComparedMachines machines;
  machines.push_back(machine("gpu", "opencl"));
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(compareCommand(command, std::move(machines), out, err), 0) << err.str();
  EXPECT_NE(out.str().find("measured"), std::string::npos);
  EXPECT_NE(out.str().find("  1\n"), std::string::npos) << out.str(); // ms
  fs::remove(file);
}

TEST(ComparePage, HoldsItsDataWhateverIsInIt) {
  const std::string page = comparePage({{"spectrum", "a</script><b>"}});
  EXPECT_NE(page.find(R"({"spectrum":"a\u003c/script\u003e\u003cb\u003e"})"), std::string::npos);
  EXPECT_EQ(page.find("/*DATA*/"), std::string::npos);
  EXPECT_EQ(page.find("/*STYLE*/"), std::string::npos);
  EXPECT_EQ(page.find("/*SCRIPT*/"), std::string::npos);
}

} // namespace
} // namespace tangram::driver

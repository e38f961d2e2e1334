#include "composer/plans/plan_improve.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tangram::composer {
namespace {

/// A measure to which every node adds what its kind, level and codelet say, as times of parts would.
double costOf(const ir::PlanNode &node, unsigned seed) {
  const auto kind = static_cast<unsigned>(node.kind);
  const auto policy = static_cast<unsigned>(node.policy);
  unsigned mixed = ((kind * 7 + static_cast<unsigned>(node.level)) * 11 +
                    static_cast<unsigned>(node.codelet + 1)) *
                       3 +
                   policy + seed * 101;
  mixed = mixed * 2654435761U;
  double cost = 1 + mixed % 1000;
  for (const ir::PlanPtr &child : node.children)
    cost += costOf(*child, seed);
  return cost;
}

/// Whether a node of the plan computes or divides by that codelet.
bool has(const ir::PlanNode &node, int codelet) {
  return node.codelet == codelet ||
         std::ranges::any_of(node.children,
                             [&](const ir::PlanPtr &child) { return has(*child, codelet); });
}

class Improving : public testing::Test {
protected:
  Planner planner(const Machine &machine, unsigned seed, ImproveOptions how = {}) {
    PlanOptions options;
    options.strategy = PlanStrategy::Predict;
    how.resolution = 0;
    options.improving = how;
    options.measure = [this, seed](const ir::PlanPtr &plan) {
      ++asked;
      return PlanMeasure{costOf(*plan, seed), "because"};
    };
    auto made = Planner::make(program, machine, "sum", options);
    return std::get<Planner>(std::move(made));
  }

  static std::vector<RankedPlan> listed(const Planner &planner) {
    std::vector<RankedPlan> plans;
    EXPECT_TRUE(planner.forEach([&](const RankedPlan &plan) { return plans.push_back(plan), true; })
                    .empty());
    return plans;
  }

  const ir::Program program = plan_fixture::sumProgram();
  unsigned asked = 0;
};

TEST_F(Improving, FindsTheBestOfASpaceThatIsListed) {
  for (const Machine &machine : {plan_fixture::simpleCpu(), plan_fixture::simpleGpu()}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      PlanOptions options;
      options.strategy = PlanStrategy::All;
      auto all = std::get<Planner>(Planner::make(program, machine, "sum", options));
      double best = 1e9;
      EXPECT_TRUE(all.forEach([&](const RankedPlan &plan) {
                       best = std::min(best, costOf(*plan.plan, seed));
                       return true;
                     })
                      .empty());
      const std::vector<RankedPlan> found = listed(planner(machine, seed));
      EXPECT_EQ(costOf(*found.front().plan, seed), best) << machine.name << " seed " << seed;
    }
  }
}

TEST_F(Improving, FindsTheBestOfNestsThatRunOneAfterTheOther) {
  ir::Program several = program;
  ir::Spectrum two;
  two.name = "two";
  two.result = ir::scalarType(ir::Scalar::I32);
  const ir::VarPtr in =
      plan_fixture::variable("in", plan_fixture::intArray, ir::VarKind::Param, 60);
  two.params = {in};
  two.location = plan_fixture::at(60, 5);
  ir::Codelet nests = plan_fixture::codelet("nests", 1, 60, in);
  nests.spectrum = "two";
  const auto sum = [&](unsigned line) {
    return ir::node(ir::ExprKind::SpectrumCall, ir::scalarType(ir::Scalar::I32), {ir::varRef(in)},
                    plan_fixture::at(line, 5), "sum");
  };
  nests.body = ir::block({ir::eval(sum(61)), ir::returns(sum(62))});
  two.codelets = {nests};
  several.spectrums.push_back(two);
  const Machine machine = plan_fixture::simpleCpu();
  for (unsigned seed = 0; seed < 5; ++seed) {
    PlanOptions options;
    options.strategy = PlanStrategy::All;
    double best = 1e9;
    for (const RankedPlan &plan : plans(several, machine, "two", options).plans)
      best = std::min(best, costOf(*plan.plan, seed));
    options.strategy = PlanStrategy::Predict;
    options.improving.resolution = 0;
    options.measure = [&](const ir::PlanPtr &plan) {
      return PlanMeasure{costOf(*plan, seed), "because"};
    };
    const PlanList found = plans(several, machine, "two", options, 1);
    ASSERT_FALSE(found.plans.empty());
    EXPECT_EQ(costOf(*found.plans.front().plan, seed), best) << "seed " << seed;
  }
}

TEST_F(Improving, BeginsWithWhatAGroupComputesTogether) {
  // No plan is better than any other but those in which each block computes its part together.
  const std::string wanted = "S_G, regroup(stride_tiled, G), distribute(B), compute(kog, VE_B), ";
  const Machine machine = plan_fixture::simpleGpu();
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  options.measure = [&](const ir::PlanPtr &plan) {
    const bool is = linear(steps(plan, program, machine)).starts_with(wanted);
    return PlanMeasure{is ? 1.0 : 2.0, ""};
  };
  const auto planner = std::get<Planner>(Planner::make(program, machine, "sum", options));
  EXPECT_TRUE(linear(listed(planner).front().steps).starts_with(wanted));
}

TEST_F(Improving, ListsEachPlanOnceBestFirstWithItsReason) {
  const std::vector<RankedPlan> found = listed(planner(plan_fixture::simpleGpu(), 3));
  std::set<std::string> ids;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(ids.insert(found[i].id).second) << found[i].id;
    EXPECT_EQ(found[i].why, "because");
    EXPECT_EQ(found[i].rank, i + 1);
    if (i > 0) {
      EXPECT_LE(costOf(*found[i - 1].plan, 3), costOf(*found[i].plan, 3));
    }
  }
}

TEST_F(Improving, PlansThatAreAlikeAreInTheOrderOfRanks) {
  // Of measures that follow each other by less than can be told apart.
  const Machine machine = plan_fixture::simpleGpu();
  auto measureOf = [](const ir::PlanPtr &plan) {
    return std::pow(1.02, std::fmod(costOf(*plan, 1), 7));
  };
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  options.measure = [&](const ir::PlanPtr &plan) { return PlanMeasure{measureOf(plan), ""}; };
  const auto planner = std::get<Planner>(Planner::make(program, machine, "sum", options));
  const std::vector<RankedPlan> found = listed(planner);
  std::size_t alike = 0;
  for (std::size_t first = 0; first < found.size();) {
    double best = 1e9;
    for (std::size_t i = first; i < found.size(); ++i)
      best = std::min(best, measureOf(found[i].plan));
    std::size_t end = first;
    while (end < found.size() && measureOf(found[end].plan) <= 1.05 * best)
      ++end;
    ASSERT_GT(end, first);
    for (std::size_t i = first + 1; i < end; ++i)
      EXPECT_LT(planner.difference(found[i - 1].plan, found[i].plan).preference.order, 0);
    for (std::size_t i = end; i < found.size(); ++i)
      EXPECT_GT(measureOf(found[i].plan), 1.05 * best);
    for (std::size_t i = first; i < end; ++i)
      alike += measureOf(found[i].plan) > best ? 1 : 0;
    first = end;
  }
  EXPECT_GT(alike, 5U);
}

TEST_F(Improving, AsksNoMoreThanItMay) {
  const std::vector<RankedPlan> found =
      listed(planner(plan_fixture::fiveLevelGpu(), 5, {.asked = 40, .width = 2}));
  EXPECT_LE(asked, 40U);
  EXPECT_EQ(found.size(), asked);
}

TEST_F(Improving, BeginsWithOneWorkerAlone) {
  const std::vector<RankedPlan> found =
      listed(planner(plan_fixture::simpleCpu(), 1, {.asked = 1, .width = 1}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(linear(found.front().steps), "S_P, devolve(T), compute(sum#1, SE_T)");
}

TEST_F(Improving, LeavesPlacesWhereNothingMakesADifferenceOnceMuchWasMeasured) {
  auto askedFor = [&](std::size_t work, std::size_t thorough) {
    PlanOptions options;
    options.strategy = PlanStrategy::Predict;
    options.improving.thorough = thorough;
    options.without = {"kog"}; // plans begin by rank alone
    unsigned count = 0;
    options.measure = [&](const ir::PlanPtr &plan) {
      ++count;
      PlanMeasure measure{has(*plan, 0) ? 2.0 : 1.0, "because"};
      measure.work = work;
      return measure;
    };
    EXPECT_FALSE(plans(program, plan_fixture::fiveLevelGpu(), "sum", options).plans.empty());
    return count;
  };
  EXPECT_LT(askedFor(100, 1000), askedFor(100, 1'000'000));
  EXPECT_EQ(askedFor(1, 1000), askedFor(1, 1'000'000)) << "not much";
}

TEST_F(Improving, LeavesPlansThatAreFarSlowerOnceSomeWereMeasured) {
  auto askedFor = [&](double slow, std::size_t patient, unsigned ofBeginning = 0) {
    PlanOptions options;
    options.without = {"kog"}; // plans begin by rank alone
    options.strategy = PlanStrategy::Predict;
    options.improving.patient = patient;
    options.improving.ofBeginning = ofBeginning;
    unsigned count = 0;
    options.measure = [&](const ir::PlanPtr &plan) {
      ++count;
      PlanMeasure measure{has(*plan, 0) ? costOf(*plan, 1) : slow * costOf(*plan, 1), "because"};
      measure.work = 100;
      return measure;
    };
    EXPECT_FALSE(plans(program, plan_fixture::fiveLevelGpu(), "sum", options).plans.empty());
    return count;
  };
  EXPECT_LT(askedFor(100, 100), askedFor(100, 1'000'000));
  EXPECT_LT(askedFor(100, 100), askedFor(100, 100, 3)); // but some neighbours of what rules begin
}

TEST_F(Improving, KnowsPlansThatOnlyRanksFind) {
  PlanOptions ranked;
  const Machine machine = plan_fixture::simpleGpu();
  std::string last;
  for (const RankedPlan &plan : plans(program, machine, "sum", ranked).plans)
    last = plan.id;
  auto found = planner(machine, 1, {.asked = 2, .width = 1}).find(last);
  ASSERT_TRUE(std::holds_alternative<RankedPlan>(found));
  EXPECT_EQ(std::get<RankedPlan>(found).id, last);
}

TEST_F(Improving, LeavesOutACodeletThatIsWhyTheFirstInRankAreRefused) {
  const ir::Spectrum &sum = program.spectrums.front();
  const auto tiled = static_cast<int>(sum.codelets.size()) - 2; // asso_tiled and stride_tiled
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  options.measure = [&](const ir::PlanPtr &plan) -> PlanMeasure {
    for (int codelet : {tiled, tiled + 1}) {
      if (has(*plan, codelet)) {
        ir::SourceLocation inside = sum.codelets[static_cast<std::size_t>(codelet)].location;
        inside.line += 3;
        return {0, "", "may overlap", inside};
      }
    }
    return {costOf(*plan, 1), "because"};
  };
  const PlanList found = plans(program, plan_fixture::simpleCpu(), "sum", options);
  ASSERT_FALSE(found.plans.empty());
  EXPECT_EQ(found.plans.front().why, "because");
  EXPECT_FALSE(has(*found.plans.front().plan, tiled) || has(*found.plans.front().plan, tiled + 1));
}

TEST_F(Improving, LeavesOutTheCodeletsThatCallTheHelperInWhichPlansAreRefused) {
  ir::Program calling = program;
  ir::Spectrum &sum = calling.spectrums.front();
  const auto tiled = static_cast<int>(sum.codelets.size()) - 2;
  ir::Function helper;
  helper.name = "helper";
  helper.result = ir::scalarType(ir::Scalar::I32);
  helper.location = sum.codelets.front().location;
  helper.location.line += 1; // inside of what the first codelet would be
  calling.functions = {helper};
  const ir::SourceLocation inside{helper.location.file, helper.location.line, 80};
  for (int codelet : {tiled, tiled + 1}) {
    ir::Codelet &calls = sum.codelets[static_cast<std::size_t>(codelet)];
    calls.body = ir::block({ir::eval(ir::call("helper", helper.result, {})), calls.body});
  }
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  options.measure = [&](const ir::PlanPtr &plan) -> PlanMeasure {
    if (has(*plan, tiled) || has(*plan, tiled + 1))
      return {0, "", "the helper cannot be expressed", inside};
    return {costOf(*plan, 1), "because"};
  };
  const PlanList found = plans(calling, plan_fixture::simpleCpu(), "sum", options);
  ASSERT_FALSE(found.plans.empty());
  EXPECT_EQ(found.plans.front().why, "because");
}

TEST_F(Improving, WhereNoneCanBeMeasuredRanksDecide) {
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  options.measure = [](const ir::PlanPtr &) { return PlanMeasure{0, "", "too large"}; };
  const PlanList unmeasured = plans(program, plan_fixture::simpleCpu(), "sum", options);
  const PlanList ranked = plans(program, plan_fixture::simpleCpu(), "sum", {});
  ASSERT_EQ(unmeasured.plans.size(), ranked.plans.size());
  EXPECT_EQ(unmeasured.plans.front().id, ranked.plans.front().id);
  EXPECT_EQ(unmeasured.plans.front().why, ranked.plans.front().why);
}

} // namespace
} // namespace tangram::composer

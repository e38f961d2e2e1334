#include "composer/plans/plan_story.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/plan_svg.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace tangram::composer {
namespace {

class Stories : public testing::Test {
protected:
  Planner planner(const Machine &machine, PlanOptions options = {}) const {
    return std::get<Planner>(Planner::make(program, machine, "sum", options));
  }

  static RankedPlan withSteps(const Planner &planner, const std::string &steps) {
    RankedPlan found;
    EXPECT_TRUE(planner
                    .forEach([&](const RankedPlan &plan) {
                      if (linear(plan.steps) == steps)
                        found = plan;
                      return !found.plan;
                    })
                    .empty());
    EXPECT_TRUE(found.plan) << steps;
    return found;
  }

  static std::string told(const std::vector<StoryLine> &story) {
    std::string text;
    for (const StoryLine &line : story)
      text += std::to_string(line.step) + std::string(1 + 2UL * line.depth, ' ') + line.text + "\n";
    return text;
  }

  const ir::Program program = plan_fixture::sumProgram();
};

TEST_F(Stories, TellWhatIsHandedDownAndWaitedFor) {
  const Machine machine = plan_fixture::simpleCpu();
  const Planner plans = planner(machine);
  const RankedPlan plan =
      withSteps(plans, "S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, "
                       "devolve(T), compute(sum#1, SE_T)");
  EXPECT_EQ(told(planStory(plan.plan, plans.rules())),
            "1 The process cuts in into parts of neighbouring elements (asso_tiled).\n"
            "2 The process has its threads do sum of the parts, side by side.\n"
            "3   Each thread computes sum alone (sum#1).\n"
            "4 The process waits until all threads are done: they join.\n"
            "5 The process hands sum to one thread.\n"
            "6   That thread computes sum alone (sum#1).\n");
}

TEST_F(Stories, TellOfWorkersThatComputeTogetherWhenOthersAreDone) {
  const Machine machine = plan_fixture::simpleGpu();
  PlanOptions options;
  options.level = "B";
  const Planner plans = planner(machine, options);
  const RankedPlan plan =
      withSteps(plans, "S_B, regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), "
                       "compute(kog, VE_B)");
  EXPECT_EQ(told(planStory(plan.plan, plans.rules())),
            "1 The block cuts in into parts, its elements dealt out in turn (stride_tiled).\n"
            "2 The block has its threads do sum of the parts, side by side.\n"
            "3   Each thread computes sum alone (sum#1).\n"
            "4 When all threads are done: they meet at a barrier; then the block computes sum with "
            "all its threads together (kog).\n");
}

TEST_F(Stories, TellOfLoopsAndOfSeveralPartsEach) {
  const Machine machine =
      withMapRules(plan_fixture::simpleCpu(), {MapRule::Split, MapRule::Serialize});
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.iterations = 4;
  const Planner plans = planner(machine, options);
  std::string all;
  EXPECT_TRUE(plans
                  .forEach([&](const RankedPlan &plan) {
                    all += told(planStory(plan.plan, plans.rules()));
                    return true;
                  })
                  .empty());
  EXPECT_NE(all.find("has its threads do sum of several parts each, side by side."),
            std::string::npos);
  EXPECT_NE(all.find("does sum of one element after the other, in a loop."), std::string::npos);
}

/// Steps that a picture has something for.
std::set<std::size_t> stepsIn(const std::string &svg) {
  std::set<std::size_t> steps;
  const std::string mark = "data-steps=\"";
  for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    std::istringstream numbers(
        svg.substr(at + mark.size(), svg.find('"', at + mark.size()) - at - mark.size()));
    for (std::size_t step = 0; numbers >> step;)
      steps.insert(step);
  }
  return steps;
}

TEST_F(Stories, PicturesHaveAGlyphForEachStepButWaitingForNobody) {
  for (const Machine &machine :
       {plan_fixture::simpleCpu(), plan_fixture::simpleGpu(), plan_fixture::fiveLevelGpu()}) {
    const Planner plans = planner(machine);
    EXPECT_TRUE(plans
                    .forEach([&](const RankedPlan &plan) {
                      const std::set<std::size_t> drawn =
                          stepsIn(planToSvg(plan.plan, plans.rules(), plan.id, true));
                      for (std::size_t i = 0; i < plan.steps.size(); ++i) {
                        const bool waits = plan.steps[i].starts_with("S_");
                        EXPECT_TRUE(waits || drawn.contains(i))
                            << linear(plan.steps) << ": " << plan.steps[i];
                      }
                      return true;
                    })
                    .empty());
  }
}

TEST_F(Stories, PlansStandWhereTheyAreListed) {
  const Machine machine = plan_fixture::simpleGpu();
  PlanOptions options;
  options.keep = 4;
  const Planner plans = planner(machine, options);
  std::size_t position = 0;
  std::set<std::string> ids;
  EXPECT_TRUE(plans
                  .forEach([&](const RankedPlan &plan) {
                    const Standing standing = plans.standing(plan.plan);
                    EXPECT_EQ(standing.place, Standing::Place::Listed);
                    EXPECT_EQ(standing.position, ++position);
                    EXPECT_GE(standing.rank, position);
                    return ids.insert(plan.id), true;
                  })
                  .empty());
  ASSERT_FALSE(plans.log().pruned.empty());
  EXPECT_EQ(plans.log().pruned.back().kept, 4U);
  EXPECT_GT(plans.log().pruned.back().candidates, 4);
  // All others are found as well, and their ranks are their places.
  PlanOptions everything;
  everything.strategy = PlanStrategy::All;
  const Planner all = planner(machine, everything);
  mpz_class rank = 0;
  EXPECT_TRUE(all.forEach([&](const RankedPlan &plan) {
                   auto found = plans.findAnywhere(plan.id);
                   const bool known = std::holds_alternative<RankedPlan>(found);
                   EXPECT_TRUE(known) << plan.id;
                   const Standing standing = plans.standing(plan.plan);
                   EXPECT_EQ(standing.rank, ++rank);
                   EXPECT_EQ(standing.place == Standing::Place::Listed, ids.contains(plan.id));
                   return known && rank < 300;
                 })
                  .empty());
}

} // namespace
} // namespace tangram::composer

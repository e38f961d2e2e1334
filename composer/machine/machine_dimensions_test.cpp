// Levels with several indexes, taken dimension by dimension.
#include "composer/analysis/matrix_fixture.h"
#include "composer/analysis/sites.h"
#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/plan_json.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tangram::composer {
namespace {

using namespace fixture;
using Lines = std::vector<std::string>;

Machine gpu(unsigned dims) {
  Machine machine = plan_fixture::simpleGpu();
  machine.levels[1].dims = 3;
  return withDimensions(machine, dims);
}

Lines names(const Machine &machine) {
  Lines found;
  for (const Level &level : machine.levels)
    found.push_back(level.name + " > " +
                    (level.subordinate < 0
                         ? "-"
                         : machine.levels[static_cast<std::size_t>(level.subordinate)].name));
  return found;
}

const char *twoDimensional = "S_G, regroup(by_row, G), distribute(B.y), "
                             "regroup(by_column, B.y), distribute(B), "
                             "S_B, devolve(T), compute(leaf, SE_T)";

TEST(Dimensions, AreLevelsBetween) {
  EXPECT_EQ(names(gpu(1)), (Lines{"G > B", "B > T", "T > -"}));
  EXPECT_EQ(names(gpu(2)), (Lines{"G > B", "B.y > B", "B > T", "T > -"}));
  const Machine three = gpu(3);
  EXPECT_EQ(names(three), (Lines{"G > B", "B.z > B.y", "B.y > B", "B > T", "T > -"}));
  EXPECT_EQ(names(gpu(9)), names(three));
  EXPECT_EQ(three.baseOf(1), 3);
  EXPECT_EQ(three.baseOf(4), 4);
  EXPECT_EQ(three.dimensionsOf(3), (std::vector<int>{2, 1}));
  EXPECT_EQ(three.dimensionsOf(4), (std::vector<int>{}));
  EXPECT_EQ(three.levels[2].title, "row of blocks");
  EXPECT_EQ(three.levels[2].dimension, 1U);
}

TEST(Dimensions, TakePerfectlyNestedMaps) {
  const ir::Program p = productProgram({leafProduct(), rowProduct(), columnProduct()});
  const Machine machine = gpu(2);
  PlanOptions options;
  options.iterations = 5;
  options.strategy = PlanStrategy::All;
  const PlanList list = plans(p, machine, "gemm", options);
  const auto found = std::ranges::find_if(
      list.plans, [](const RankedPlan &plan) { return linear(plan.steps) == twoDimensional; });
  ASSERT_NE(found, list.plans.end());
  EXPECT_EQ(found->plan->children[0]->children[0]->level, machine.levelNamed("B.y"));
  EXPECT_EQ(found->tunables.front().workers, machine.levelNamed("B.y"));
  // Those that use both dimensions stand first, those of one after them.
  EXPECT_EQ(list.plans.front().steps[2], "distribute(B.y)");
  auto read = planFromJson(planToJson(found->plan, p, machine), "plan.json", p, machine, {});
  ASSERT_TRUE(std::holds_alternative<ir::PlanPtr>(read));
  EXPECT_EQ(planId(std::get<ir::PlanPtr>(read), p, machine), found->id);
}

TEST(Dimensions, AreOfDifferentDimensionsOfTheData) {
  const ir::Program p = productProgram({leafProduct(), rowProduct(), columnProduct()});
  const Machine machine = gpu(2);
  PlanOptions options;
  options.iterations = 4;
  options.strategy = PlanStrategy::All;
  unsigned nested = 0;
  for (const RankedPlan &plan : plans(p, machine, "gemm", options).plans) {
    const std::string text = linear(plan.steps);
    nested += text.find("distribute(B.y)") == std::string::npos ? 0U : 1U;
    EXPECT_FALSE(text.find("(by_row, G)") != std::string::npos &&
                 text.find("(by_row, B.y)") != std::string::npos)
        << text;
  }
  EXPECT_GT(nested, 0U);
  RuleBook book(RuleContext{&p, &machine, {}, {}, {}});
  const ProgramRule &byRow = book.rules({&p.spectrums[0], 0}).rules[1];
  EXPECT_EQ(book.label(byRow), "G3/distribute.y");
  EXPECT_EQ(book.rules(byRow.open[0].goal).rejected[2].refusal.reason,
            "codelet by_row cuts the dimension that is cut for level B.y (row of blocks) already: "
            "one map over more parts is the same");
}

TEST(Dimensions, LeaveTheOtherPlansAsTheyWere) {
  const ir::Program p = productProgram({leafProduct(), rowProduct(), columnProduct()});
  PlanOptions options;
  options.iterations = 4;
  options.strategy = PlanStrategy::All;
  Lines flat;
  for (const RankedPlan &plan : plans(p, gpu(1), "gemm", options).plans)
    flat.push_back(plan.id);
  Lines both;
  for (const RankedPlan &plan : plans(p, gpu(2), "gemm", options).plans) {
    if (linear(plan.steps).find("B.y") == std::string::npos)
      both.push_back(plan.id);
  }
  EXPECT_EQ(both, flat);
}

TEST(Dimensions, ASpectrumWithoutPerfectNestsHasTheSamePlansAsBefore) {
  const ir::Program p = plan_fixture::sumProgram();
  PlanOptions options;
  options.iterations = 4;
  Lines before;
  Lines after;
  for (const RankedPlan &plan : plans(p, gpu(1), "sum", options).plans)
    before.push_back(plan.id);
  for (const RankedPlan &plan : plans(p, gpu(2), "sum", options).plans)
    after.push_back(plan.id);
  EXPECT_EQ(after, before);
}

TEST(Dimensions, SayWhatTheyDoNotTake) {
  const ir::Program p = productProgram({leafProduct(), rowProduct(), halvesProduct()});
  const Machine machine = gpu(2);
  RuleBook book(RuleContext{&p, &machine, {}, {}, {}});
  Lines reasons;
  for (const RejectedRule &each : book.rules({&p.spectrums[0], 1}).rejected)
    reasons.push_back(each.refusal.rule + ": " + each.refusal.reason);
  EXPECT_EQ(reasons,
            (Lines{"devolve: level B.y (row of blocks) only distributes",
                   "compute: level B.y (row of blocks) has no computational capability",
                   "serialize: level B.y (row of blocks) has no computational capability to run a "
                   "loop",
                   "split: level B.y (row of blocks) does not offer split for maps",
                   "cascade: level B.y (row of blocks) takes codelets that are one map, in any "
                   "order, and nothing else; twice is not"}));
}

TEST(Dimensions, PerfectNestsAreOneMapAndNothingElse) {
  EXPECT_TRUE(isMapAlone(rowProduct()));
  EXPECT_FALSE(isMapAlone(foldedProduct()));
  EXPECT_FALSE(isMapAlone(halvesProduct()));
  EXPECT_FALSE(isMapAlone(leafProduct()));
  ir::Codelet stores = rowProduct();
  std::vector<StmtPtr> body = stores.body->children;
  body.push_back(
      ir::assign(ir::index(ir::varRef(stores.params[2]), {ir::intLiteral(0), ir::intLiteral(0)}),
                 "=", ir::realLiteral(0, Scalar::F32)));
  stores.body = ir::block(body);
  EXPECT_FALSE(isMapAlone(stores));
}

} // namespace
} // namespace tangram::composer

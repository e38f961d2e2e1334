#include "composer/plans/sketch.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

#include <functional>

namespace tangram::composer {
namespace {

std::string problemOf(const std::string &text) {
  auto sketch = Sketch::parse(text);
  const auto *errors = std::get_if<ir::Diagnostics>(&sketch);
  return errors ? errors->front().message : "";
}

Sketch sketch(const std::string &text) { return std::get<Sketch>(Sketch::parse(text)); }

TEST(Sketches, PatternsTakeAnyCharactersForAStar) {
  EXPECT_TRUE(matchesPattern("regroup(*, G)", "regroup(asso_tiled, G)"));
  EXPECT_TRUE(matchesPattern("compute(*)", "compute(kog, VE_B)"));
  EXPECT_TRUE(matchesPattern("*", "S_G"));
  EXPECT_TRUE(matchesPattern("compute(*_lanes, VE_*)", "compute(dot_in_lanes, VE_B)"));
  EXPECT_FALSE(matchesPattern("regroup(*, G)", "regroup(asso_tiled, B)"));
  EXPECT_FALSE(matchesPattern("S_G", "S_GG"));
}

TEST(Sketches, SayWhereTheyAreWrong) {
  EXPECT_EQ(problemOf("S_G,  regruop(*, G)"), "unknown step 'regruop', did you mean 'regroup'?\n"
                                              "  S_G,  regruop(*, G)\n"
                                              "        ^");
  EXPECT_EQ(problemOf("S_G, compute(kog)"), "expected 2 arguments of compute, or '*'\n"
                                            "  S_G, compute(kog)\n"
                                            "       ^");
  EXPECT_EQ(problemOf("S_\u5408, regruop(*, G)"),
            "unknown step 'regruop', did you mean 'regroup'?\n"
            "  S_\u5408, regruop(*, G)\n"
            "        ^"); // below a character of two columns
  EXPECT_EQ(problemOf("distribute(B"), "expected ')'\n  distribute(B\n  ^");
  EXPECT_EQ(problemOf("S_G,, ..."),
            "expected a step such as S_L or compute(codelet, SE_L), '*' or '...'\n"
            "  S_G,, ...\n      ^");
  EXPECT_EQ(problemOf("..., S_G, regroup( * ,G), *, compute(*), ..."), "");
}

class Completion : public testing::Test {
protected:
  Planner planner(PlanOptions options = {}) const {
    return std::get<Planner>(Planner::make(program, machine, "sum", options));
  }

  /// Notation of the completion, or the message with its notes.
  std::string completed(const std::string &text) const {
    auto plan = planner().complete(sketch(text));
    if (auto *found = std::get_if<RankedPlan>(&plan))
      return linear(found->steps);
    return ir::render(std::get<ir::Diagnostics>(plan));
  }

  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleGpu();
};

TEST_F(Completion, FollowsTheNotationAndFillsTheRestByRank) {
  EXPECT_EQ(completed("S_G, devolve(B), ..., compute(*, SE_T)"),
            "S_G, devolve(B), S_B, regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), "
            "S_B, devolve(T), compute(sum#1, SE_T)");
  EXPECT_EQ(completed("S_G, devolve(B), compute(kog, VE_B)"),
            "S_G, devolve(B), compute(kog, VE_B)");
  // Of everything it is the first of all.
  EXPECT_EQ(completed("..."), linear(plans(program, machine, "sum", {}).plans.front().steps));
}

TEST_F(Completion, FindsEveryPlanByItsNotationAndItsStructure) {
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  const Planner all = planner(options);
  unsigned seen = 0;
  EXPECT_TRUE(all.forEach([&](const RankedPlan &plan) {
                   EXPECT_EQ(completed(linear(plan.steps)), linear(plan.steps));
                   const SketchFit fit(all.order(), sketch(sketchOf(plan.plan, all.rules())));
                   EXPECT_FALSE(fit.ends(all.iterations()).empty())
                       << sketchOf(plan.plan, all.rules());
                   return ++seen < 200;
                 })
                  .empty());
}

TEST_F(Completion, IsThereExactlyWhereAPlanMatches) {
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.iterations = 3;
  const Planner all = planner(options);
  const std::pair<const char *, const char *> sketches[] = {
      {"..., compute(kog, *)", "compute(kog, VE_B)"},
      {"..., devolve(T), compute(sum#1, SE_T)", "devolve(T), compute(sum#1, SE_T)"}};
  for (const auto &[text, end] : sketches) {
    std::string first;
    EXPECT_TRUE(all.forEach([&](const RankedPlan &plan) {
                     if (linear(plan.steps).ends_with(end))
                       first = linear(plan.steps);
                     return first.empty();
                   })
                    .empty());
    auto found = all.complete(sketch(text));
    ASSERT_TRUE(std::holds_alternative<RankedPlan>(found)) << text;
    EXPECT_TRUE(linear(std::get<RankedPlan>(found).steps).ends_with(end)) << text;
    EXPECT_EQ(first.empty(), false);
  }
}

TEST_F(Completion, IsRefusedWithThePlaceAndWhatWasPossibleThere) {
  EXPECT_EQ(completed("S_G, devolve(B), compute(kog, SE_B)"),
            "error: no plan of sum within 4 iterations goes on like this: nothing is 'compute(kog, "
            "SE_B)' here\n"
            "  S_G, devolve(B), compute(kog, SE_B)\n"
            "                   ^\n"
            "note: possible here: S_B, compute(kog, VE_B)\n");
  const std::string refused = completed("S_G, devolve(B), compute(sum#1, SE_B)");
  EXPECT_NE(refused.find("compose(sum, B): sum#1: "), std::string::npos) << refused;
  EXPECT_NE(completed("S_G, devolve(B), compute(kog, VE_B), S_G").find("the end of the plan"),
            std::string::npos);
}

TEST_F(Completion, RefusesNamesThatNothingHas) {
  EXPECT_EQ(completed("S_G, regroup(asso_tield, G), ..."),
            "error: unknown codelet 'asso_tield', did you mean 'asso_tiled'?\n"
            "  S_G, regroup(asso_tield, G), ...\n"
            "       ^\n");
  EXPECT_EQ(completed("S_G, distribute(W), ..."), "error: unknown level 'W'; known: G, B, T\n"
                                                  "  S_G, distribute(W), ...\n"
                                                  "       ^\n");
}

TEST_F(Completion, TakesWhatIsMeasuredBest) {
  PlanOptions options;
  options.strategy = PlanStrategy::Predict;
  // As if cooperation cost most.
  options.measure = [](const ir::PlanPtr &plan) {
    std::function<double(const ir::PlanNode &)> cost = [&](const ir::PlanNode &node) {
      double sum = node.kind == ir::PlanNode::Kind::Compute && node.level == 1 ? 100 : 1;
      for (const ir::PlanPtr &child : node.children)
        sum += cost(*child);
      return sum;
    };
    return PlanMeasure{cost(*plan), "by nodes"};
  };
  auto found = planner(options).complete(sketch("S_G, regroup(*, G), ..."));
  ASSERT_TRUE(std::holds_alternative<RankedPlan>(found));
  const std::string steps = linear(std::get<RankedPlan>(found).steps);
  EXPECT_TRUE(steps.starts_with("S_G, regroup(")) << steps;
  EXPECT_EQ(steps.find("VE_B"), std::string::npos) << steps;
  EXPECT_EQ(std::get<RankedPlan>(found).why, "by nodes");
}

} // namespace
} // namespace tangram::composer

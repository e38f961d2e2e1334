// Notation, ids and derivations.
#include "composer/plans/notation.h"

#include "composer/plans/plan_fixture.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using Lines = std::vector<std::string>;

TEST(Notation, DerivesThePlanOfFigure57IterationByIteration) {
  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleGpu();
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", {}));
  ir::PlanPtr best;
  planner.forEach([&](const RankedPlan &plan) {
    best = plan.plan;
    return false;
  });
  Lines lines;
  for (const DerivationLine &line : derivation(best, planner.rules()))
    lines.push_back(toString(line));
  EXPECT_EQ(
      lines,
      (Lines{"compose(sum, G)",
             "S_G, regroup(asso_tiled, G), distribute(B), compose(sum, B), compose(sum, G) // G4",
             "S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), "
             "distribute(T), compose(sum, T), compose(sum, B), S_G, devolve(B), compose(sum, B) "
             "// B5, G1",
             "S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), "
             "distribute(T), compute(sum#1, SE_T), compute(kog, VE_B), S_G, devolve(B), S_B, "
             "regroup(stride_tiled, B), distribute(T), compose(sum, T), compose(sum, B) "
             "// T2, B3, B5",
             "S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), "
             "distribute(T), compute(sum#1, SE_T), compute(kog, VE_B), S_G, devolve(B), S_B, "
             "regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), compute(kog, VE_B) "
             "// T2, B3"}));
}

TEST(Notation, DerivesASplitMapInTwoIterations) {
  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleCpu();
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.iterations = 3;
  options.without = {"stride_tiled"};
  options.mapRules = {MapRule::Split, MapRule::Serialize};
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", options));
  ir::PlanPtr best;
  planner.forEach([&](const RankedPlan &plan) {
    best = plan.plan;
    return false;
  });
  Lines lines;
  for (const DerivationLine &line : derivation(best, planner.rules()))
    lines.push_back(toString(line));
  EXPECT_EQ(lines,
            (Lines{"compose(sum, P)",
                   "S_P, regroup(asso_tiled, P), split(P), distribute(T), compose(map(sum), T), "
                   "compose(sum, P) // P4",
                   "S_P, regroup(asso_tiled, P), split(P), distribute(T), serialize(T), "
                   "compose(sum, T), S_P, devolve(T), compose(sum, T) // T/serialize, P1",
                   "S_P, regroup(asso_tiled, P), split(P), distribute(T), serialize(T), "
                   "compute(sum#1, SE_T), S_P, devolve(T), compute(sum#1, SE_T) // T2, T2"}));
}

TEST(Notation, IdsDependOnSpectrumAndStepsAlone) {
  EXPECT_EQ(planId("sum", {"S_P", "devolve(T)", "compute(sum#1, SE_T)"}), "c4f6756e");
  EXPECT_NE(planId("max", {"S_P", "devolve(T)", "compute(sum#1, SE_T)"}), "c4f6756e");
  EXPECT_NE(planId("sum", {"S_P", "devolve(T)", "compute(kog, VE_T)"}), "c4f6756e");
}

} // namespace
} // namespace tangram::composer

// Nested maps that share the workers of a level: along two dimensions, and flattened.
#include "composer/rules/nests.h"

#include "composer/analysis/matrix_fixture.h"
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

/// chunks(container, size) or, of columns, col_chunks.
ExprPtr blocks(const VarPtr &container, const VarPtr &size, int dimension) {
  ExprPtr extent = sizeOf(container, dimension);
  ExprPtr step = ir::cast(Scalar::Index, ir::varRef(size));
  ExprPtr one = ir::intLiteral(1);
  ExprPtr count = op(op(op(extent, "+", step), "-", one), "/", step);
  ir::Type type = container->type;
  type.nest = 1;
  return ir::node(ir::ExprKind::Partition, type,
                  {ir::varRef(container), count, sequence({ir::intLiteral(0), step, extent}),
                   sequence({one}), sequence({step, step, op(extent, "+", one)})},
                  {}, {}, dimension);
}

ir::Codelet rowBlocks() {
  Product p;
  VarPtr t = tunable("t");
  return codelet("row_blocks", p.params(),
                 {ir::declare(t, nullptr),
                  voidMap("", {blocks(p.a, t, 0), all(p.b), blocks(p.c, t, 0)}, place(60))});
}

ir::Codelet columnBlocks() {
  Product p;
  VarPtr t = tunable("t");
  return codelet("column_blocks", p.params(),
                 {ir::declare(t, nullptr),
                  voidMap("", {all(p.a), blocks(p.b, t, 1), blocks(p.c, t, 1)}, place(70))});
}

const ir::Program &blockProduct() {
  static const ir::Program program =
      productProgram({leafProduct(), rowBlocks(), columnBlocks(), rowProduct()});
  return program;
}

Machine gpu() {
  Machine machine = plan_fixture::simpleGpu();
  machine.levels[1].dims = 3;
  return machine;
}

Lines plansWith(const std::string &part, NestedMaps nests, PlanStrategy strategy) {
  const Machine machine = withNests(gpu(), blockProduct());
  PlanOptions options;
  options.strategy = strategy;
  options.nests = nests;
  Lines found;
  for (const RankedPlan &plan : plans(blockProduct(), machine, "gemm", options).plans) {
    if (linear(plan.steps).find(part) != std::string::npos)
      found.push_back(linear(plan.steps));
  }
  return found;
}

TEST(NestedMaps, AreWhatAProgramHasOrNot) {
  EXPECT_FALSE(hasNests(plan_fixture::sumProgram()));
  EXPECT_TRUE(hasNests(blockProduct()));
  EXPECT_FALSE(hasNests(productProgram({leafProduct(), halvesProduct()})));
  EXPECT_EQ(withNests(gpu(), plan_fixture::sumProgram()).levels.size(), gpu().levels.size());
}

TEST(NestedMaps, ShareLevelsBehindAllOthers) {
  const Machine machine = withNests(gpu(), blockProduct());
  Lines names;
  for (const Level &level : machine.levels)
    names.push_back(level.name);
  EXPECT_EQ(names, (Lines{"G", "B.y", "B", "T", "B.flat", "T.flat"}));
  EXPECT_EQ(machine.baseOf(machine.levelNamed("B.flat")), machine.levelNamed("B"));
  EXPECT_EQ(machine.flatOf(machine.levelNamed("T")), machine.levelNamed("T.flat"));
  EXPECT_EQ(machine.flatOf(machine.levelNamed("G")), -1);
}

TEST(NestedMaps, AreFlattenedInEitherOrder) {
  for (const char *plan :
       {"S_G, regroup(row_blocks, G), distribute(B.flat), regroup(column_blocks, B.flat), "
        "distribute(B), S_B, devolve(T), compute(leaf, SE_T)",
        "S_G, regroup(column_blocks, G), distribute(B.flat), regroup(row_blocks, B.flat), "
        "distribute(B), S_B, devolve(T), compute(leaf, SE_T)",
        "S_G, regroup(row_blocks, G), distribute(B.y), regroup(column_blocks, B.y), "
        "distribute(B), S_B, devolve(T), compute(leaf, SE_T)"})
    EXPECT_EQ(plansWith(plan, NestedMaps::Offered, PlanStrategy::All).size(), 1U) << plan;
}

TEST(NestedMaps, CutAnotherDimension) {
  EXPECT_EQ(plansWith("(row_blocks, G), distribute(B.flat), regroup(row_blocks",
                      NestedMaps::Offered, PlanStrategy::All),
            Lines{});
  // Nor does the third of three.
  EXPECT_EQ(plansWith("(column_blocks, B.flat), distribute(B.flat), regroup(row_blocks, B.flat)",
                      NestedMaps::Offered, PlanStrategy::All),
            Lines{});
}

TEST(NestedMaps, AreNotFlattenedWhereTheirPartsAreWorkers) {
  const Machine machine = withNests(gpu(), blockProduct());
  const RuleBook book(RuleContext{&blockProduct(), &machine, {}, {}, {}, NestedMaps::Offered});
  Lines reasons;
  for (const RejectedRule &each : book.rules({&blockProduct().spectrums[0], 0}).rejected) {
    if (each.origin() == "by_row" && each.refusal.rule == "distribute")
      reasons.push_back(each.refusal.reason);
  }
  EXPECT_EQ(reasons, (Lines{"tunable 'n' of by_row counts workers, a part for each, and level "
                            "B.flat (flattened blocks) has none of its own"}));
}

TEST(NestedMaps, AreNotFlattenedByWayOfASplitEither) {
  Machine plain = gpu();
  plain.levels[0].mapRules.push_back(MapRule::Split);
  const Machine machine = withNests(plain, blockProduct());
  const RuleBook book(RuleContext{&blockProduct(), &machine, {}, {}, {}, NestedMaps::Offered});
  const Goal goal{&blockProduct().spectrums[0], machine.levelNamed("B.flat")};
  Lines names;
  for (const ProgramRule &rule : book.rules(goal).rules)
    names.push_back(rule.origin() + "/" + book.variant(rule));
  EXPECT_EQ(names, (Lines{"row_blocks/distribute.flat", "row_blocks/distribute", "row_blocks/split",
                          "column_blocks/distribute.flat", "column_blocks/distribute",
                          "column_blocks/split"}));
}

TEST(NestedMaps, LeavePlansOfTheThesisAsTheyWere) {
  EXPECT_EQ(plansWith("B.flat", NestedMaps::Offered, PlanStrategy::Thesis), Lines{});
  EXPECT_EQ(plansWith("B.y", NestedMaps::Offered, PlanStrategy::Thesis), Lines{});
  const Machine machine = gpu();
  PlanOptions options;
  Lines before;
  for (const RankedPlan &plan : plans(blockProduct(), machine, "gemm", options).plans)
    before.push_back(plan.id);
  const Machine nested = withNests(machine, blockProduct());
  options.nests = NestedMaps::Offered;
  Lines after;
  for (const RankedPlan &plan : plans(blockProduct(), nested, "gemm", options).plans)
    after.push_back(plan.id);
  EXPECT_EQ(after, before);
}

TEST(NestedMaps, StandBehindPlansOfOneMapWhereTheyAreOffered) {
  const Machine machine = withNests(gpu(), blockProduct());
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.nests = NestedMaps::Offered;
  const auto offered = plans(blockProduct(), machine, "gemm", options).plans;
  EXPECT_EQ(linear(offered.front().steps).find("B."), std::string::npos);
  options.nests = NestedMaps::Preferred;
  const auto preferred = plans(blockProduct(), machine, "gemm", options).plans;
  EXPECT_NE(linear(preferred.front().steps).find("B."), std::string::npos);
}

TEST(NestedMaps, AreCountedAndReadBackFromFiles) {
  const Machine machine = withNests(gpu(), blockProduct());
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.nests = NestedMaps::Offered;
  const auto all = plans(blockProduct(), machine, "gemm", options).plans;
  const auto count = countPlans(blockProduct(), machine, "gemm", options);
  EXPECT_EQ(std::get<mpz_class>(count), all.size());
  auto planner = std::get<Planner>(Planner::make(blockProduct(), machine, "gemm", options));
  mpz_class index = 0;
  for (const RankedPlan &plan : all) {
    const std::string file = planToJson(plan.plan, blockProduct(), machine);
    auto read = planFromJson(file, "plan.json", blockProduct(), machine, {});
    ASSERT_TRUE(std::holds_alternative<ir::PlanPtr>(read)) << linear(plan.steps);
    EXPECT_EQ(planId(std::get<ir::PlanPtr>(read), blockProduct(), machine), plan.id);
    const auto space = planner.space();
    EXPECT_EQ(std::get<PlanSpace>(space).indexOf(plan.plan), index++) << linear(plan.steps);
  }
}

} // namespace
} // namespace tangram::composer

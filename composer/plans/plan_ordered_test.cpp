// Maps in order: fold is a loop wherever a loop may stand, chain is one unless its workers may wait
// for each other; and codelets of several maps.
#include "composer/plans/planner.h"

#include "composer/analysis/matrix_fixture.h"
#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/plan_json.h"

#include <gtest/gtest.h>

#include <set>

namespace tangram::composer {
namespace {

using namespace fixture;
using Lines = std::vector<std::string>;

Lines rulesAt(const RuleBook &book, const Goal &goal) {
  Lines lines;
  for (const ProgramRule &rule : book.rules(goal).rules)
    lines.push_back(book.label(rule) + ": " + linear(rule.steps));
  return lines;
}

Lines reasonsAt(const RuleBook &book, const Goal &goal, const std::string &codelet) {
  Lines lines;
  for (const RejectedRule &each : book.rules(goal).rejected) {
    if (each.origin() == codelet)
      lines.push_back(each.refusal.rule + " line " + std::to_string(each.refusal.location.line) +
                      ": " + each.refusal.reason);
  }
  return lines;
}

/// scan(in, out), left to right, by a chain over parts; `run` is what the chain applies.
ir::Program chainProgram() {
  VarPtr in = input("in"), out = output("out"), carry = scalarParam("carry", Scalar::I32);
  VarPtr n = tunable("n");
  auto chain = std::make_shared<ir::Expr>(
      *ir::node(ir::ExprKind::Map, ir::scalarType(Scalar::I32),
                {ir::intLiteral(0, Scalar::I32), cut(in, n, 0), cut(out, n, 0)}, place(12), "run"));
  chain->op = "chain";
  ir::Codelet chained =
      codelet("chained", {in, out}, {ir::declare(n, nullptr), ir::eval(ExprPtr(chain))});
  VarPtr in2 = input("in"), out2 = output("out");
  ir::Codelet leaf = codelet("leaf", {carry, in2, out2}, {ir::returns(ir::varRef(carry))});
  return program({spectrum("scan", {chained}, Scalar::Void), spectrum("run", {leaf})});
}

TEST(OrderedMap, FoldIsALoopEvenWhereLevelsOfferOnlyDistribute) {
  const ir::Program p = productProgram({leafProduct(), foldedProduct()});
  const Machine machine = plan_fixture::simpleGpu();
  RuleBook book(RuleContext{&p, &machine, {}, {}, {}});
  const ir::Spectrum *gemm = &p.spectrums[0];
  EXPECT_EQ(rulesAt(book, {gemm, 1}),
            (Lines{"B1: S_B, devolve(T), compose(gemm, T)",
                   "B3: S_B, regroup(by_k, B), serialize(B), compose(gemm, B)"}));
  EXPECT_EQ(
      rulesAt(book, {gemm, 2}),
      (Lines{"T2: compute(leaf, SE_T)", "T3: regroup(by_k, T), serialize(T), compose(gemm, T)"}));
}

TEST(OrderedMap, NoLoopStandsAroundLaunchesButAroundThreads) {
  const ir::Program p = productProgram({leafProduct(), foldedProduct()});
  const Machine gpu = plan_fixture::simpleGpu();
  RuleBook onGrid(RuleContext{&p, &gpu, {}, {}, {}});
  EXPECT_EQ(reasonsAt(onGrid, {&p.spectrums[0], 0}, "by_k"),
            (Lines{"serialize line 40: level G (grid) runs no loop, as the order of a fold demands",
                   "distribute line 40: a fold takes its elements in order, so level G (grid) "
                   "cannot distribute them",
                   "split line 40: a fold takes its elements in order and cannot be split"}));
  const Machine cpu = plan_fixture::simpleCpu();
  RuleBook onProcess(RuleContext{&p, &cpu, {}, {}, {}});
  EXPECT_EQ(rulesAt(onProcess, {&p.spectrums[0], 0}).back(),
            "P3: S_P, regroup(by_k, P), serialize(P), compose(gemm, P)");
}

TEST(OrderedMap, ACallInALoopStandsWhereTheHostGoesRound) {
  VarPtr y = output("y"), i = local("i");
  ir::Codelet leaf = codelet("leaf", {y}, {set(at(y, 0), "=", 1)});
  auto call = [&] {
    return ir::eval(ir::node(ir::ExprKind::SpectrumCall, {}, {ir::varRef(y)}, place(9), "fill"));
  };
  ir::Codelet repeat = codelet("repeat", {y}, {upTo(i, 10, {call()})});
  const ir::Program p = program(
      {spectrum("fill", {leaf}, Scalar::Void), spectrum("work", {leaf, repeat}, Scalar::Void)});
  const Machine gpu = plan_fixture::simpleGpu();
  RuleBook onGrid(RuleContext{&p, &gpu, {}, {}, {}});
  EXPECT_EQ(rulesAt(onGrid, {&p.spectrums[1], 0}).back(),
            "G3: select(repeat, G), compose(fill, G)");
  EXPECT_EQ(rulesAt(onGrid, {&p.spectrums[1], 1}).back(),
            "B3: select(repeat, B), compose(fill, B)");
  const Machine cpu = plan_fixture::simpleCpu();
  RuleBook onProcess(RuleContext{&p, &cpu, {}, {}, {}});
  EXPECT_EQ(rulesAt(onProcess, {&p.spectrums[1], 0}).back(),
            "P3: select(repeat, P), compose(fill, P)");
}

TEST(OrderedMap, FoldNeedsNoMachineAndNoMapRules) {
  const ir::Program p = productProgram({foldedProduct()});
  RuleBook book(RuleContext{&p, nullptr, {}, {}, {}});
  EXPECT_EQ(rulesAt(book, {&p.spectrums[0], 0}).back(),
            "2: S_L, regroup(by_k, L), serialize(L), compose(gemm, L)");
  const Machine machine = plan_fixture::fiveLevelGpu();
  RuleBook overridden(RuleContext{&p, &machine, {}, {}, {MapRule::Distribute}});
  EXPECT_EQ(rulesAt(overridden, {&p.spectrums[0], 3}).size(), 2U);
}

TEST(OrderedMap, ChainIsDistributedOnlyWhereWorkersMayWait) {
  const ir::Program p = chainProgram();
  Machine machine = plan_fixture::simpleGpu();
  const Goal goal{&p.spectrums[0], 1};
  EXPECT_EQ(rulesAt(RuleBook(RuleContext{&p, &machine, {}, {}, {}}), goal).back(),
            "B2: S_B, regroup(chained, B), serialize(B), compose(run, B)");
  EXPECT_EQ(reasonsAt(RuleBook(RuleContext{&p, &machine, {}, {}, {}}), goal, "chained").front(),
            "distribute line 12: each element of a chain waits for the one before it, and level B "
            "(block) does not promise its workers progress side by side");
  machine.levels[1].forwardProgress = true;
  EXPECT_EQ(reasonsAt(RuleBook(RuleContext{&p, &machine, {}, {}, {}}), goal, "chained").front(),
            "distribute line 12: each element of a chain waits for the one before it, and workers "
            "of level T (thread) have no atomic operations on 32-bit integers");
  machine.levels[2].atomics = {"u32"};
  EXPECT_EQ(rulesAt(RuleBook(RuleContext{&p, &machine, {}, {}, {}}), goal),
            (Lines{"B1: S_B, devolve(T), compose(scan, T)",
                   "B2/distribute: S_B, regroup(chained, B), distribute(T), "
                   "compose(run, T)",
                   "B2/serialize: S_B, regroup(chained, B), serialize(B), "
                   "compose(run, B)"}));
}

TEST(OrderedMap, ChainIsDistributedOnlyWhereTheTargetHasWorkersWait) {
  const ir::Program p = chainProgram();
  Machine machine = plan_fixture::simpleGpu();
  machine.levels[1].forwardProgress = true;
  machine.levels[2].atomics = {"u32"};
  machine.levels[2].spelling = {{"opencl", "item"}, {"cuda", "block"}};
  RuleContext context{&p, &machine, "opencl", {}, {}};
  EXPECT_EQ(reasonsAt(RuleBook(context), {&p.spectrums[0], 1}, "chained").front(),
            "distribute line 12: each element of a chain waits for the one before it, and with "
            "target opencl workers of level T (thread) meet at barriers, so that none may wait for "
            "another");
  context.target = "cuda";
  EXPECT_EQ(rulesAt(RuleBook(context), {&p.spectrums[0], 1}).size(), 3U);
}

TEST(OrderedMap, ATargetThatOnlyLaunchesRunsNoLoop) {
  const ir::Program p = productProgram({leafProduct(), foldedProduct()});
  Machine machine = plan_fixture::simpleCpu();
  machine.levels[0].spelling = {{"openmp", "process"}, {"opencl", "grid"}};
  RuleContext context{&p, &machine, "opencl", {}, {}};
  EXPECT_EQ(reasonsAt(RuleBook(context), {&p.spectrums[0], 0}, "by_k").front(),
            "serialize line 40: level P (process) runs no loop, because with target opencl it can "
            "only launch kernels, as the order of a fold demands");
  context.target = "openmp";
  EXPECT_EQ(rulesAt(RuleBook(context), {&p.spectrums[0], 0}).back(),
            "P3: S_P, regroup(by_k, P), serialize(P), compose(gemm, P)");
}

TEST(OrderedMap, ATargetThatOnlyLaunchesHasNoAtomicOperation) {
  ir::Program p = productProgram({leafProduct(), foldedProduct()});
  ir::Codelet &counting = p.spectrums[0].codelets[1];
  auto add = std::make_shared<ir::Expr>(*ir::node(ir::ExprKind::Atomic, ir::scalarType(Scalar::I32),
                                                  {at(output("out"), 0)}, place(39)));
  std::vector<ir::StmtPtr> body{ir::eval(ExprPtr(add))};
  body.insert(body.end(), counting.body->children.begin(), counting.body->children.end());
  counting.body = ir::block(std::move(body));
  Machine machine = plan_fixture::simpleCpu();
  machine.levels[0].spelling = {{"openmp", "process"}, {"opencl", "grid"}};
  RuleContext context{&p, &machine, "opencl", {}, {}};
  EXPECT_EQ(reasonsAt(RuleBook(context), {&p.spectrums[0], 0}, "by_k").front(),
            "cascade line 39: with target opencl level P (process) can only launch kernels, and "
            "codelet by_k has an atomic operation");
  context.target = "openmp";
  for (const std::string &each : reasonsAt(RuleBook(context), {&p.spectrums[0], 0}, "by_k"))
    EXPECT_EQ(each.find("cascade"), std::string::npos) << each;
}

TEST(OrderedMap, AnElementOfADistributedChainWorksBeforeItWaits) {
  // run is a leaf, or adds up first what it hands on: only that runs beside other elements.
  ir::Program p = chainProgram();
  VarPtr carry = scalarParam("carry", Scalar::I32), in = input("in"), out = output("out");
  VarPtr total = local("total", Scalar::I32);
  ir::Codelet adds = codelet("adds", {in}, {ir::returns(at(in, 0))});
  ir::Codelet ahead = codelet(
      "ahead", {carry, in, out},
      {let(total, spectrumCall("sum", {ir::varRef(in)})), ir::returns(op(carry, "+", total))});
  ahead.spectrum = "run";
  ahead.ordinal = 2;
  p.spectrums[1].codelets.push_back(ahead);
  p.spectrums.push_back(spectrum("sum", {adds}));
  Machine machine = plan_fixture::simpleCpu();
  machine.levels[0].forwardProgress = true;
  machine.levels[1].atomics = {"u32"};
  PlanOptions options;
  options.mapRules = {MapRule::Distribute};
  const PlanList list = plans(p, machine, "scan", options);
  ASSERT_GE(list.plans.size(), 2U);
  EXPECT_EQ(linear(list.plans[0].steps),
            "S_P, regroup(chained, P), distribute(T), select(ahead, T), compute(adds, SE_T)");
  EXPECT_EQ(list.plans[0].why, "before the next: iteration 2, compose(run, T): T3 works before it "
                               "waits for the element before, T2 does not");
}

TEST(SeveralMaps, EachHasItsOwnPolicies) {
  const ir::Program p = productProgram({leafProduct(), halvesProduct()});
  const Machine machine = plan_fixture::fiveLevelGpu();
  RuleBook book(RuleContext{&p, &machine, {}, {}, {}});
  Lines labels;
  for (const ProgramRule &rule : book.rules({&p.spectrums[0], 1}).rules)
    labels.push_back(book.label(rule));
  EXPECT_EQ(labels, (Lines{"B1", "B3/distribute+serialize", "B3/serialize+serialize",
                           "B3/split+serialize"}));
  EXPECT_EQ(reasonsAt(book, {&p.spectrums[0], 0}, "twice").back(),
            "split line 51: a fold takes its elements in order and cannot be split");
}

TEST(SeveralMaps, ManyAreCarriedOutAlike) {
  ir::Codelet many = rowProduct();
  std::vector<StmtPtr> body = many.body->children;
  const StmtPtr map = body.back();
  const StmtPtr fold = foldedProduct().body->children.back();
  body.insert(body.end(), 9, ir::eval(map->value));
  body.push_back(fold);
  many.body = ir::block(body);
  const ir::Program p = productProgram({leafProduct(), many});
  const Machine machine = plan_fixture::fiveLevelGpu();
  RuleBook book(RuleContext{&p, &machine, {}, {}, {}});
  EXPECT_EQ(book.rules({&p.spectrums[0], 1}).rules.size(), 4U); // devolve, and three ways
}

TEST(SeveralMaps, NoTwoPlansHaveTheSameSteps) {
  const ir::Program p =
      productProgram({leafProduct(), rowProduct(), foldedProduct(), halvesProduct()});
  const Machine machine = plan_fixture::simpleCpu();
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.iterations = 5;
  std::set<std::string> notations;
  std::set<std::string> ids;
  const PlanList list = plans(p, machine, "gemm", options);
  for (const RankedPlan &plan : list.plans) {
    notations.insert(linear(plan.steps));
    ids.insert(plan.id);
  }
  EXPECT_GT(list.plans.size(), 100U);
  EXPECT_EQ(notations.size(), list.plans.size());
  EXPECT_EQ(ids.size(), list.plans.size());
}

TEST(SeveralMaps, AreReadBackFromAFile) {
  const ir::Program p = productProgram({leafProduct(), halvesProduct()});
  const Machine machine = plan_fixture::simpleCpu();
  PlanOptions options;
  options.iterations = 3;
  for (const RankedPlan &plan : plans(p, machine, "gemm", options).plans) {
    auto read = planFromJson(planToJson(plan.plan, p, machine), "plan.json", p, machine, {});
    ASSERT_TRUE(std::holds_alternative<ir::PlanPtr>(read)) << linear(plan.steps);
    EXPECT_EQ(planId(std::get<ir::PlanPtr>(read), p, machine), plan.id);
  }
}

TEST(SeveralSpectrums, ACodeletThatCallsWhatCanBeDistributedIsPreferred) {
  // fill maps `one` over the elements, or is a leaf; work is a leaf, or fills twice.
  VarPtr y = output("y"), x = scalarParam("x", Scalar::I32);
  ir::Codelet scalar = codelet("scalar", {x}, {ir::returns(ir::varRef(x))});
  ir::Codelet each = codelet("each", {y}, {set(ir::varRef(y), "=", map("one", {ir::varRef(y)}))});
  ir::Codelet leaf = codelet("leaf", {y}, {set(at(y, 0), "=", 1)});
  auto call = [&] { return ir::eval(spectrumCall("fill", {ir::varRef(y)}, Scalar::Void)); };
  ir::Codelet twice = codelet("twice", {y}, {call(), call()});
  const ir::Program p =
      program({spectrum("one", {scalar}), spectrum("fill", {leaf, each}, Scalar::Void),
               spectrum("work", {leaf, twice}, Scalar::Void)});
  const Machine machine = plan_fixture::simpleCpu();
  const PlanList list = plans(p, machine, "work", {}, 2);
  ASSERT_FALSE(list.plans.empty());
  EXPECT_EQ(linear(list.plans.front().steps),
            "select(twice, P), select(each, P), distribute(T), compute(scalar, SE_T), "
            "select(each, P), distribute(T), compute(scalar, SE_T)");
}

TEST(SeveralSpectrums, GetAnIterationForEachCallToTheFarthest) {
  const ir::Program p = chainProgram();
  const Machine machine = plan_fixture::simpleCpu();
  auto planner = Planner::make(p, machine, "scan", {});
  EXPECT_EQ(std::get<Planner>(planner).iterations(), 4U);
  planner = Planner::make(p, machine, "run", {});
  EXPECT_EQ(std::get<Planner>(planner).iterations(), 3U);
}

} // namespace
} // namespace tangram::composer

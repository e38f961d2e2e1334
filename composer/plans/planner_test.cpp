// The plans of figure 4.3's sum: figures 5.6 to 5.8, exact counts, ranks and reasons.
#include "composer/plans/planner.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tangram::composer {
namespace {

using Lines = std::vector<std::string>;

const char *figure56 = "S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), "
                       "S_P, devolve(T), compute(sum#1, SE_T)";
const char *figure57 = "S_G, regroup(asso_tiled, G), distribute(B), S_B, "
                       "regroup(stride_tiled, B), distribute(T), compute(sum#1, SE_T), "
                       "compute(kog, VE_B), S_G, devolve(B), S_B, regroup(stride_tiled, B), "
                       "distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)";

class Planning : public testing::Test {
protected:
  Lines linearPlans(const Machine &machine, const PlanOptions &options,
                    std::size_t limit = SIZE_MAX) const {
    PlanList list = plans(program, machine, "sum", options, limit);
    EXPECT_EQ(ir::render(list.errors), "");
    Lines lines;
    for (const RankedPlan &plan : list.plans)
      lines.push_back(linear(plan.steps));
    return lines;
  }

  std::string count(const Machine &machine, unsigned iterations, std::string level = {}) const {
    PlanOptions options;
    options.iterations = iterations;
    options.level = std::move(level);
    auto counted = countPlans(program, machine, "sum", options);
    if (auto *errors = std::get_if<ir::Diagnostics>(&counted))
      return ir::render(*errors);
    return std::get<mpz_class>(counted).get_str();
  }

  static PlanOptions all(unsigned iterations) {
    PlanOptions options;
    options.strategy = PlanStrategy::All;
    options.iterations = iterations;
    return options;
  }

  const ir::Program program = plan_fixture::sumProgram();
};

TEST_F(Planning, BestOnTheSimpleCpuIsFigure56) {
  EXPECT_EQ(linearPlans(plan_fixture::simpleCpu(), {}, 1), Lines{figure56});
}

TEST_F(Planning, BestOnTheSimpleGpuIsFigure57) {
  EXPECT_EQ(linearPlans(plan_fixture::simpleGpu(), {}, 1), Lines{figure57});
}

TEST_F(Planning, FromABlockFindsTheFourPlansOfFigure58) {
  PlanOptions options;
  options.level = "B";
  const Lines found = linearPlans(plan_fixture::simpleGpu(), options);
  EXPECT_EQ(found.size(), 10U);
  for (const char *plan :
       {"compute(kog, VE_B)", "S_B, devolve(T), compute(sum#1, SE_T)",
        "S_B, regroup(asso_tiled, B), distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)",
        "S_B, regroup(asso_tiled, B), distribute(T), compute(sum#1, SE_T), S_B, devolve(T), "
        "compute(sum#1, SE_T)"})
    EXPECT_EQ(std::ranges::count(found, plan), 1) << plan;
}

TEST_F(Planning, CountsExactly) {
  const Machine gpu = plan_fixture::simpleGpu();
  const Machine cpu = plan_fixture::simpleCpu();
  Lines counts;
  for (unsigned n = 1; n <= 6; ++n)
    counts.push_back(count(gpu, n));
  EXPECT_EQ(counts, (Lines{"0", "1", "12", "250", "11022", "1014070"}));
  counts.clear();
  for (unsigned n = 1; n <= 4; ++n)
    counts.push_back(count(gpu, n, "B"));
  EXPECT_EQ(counts, (Lines{"1", "4", "10", "22"}));
  counts.clear();
  for (unsigned n = 1; n <= 8; ++n)
    counts.push_back(count(cpu, n));
  EXPECT_EQ(counts, (Lines{"0", "1", "3", "7", "15", "31", "63", "127"}));
}

TEST_F(Planning, CountsTwentyIterationsExactly) {
  EXPECT_EQ(count(plan_fixture::simpleGpu(), 20).size(), 66U);
  // Recomputed by the recurrences of the rules of figure 5.7.
  std::vector<mpz_class> thread(21), block(21), grid(21);
  for (std::size_t n = 1; n <= 20; ++n) {
    thread[n] = 1;
    block[n] = thread[n - 1] + 1 + 2 * thread[n - 1] * block[n - 1];
    grid[n] = block[n - 1] + 2 * block[n - 1] * grid[n - 1];
  }
  EXPECT_EQ(count(plan_fixture::simpleGpu(), 20), grid[20].get_str());
}

TEST_F(Planning, RefusesToCountWhatNoMemoryHolds) {
  EXPECT_EQ(count(plan_fixture::fiveLevelGpu(), 60),
            "sum.cpp:7:5: error: the plans of sum within 60 iterations are too many to count; "
            "ask for fewer iterations\n");
}

/// figure 4.3's sum, and `rec`, which calls sum and partitions nothing.
ir::Program withRecursion() {
  ir::Program program = plan_fixture::sumProgram();
  ir::Spectrum &sum = program.spectrums.front();
  const ir::VarPtr in =
      plan_fixture::variable("in", plan_fixture::intArray, ir::VarKind::Param, 50);
  auto again = [&](unsigned column) {
    return ir::node(ir::ExprKind::SpectrumCall, ir::scalarType(ir::Scalar::I32), {ir::varRef(in)},
                    plan_fixture::at(51, column), "sum");
  };
  ir::Codelet rec = plan_fixture::codelet("rec", 5, 50, in);
  rec.body = ir::block({ir::returns(ir::binary("+", again(10), again(20)))});
  sum.codelets.push_back(std::move(rec));
  return program;
}

TEST_F(Planning, ACodeletThatPartitionsNothingIsNamedByAStep) {
  const ir::Program recursive = withRecursion();
  const Machine machine = plan_fixture::simpleCpu();
  PlanOptions options = all(4);
  options.without = {"asso_tiled"};
  auto planner = std::get<Planner>(Planner::make(recursive, machine, "sum", options));
  std::set<std::string> notations;
  std::set<ir::PlanPtr> seen;
  std::set<std::string> ids;
  planner.forEach([&](const RankedPlan &plan) {
    seen.insert(plan.plan);
    notations.insert(linear(plan.steps));
    ids.insert(plan.id);
    return true;
  });
  EXPECT_EQ(seen.size(), 55U);
  EXPECT_EQ(notations.size(), seen.size());
  EXPECT_EQ(ids.size(), seen.size());
  EXPECT_TRUE(notations.contains("select(rec, P), S_P, devolve(T), compute(sum#1, SE_T), "
                                 "S_P, devolve(T), select(rec, T), compute(sum#1, SE_T), "
                                 "compute(sum#1, SE_T)"));
}

TEST_F(Planning, EnumeratesEveryPlanOnceInOrderOfPreference) {
  const Machine machine = plan_fixture::simpleGpu();
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", all(5)));
  PlanSpace space = std::get<PlanSpace>(planner.space());
  PlanCursor cursor(space);
  std::set<ir::PlanPtr> seen;
  ir::PlanPtr previous;
  mpz_class index = 0;
  for (ir::PlanPtr plan = cursor.next(); plan; plan = cursor.next(), ++index) {
    EXPECT_TRUE(seen.insert(plan).second);
    if (index % 5 == 0) {
      EXPECT_EQ(space.at(index), plan) << index;
    }
    if (previous) {
      EXPECT_LT(comparePlans(planner.order(), previous, plan, 5).preference.order, 0);
    }
    previous = plan;
  }
  EXPECT_EQ(index, 11022);
  EXPECT_EQ(cursor.next(), nullptr);
  std::set<std::string> notations;
  for (const ir::PlanPtr &plan : seen)
    notations.insert(linear(steps(plan, planner.rules())));
  EXPECT_EQ(notations.size(), 11022U);
}

TEST_F(Planning, CursorAgreesWithUnrankingWhereMapsHaveSeveralPolicies) {
  const Machine machine = plan_fixture::fiveLevelGpu();
  PlanOptions options = all(5);
  options.level = "T";
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", options));
  PlanSpace space = std::get<PlanSpace>(planner.space());
  EXPECT_GT(space.count(), 1000000); // families too large to be kept as lists
  PlanCursor cursor(space);
  mpz_class index = 0;
  ir::PlanPtr previous;
  for (ir::PlanPtr plan = cursor.next(); index < 20000; plan = cursor.next(), ++index) {
    if (index % 7 == 0) {
      ASSERT_EQ(space.at(index), plan) << index;
    }
    if (previous) {
      ASSERT_LT(comparePlans(planner.order(), previous, plan, 5).preference.order, 0) << index;
    }
    previous = plan;
  }
}

TEST_F(Planning, BothStrategiesRankAlikeWhenNothingIsPruned) {
  for (const Machine &machine : {plan_fixture::simpleGpu(), plan_fixture::simpleCpu()}) {
    PlanOptions thesis;
    thesis.iterations = 4;
    thesis.keep = 1000;
    EXPECT_EQ(linearPlans(machine, thesis), linearPlans(machine, all(4)));
  }
}

TEST_F(Planning, KeepsTheBestWhenPruned) {
  for (unsigned keep : {1U, 2U, 5U, 64U}) {
    PlanOptions options;
    options.keep = keep;
    const Lines found = linearPlans(plan_fixture::simpleGpu(), options);
    EXPECT_EQ(found.size(), keep);
    EXPECT_EQ(found.front(), figure57);
  }
}

TEST_F(Planning, BestPlanNeverSerializesWhereLevelsCanShareTheWork) {
  PlanOptions options;
  options.iterations = 8;
  EXPECT_EQ(
      linearPlans(plan_fixture::fiveLevelGpu(), options, 1),
      Lines{"S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), "
            "distribute(W), S_W, regroup(stride_tiled, W), distribute(T), S_T, "
            "regroup(stride_tiled, T), distribute(I), compute(sum#1, SE_I), "
            "compute(sum#1, SE_T), compute(kog, VE_W), compute(kog, VE_B), S_G, devolve(B), S_B, "
            "regroup(stride_tiled, B), distribute(W), S_W, regroup(stride_tiled, W), "
            "distribute(T), S_T, regroup(stride_tiled, T), distribute(I), compute(sum#1, SE_I), "
            "compute(sum#1, SE_T), compute(kog, VE_W), compute(kog, VE_B)"});
}

TEST_F(Planning, LeavesCodeletsOut) {
  PlanOptions options = all(4);
  options.without = {"asso_tiled", "kog"};
  for (const std::string &plan : linearPlans(plan_fixture::simpleGpu(), options)) {
    EXPECT_EQ(plan.find("asso_tiled"), std::string::npos);
    EXPECT_EQ(plan.find("kog"), std::string::npos);
  }
}

TEST_F(Planning, UsesOnlyCodeletsForTheTarget) {
  ir::Program restricted = program;
  restricted.spectrums.front().codelets[3].targets = {"cuda"};
  PlanOptions options;
  options.target = "opencl";
  const Machine machine = plan_fixture::simpleGpu();
  const PlanList portable = plans(restricted, machine, "sum", options);
  EXPECT_FALSE(portable.plans.empty());
  for (const RankedPlan &plan : portable.plans)
    EXPECT_EQ(linear(plan.steps).find("stride_tiled"), std::string::npos);
  options.target = "cuda";
  EXPECT_EQ(linear(plans(restricted, machine, "sum", options, 1).plans.front().steps), figure57);
}

TEST_F(Planning, SplitsAMapAcrossTwoLevels) {
  PlanOptions options = all(3);
  options.mapRules = {MapRule::Split, MapRule::Distribute};
  options.without = {"stride_tiled"};
  const Lines found = linearPlans(plan_fixture::simpleGpu(), options);
  EXPECT_EQ(std::ranges::count(found, "S_G, regroup(asso_tiled, G), split(G), distribute(B), "
                                      "distribute(T), compute(sum#1, SE_T), S_G, devolve(B), "
                                      "compute(kog, VE_B)"),
            1);
}

TEST_F(Planning, SaysWhatDecidesBetweenNeighbours) {
  Lines why;
  for (const RankedPlan &plan : plans(program, plan_fixture::simpleCpu(), "sum", all(3)).plans)
    why.push_back(plan.why);
  EXPECT_EQ(why, (Lines{"before the next: iteration 1, compose(sum, P): P4 partitions as level P "
                        "(process) prefers (adjacent), P5 does not",
                        "after the one before: iteration 1, compose(sum, P): P4 partitions as "
                        "level P (process) prefers (adjacent), P5 does not",
                        "after the one before: iteration 1, compose(sum, P): P5 distributes, P1 "
                        "does not"}));
  why.clear();
  PlanOptions block = all(2);
  block.level = "B";
  for (const RankedPlan &plan : plans(program, plan_fixture::simpleGpu(), "sum", block).plans)
    why.push_back(plan.why);
  EXPECT_EQ(why, (Lines{"before the next: iteration 1, compose(sum, B): B5 partitions as level B "
                        "(block) prefers (strided), B4 does not",
                        "after the one before: iteration 1, compose(sum, B): B5 partitions as "
                        "level B (block) prefers (strided), B4 does not",
                        "after the one before: iteration 1, compose(sum, B): B4 distributes, B3 "
                        "does not",
                        "after the one before: iteration 1, compose(sum, B): B3 vectorizes, B1 "
                        "does not"}));
  EXPECT_EQ(plans(program, plan_fixture::simpleGpu(), "sum", all(2)).plans.front().why,
            "the only plan within 2 iterations");
}

TEST_F(Planning, CombiningPartialResultsIsNotNewParallelism) {
  PlanOptions options = all(3);
  options.level = "B";
  std::set<std::string> why;
  for (const RankedPlan &plan : plans(program, plan_fixture::simpleGpu(), "sum", options).plans)
    why.insert(plan.why);
  EXPECT_TRUE(why.contains("after the one before: iteration 2, compose(sum, B): B5 distributes the "
                           "results of a map distributed at level B (block) again, which extracts "
                           "no new parallelism, B1 does not"));
}

TEST_F(Planning, AsPrintedFigure65DecidesAlone) {
  PlanOptions options = all(3);
  options.level = "B";
  const PlanList ours = plans(program, plan_fixture::simpleGpu(), "sum", options);
  options.asPrinted = true;
  const PlanList printed = plans(program, plan_fixture::simpleGpu(), "sum", options);
  std::set<std::string> ids, same;
  for (const RankedPlan &plan : ours.plans)
    ids.insert(plan.id);
  for (const RankedPlan &plan : printed.plans) {
    same.insert(plan.id);
    for (const char *criterion :
         {"no new parallelism", "serializes a map", "leaves a compose open"})
      EXPECT_EQ(plan.why.find(criterion), std::string::npos) << plan.why;
  }
  EXPECT_EQ(same, ids);
  // Partial results are shared out again, to as few workers as there are.
  EXPECT_NE(printed.plans.front().id, ours.plans.front().id);
}

TEST_F(Planning, ListsTunablesAndWhoBindsThem) {
  const Machine machine = plan_fixture::simpleGpu();
  Lines found;
  const PlanList best = plans(program, machine, "sum", {}, 1);
  for (const PlanTunable &each : best.plans.front().tunables)
    found.push_back(each.codelet + "." + each.name + " at " +
                    machine.levels[static_cast<std::size_t>(each.level)].name + " workers " +
                    std::to_string(each.workers));
  EXPECT_EQ(found, (Lines{"asso_tiled.p at G workers 1", "stride_tiled.p at B workers 2",
                          "stride_tiled.p at B workers 2"}));
  PlanOptions serial = all(2);
  serial.level = "T";
  serial.mapRules = {MapRule::Serialize};
  bool free = false;
  const PlanList looped = plans(program, machine, "sum", serial);
  for (const RankedPlan &plan : looped.plans)
    free |= !plan.tunables.empty() && plan.tunables.front().workers == -1;
  EXPECT_TRUE(free);
}

TEST_F(Planning, FindsAPlanByItsId) {
  const Machine machine = plan_fixture::simpleCpu();
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", {}));
  // Ids are stable: this one must never change.
  auto found = planner.find("17ebc08c");
  ASSERT_TRUE(std::holds_alternative<RankedPlan>(found));
  EXPECT_EQ(linear(std::get<RankedPlan>(found).steps), figure56);
  EXPECT_EQ(std::get<RankedPlan>(found).rank, 1);
}

TEST_F(Planning, AnUnknownIdListsThePlans) {
  const Machine machine = plan_fixture::simpleCpu();
  PlanOptions options;
  options.iterations = 2;
  auto planner = std::get<Planner>(Planner::make(program, machine, "sum", options));
  auto found = planner.find("00000000");
  ASSERT_TRUE(std::holds_alternative<ir::Diagnostics>(found));
  EXPECT_EQ(ir::render(std::get<ir::Diagnostics>(found)),
            "error: no plan of sum on simple-cpu within 2 iterations has the id '00000000'\n"
            "note: the plans are " +
                planId("sum", {"S_P", "devolve(T)", "compute(sum#1, SE_T)"}) + "\n");
}

TEST_F(Planning, ACodeletIsLeftOutOfOneSpectrum) {
  PlanOptions options;
  options.without = {"sum:asso_tiled"};
  PlanOptions everywhere;
  everywhere.without = {"asso_tiled"};
  EXPECT_EQ(plans(program, plan_fixture::simpleCpu(), "sum", options).plans.size(),
            plans(program, plan_fixture::simpleCpu(), "sum", everywhere).plans.size());
  options.without = {"sun:asso_tiled"};
  EXPECT_EQ(ir::render(plans(program, plan_fixture::simpleCpu(), "sum", options).errors),
            "sum.cpp: error: unknown codelet to leave out 'sun:asso_tiled', did you mean "
            "'sum:asso_tiled'?\n");
}

TEST_F(Planning, ACodeletIsLeftOutOfEveryInstanceOfATemplate) {
  ir::Program more = program;
  more.spectrums.push_back(more.spectrums.front());
  more.spectrums.back().name = more.spectrums.front().name + "<int>";
  PlanOptions options;
  options.without = {more.spectrums.front().name + ":asso_tiled"};
  const auto made = Planner::make(more, plan_fixture::simpleCpu(), "sum", options);
  ASSERT_TRUE(std::holds_alternative<Planner>(made));
  EXPECT_EQ(std::get<Planner>(made).options().without,
            (std::vector<std::string>{"sum:asso_tiled", "sum<int>:asso_tiled"}));
}

TEST_F(Planning, TooFewIterationsSayHowManyAreNeeded) {
  PlanOptions options;
  options.iterations = 1;
  options.without = {"asso_tiled", "stride_tiled"};
  EXPECT_EQ(
      ir::render(plans(program, plan_fixture::simpleCpu(), "sum", options).errors),
      "sum.cpp:7:5: error: no plan composes sum at level P (process) of simple-cpu within 1 "
      "iteration, at least 2 are needed\n"
      "sum.cpp:7:5: note: compose(sum, P): sum#1: level P (process) has no computational "
      "capability\n"
      "sum.cpp:18:5: note: compose(sum, P): kog: level P (process) has no computational "
      "capability\n"
      "sum.cpp:34:5: note: compose(sum, P): asso_tiled: codelet asso_tiled is left out\n"
      "sum.cpp:44:5: note: compose(sum, P): stride_tiled: codelet stride_tiled is left out\n"
      "sum.cpp:7:5: note: compose(sum, T): Devolve: level T (thread) has no subordinate level to "
      "devolve to\n"
      "sum.cpp:18:5: note: compose(sum, T): kog: codelet kog is cooperative and needs vector "
      "execution; level T (thread) has scalar execution\n"
      "sum.cpp:34:5: note: compose(sum, T): asso_tiled: codelet asso_tiled is left out\n"
      "sum.cpp:44:5: note: compose(sum, T): stride_tiled: codelet stride_tiled is left out\n");
}

TEST_F(Planning, NoPlanSaysWhichRulesLeadNowhere) {
  PlanOptions options;
  options.without = {"sum#1", "stride_tiled", "asso_tiled", "kog"};
  EXPECT_EQ(
      ir::render(plans(program, plan_fixture::simpleCpu(), "sum", options).errors),
      "sum.cpp:7:5: error: no plan composes sum at level P (process) of simple-cpu within any "
      "number of iterations\n"
      "sum.cpp:7:5: note: compose(sum, P): sum#1: codelet sum#1 is left out\n"
      "sum.cpp:18:5: note: compose(sum, P): kog: codelet kog is left out\n"
      "sum.cpp:34:5: note: compose(sum, P): asso_tiled: codelet asso_tiled is left out\n"
      "sum.cpp:44:5: note: compose(sum, P): stride_tiled: codelet stride_tiled is left out\n"
      "sum.cpp:7:5: note: compose(sum, P): P1 leaves compose(sum, T) open, which nothing "
      "completes\n"
      "sum.cpp:7:5: note: compose(sum, T): Devolve: level T (thread) has no subordinate level to "
      "devolve to\n"
      "sum.cpp:7:5: note: compose(sum, T): sum#1: codelet sum#1 is left out\n"
      "sum.cpp:18:5: note: compose(sum, T): kog: codelet kog is left out\n"
      "sum.cpp:34:5: note: compose(sum, T): asso_tiled: codelet asso_tiled is left out\n"
      "sum.cpp:44:5: note: compose(sum, T): stride_tiled: codelet stride_tiled is left out\n");
}

TEST_F(Planning, NamesWhatItDoesNotKnow) {
  const Machine machine = plan_fixture::simpleGpu();
  auto refused = [&](const std::string &spectrum, const PlanOptions &options) {
    return ir::render(plans(program, machine, spectrum, options).errors);
  };
  PlanOptions options;
  EXPECT_EQ(refused("sun", options),
            "sum.cpp: error: unknown spectrum 'sun', did you mean 'sum'?\n");
  options.level = "warp";
  EXPECT_EQ(refused("sum", options), "error: unknown level 'warp'; known: G, B, T\n");
  options.level.clear();
  options.without = {"strided_tiled"};
  EXPECT_EQ(refused("sum", options), "sum.cpp: error: unknown codelet to leave out "
                                     "'strided_tiled', did you mean 'stride_tiled'?\n");
  options.without.clear();
  options.iterations = 1000;
  EXPECT_EQ(refused("sum", options), "error: at most 256 iterations are possible, not 1000\n");
  options.iterations = 0;
  options.keep = 0;
  EXPECT_EQ(refused("sum", options), "error: at least one candidate must be kept\n");
}

} // namespace
} // namespace tangram::composer

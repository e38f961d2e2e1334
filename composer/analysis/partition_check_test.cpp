#include "composer/analysis/partition_check.h"

#include "composer/analysis/matrix_fixture.h"
#include "composer/analysis/partition_check_candidates.h"

#include "composer/analysis/analysis_fixture.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace fixture;

/// f(map(f, partition(in, p, start, inc, end))) over `len`, with `before` in front.
struct Partitioned {
  VarPtr in = input("in"), p = tunable("p"), len = local("len");

  ir::Codelet codelet(ExprPtr start, ExprPtr increment, ExprPtr end,
                      std::vector<StmtPtr> before = {}) const {
    std::vector<StmtPtr> body{ir::declare(p, nullptr), let(len, sizeAs(in))};
    body.insert(body.end(), before.begin(), before.end());
    body.push_back(ir::returns(
        spectrumCall("f", {map("f", {partition(in, p, std::move(start), std::move(increment),
                                               std::move(end), place(7, 12))})})));
    return fixture::codelet("tiled", {in}, std::move(body));
  }
};

TEST(PartitionCheck, TilesOfSumHoldEveryElementOnce) {
  for (const ir::Codelet &codelet : {tiledSum(), strideTiledSum()}) {
    auto verdicts = checkPartitions(codelet);
    ASSERT_EQ(verdicts.size(), 1u);
    EXPECT_EQ(verdicts[0].cases, 1140u);
    EXPECT_EQ(verdicts[0].wrong, 0u);
    EXPECT_FALSE(verdicts[0].smallest);
    EXPECT_TRUE(partitionWarnings(codelet).empty());
  }
}

TEST(PartitionCheck, Figure43dAsPrintedLosesElements) {
  auto verdicts = checkPartitions(strideTiledSum(true));
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].cases, 1140u);
  EXPECT_EQ(verdicts[0].wrong, 304u);
  EXPECT_EQ(ir::render(partitionWarnings(strideTiledSum(true))),
            "test.cpp:45:23: warning: partition of 'in' loses elements: len = 1, p = 1 loses 0\n"
            "note: the parts are {}\n"
            "note: wrong in 304 of the 1140 cases tried (len < 60, p < 20)\n");
}

TEST(PartitionCheck, ACodeletMayRequireWhatItsPartitionNeeds) {
  // The printed figure again, for two parts and ten elements only.
  VarPtr in = input("in"), p = tunable("p"), len = local("len"), tile = local("tile");
  ExprPtr end = sequence({op(op(p, "-", 1), "*", tile), 1, op(len, "+", 1)});
  auto c = codelet(
      "", {in},
      {ir::declare(p, nullptr), let(len, sizeAs(in)),
       ir::require(op(op(len, "==", 10), "&&", op(p, "==", 2))),
       let(tile, op(op(op(len, "+", p), "-", 1), "/", p)),
       ir::eval(map("f", {partition(in, p, sequence({0, 1, p}), sequence({p}), end, place(5))}))});
  auto verdicts = checkPartitions(c);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].cases, 1u);
  EXPECT_EQ(verdicts[0].smallest.value_or(PartitionCounterexample{}).lost,
            (std::vector<std::uint64_t>{6, 7, 8, 9}));
  EXPECT_EQ(ir::render(partitionWarnings(c)),
            "test.cpp:5:3: warning: partition of 'in' loses elements: len = 10, p = 2 loses "
            "6, 7, 8 and 9\n"
            "note: the parts are {0, 2, 4}, {1, 3, 5}\n"
            "note: wrong in 1 of the 1 cases tried (len < 60, p < 20)\n");
}

TEST(PartitionCheck, TilesRoundedDownLoseTheRest) {
  Partitioned f;
  VarPtr tile = local("tile");
  auto c = f.codelet(sequence({0, tile, f.len}), sequence({1}),
                     sequence({tile, tile, op(f.len, "+", 1)}), {let(tile, op(f.len, "/", f.p))});
  EXPECT_EQ(ir::render(partitionWarnings(c)),
            "test.cpp:7:12: warning: partition of 'in' loses elements: len = 1, p = 2 loses 0\n"
            "note: the parts are {}, {}\n"
            "note: wrong in 922 of the 1140 cases tried (len < 60, p < 20)\n");
}

TEST(PartitionCheck, ARequirementRulesTheRestOut) {
  Partitioned f;
  VarPtr tile = local("tile");
  auto c = f.codelet(
      sequence({0, tile, f.len}), sequence({1}), sequence({tile, tile, op(f.len, "+", 1)}),
      {ir::require(op(op(f.len, "%", f.p), "==", 0)), let(tile, op(f.len, "/", f.p))});
  auto verdicts = checkPartitions(c);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].cases, 218u);
  EXPECT_EQ(verdicts[0].wrong, 0u);
}

TEST(PartitionCheck, AnEarlyReturnRulesCasesOut) {
  Partitioned f;
  VarPtr tile = local("tile");
  auto c = f.codelet(sequence({0, tile, f.len}), sequence({1}),
                     sequence({tile, tile, op(f.len, "+", 1)}),
                     {ir::ifThen(op(op(f.len, "%", f.p), "!=", 0), ir::returns(Operand(0).expr)),
                      let(tile, op(f.len, "/", f.p))});
  auto verdicts = checkPartitions(c);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].cases, 218u);
  EXPECT_EQ(verdicts[0].wrong, 0u);
}

TEST(PartitionCheck, PartsThatReachIntoTheNextByAConstantAreAHalo) {
  // Each part also holds the first element of the next one.
  Partitioned f;
  VarPtr tile = local("tile");
  auto c = f.codelet(sequence({0, tile, f.len}), sequence({1}),
                     sequence({op(tile, "+", 1), tile, op(f.len, "+", 1)}),
                     {let(tile, op(op(op(f.len, "+", f.p), "-", 1), "/", f.p))});
  EXPECT_EQ(ir::render(partitionWarnings(c)), "");
}

/// Windows of `in` that are `less` shorter than the filter `k`, which has `least` elements or more.
ir::Codelet windowsOfFilter(int least, int less) {
  VarPtr in = input("in"), k = input("k");
  const ExprPtr count = op(op(sizeOf(in), "-", sizeOf(k)), "+", 1);
  const ExprPtr windows =
      partition(in, count, sequence({0, 1, count}), sequence({1}),
                sequence({op(sizeOf(k), "-", less), 1, op(sizeOf(in), "+", 1)}), place(8));
  return fixture::codelet("", {in, k},
                          {ir::require(op(sizeOf(k), ">=", least)),
                           ir::require(op(sizeOf(k), "<=", sizeOf(in))),
                           ir::eval(map("f", {windows}))});
}

TEST(PartitionCheck, PartsThatReachAsFarAsAnotherContainerIsLongAreAHalo) {
  EXPECT_EQ(ir::render(partitionWarnings(windowsOfFilter(1, 0))), "");
}

TEST(PartitionCheck, OfAnEmptyContainerNothingIsNeeded) {
  EXPECT_EQ(ir::render(partitionWarnings(windowsOfFilter(0, 0))), "");
  const std::string tooShort = ir::render(partitionWarnings(windowsOfFilter(0, 1)));
  EXPECT_NE(tooShort.find("loses elements: in.size() = 1, k.size() = 1 loses 0"), std::string::npos)
      << tooShort;
}

TEST(PartitionCheck, PartsThatReachFurtherRepeatElements) {
  // Each part also holds the whole next one.
  Partitioned f;
  VarPtr tile = local("tile");
  auto c = f.codelet(sequence({0, tile, f.len}), sequence({1}),
                     sequence({op(tile, "*", 2), tile, op(f.len, "+", 1)}),
                     {let(tile, op(op(op(f.len, "+", f.p), "-", 1), "/", f.p))});
  EXPECT_EQ(ir::render(partitionWarnings(c)),
            "test.cpp:7:12: warning: partition of 'in' repeats elements: len = 2, p = 2 repeats 1\n"
            "note: the parts are {0, 1}, {1}\n"
            "note: wrong in 1044 of the 1140 cases tried (len < 60, p < 20)\n");
}

/// Codelets that cut `y` by its own size and `x` by that of y.
struct TwoContainers {
  VarPtr x = input("x"), y = output("y"), p = tunable("p"), n = local("n"), tile = local("tile");

  ir::Codelet codelet(int halo) const {
    ExprPtr ofX = partition(x, p, sequence({0, tile, n}), sequence({1}),
                            sequence({op(tile, "+", halo), tile, op(n, "+", halo + 1)}), place(8));
    ExprPtr ofY = partition(y, p, sequence({0, tile, n}), sequence({1}),
                            sequence({tile, tile, op(n, "+", 1)}), place(9));
    return fixture::codelet("", {x, y},
                            {ir::declare(p, nullptr), let(n, sizeAs(y)),
                             let(tile, op(op(op(n, "+", p), "-", 1), "/", p)),
                             ir::eval(map("f", {ofX, ofY}))});
  }
};

TEST(PartitionCheck, SizesThatNothingRelatesAreTakenForEqual) {
  EXPECT_EQ(ir::render(partitionWarnings(TwoContainers().codelet(0))), "");
}

TEST(PartitionCheck, ContractsOfOtherCodeletsHold) {
  TwoContainers f;
  auto withHalo = f.codelet(1);
  // The first codelet calls its parameters otherwise, and has one more of the input.
  VarPtr a = input("a"), b = output("b"), scalar = local("i");
  auto first = fixture::codelet(
      "", {a, b},
      {ir::require(ir::binary("==", sizeOf(a), op(sizeOf(b), "+", ir::intLiteral(1)))),
       ir::require(op(sizeOf(a), "==", lanes()))});
  auto s = spectrum("f", {first, withHalo}, Scalar::Void);
  auto contracts = sizeContracts(s, withHalo);
  ASSERT_EQ(contracts.size(), 1u);
  EXPECT_EQ(ir::toString(contracts[0]), "x.size() == y.size() + 1");
  auto verdicts = checkPartitions(withHalo, contracts);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].wrong, 0u);
  EXPECT_EQ(verdicts[1].wrong, 0u);
  // Without the halo the last element is in no part.
  verdicts = checkPartitions(f.codelet(0), contracts);
  EXPECT_GT(verdicts[0].wrong, 0u);
  EXPECT_EQ(verdicts[1].wrong, 0u);
}

TEST(PartitionCheck, BlocksOfRowsAndColumnsAreExact) {
  for (const ir::Codelet &c : {rowProduct(), columnProduct(), foldedProduct()}) {
    for (const PartitionVerdict &verdict : checkPartitions(c)) {
      EXPECT_GT(verdict.cases, 100u);
      EXPECT_EQ(verdict.wrong, 0u);
    }
  }
}

TEST(PartitionCheck, AStepOfZeroRepeatsItsElement) {
  Partitioned f;
  auto c = f.codelet(sequence({0, 1, f.p}), sequence({0}), sequence({f.len}));
  EXPECT_EQ(ir::render(partitionWarnings(c)),
            "test.cpp:7:12: warning: partition of 'in' repeats elements: len = 1, p = 1 repeats 0\n"
            "note: the parts are {0, 0}\n"
            "note: wrong in 1121 of the 1140 cases tried (len < 60, p < 20)\n");
}

/// Maps over the elements `first`, first + 2, ... of `in`.
StmtPtr everyOtherFrom(const VarPtr &in, int first, int line) {
  return ir::eval(map("f", {partition(in, 1, sequence({first}), sequence({2}),
                                      sequence({sizeOf(in)}), place(line))}));
}

TEST(PartitionCheck, WhatAnotherMapHoldsIsNotLost) {
  VarPtr in = input("in");
  EXPECT_EQ(ir::render(partitionWarnings(
                codelet("", {in}, {everyOtherFrom(in, 0, 4), everyOtherFrom(in, 1, 5)}))),
            "");
  EXPECT_EQ(ir::render(partitionWarnings(
                codelet("", {in}, {everyOtherFrom(in, 1, 4), everyOtherFrom(in, 2, 5)}))),
            "test.cpp:4:3: warning: partition of 'in' loses elements: in.size() = 1 loses 0\n"
            "note: the parts are {}\n"
            "note: wrong in 59 of the 60 cases tried (in.size() < 60)\n"
            "test.cpp:5:3: warning: partition of 'in' loses elements: in.size() = 1 loses 0\n"
            "note: the parts are {}\n"
            "note: wrong in 59 of the 60 cases tried (in.size() < 60)\n");
}

TEST(PartitionCheck, TunablesAreTakenFromTheirDomain) {
  Partitioned f;
  f.p = tunable("p", {ir::TunableDomain::Kind::Pow2, {2, 16}});
  auto c = f.codelet(sequence({1, 1, f.p}), sequence({f.p}), sequence({f.len}));
  EXPECT_EQ(ir::render(partitionWarnings(c)),
            "test.cpp:7:12: warning: partition of 'in' loses elements: len = 1, p = 2 loses 0\n"
            "note: the parts are {}, {}\n"
            "note: wrong in 236 of the 240 cases tried (len < 60, p of its domain)\n");
}

TEST(PartitionCheck, UnsignedArithmeticWraps) {
  // sequence(len - 1) as an end: no part for len = 0, where len - 1 wraps, and one too few else.
  Partitioned f;
  auto c = f.codelet(sequence({0, 1, f.p}), sequence({f.p}), sequence({op(f.len, "-", 1)}));
  auto verdicts = checkPartitions(c);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].cases, 1140u);
  EXPECT_EQ(verdicts[0].wrong, 1121u);
  EXPECT_EQ(verdicts[0].smallest.value_or(PartitionCounterexample{}).values,
            (std::vector<std::pair<std::string, std::int64_t>>{{"len", 1}, {"p", 1}}));
}

TEST(PartitionCheck, WhatDependsOnDataOrUnknownsIsLeftOut) {
  Partitioned f;
  VarPtr rows = input("rows", Scalar::U32), n = scalarParam("n", Scalar::U32);
  VarPtr changing = local("tile");
  ExprPtr one = sequence({1});
  EXPECT_TRUE(
      checkPartitions(f.codelet(sequence({rows, 0, 1, f.p}), one, sequence({f.len}))).empty());
  EXPECT_TRUE(checkPartitions(f.codelet(sequence({at(rows, 0)}), one, sequence({f.len}))).empty());
  EXPECT_TRUE(checkPartitions(f.codelet(sequence({n}), one, sequence({f.len}))).empty());
  EXPECT_TRUE(checkPartitions(f.codelet(sequence({changing}), one, sequence({f.len}),
                                        {let(changing, 0), set(changing, "+=", 1)}))
                  .empty());
}

TEST(PartitionCheck, ResultsOfAMapHaveAsManyElementsAsThereAreParts) {
  // partition(parts, 2, ...) of the p results of a map: every other one, of p and not of len.
  VarPtr in = input("in"), p = tunable("p"), results = input("results");
  results = variable("results", {Scalar::I32, 1, 0, true}, ir::VarKind::Local);
  ExprPtr inner = partition(in, p, sequence({0, 1, p}), sequence({p}), sequence({sizeOf(in)}));
  auto c = codelet("", {in},
                   {ir::declare(p, nullptr), let(results, map("f", {inner})),
                    ir::eval(map("f", {partition(results, 2, sequence({0, 1, 2}), sequence({2}),
                                                 sequence({sizeOf(results)}))}))});
  auto verdicts = checkPartitions(c);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].wrong, 0u);
  EXPECT_EQ(verdicts[1].cases, 19u);
  EXPECT_EQ(verdicts[1].wrong, 0u);
}

TEST(Evaluate, ComputesInTheTypesOfTheSource) {
  VarPtr u = local("u"), i = local("i", Scalar::I32);
  Environment env;
  env.variables[u.get()] = 3;
  env.variables[i.get()] = -4;
  auto value = [&](const ExprPtr &e) { return evaluate(e, env).value_or(-99); };
  EXPECT_EQ(value(op(u, "-", 4)), 4294967295);
  EXPECT_EQ(value(op(i, "/", 2)), -2);
  EXPECT_EQ(value(op(i, "/", u)), 1431655764); // i converts to unsigned first
  EXPECT_EQ(value(op(i, "<", u)), 0);
  EXPECT_EQ(value(op(i, "<", 3)), 1);
  EXPECT_EQ(value(op(i, ">>", 1)), -2);
  EXPECT_EQ(value(ir::cast(Scalar::U8, ir::varRef(i))), 252);
  EXPECT_EQ(value(ir::select(op(u, ">", 2), ir::varRef(u), op(u, "/", 0))), 3);
  EXPECT_EQ(value(ir::call("min", ir::scalarType(Scalar::I32), {ir::varRef(i), Operand(2).expr})),
            -4);
  EXPECT_FALSE(evaluate(op(u, "/", 0), env));
  EXPECT_FALSE(evaluate(ir::varRef(local("other")), env));
}

} // namespace
} // namespace tangram::composer

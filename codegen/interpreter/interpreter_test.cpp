#include "codegen/interpreter/interpreter.h"

#include "codegen/interpreter/meaning.h"
#include "codegen/test_fixture.h"

#include <cstring>

namespace tangram::codegen {
namespace {

using namespace fixture;
using Joins = InterpreterOptions::Joins;
using Lanes = InterpreterOptions::Lanes;

ExprPtr atomicOn(ir::Operator op, const E &place, const E &value) {
  ir::Expr e = *ir::node(ExprKind::Atomic, place.e->type, {place.e, value.e});
  e.op = op;
  return std::make_shared<ir::Expr>(e);
}

/// Two groups of four items on memory of eight elements, each with two chains.
class InterpreterTest : public ::testing::Test, protected Kernel4 {
protected:
  std::vector<std::int32_t> input{5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<std::int32_t> output;
  std::uint64_t groups = 2;
  InterpreterOptions options{Joins::Explicit, Lanes::Together, true};

  static StmtPtr meet() { return ir::barrier(1); }

  std::vector<std::string> run(const LoweredPlan &kernel) {
    InterpreterCall call;
    call.sizes = {
        {p.var().get(), groups}, {N.var().get(), 4}, {K.var().get(), 2}, {n.var().get(), 8}};
    std::vector<std::byte> bytes(8 * sizeof(std::int32_t));
    std::memcpy(bytes.data(), input.data(), bytes.size());
    call.memory[in.var().get()] = bytes;
    call.memory[out.var().get()] = bytes;
    Interpretation done = codegen::Interpreter(kernel, options).run(call);
    output.resize(8);
    std::memcpy(output.data(), call.memory[out.var().get()].data(), bytes.size());
    std::vector<std::string> texts;
    if (done.refused)
      texts.push_back("refused: " + *done.refused);
    for (const Report &report : done.reports)
      texts.push_back(report.text());
    return texts;
  }
  std::vector<std::string> run(std::vector<StmtPtr> body) { return run(plan(std::move(body))); }
  using Texts = std::vector<std::string>;
};

TEST_F(InterpreterTest, WorkersHaveTheirNumbers) {
  EXPECT_EQ(run({lanes({set(out[group * 4 + lane], in[group * 4 + lane] + group)})}), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{5, 6, 7, 8, 10, 11, 12, 13}));
}

TEST_F(InterpreterTest, MoreGroupsThanItHasMemoryForAreNotStarted) {
  groups = UINT64_MAX;
  EXPECT_EQ(run({lanes({set(out[lane], in[lane])})}),
            Texts({"endless: a launch of 18446744073709551615 groups, the interpreter starts at "
                   "most 4194304"}));
}

TEST_F(InterpreterTest, EndsWhereItHasNothingNewToSay) {
  E i = variable("i", Scalar::Index);
  const Texts texts = run({ir::forLoop(ir::declare(i.var(), E(0).e), (i < n * 1'000'000'000).e,
                                       addTo(i, E(1)), set(out[i + 8], in[0]))});
  ASSERT_EQ(texts.size(), 1U); // not endless
  EXPECT_EQ(texts[0].substr(0, 65),
            "bounds: group 0 uses element 8 of out, which has 8, in 'out[i + 8");
}

TEST_F(InterpreterTest, ChainsOfAnItemRunInIt) {
  E x = variable("x", Scalar::I32);
  EXPECT_EQ(run({lanes({let(x, ir::intLiteral(0, Scalar::I32)), chains({addTo(x, in[chain])}),
                        set(out[group * 4 + lane], x)})}),
            Texts());
  EXPECT_EQ(output[7], 11);
}

TEST_F(InterpreterTest, ACopyIsMadeByAllItems) {
  composer::Machine machine;
  machine.levels.resize(4);
  for (const int level : {0, 1, 2})
    machine.levels[static_cast<std::size_t>(level)].subordinate = level + 1;
  const E place = variable("place");
  const ir::Window part{in.var(), {(group * 4).e}, {{0, ir::intLiteral(1), N.e, N.e}}};
  const StmtPtr copy =
      ir::copyWindow(1, part, a[E(3) - place].e, in[group * 4 + place].e, {{place.var()}, 0, {}});
  const StmtPtr use = lanes({set(out[group * 4 + lane], a[lane])});
  LoweredPlan kernel = plan({copy, meet(), use});
  kernel.machine = &machine;
  kernel.target = traitsOf("opencl");
  EXPECT_EQ(run(kernel), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{8, 7, 6, 5, 12, 11, 10, 9}));
  kernel = plan({copy, use});
  kernel.machine = &machine;
  kernel.target = traitsOf("opencl");
  EXPECT_NE(run(kernel), Texts()) << "an item reads what another one copies";
}

TEST_F(InterpreterTest, ItemsThatDoNotMeetRace) {
  const std::vector<StmtPtr> body{lanes({set(a[lane], in[lane])}),
                                  lanes({set(out[group * 4 + lane], a[E(3) - lane])})};
  EXPECT_EQ(run(body),
            Texts({"unwritten: group 0, item 0 reads a[3], which nothing has written, in "
                   "'out[group * 4 + lane] = a[3 - lane];' (4 times)",
                   "race: group 0, item 2 writes a[2], and nothing orders it and what group 0, "
                   "item 1 does there in 'out[group * 4 + lane] = a[3 - lane];', in "
                   "'a[lane] = in[lane];' (4 times)",
                   "race: group 0, item 2 reads a[1], and nothing orders it and what group 0, item "
                   "1 does there in 'a[lane] = in[lane];', in "
                   "'out[group * 4 + lane] = a[3 - lane];' (4 times)"}));
  EXPECT_EQ(run({body[0], meet(), body[1]}), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{8, 7, 6, 5, 8, 7, 6, 5}));
}

TEST_F(InterpreterTest, BeforeBarriersArePlacedAPieceIsAStep) {
  options = {Joins::Implied, Lanes::Together, false};
  EXPECT_EQ(
      run({lanes({set(a[lane], in[lane])}), lanes({set(out[group * 4 + lane], a[E(3) - lane])})}),
      Texts());
}

TEST_F(InterpreterTest, LanesOfALoopMayNotSeeEachOther) {
  options = {Joins::Explicit, Lanes::Loops, false};
  EXPECT_EQ(
      run({lanes({set(a[lane], in[lane])}), lanes({set(out[group * 4 + lane], a[E(3) - lane])})}),
      Texts());
  EXPECT_EQ(
      run({lanes({set(a[lane], in[lane])}), lanes({when(lane > 0, {set(a[lane], a[lane - 1])})}),
           firstLane({set(out[group], a[3])})}),
      Texts({"race: group 0, item 2 reads a[1], and nothing orders it and what group 0, item "
             "1 does there in 'a[lane] = a[lane - 1];', in 'a[lane] = a[lane - 1];' "
             "(4 times)"}));
}

TEST_F(InterpreterTest, GroupsRaceOnWhatAllSee) {
  EXPECT_EQ(run({firstLane({set(out[0], in[group])})}),
            Texts({"race: group 1, item 0 writes out[0], and nothing orders it and what group 0, "
                   "item 0 does there in 'out[0] = in[group];', in 'out[0] = in[group];'"}));
}

TEST_F(InterpreterTest, ItemsOfAGroupMayWriteOneValue) {
  const StmtPtr read = firstLane({set(out[group], a[0])});
  EXPECT_EQ(run({lanes({set(a[0], in[group])}), meet(), read}), Texts());
  EXPECT_EQ(
      run({lanes({set(a[0], in[lane])}), meet(), read}),
      Texts({"race: group 0, item 1 writes a[0], and nothing orders it and what group 0, item "
             "0 does there in 'a[0] = in[lane];', in 'a[0] = in[lane];' (6 times)"}));
  // Who wrote first is not forgotten.
  EXPECT_EQ(run({lanes({set(a[0], in[group])}), lanes({when(lane > 2, {set(out[group], a[0])})})}),
            Texts({"race: group 0, item 3 reads a[0], and nothing orders it and what group 0, item "
                   "2 does there in 'a[0] = in[group];', in 'out[group] = a[0];' (2 times)"}));
}

TEST_F(InterpreterTest, TheEndOfALaunchOrdersEverything) {
  LoweredPlan two = plan({firstLane({set(out[group], in[group])})});
  E other = variable("other", Scalar::Index, VarKind::Worker);
  two.body = ir::block({two.body->children[0],
                        ir::parallel(1, ir::Span::One, other.var(), ir::intLiteral(1),
                                     ir::block({firstLane({set(out[2], out[0] + out[1])})}))});
  EXPECT_EQ(run(two), Texts());
  EXPECT_EQ(output[2], 11);
}

TEST_F(InterpreterTest, AtomicOperationsOfOneKindDoNotRace) {
  const StmtPtr first = firstLane({set(a[0], ir::intLiteral(0, Scalar::I32))});
  const StmtPtr count = lanes({ir::eval(atomicOn("add", a[0], ir::cast(Scalar::I32, lane.e)))});
  EXPECT_EQ(run({first, meet(), count, meet(), firstLane({set(out[group], a[0])})}), Texts());
  EXPECT_EQ(output[0], 6);
  EXPECT_EQ(run({first, count, meet(), firstLane({set(out[group], a[0])})}),
            Texts({"race: group 0, item 1 writes a[0] atomically, and nothing orders it and what "
                   "group 0, item 0 does there in 'a[0] = 0;', in "
                   "'atomicAdd(a[0], (int)lane);' (6 times)"}));
}

TEST_F(InterpreterTest, AccessesStayWithinTheirMemory) {
  EXPECT_EQ(run({lanes({set(out[group * 4 + lane], in[lane - 1])})}),
            Texts({"bounds: group 0, item 0 uses element -1 of in, which has 8, in "
                   "'out[group * 4 + lane] = in[lane - 1];' (2 times)"}));
  E own = variable("own", Scalar::I32, VarKind::Local, K.e);
  EXPECT_EQ(run({lanes({let(own), set(own[lane], 1), set(out[group * 4 + lane], 1)})}),
            Texts({"bounds: group 0, item 2 uses element 2 of own, which has 2, in "
                   "'own[lane] = 1;' (4 times)"}));
}

TEST_F(InterpreterTest, WhatNothingHasWrittenIsNotRead) {
  E x = variable("x", Scalar::I32);
  EXPECT_EQ(run({lanes({let(x), when(lane > 1, {set(x, 1)}), set(out[group * 4 + lane], x)})}),
            Texts({"unwritten: group 0, item 0 reads x, which nothing has written, in "
                   "'out[group * 4 + lane] = x;' (4 times)"}));
  EXPECT_EQ(run({lanes({set(out[group * 4 + lane], b[lane])})}),
            Texts({"unwritten: group 0, item 0 reads b[0], which nothing has written, in "
                   "'out[group * 4 + lane] = b[lane];' (8 times)"}));
  EXPECT_EQ(run(plan({})), Texts({"unwritten: the plan ends, and nothing has written out"}));
}

TEST_F(InterpreterTest, AllItemsComeToABarrier) {
  EXPECT_EQ(run({lanes({when(lane < 2, {meet()}), set(out[group * 4 + lane], 1)})}),
            Texts({"divergence: group 0, item 0 waits for the others, but group 0, item 2 has "
                   "ended, in 'barrier' (2 times)"}));
}

TEST_F(InterpreterTest, IntegersAreThoseOfC) {
  E x = variable("x", Scalar::I32);
  E u = variable("u", Scalar::U8);
  auto i32 = [](std::int64_t value) { return E(ir::intLiteral(value, Scalar::I32)); };
  EXPECT_EQ(run({firstLane({let(x, i32(INT32_MAX)), let(u, i32(250)), addTo(u, i32(10)),
                            addTo(x, i32(1)), set(out[group * 4], x), set(out[group * 4 + 1], u),
                            set(out[group * 4 + 2], i32(-7) / i32(2)),
                            set(out[group * 4 + 3], i32(-7) % i32(0))})}),
            Texts({"division: group 0, item 0 divides by zero, in "
                   "'out[group * 4 + 3] = -7 % 0;' (2 times)"}));
  EXPECT_EQ(output[4], INT32_MIN);
  EXPECT_EQ(output[5], 4);
  EXPECT_EQ(output[6], -3);
}

TEST_F(InterpreterTest, OnlyTheSideThatIsTakenIsEvaluated) {
  ExprPtr guarded = ir::binary("&&", (lane > 0).e, (in[lane - 1] > 4).e);
  ExprPtr chosen = ir::select((lane > 0).e, in[lane - 1].e, ir::intLiteral(0, Scalar::I32));
  EXPECT_EQ(run({lanes({set(out[group * 4 + lane], ir::select(guarded, chosen, chosen))})}),
            Texts());
  EXPECT_EQ(output[1], 5);
}

TEST_F(InterpreterTest, FloatRoundsTo32Bits) {
  E x = variable("x", Scalar::F32);
  E y = variable("y", Scalar::F32);
  EXPECT_EQ(run({firstLane({let(x, ir::realLiteral(16777216, Scalar::F32)),
                            let(y, x + ir::realLiteral(1, Scalar::F32)),
                            set(out[group], ir::cast(Scalar::I32, y.e))})}),
            Texts());
  EXPECT_EQ(output[0], 16777216);
}

TEST_F(InterpreterTest, GroupsInTurnsSeeTheMemoryOfTheirLastTurn) {
  // Item 0 of the next turn writes while others of this one still read.
  const std::vector<StmtPtr> body{firstLane({set(a[0], in[group])}), meet(),
                                  lanes({when(equals(lane, 3), {set(out[group], a[0])})})};
  LoweredPlan kernel = plan({});
  auto inTurns = [&](std::vector<StmtPtr> turn) {
    kernel.body =
        ir::block({ir::parallel(1, ir::Span::Turns, group.var(), n.e, ir::block(std::move(turn)))});
  };
  inTurns(body);
  EXPECT_EQ(run(kernel),
            Texts({"race: group 0, item 3 reads a[0], and nothing orders it and what group 0, item "
                   "0 does there in 'a[0] = in[group];', in 'out[group] = a[0];' (5 times)"}));
  inTurns({body[0], meet(), body[2], meet()});
  EXPECT_EQ(run(kernel), Texts());
  EXPECT_EQ(output, input);
}

TEST_F(InterpreterTest, ALoopThatDoesNotEndIsGivenUp) {
  options.steps = 1000;
  EXPECT_EQ(run({lanes({ir::whileLoop(ir::intLiteral(1, Scalar::Bool), ir::block({}))})}),
            Texts({"endless: still running after 1000 operations"}));
}

TEST_F(InterpreterTest, WhoWaitsIsToldWhatThePublisherDid) {
  E flags = variable("flags", Scalar::U32, VarKind::Buffer);
  LoweredPlan kernel = plan({});
  auto chainOf = [&](const StmtPtr &wait) {
    kernel.buffers.resize(4);
    kernel.buffers.push_back({flags.var(), Space::Global, n.e, ""});
    E first = variable("first", Scalar::Index, VarKind::Worker);
    kernel.body = ir::block(
        {ir::parallel(1, ir::Span::Turns, first.var(), n.e,
                      ir::block({firstLane(
                          {set(flags[first], ir::cast(Scalar::U32, equals(first, 0).e))})})),
         ir::parallel(
             1, ir::Span::All, group.var(), p.e,
             ir::block({firstLane(
                 {wait, when(group > 0, {set(out[group], out[group - 1])}, {set(out[0], in[3])}),
                  ir::eval(atomicOn("publish", flags[group + 1], 1))})}))});
  };
  chainOf(ir::eval(atomicOn("await", flags[group], 1)));
  EXPECT_EQ(run(kernel), Texts());
  EXPECT_EQ(output[1], 8);
  chainOf(ir::block({}));
  EXPECT_EQ(run(kernel).front().substr(0, 49), "race: group 1, item 0 reads out[0], and nothing o");
  chainOf(ir::eval(atomicOn("await", flags[group + 2], 1)));
  EXPECT_EQ(run(kernel),
            Texts({"deadlock: group 1, item 0 waits for a flag that no group which has started "
                   "will set, in 'atomicAwait(flags[group + 2], 1);'"}));
}

TEST_F(InterpreterTest, WhoCountsItselfLaterSeesWhatWasDoneBefore) {
  E counter = variable("counter", Scalar::U32, VarKind::Buffer);
  E earlier = variable("earlier", Scalar::U32);
  LoweredPlan kernel = plan({});
  kernel.buffers.push_back({counter.var(), Space::Global, ir::intLiteral(1), ""});
  const StmtPtr zero =
      ir::parallel(1, ir::Span::One, nullptr, ir::intLiteral(1),
                   ir::block({firstLane({set(counter[0], ir::intLiteral(0, Scalar::U32))})}));
  const StmtPtr groups = ir::parallel(
      1, ir::Span::All, group.var(), p.e,
      ir::block(
          {firstLane({set(out[group], in[group]), let(earlier, atomicOn("add", counter[0], 1)),
                      when(equals(earlier, p - 1), {set(out[0], out[p - 1])})})}));
  kernel.body = ir::block({zero, groups});
  const Texts reports = run(kernel);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().substr(0, 6), "race: ");
  kernel.buffers.back().countsGroups = true;
  kernel.body = ir::block({groups});
  EXPECT_EQ(run(kernel), Texts());
  EXPECT_EQ(output[0], output[1]);
}

TEST_F(InterpreterTest, ConstraintsAreAskedFirst) {
  LoweredPlan kernel = plan({firstLane({set(out[group], 1)})});
  kernel.constraints = {{(n <= N).e, "a group has an item for each element"}};
  EXPECT_EQ(run(kernel), Texts({"refused: a group has an item for each element"}));
}

TEST_F(InterpreterTest, HelperFunctionsAreCalled) {
  ir::Program program = parse("int twice(int x) { if (x > 6) return x; return 2 * x; }\n"
                              "__codelet int f(const Array<1, int> in) { return twice(in[0]); }");
  LoweredPlan kernel = plan({});
  kernel.functions = {&program.functions[0]};
  auto twice = [&](const E &x) {
    return E(ir::call(program.functions[0].name, ir::scalarType(Scalar::I32), {x.e}));
  };
  kernel.body = ir::block(
      {ir::parallel(1, ir::Span::All, group.var(), p.e,
                    ir::block({firstLane({set(out[group], twice(twice(in[group]) + 1))})}))});
  EXPECT_EQ(run(kernel), Texts());
  EXPECT_EQ(output[0], 11);
  EXPECT_EQ(output[1], 13);
}

TEST(MeaningOfACodelet, IsGivenUpAfterManyOperations) {
  const ir::Program program = parse("__codelet void f(const Array<1, int> in, Array<1, int> out) { "
                                    "while (in[0] == 0) out[0] += 1; }");
  MeaningContainer one{{1}, numbersIn(std::vector<std::byte>(4), Scalar::I32)};
  const Meaning meaning =
      meaningOf(program, program.spectrums[0], program.spectrums[0].codelets[0], {one, one}, 1000);
  ASSERT_EQ(meaning.reports.size(), 1U);
  EXPECT_EQ(meaning.reports[0].message,
            "the codelet is still running after 1000 operations; smaller sizes take fewer");
}

TEST_F(InterpreterTest, ARandomScheduleGivesTheSameValues) {
  E sum = variable("sum", Scalar::I32);
  E i = variable("i");
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    options.seed = seed;
    EXPECT_EQ(run({lanes({set(a[lane], in[group * 4 + lane])}), meet(),
                   lanes({let(sum, ir::intLiteral(0, Scalar::I32)), upTo(i, N, {addTo(sum, a[i])}),
                          set(out[group * 4 + lane], sum)})}),
              Texts());
    EXPECT_EQ(output, (std::vector<std::int32_t>{26, 26, 26, 26, 42, 42, 42, 42}));
  }
}

/// One group of two warps of four items; `a` is memory of the group, `b` of each warp.
class InterpreterOfWarps : public ::testing::Test, protected Kernel4 {
protected:
  E warp = variable("warp", Scalar::Index, VarKind::Worker);
  std::vector<std::int32_t> output;
  InterpreterOptions options{Joins::Explicit, Lanes::Together, true};
  using Texts = std::vector<std::string>;

  StmtPtr warps(std::vector<StmtPtr> body) const {
    return ir::parallel(2, ir::Span::All, warp.var(), K.e, ir::block(std::move(body)));
  }
  StmtPtr items(std::vector<StmtPtr> body) const {
    return ir::parallel(3, ir::Span::All, lane.var(), N.e, ir::block(std::move(body)));
  }
  static StmtPtr meetInGroup() { return ir::barrier(1); }
  static StmtPtr meetInWarp() { return ir::barrier(2); }

  Texts run(std::vector<StmtPtr> body) {
    LoweredPlan kernel = plan(std::move(body));
    kernel.roles = {Role::Host, Role::Group, Role::Warp, Role::Item};
    kernel.workers = {{2, K.e}, {3, N.e}};
    kernel.buffers[2].count = n.e;
    kernel.buffers[3].space = Space::Warp;
    InterpreterCall call;
    call.sizes = {{p.var().get(), 1}, {N.var().get(), 4}, {K.var().get(), 2}, {n.var().get(), 8}};
    const std::vector<std::int32_t> input{5, 6, 7, 8, 9, 10, 11, 12};
    std::vector<std::byte> bytes(8 * sizeof(std::int32_t));
    std::memcpy(bytes.data(), input.data(), bytes.size());
    call.memory[in.var().get()] = bytes;
    call.memory[out.var().get()] = bytes;
    Interpretation done = codegen::Interpreter(kernel, options).run(call);
    output.resize(8);
    std::memcpy(output.data(), call.memory[out.var().get()].data(), bytes.size());
    Texts texts;
    for (const Report &report : done.reports)
      texts.push_back(report.text());
    return texts;
  }
};

TEST_F(InterpreterOfWarps, EachHasMemoryOfItsOwn) {
  const StmtPtr write = items({set(b[lane], in[warp * 4 + lane])});
  const StmtPtr read = items({set(out[warp * 4 + lane], b[E(3) - lane])});
  EXPECT_EQ(run({warps({write, meetInWarp(), read})}), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{8, 7, 6, 5, 12, 11, 10, 9}));
  options.joins = Joins::Implied;
  EXPECT_EQ(run({warps({write, read})}), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{8, 7, 6, 5, 12, 11, 10, 9}));
}

TEST_F(InterpreterOfWarps, ItemsOfAWarpThatDoNotMeetRace) {
  const Texts found = run({warps(
      {items({set(b[lane], in[lane])}), items({set(out[warp * 4 + lane], b[E(3) - lane])})})});
  ASSERT_EQ(found.size(), 3U); // the first item reads what nothing has written yet
  EXPECT_EQ(found[2], "race: group 0, item 0.2 reads b[1], and nothing orders it and what group 0, "
                      "item 0.1 does there in 'b[lane] = in[lane];', in "
                      "'out[warp * 4 + lane] = b[3 - lane];' (4 times)");
}

TEST_F(InterpreterOfWarps, TheSyncOfAWarpOrdersNothingBetweenWarps) {
  auto exchange = [&](const StmtPtr &meeting) {
    return run({warps({items({set(a[warp * 4 + lane], in[lane])})}), meeting,
                warps({items({set(out[warp * 4 + lane], a[E(7) - warp * 4 - lane])})})});
  };
  EXPECT_EQ(exchange(meetInGroup()), Texts());
  EXPECT_EQ(output, (std::vector<std::int32_t>{8, 7, 6, 5, 8, 7, 6, 5}));
  const Texts found = exchange(warps({meetInWarp()}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back(),
            "race: group 0, item 0.0 reads a[7], and nothing orders it and what group 0, "
            "item 1.3 does there in 'a[warp * 4 + lane] = in[lane];', in "
            "'out[warp * 4 + lane] = a[7 - warp * 4 - lane];' (8 times)");
}

TEST_F(InterpreterOfWarps, WarpsMeetByThemselvesAsOftenAsTheyLike) {
  E i = variable("i");
  auto rounds = [&](const E &end, const StmtPtr &meeting) {
    return run({warps({ir::forLoop(ir::declare(i.var(), E(0).e), i < end, addTo(i, E(1)),
                                   ir::block({items({set(b[lane], in[lane])}), meeting}))}),
                warps({items({set(out[warp * 4 + lane], in[lane])})})});
  };
  EXPECT_EQ(rounds(warp + 1, meetInWarp()), Texts());
  EXPECT_EQ(rounds(E(2), meetInGroup()), Texts());
  EXPECT_EQ(rounds(warp + 1, meetInGroup()),
            Texts({"divergence: group 0, item 1.0 waits for the others, but group 0, item 0.0 has "
                   "ended, in 'barrier'"}));
}

TEST_F(InterpreterOfWarps, AllItemsOfAWarpComeToItsSync) {
  EXPECT_EQ(run({warps({items({when(lane < E(2), {meetInWarp()})})})}),
            Texts({"divergence: group 0, item 0.0 waits for the others, but group 0, item 0.2 has "
                   "ended, in 'barrier'"}));
}

TEST_F(InterpreterOfWarps, TheFirstOneDoesWhatIsDoneOnce) {
  const StmtPtr once = ir::oneOf(2, ir::block({ir::oneOf(3, ir::block({set(a[0], in[3])}))}));
  options.joins = Joins::Implied;
  EXPECT_EQ(run({once, warps({items({set(out[warp * 4 + lane], a[0])})})}), Texts());
  EXPECT_EQ(output, std::vector<std::int32_t>(8, 8));
}

} // namespace
} // namespace tangram::codegen

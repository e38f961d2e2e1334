#include "codegen/passes/kernel/passes.h"

#include "codegen/analysis/atomics.h"
#include "codegen/form/verifier.h"
#include "codegen/interpreter/interpreter.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"
#include "ir/swap.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class FinishInLastGroup : public ::testing::Test, protected Kernel4 {
protected:
  /// Kernels that launch one after the other, of groups of h200.
  LoweredPlan kernels(std::vector<StmtPtr> launches) {
    LoweredPlan made = plan({});
    made.machine = &machine;
    made.target = traitsOf("opencl");
    made.buffers.push_back({parts.var(), Space::Global, p.e, ""});
    made.tunables[1].values = {32, 1024};
    made.tunables[1].defaultValue = "32";
    made.body = ir::block(std::move(launches));
    return made;
  }
  StmtPtr groups(std::vector<StmtPtr> body) const {
    return ir::parallel(1, ir::Span::All, group.var(), p.e, ir::block(std::move(body)));
  }
  static StmtPtr oneGroup(std::vector<StmtPtr> body) {
    return ir::oneOf(1, ir::block(std::move(body)));
  }

  /// Each group leaves a number, and one group adds them up.
  StmtPtr leave() const {
    return groups({lanes({set(a[lane], in[lane])}), firstLane({set(parts[group], a[N - 1])})});
  }
  StmtPtr addUp(const E &array) const {
    return oneGroup({lanes({set(b[lane], array[lane])}), firstLane({set(out[0], b[0])})});
  }

  static std::size_t launchesOf(const LoweredPlan &plan) {
    return finishInLastGroup(plan).body->children.size();
  }

  composer::Machine machine = projected("h200", "opencl");
  E parts = variable("parts", Scalar::I32, VarKind::Buffer);
};

TEST_F(FinishInLastGroup, TheLastOneDoesWhatTheNextKernelDid) {
  const LoweredPlan joined =
      finishInLastGroup(kernels({leave(), ir::comment("one group"), addUp(parts)}));
  EXPECT_EQ("\n" + ir::toString(joined.body), R"(
parallel level 1 group < p {
  parallel level 2 lane < N {
    a[lane] = in[lane];
  }
  parallel level 2 < 1 {
    atomicStore(parts[group], a[N - 1]);
    earlier[0] = atomicAdd(finished[0], 1);
  }
  unsigned earlier = earlier[0];
  if (earlier == (unsigned)(p - 1)) {
    // the last group goes on
    // one group
    parallel level 2 lane < N {
      b[lane] = atomicLoad(parts[lane]);
    }
    parallel level 2 < 1 {
      out[0] = b[0];
    }
    parallel level 2 < 1 {
      atomicStore(finished[0], 0);
    }
  }
}
)");
  ASSERT_EQ(joined.buffers.size(), 7U);
  EXPECT_TRUE(joined.buffers[5].countsGroups);
  EXPECT_EQ(atomicallyStored(joined), std::set<const Var *>{parts.var().get()});
  EXPECT_EQ(joined.buffers[6].space, Space::Local);
}

TEST_F(FinishInLastGroup, WhatAllItemsLeaveIsThereBeforeOneCounts) {
  const LoweredPlan joined =
      finishInLastGroup(kernels({groups({lanes({set(parts[lane], in[group])})}), addUp(parts)}));
  const std::vector<StmtPtr> &body = joined.body->children[0]->children[0]->children;
  ASSERT_GT(body.size(), 2U);
  EXPECT_EQ(body[1]->kind, StmtKind::Barrier);
}

TEST_F(FinishInLastGroup, NamesOfNumbersMayStandBetween) {
  const E half = variable("half");
  EXPECT_EQ(launchesOf(kernels({leave(), let(half, n / 2), addUp(parts)})), 2U);
  EXPECT_EQ(launchesOf(kernels({leave(), let(half, in[0]), addUp(parts)})), 3U);
}

TEST_F(FinishInLastGroup, KernelsOfOneGroupNeedNoCounter) {
  const LoweredPlan joined = finishInLastGroup(
      kernels({oneGroup({firstLane({set(parts[0], in[0])})}), oneGroup({set(out[0], parts[0])})}));
  EXPECT_EQ("\n" + ir::toString(joined.body), R"(
parallel level 1 < 1 {
  parallel level 2 < 1 {
    parts[0] = in[0];
  }
  parallel level 2 < 1 {
    out[0] = parts[0];
  }
}
)");
}

TEST_F(FinishInLastGroup, AllOfSeveralKernels) {
  const StmtPtr last = oneGroup({firstLane({set(out[1], out[0])})});
  EXPECT_EQ(launchesOf(kernels({leave(), addUp(parts), last})), 1U);
}

/// What stands in the only loop of the host.
std::vector<StmtPtr> rounds(const LoweredPlan &plan) {
  return plan.body->children.at(0)->children.at(0)->children;
}

TEST_F(FinishInLastGroup, InARoundOfTheHost) {
  const auto around = [&](std::vector<StmtPtr> body) {
    return finishInLastGroup(kernels({ir::whileLoop(out[0].e, ir::block(std::move(body)))}));
  };
  EXPECT_EQ(rounds(around({leave(), addUp(parts)})).size(), 1U);
  // A swap of what the second one does not know comes after both.
  const std::vector<StmtPtr> swapped =
      rounds(around({leave(), ir::swapOf(in.e, a.e), addUp(parts)}));
  ASSERT_EQ(swapped.size(), 2U);
  EXPECT_TRUE(ir::isSwap(*swapped[1]));
  EXPECT_EQ(rounds(around({leave(), ir::swapOf(in.e, b.e), addUp(parts)})).size(), 3U);
}

TEST_F(FinishInLastGroup, NotOfGroupsThatTakeTurnsOrAreInRows) {
  EXPECT_EQ(launchesOf(kernels({ir::parallel(1, ir::Span::Turns, group.var(), n.e,
                                             ir::block({firstLane({set(parts[group], 1)})})),
                                addUp(parts)})),
            2U);
  EXPECT_EQ(launchesOf(kernels({leave(), groups({firstLane({set(out[group], parts[group])})})})),
            2U);
  const E row = variable("row", Scalar::Index, VarKind::Worker);
  EXPECT_EQ(
      launchesOf(kernels({ir::parallel(1, ir::Span::All, row.var(), p.e, leave()), addUp(parts)})),
      2U);
}

TEST_F(FinishInLastGroup, NotWithoutGroups) {
  LoweredPlan none = kernels({leave(), addUp(parts)});
  none.tunables[0].min = 0;
  EXPECT_EQ(launchesOf(none), 2U);
}

TEST_F(FinishInLastGroup, NotOfOneItemWhereTheNextKernelHasMany) {
  EXPECT_EQ(
      launchesOf(kernels({groups({firstLane({set(parts[group], in[group])})}), addUp(parts)})), 2U);
  EXPECT_EQ(launchesOf(kernels({groups({firstLane({set(parts[group], in[group])})}),
                                oneGroup({firstLane({set(out[0], parts[0])})})})),
            1U);
}

TEST_F(FinishInLastGroup, NotWhereItWritesWhatGroupsReadOrTheyReadWhatTheyLeave) {
  const StmtPtr readsOut =
      groups({lanes({set(a[lane], out[lane])}), firstLane({set(parts[group], a[0])})});
  EXPECT_EQ(launchesOf(kernels({readsOut, addUp(parts)})), 2U);
  const StmtPtr readsParts =
      groups({lanes({set(a[lane], in[lane])}),
              firstLane({set(parts[group], a[0]), set(a[0], parts[group])})});
  EXPECT_EQ(launchesOf(kernels({readsParts, addUp(parts)})), 2U);
}

TEST_F(FinishInLastGroup, NotOfWhatLoopsLeave) {
  const E i = variable("i");
  const StmtPtr many = groups({lanes({upTo(i, n, {set(parts[group * n + i], in[lane])})})});
  EXPECT_EQ(launchesOf(kernels({many, addUp(parts)})), 2U);
}

TEST_F(FinishInLastGroup, NotOfNarrowNumbers) {
  const E bytes = variable("bytes", Scalar::U8, VarKind::Buffer);
  LoweredPlan narrow =
      kernels({groups({lanes({set(a[lane], in[lane])}), firstLane({set(bytes[group], a[0])})}),
               addUp(bytes)});
  narrow.buffers.push_back({bytes.var(), Space::Global, p.e, ""});
  EXPECT_EQ(launchesOf(narrow), 2U);
}

TEST_F(FinishInLastGroup, NotWhereAllGroupsWouldNeedItsMemory) {
  LoweredPlan large = kernels({leave(), addUp(parts)});
  large.buffers[3].count = ir::intLiteral(10000); // b
  EXPECT_EQ(launchesOf(large), 2U);
  const E held = variable("held", Scalar::I32, VarKind::Local, ir::intLiteral(64));
  EXPECT_EQ(
      launchesOf(kernels({leave(), oneGroup({lanes({let(held), set(held[0], parts[lane])})})})),
      2U);
}

TEST_F(FinishInLastGroup, NotOfThreadsOrWhereLaunchesCostNothing) {
  LoweredPlan threads = kernels({leave(), addUp(parts)});
  threads.target = traitsOf("openmp");
  EXPECT_EQ(launchesOf(threads), 2U);
  machine.costs.launchSeconds = machine.costs.memorySeconds;
  EXPECT_EQ(launchesOf(kernels({leave(), addUp(parts)})), 2U);
}

TEST_F(FinishInLastGroup, NotWhereLocalMemoryIsTooSmall) {
  LoweredPlan more = kernels({leave(), addUp(parts)}); // 4 KB for 1024 items, and twice as much
  more.buffers[3].count = (N * 2).e;
  EXPECT_EQ(launchesOf(more), 1U);
  machine.code.localBytes = 8192;
  EXPECT_EQ(launchesOf(more), 2U);
  machine.code.spareBytes = 8192; // all that is new
  EXPECT_EQ(launchesOf(more), 1U);
  machine.code = {};
  for (composer::Level &level : machine.levels) {
    for (composer::Memory &memory : level.memory) {
      if (memory.space == "local")
        memory.targetBytes["opencl"] = 8192; // less than code takes for granted elsewhere
    }
  }
  EXPECT_EQ(launchesOf(more), 2U);
}

TEST_F(FinishInLastGroup, NotOfManyWavesOfGroups) {
  LoweredPlan many = kernels({leave(), addUp(parts)});
  many.tunables[0].defaultValue =
      "8192"; // of 32 items: a wave and more, in less time than a launch
  EXPECT_EQ(launchesOf(many), 1U);
  many.tunables[1].defaultValue = "256"; // eight waves
  EXPECT_EQ(launchesOf(many), 1U);
  many.tunables[0].defaultValue = "32768"; // 32 of them
  EXPECT_EQ(launchesOf(many), 2U);
}

/// What an interpretation says, and the first byte of the result.
std::string reportsOf(const LoweredPlan &plan) {
  InterpreterCall call;
  for (const auto &v : plan.extents)
    call.sizes[v.get()] = 37;
  for (const Tunable &t : plan.tunables)
    call.sizes[t.var.get()] = t.kind == Tunable::Kind::Launch ? 5 : 4;
  std::vector<std::byte> bytes(37 * sizeof(std::int32_t));
  bytes[12] = std::byte{7};
  std::vector<std::byte> result(sizeof(std::int32_t));
  for (const Buffer &b : plan.buffers) {
    if (!b.access.empty())
      call.memory[b.var.get()] = b.var == plan.result ? result : bytes;
  }
  InterpreterOptions options;
  options.joins = InterpreterOptions::Joins::Explicit;
  options.kernels = true;
  std::string text;
  for (const Report &report : Interpreter(plan, options).run(call).reports)
    text += report.text() + "\n";
  return text + std::to_string(std::to_integer<int>(call.memory[plan.result.get()][0]));
}

TEST(FinishInLastGroupOfASum, NothingRacesAndTheVerifierAgrees) {
  const ir::Program program = sumProgram();
  const composer::Machine machine = projected("simple-gpu", "opencl");
  const ir::PlanPtr inner = compound(
      1, "sum", strideTiled,
      {mapped(1, "sum", distribute, compute(2, "sum", sequential)), compute(1, "sum", kog)});
  auto lowered = lower(program, "sum", twoKernels(inner), machine, "opencl");
  ASSERT_TRUE(std::holds_alternative<LoweredPlan>(lowered));
  std::string violations;
  const LoweredPlan plan =
      optimize(std::get<LoweredPlan>(lowered), {},
               [&](const std::string &pass, const LoweredPlan &each, Form form) {
                 for (const Violation &violation : verify(each, form))
                   violations += pass + ": " + violation.text() + "\n";
               });
  EXPECT_EQ(violations, "");
  EXPECT_TRUE(hasLastGroup(plan, plan.body));
  EXPECT_EQ(reportsOf(plan), "7");

  LoweredPlan unordered = plan;
  for (Buffer &b : unordered.buffers)
    b.countsGroups = false;
  EXPECT_NE(reportsOf(unordered).find("which nothing has written"), std::string::npos);
}

} // namespace
} // namespace tangram::codegen

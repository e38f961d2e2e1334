#include "codegen/passes/kernel/passes.h"

#include "algebra/simplify.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class UnrollAndJam : public ::testing::Test, protected Kernel4 {
protected:
  E acc = variable("acc", Scalar::I32);
  E i = variable("i");

  /// A kernel whose lanes are loops.
  LoweredPlan plan(std::vector<StmtPtr> body) const {
    LoweredPlan plan = Kernel4::plan(std::move(body));
    plan.target = traitsOf("openmp");
    return plan;
  }

  /// Each chain adds what `bound` elements of its part, `stride` apart, hold.
  StmtPtr summing(const E &bound, const E &stride) const {
    return chains(
        {let(acc, 0), upTo(i, bound, {addTo(acc, in[chain + i * stride])}), set(out[chain], acc)});
  }

  static std::vector<std::int64_t> outOf(const LoweredPlan &plan, const Kernel4 &kernel, int n,
                                         int chains, int lanes) {
    Interpreter machine;
    machine.set(kernel.p, 1);
    machine.set(kernel.N, lanes);
    machine.set(kernel.K, chains);
    machine.set(kernel.n, n);
    auto &in = machine.memory[kernel.in.var().get()];
    for (int k = 0; k < 400; ++k)
      in.push_back(k * k + 3);
    auto &out = machine.memory[kernel.out.var().get()];
    out.assign(64, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    return out;
  }

  void expectSame(const StmtPtr &piece, Role role) const {
    LoweredPlan before = plan({piece});
    LoweredPlan after = unrollAndJam(before, role);
    ASSERT_NE(groupText(after), groupText(before));
    for (int n = 0; n < 30; ++n) {
      for (int workers = 1; workers < 6; ++workers)
        EXPECT_EQ(outOf(after, *this, n, workers, workers),
                  outOf(before, *this, n, workers, workers))
            << n << " elements, " << workers << " workers" << groupText(after);
    }
  }
};

TEST_F(UnrollAndJam, ABoundThatFallsWithTheWorkerIsCommonAtTheLast) {
  LoweredPlan after =
      unrollAndJam(plan({summing((maxE(n, chain) - chain + K - 1) / K, K)}), Role::Unroll);
  EXPECT_EQ(groupText(after), R"(
parallel level 3 chain < K {
  int acc = 0;
}
index common = n / K;
for (index i = 0; i < common; i += 1) {
  parallel level 3 chain < K {
    acc += in[chain + i * K];
  }
}
parallel level 3 chain < K {
  for (index i = common; i < (max(n, chain) - chain + K - 1) / K; i += 1) {
    acc += in[chain + i * K];
  }
  out[chain] = acc;
}
)");
}

TEST_F(UnrollAndJam, ABoundThatIsTheSameForAllLeavesNothingOver) {
  EXPECT_EQ(groupText(unrollAndJam(plan({summing(n, 4)}), Role::Unroll)), R"(
parallel level 3 chain < K {
  int acc = 0;
}
for (index i = 0; i < n; i += 1) {
  parallel level 3 chain < K {
    acc += in[chain + i * 4];
  }
}
parallel level 3 chain < K {
  out[chain] = acc;
}
)");
}

TEST_F(UnrollAndJam, ABoundThatGrowsWithTheWorkerIsCommonAtTheFirst) {
  EXPECT_EQ(groupText(unrollAndJam(plan({summing(chain + n, 1)}), Role::Unroll)), R"(
parallel level 3 chain < K {
  int acc = 0;
}
index common = n;
for (index i = 0; i < common; i += 1) {
  parallel level 3 chain < K {
    acc += in[chain + i];
  }
}
parallel level 3 chain < K {
  for (index i = common; i < chain + n; i += 1) {
    acc += in[chain + i];
  }
  out[chain] = acc;
}
)");
}

TEST_F(UnrollAndJam, ABoundOfUnknownTrendIsLeftAlone) {
  for (const E &bound : {(chain * 3) % 5, in[chain], (n - chain) * (chain + 1), n / (chain + 1)}) {
    LoweredPlan before = plan({summing(bound, 1)});
    EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
  }
}

TEST_F(UnrollAndJam, ABoundThatAnEarlierPieceHasMadeForEachIsLeftAlone) {
  LoweredPlan before = plan({chains({let(acc, in[chain])}), summing(acc, 1)});
  EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
}

TEST_F(UnrollAndJam, AConstantKeepsTheValueOfAVariableThatTheLoopChanges) {
  E x = variable("x"), start = variable("start"), i = variable("i");
  LoweredPlan after =
      unrollAndJam(plan({chains({let(x, chain)}),
                         chains({let(start, x), upTo(i, n, {set(out[i], start), addTo(x, 1)})})}),
                   Role::Unroll);
  EXPECT_EQ(groupText(after), R"(
parallel level 3 chain < K {
  index x = chain;
}
parallel level 3 chain < K {
  index start = x;
}
for (index i = 0; i < n; i += 1) {
  parallel level 3 chain < K {
    out[i] = start;
    x += 1;
  }
}
)");
}

TEST_F(UnrollAndJam, WhatIsSummedStaysTheSame) {
  expectSame(summing((maxE(n, chain) - chain + K - 1) / K, K), Role::Unroll);
  expectSame(summing(chain + n, 1), Role::Unroll);
  expectSame(summing(n, 1), Role::Unroll);
  E tile = (n + K - 1) / K;
  expectSame(summing(maxE(minE(chain * tile + tile, n), chain * tile) - chain * tile, 1),
             Role::Unroll);
  expectSame(summing(minE(chain * 2, n), 1), Role::Unroll);
  expectSame(summing(maxE(n, chain * 2) - chain * 2, 1), Role::Unroll);
}

TEST_F(UnrollAndJam, ConstantsOfTheWorkerMoveToTheirUses) {
  E first = variable("first");
  E count = variable("count");
  StmtPtr piece =
      chains({let(first, chain * n), let(count, maxE(n, first) - first), let(acc, 0),
              upTo(i, count, {addTo(acc, in[first + i])}), set(out[chain], acc + first)});
  EXPECT_EQ(groupText(unrollAndJam(plan({piece}), Role::Unroll)), R"(
parallel level 3 chain < K {
  int acc = 0;
}
index common = max(n, (K - 1) * n) - (K - 1) * n;
for (index i = 0; i < common; i += 1) {
  parallel level 3 chain < K {
    acc += in[chain * n + i];
  }
}
parallel level 3 chain < K {
  for (index i = common; i < max(n, chain * n) - chain * n; i += 1) {
    acc += in[chain * n + i];
  }
  out[chain] = acc + chain * n;
}
)");
  expectSame(piece, Role::Unroll);
}

/// Written out, the last name would have 2^40 nodes.
TEST_F(UnrollAndJam, ConstantsThatStandForMoreThanAPersonWritesStayVariables) {
  std::vector<StmtPtr> body{let(acc, 0)};
  E last = chain;
  for (int names = 0; names < 40; ++names) {
    const E next = variable("next");
    body.push_back(ir::declare(next.var(), (last + last) % 7));
    last = next;
  }
  body.push_back(upTo(i, n, {addTo(acc, in[last + i])}));
  body.push_back(set(out[chain], acc));
  const StmtPtr piece = chains(std::move(body));
  expectSame(piece, Role::Unroll);
  EXPECT_NE(groupText(unrollAndJam(plan({piece}), Role::Unroll)).find("acc += in[next + i];"),
            std::string::npos);
}

TEST_F(UnrollAndJam, AVariableThatALaterPieceNamesStaysAVariable) {
  const E own = variable("own", Scalar::I32);
  const StmtPtr first =
      lanes({let(own, 7), let(acc, 0), upTo(i, n, {addTo(acc, in[i])}), set(out[lane], acc)});
  const StmtPtr second = lanes({addTo(own, 1), set(out[lane], own)});
  const std::string text = groupText(unrollAndJam(plan({first, second}), Role::Item));
  EXPECT_NE(text.find("int own = 7;"), std::string::npos) << text;
  EXPECT_EQ(groupText(unrollAndJam(plan({first}), Role::Item)).find("own"), std::string::npos);
}

TEST_F(UnrollAndJam, ItemsAreJammedOnlyWhereTheyAreLoops) {
  StmtPtr piece = lanes({let(acc, 0), upTo(i, maxE(n, lane) - lane, {addTo(acc, in[lane + i])}),
                         set(out[lane], acc)});
  LoweredPlan before = plan({piece});
  EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
  EXPECT_EQ(groupText(unrollAndJam(before, Role::Item)), R"(
parallel level 2 lane < N {
  int acc = 0;
}
index all_have = max(n, N - 1) - (N - 1);
for (index i = 0; i < all_have; i += 1) {
  parallel level 2 lane < N {
    acc += in[lane + i];
  }
}
parallel level 2 lane < N {
  for (index i = all_have; i < max(n, lane) - lane; i += 1) {
    acc += in[lane + i];
  }
  out[lane] = acc;
}
)");
  expectSame(piece, Role::Item);
}

TEST_F(UnrollAndJam, TheRemainingRoundsAskNotToBeUnrolled) {
  LoweredPlan after = unrollAndJam(plan({summing(maxE(n, chain) - chain, 1)}), Role::Unroll);
  std::vector<unsigned> unroll;
  ir::forEach(after.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For)
      unroll.push_back(s.unroll);
  });
  EXPECT_EQ(unroll, (std::vector<unsigned>{0, 1}));
}

TEST_F(UnrollAndJam, LoopsThatMayEndEarlyAreLeftAlone) {
  for (StmtKind way : {StmtKind::Break, StmtKind::Continue}) {
    LoweredPlan before =
        plan({chains({upTo(i, n, {when(in[i] < 3, {ir::jump(way)}), addTo(out[chain], in[i])})})});
    EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
  }
}

TEST_F(UnrollAndJam, LoopsThatStepOtherwiseAreLeftAlone) {
  StmtPtr byTwo =
      ir::forLoop(let(i, 0), (i < n).e, addTo(i, 2), ir::block({addTo(out[chain], in[i])}));
  StmtPtr fromOne =
      ir::forLoop(let(i, 1), (i < n).e, addTo(i, 1), ir::block({addTo(out[chain], in[i])}));
  StmtPtr stepsItself = upTo(i, n, {addTo(out[chain], in[i]), addTo(i, 1)});
  for (const StmtPtr &loop : {byTwo, fromOne, stepsItself}) {
    LoweredPlan before = plan({chains({loop})});
    EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
  }
}

TEST_F(UnrollAndJam, ElementsThatAreDealtOutAreTakenSideBySide) {
  StmtPtr loop = ir::forLoop(let(i, lane), (i < n).e, addTo(i, N), ir::block({addTo(acc, in[i])}));
  StmtPtr piece = lanes({let(acc, 0), loop, set(out[lane], acc)});
  EXPECT_EQ(groupText(unrollAndJam(plan({piece}), Role::Item)), R"(
parallel level 2 lane < N {
  int acc = 0;
}
index full_rounds = n / N;
for (index round = 0; round < full_rounds; round += 1) {
  parallel level 2 lane < N {
    acc += in[round * N + lane];
  }
}
if (full_rounds * N < n) {
  parallel level 2 lane < N {
    index i = full_rounds * N + lane;
    if (i < n) {
      acc += in[i];
    }
    out[lane] = acc;
  }
}
else {
  parallel level 2 lane < N {
    out[lane] = acc;
  }
}
)");
  expectSame(piece, Role::Item);
}

TEST_F(UnrollAndJam, WhatALaterPieceNamesIsDeclaredOnce) {
  E own = variable("own", Scalar::I32);
  const StmtPtr loop =
      ir::forLoop(let(i, lane), (i < n).e, addTo(i, N), ir::block({addTo(acc, in[i])}));
  const StmtPtr first = lanes({let(acc, 0), loop, let(own, acc)});
  const std::string text =
      groupText(unrollAndJam(plan({first, lanes({set(out[lane], own)})}), Role::Item));
  EXPECT_EQ(text.find("else"), std::string::npos);
  EXPECT_NE(text.find("}\n  int own = acc;\n}"), std::string::npos) << text;
}

TEST_F(UnrollAndJam, LanesWithChainsAreAsManyVectors) {
  E own = variable("own", Scalar::I32, VarKind::Local, K.e);
  E j = variable("j", Scalar::Index);
  StmtPtr piece = lanes({let(own), chains({set(own[chain], 0)}),
                         upTo(i, (maxE(n, lane) - lane) / K,
                              {chains({addTo(own[chain], in[(i * K + chain) * N + lane])})}),
                         let(acc, 0), upTo(j, K, {addTo(acc, own[j])}), set(out[lane], acc)});
  EXPECT_EQ(groupText(unrollAndJam(plan({piece}), Role::Item)), R"(
parallel level 2 lane < N {
  int own[K];
  parallel level 3 chain < K {
    own[chain] = 0;
  }
}
index all_have = (max(n, N - 1) - (N - 1)) / K;
for (index i = 0; i < all_have; i += 1) {
  parallel level 2 lane < N {
    parallel level 3 chain < K {
      own[chain] += in[(i * K + chain) * N + lane];
    }
  }
}
parallel level 2 lane < N {
  for (index i = all_have; i < (max(n, lane) - lane) / K; i += 1) {
    parallel level 3 chain < K {
      own[chain] += in[(i * K + chain) * N + lane];
    }
  }
  int acc = 0;
  for (index j = 0; j < K; j += 1) {
    acc += own[j];
  }
  out[lane] = acc;
}
)");
  expectSame(piece, Role::Item);
}

TEST_F(UnrollAndJam, LanesGoThroughAnInnerLoopAsAVector) {
  E k = variable("k", Scalar::Index);
  auto walking = [&](const E &position) {
    return lanes({upTo(
        i, (maxE(n, lane) - lane) / 2,
        {let(acc, 0), upTo(k, n, {addTo(acc, in[position] * in[k])}), addTo(out[lane], acc)})});
  };
  const StmtPtr piece = walking(lane + i + k);
  EXPECT_EQ(groupText(unrollAndJam(plan({piece}), Role::Item)), R"(
index all_have = (max(n, N - 1) - (N - 1)) / 2;
for (index i = 0; i < all_have; i += 1) {
  parallel level 2 lane < N {
    int acc = 0;
  }
  for (index k = 0; k < n; k += 1) {
    parallel level 2 lane < N {
      acc += in[lane + i + k] * in[k];
    }
  }
  parallel level 2 lane < N {
    out[lane] += acc;
  }
}
parallel level 2 lane < N {
  for (index i = all_have; i < (max(n, lane) - lane) / 2; i += 1) {
    int acc = 0;
    for (index k = 0; k < n; k += 1) {
      acc += in[lane + i + k] * in[k];
    }
    out[lane] += acc;
  }
}
)");
  expectSame(piece, Role::Item);
  // Each turn would gather.
  EXPECT_EQ(groupText(unrollAndJam(plan({walking(lane * 2 + k)}), Role::Item))
                .find("k += 1) {\n    parallel"),
            std::string::npos);
  expectSame(walking(lane * 2 + k), Role::Item);
}

TEST_F(UnrollAndJam, ElementsThatAreClampedAreNeighboursInside) {
  E k = variable("k", Scalar::Index);
  const auto walking = [&](const E &position) {
    return lanes(
        {upTo(i, n, {let(acc, 0), upTo(k, K, {addTo(acc, in[position])}), addTo(out[lane], acc)})});
  };
  const std::string asAVector = R"(
  for (index k = 0; k < K; k += 1) {
    parallel level 2 lane < N {
      acc += in[min(max(lane + i + k, 2) - 2, n - 1)];
    }
  }
)";
  const StmtPtr clamped = walking(minE(maxE(lane + i + k, 2) - 2, n - 1));
  EXPECT_NE(groupText(unrollAndJam(plan({clamped}), Role::Item)).find(asAVector),
            std::string::npos);
  expectSame(clamped, Role::Item);
  // Each turn would gather, inside too; and where both may be what is read.
  for (const E &position : {minE(lane * 2 + k, n - 1), minE(lane + k, lane * 2)}) {
    EXPECT_EQ(groupText(unrollAndJam(plan({walking(position)}), Role::Item))
                  .find("k += 1) {\n    parallel"),
              std::string::npos);
  }
}

TEST_F(UnrollAndJam, RoundsThatAreVectorsAreLeftAlone) {
  const E x = variable("x", Scalar::I32);
  auto copying = [&](const E &worker) {
    const E at = worker * n + i;
    return upTo(i, n, {let(x, in[at] + in[in[at]]), when(x < 3, {set(out[at], x + out[at])})});
  };
  const LoweredPlan ofLanes = plan({lanes({copying(lane)})});
  EXPECT_EQ(groupText(unrollAndJam(ofLanes, Role::Item)), groupText(ofLanes));
  const LoweredPlan ofChains = plan({chains({copying(chain)})});
  EXPECT_EQ(groupText(unrollAndJam(ofChains, Role::Unroll)), groupText(ofChains));
  LoweredPlan ofThreads = ofChains;
  ofThreads.target = traitsOf("opencl");
  EXPECT_NE(groupText(unrollAndJam(ofThreads, Role::Unroll)), groupText(ofChains));
}

TEST_F(UnrollAndJam, RoundsThatAreNoVectorsAreJammed) {
  const E at = lane * n + i;
  const E k = variable("k");
  const std::vector<StmtPtr> bodies{
      set(out[i * N + lane], in[at]),                     // lanes are neighbours
      set(out[at * 2], in[at * 2]),                       // nobody is
      set(out[at], out[at + 1]),                          // of the round that follows
      addTo(out[lane], in[at]),                           // summed up in an element
      upTo(k, n, {set(out[at], in[k])}),                  // rounds of its own
      ir::block({addTo(acc, in[at]), set(out[at], acc)}), // summed up in a variable
  };
  for (const StmtPtr &body : bodies) {
    const LoweredPlan before = plan({lanes({let(acc, 0), upTo(i, n, {body})})});
    EXPECT_NE(groupText(unrollAndJam(before, Role::Item)), groupText(before));
  }
}

TEST_F(UnrollAndJam, ALoopBesideChainsIsLeftAlone) {
  E own = variable("own", Scalar::I32, VarKind::Local, K.e);
  LoweredPlan before =
      plan({lanes({let(own), chains({set(own[chain], in[chain + lane])}), let(acc, 0),
                   upTo(i, K, {addTo(acc, own[i])}), set(out[lane], acc)})});
  EXPECT_EQ(groupText(unrollAndJam(before, Role::Item)), groupText(before));
}

TEST_F(UnrollAndJam, WorkersWithArraysOfTheirOwnAreLeftAlone) {
  E own = variable("own", Scalar::I32, VarKind::Local, ir::intLiteral(4));
  LoweredPlan before = plan({chains({let(own), upTo(i, n, {set(own[0], in[i])})})});
  EXPECT_EQ(groupText(unrollAndJam(before, Role::Unroll)), groupText(before));
}

} // namespace
} // namespace tangram::codegen

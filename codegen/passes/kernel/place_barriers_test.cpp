#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

#include <random>

namespace tangram::codegen {
namespace {

using namespace fixture;

class PlaceBarriers : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E j = variable("j");

  std::string placed(std::vector<StmtPtr> body) const {
    return groupText(placeBarriers(plan(std::move(body))));
  }
};

TEST_F(PlaceBarriers, BetweenAWriteAndAnotherItemsRead) {
  EXPECT_EQ(placed({lanes({set(a[lane], 1)}), lanes({set(out[lane], a[lane + 1])})}), R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
barrier level 1;
parallel level 2 lane < N {
  out[lane] = a[lane + 1];
}
)");
}

TEST_F(PlaceBarriers, OneThatStandsThereServes) {
  EXPECT_EQ(
      placed({lanes({set(a[lane], 1)}), ir::barrier(1), lanes({set(out[lane], a[lane + 1])})}),
      R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
barrier level 1;
parallel level 2 lane < N {
  out[lane] = a[lane + 1];
}
)");
}

TEST_F(PlaceBarriers, BetweenAReadAndAnotherItemsWrite) {
  EXPECT_EQ(placed({lanes({set(out[lane], a[lane + 1])}), lanes({set(a[lane], 1)})}), R"(
parallel level 2 lane < N {
  out[lane] = a[lane + 1];
}
barrier level 1;
parallel level 2 lane < N {
  a[lane] = 1;
}
)");
}

TEST_F(PlaceBarriers, NoneWhereEachItemReadsWhatItWrote) {
  EXPECT_EQ(
      countBarriers(placeBarriers(plan({lanes({set(a[lane], 1)}), lanes({set(b[lane], a[lane])}),
                                        lanes({set(out[lane], b[lane])})}))),
      0U);
}

TEST_F(PlaceBarriers, OneServesSeveralBuffers) {
  EXPECT_EQ(placed({lanes({set(a[lane], 1)}), lanes({set(b[lane], 2)}),
                    lanes({set(out[lane], a[0] + b[1])})}),
            R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
parallel level 2 lane < N {
  b[lane] = 2;
}
barrier level 1;
parallel level 2 lane < N {
  out[lane] = a[0] + b[1];
}
)");
}

// Tiles of K elements: each item reads the last one of its own.
TEST_F(PlaceBarriers, NoneWhereEachItemReadsFromTheTileItWrote) {
  auto tiles = [&](const E &read) {
    E start = variable("start");
    return countBarriers(placeBarriers(
        plan({lanes({let(start, lane * K), upTo(i, minE(K, n), {set(out[start + i], 1)})}),
              lanes({set(b[lane], out[read])})})));
  };
  EXPECT_EQ(tiles(lane * K + K - 1), 0U);
  EXPECT_EQ(tiles(lane * K + K), 1U);
  EXPECT_EQ(tiles(K - 1), 1U);
}

TEST_F(PlaceBarriers, NoneWhereEachItemReadsWhatItWroteInStrides) {
  auto strides = [&](const E &read) {
    return countBarriers(placeBarriers(plan({lanes({upTo(i, n, {set(out[lane + i * N], 1)})}),
                                             lanes({upTo(j, n, {set(b[lane], out[read])})})})));
  };
  EXPECT_EQ(strides(lane + j * N), 0U);
  EXPECT_EQ(strides(lane + j * N + 1), 1U);
  EXPECT_EQ(strides(lane + j * (N + 1)), 1U);
}

// An empty tile has no last element: the one before it is another item's.
TEST_F(PlaceBarriers, AConditionSaysWhetherThereIsALastElement) {
  auto last = [&](const E &condition) {
    return countBarriers(
        placeBarriers(plan({lanes({upTo(i, K, {set(out[lane * K + i], 1)})}),
                            lanes({when(condition, {set(b[lane], out[lane * K + n - 1])})})})));
  };
  EXPECT_EQ(last(ir::binary("&&", (E(0) < n).e, (n <= K).e)), 0U);
  EXPECT_EQ(last(n <= K), 1U);
  EXPECT_EQ(last(E(0) < n), 1U);
}

// What is read from memory may be another number the next time.
TEST_F(PlaceBarriers, SubscriptsThatAreReadFromMemorySayNothing) {
  EXPECT_EQ(countBarriers(placeBarriers(plan(
                {lanes({set(out[lane + in[0]], 1)}), lanes({set(b[lane], out[lane + in[0]])})}))),
            1U);
}

// The producer's and the consumer's loops both run in all items; the next round of the
// outer one must not overwrite what a slow item still reads.
TEST_F(PlaceBarriers, AWriteAfterAReadOverTheBackEdgeOfALoop) {
  EXPECT_EQ(
      placed({upTo(i, n, {lanes({set(a[lane], in[i + lane])}), lanes({addTo(out[lane], a[0])})})}),
      R"(
for (index i = 0; i < n; i += 1) {
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = in[i + lane];
  }
  barrier level 1;
  parallel level 2 lane < N {
    out[lane] += a[0];
  }
}
)");
}

TEST_F(PlaceBarriers, LoopsOverTheSameItemsNeedNoneBetween) {
  EXPECT_EQ(countBarriers(placeBarriers(plan({upTo(i, n, {lanes({set(a[lane], in[i])})}),
                                              upTo(j, n, {lanes({addTo(out[lane], a[lane])})})}))),
            0U);
}

TEST_F(PlaceBarriers, OneBetweenTheNestsNotInsideTheFirst) {
  EXPECT_EQ(placed({upTo(i, n, {lanes({set(a[lane], in[i])})}),
                    lanes({upTo(j, N, {addTo(out[lane], a[j])})})}),
            R"(
for (index i = 0; i < n; i += 1) {
  parallel level 2 lane < N {
    a[lane] = in[i];
  }
}
barrier level 1;
parallel level 2 lane < N {
  for (index j = 0; j < N; j += 1) {
    out[lane] += a[j];
  }
}
)");
}

// Not one in each round.
TEST_F(PlaceBarriers, OneBeforeALoopThatNeedsNoneForItself) {
  EXPECT_EQ(placed({lanes({set(a[lane], 1)}), upTo(i, n, {lanes({addTo(out[lane], a[i])})})}), R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
barrier level 1;
for (index i = 0; i < n; i += 1) {
  parallel level 2 lane < N {
    out[lane] += a[i];
  }
}
)");
}

// Rounds of a loop of all items are numbers with bounds, in each of two that are compared.
TEST_F(PlaceBarriers, ItemsThatWriteRowsOfTheirOwnRoundByRoundMeetBeforeTheLoop) {
  EXPECT_EQ(placed({lanes({set(out[lane], a[lane + 1])}),
                    upTo(i, 4, {lanes({set(a[lane * 4 + i], 1)})})}),
            R"(
parallel level 2 lane < N {
  out[lane] = a[lane + 1];
}
barrier level 1;
for (index i = 0; i < 4; i += 1) {
  parallel level 2 lane < N {
    a[lane * 4 + i] = 1;
  }
}
)");
  EXPECT_EQ(countBarriers(placeBarriers(plan({upTo(i, 5, {lanes({set(a[lane * 4 + i], 1)})})}))),
            1U);
}

TEST_F(PlaceBarriers, NoneBeforeALoopThatStartsWithOne) {
  EXPECT_EQ(placed({lanes({set(a[lane], 1)}),
                    upTo(i, n, {lanes({set(out[lane], a[i])}), lanes({set(a[lane], 2)})})}),
            R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
for (index i = 0; i < n; i += 1) {
  barrier level 1;
  parallel level 2 lane < N {
    out[lane] = a[i];
  }
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = 2;
  }
}
)");
}

TEST_F(PlaceBarriers, AConditionThatAllItemsReadMeetsThoseWhoWriteIt) {
  EXPECT_EQ(placed({firstLane({set(a[0], 3)}),
                    ir::whileLoop((E(0) < a[0]).e, ir::block({firstLane({set(a[0], a[0] - 1)})}))}),
            R"(
parallel level 2 < 1 {
  a[0] = 3;
}
barrier level 1;
while (0 < a[0]) {
  barrier level 1;
  parallel level 2 < 1 {
    a[0] = a[0] - 1;
  }
  barrier level 1;
}
)");
}

TEST_F(PlaceBarriers, BothBranchesOfAUniformIfCount) {
  EXPECT_EQ(placed({lanes({set(a[lane], 1)}),
                    when(n < 3, {lanes({set(out[lane], a[0])})}, {lanes({set(b[lane], 2)})}),
                    lanes({set(a[lane], b[1])})}),
            R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
if (n < 3) {
  barrier level 1;
  parallel level 2 lane < N {
    out[lane] = a[0];
  }
}
else {
  parallel level 2 lane < N {
    b[lane] = 2;
  }
}
barrier level 1;
parallel level 2 lane < N {
  a[lane] = b[1];
}
)");
}

TEST_F(PlaceBarriers, ABranchThatIsNotTakenClearsNothing) {
  LoweredPlan kernel =
      placeBarriers(plan({lanes({set(a[lane], 1)}), when(n < 3, {lanes({set(out[lane], a[0])})}),
                          lanes({set(b[lane], a[0])})}));
  EXPECT_EQ(countBarriers(kernel), 2U);
}

TEST_F(PlaceBarriers, ALoopThatMayNotRunClearsNothing) {
  LoweredPlan kernel =
      placeBarriers(plan({lanes({set(b[lane], 1)}),
                          upTo(i, n, {lanes({set(a[lane], 1)}), lanes({addTo(out[lane], a[0])})}),
                          lanes({set(in[lane], b[0])})}));
  // Two in the loop, for its own rounds.
  EXPECT_EQ(countBarriers(kernel), 3U);
}

TEST_F(PlaceBarriers, WhatIsPendingWhereALoopIsLeftIsPendingBehindIt) {
  E i = variable("i");
  EXPECT_EQ(placed({upTo(i, n,
                         {lanes({set(a[lane], in[lane])}), when(i < p, {ir::jump(StmtKind::Break)}),
                          lanes({set(out[lane], a[lane + 1])})}),
                    lanes({set(b[lane], a[lane + 1])})}),
            R"(
for (index i = 0; i < n; i += 1) {
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = in[lane];
  }
  if (i < p) {
    break;
  }
  barrier level 1;
  parallel level 2 lane < N {
    out[lane] = a[lane + 1];
  }
}
barrier level 1;
parallel level 2 lane < N {
  b[lane] = a[lane + 1];
}
)");
}

TEST_F(PlaceBarriers, ARoundThatIsCutShortMeetsTheNextOne) {
  E i = variable("i");
  EXPECT_EQ(placed({upTo(i, n,
                         {lanes({set(b[lane], a[lane + 1])}), lanes({set(a[lane], in[lane])}),
                          when(i < p, {ir::jump(StmtKind::Continue)}), ir::barrier(1)})}),
            R"(
for (index i = 0; i < n; i += 1) {
  barrier level 1;
  parallel level 2 lane < N {
    b[lane] = a[lane + 1];
  }
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = in[lane];
  }
  if (i < p) {
    continue;
  }
  barrier level 1;
}
)");
}

TEST_F(PlaceBarriers, AConditionThatIsReadAgainWhereARoundIsCutShort) {
  E i = variable("i");
  StmtPtr loop = ir::whileLoop((a[0] < n).e, ir::block({lanes({set(a[lane], in[lane])}),
                                                        when(i < p, {ir::jump(StmtKind::Continue)}),
                                                        lanes({set(out[lane], 1)})}));
  EXPECT_EQ(placed({loop}), R"(
while (a[0] < n) {
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = in[lane];
  }
  if (i < p) {
    barrier level 1;
    continue;
  }
  parallel level 2 lane < N {
    out[lane] = 1;
  }
  barrier level 1;
}
)");
}

TEST_F(PlaceBarriers, NeverInsideAPiece) {
  E x = variable("x");
  LoweredPlan kernel = placeBarriers(plan(
      {lanes({set(a[lane], 1)}),
       lanes({when(lane < n, {set(out[lane], a[0])}, {upTo(i, lane, {addTo(out[lane], a[i])})}),
              let(x, a[1])}),
       lanes({when(lane < 3, {set(a[lane], 2)})})}));
  EXPECT_EQ(countBarriers(kernel), 2U);
  ir::forEach(kernel.body, [](const Stmt &s) {
    if (s.kind != StmtKind::Parallel || s.level != 2)
      return;
    ir::forEach(s.children[0], [](const Stmt &inner) { EXPECT_NE(inner.kind, StmtKind::Barrier); });
  });
}

TEST_F(PlaceBarriers, GroupsDoNotMeet) {
  LoweredPlan kernel = plan({lanes({set(a[lane], 1)})});
  kernel.body = ir::block(
      {kernel.body->children[0], ir::parallel(1, ir::Span::All, group.var(), p.e,
                                              ir::block({lanes({set(out[lane], a[0])})}))});
  EXPECT_EQ(countBarriers(placeBarriers(kernel)), 0U);
}

/// Groups that take turns: n elements of a map for however many groups are started.
class Turns : public PlaceBarriers {
protected:
  unsigned barriersOf(std::vector<StmtPtr> body) const {
    LoweredPlan kernel = plan({});
    kernel.body = ir::block(
        {ir::parallel(1, ir::Span::Turns, group.var(), (n + 1).e, ir::block(std::move(body)))});
    return countBarriers(placeBarriers(kernel));
  }
};

TEST_F(Turns, ConflictThroughTheMemoryOfTheGroup) {
  EXPECT_EQ(barriersOf({lanes({set(a[lane], 1)}), lanes({set(out[group], a[lane + 1])})}), 2U);
}

// Numbers alone stand before the first barrier of a turn, which begins it then. What is read of memory stays.
TEST_F(Turns, BeginWithTheirBarrier) {
  auto firstOf = [&](const E &value) {
    const E x = variable("x", Scalar::I32);
    LoweredPlan kernel = plan({});
    kernel.body = ir::block({ir::parallel(1, ir::Span::Turns, group.var(), (n + 1).e,
                                          ir::block({let(x, value), lanes({set(a[lane], x)}),
                                                     lanes({set(out[group], a[lane + 1])})}))});
    return placeBarriers(kernel).body->children[0]->children[0]->children[0]->kind;
  };
  EXPECT_EQ(firstOf(n - group), StmtKind::Barrier);
  EXPECT_EQ(firstOf(in[group]), StmtKind::Decl);
}

// What is another turn's may be another group's at the same time.
TEST_F(Turns, DoNotConflictThroughTheMemoryOfAll) {
  EXPECT_EQ(barriersOf({lanes({set(out[group * N + lane], in[group + lane])})}), 0U);
  EXPECT_EQ(barriersOf({lanes({set(out[group], 1)}), lanes({set(b[lane], out[group])})}), 1U);
}

/// Whether two items touch one element, one of them writing, without meeting in between.
bool races(const LoweredPlan &kernel, const Kernel4 &k) {
  std::map<std::pair<const Var *, std::int64_t>, std::vector<std::pair<std::int64_t, bool>>>
      touched;
  bool race = false;
  Interpreter machine;
  machine.onAccess = [&](const Var *v, std::int64_t at, bool write, std::int64_t item) {
    auto &all = touched[{v, at}];
    for (auto [other, wrote] : all)
      race |= (write || wrote) && (other != item || item == -1);
    all.emplace_back(item, write);
  };
  machine.onBarrier = [&] { touched.clear(); };
  machine.set(k.p, 1);
  machine.set(k.N, 4);
  machine.set(k.n, 2);
  for (const E &buffer : {k.a, k.b})
    machine.memory[buffer.var().get()].assign(4, 1);
  machine.run(kernel.body);
  EXPECT_FALSE(machine.wrong);
  return race;
}

class RandomKernels : public PlaceBarriers {
protected:
  std::mt19937 random{7};
  unsigned pick(unsigned n) { return static_cast<unsigned>(random() % n); }

  StmtPtr piece() {
    const E &to = pick(2) == 0 ? a : b;
    const E &from = pick(2) == 0 ? a : b;
    switch (pick(4)) {
    case 0:
      return firstLane({set(to[2], 5)});
    case 1:
      return lanes({set(to[lane], lane)});
    case 2:
      return lanes({set(variable("x"), from[lane])});
    default:
      return lanes({set(variable("x"), from[(lane + 1) % N])});
    }
  }

  std::vector<StmtPtr> body(int depth) {
    std::vector<StmtPtr> statements;
    for (unsigned k = 0, count = 1 + pick(4); k < count; ++k) {
      unsigned what = depth == 0 ? 0 : pick(5);
      if (what == 3)
        statements.push_back(upTo(variable("i"), n, body(depth - 1)));
      else if (what == 4)
        statements.push_back(when(a[2] < 5, body(depth - 1), body(depth - 1)));
      else
        statements.push_back(piece());
    }
    return statements;
  }
};

TEST_F(RandomKernels, NeverRace) {
  int racedBefore = 0;
  for (int round = 0; round < 500; ++round) {
    LoweredPlan kernel = plan(body(3));
    racedBefore += races(kernel, *this) ? 1 : 0;
    LoweredPlan placed = placeBarriers(kernel);
    ASSERT_FALSE(races(placed, *this)) << groupText(placed);
  }
  EXPECT_GT(racedBefore, 250);
}

TEST_F(RandomKernels, InStraightCodeEveryBarrierIsNeeded) {
  for (int round = 0; round < 300; ++round) {
    LoweredPlan placed = placeBarriers(plan(body(0)));
    std::vector<StmtPtr> group = placed.body->children[0]->children[0]->children;
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (group[k]->kind != StmtKind::Barrier)
        continue;
      std::vector<StmtPtr> without = group;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
      ASSERT_TRUE(races(plan(without), *this)) << groupText(placed) << "barrier " << k;
    }
  }
}

} // namespace
} // namespace tangram::codegen

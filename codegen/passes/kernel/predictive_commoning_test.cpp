#include "codegen/passes/kernel/passes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

#include <algorithm>
#include <map>

namespace tangram::codegen {
namespace {

using namespace fixture;

class CommonLoads : public ::testing::Test, protected Kernel4 {
protected:
  composer::Machine machine;
  E i = variable("i");
  E j = variable("j");
  E m = variable("m", Scalar::Index, VarKind::Param);
  E s = variable("s", Scalar::Index, VarKind::Param);
  E x = variable("x", Scalar::I32);

  LoweredPlan kernel(const StmtPtr &piece) const {
    LoweredPlan made = plan({lanes({piece})});
    made.tunables[2].defaultValue = "4";
    made.machine = &machine;
    return made;
  }
  std::string text(const StmtPtr &s) const { return groupText(commonLoads(kernel(s), 2)); }
  void expectLeftAlone(const StmtPtr &s) const {
    const LoweredPlan before = kernel(s);
    EXPECT_EQ(groupText(commonLoads(before, 2)), groupText(before));
  }
  /// Of an item that goes down column `lane` of rows of m.
  E row(const E &number) const { return number * m + lane; }
  StmtPtr rounds(std::vector<StmtPtr> body) const { return upTo(i, n, std::move(body)); }
  StmtPtr threePoints() const {
    return rounds({set(out[row(i)], in[row(i)] + in[row(i + 1)] + in[row(i + 2)])});
  }
  StmtPtr crosses() const { // of K columns, neighbours in rows and columns
    const auto at = [&](const E &plane, const E &column) {
      return in[plane * (m * s) + (column * s + lane)];
    };
    return rounds({upTo(
        j, K,
        {set(out[i * (m * s) + (j * s + lane)], at(i, j + 1) + at(i + 1, j) + at(i + 1, j + 1) +
                                                    at(i + 1, j + 2) + at(i + 2, j + 1))})});
  }

  /// What the arrays hold after the kernel was run for these numbers; `reads` gets how many elements of `in` it read.
  std::vector<std::int64_t> ran(const LoweredPlan &plan, int rows, int chains, int &reads) const {
    constexpr int items = 3, columns = 9;
    Interpreter run;
    run.set(p, 1);
    run.set(N, items);
    run.set(K, chains);
    run.set(n, rows);
    run.set(m, columns);
    run.set(s, items);
    std::vector<std::int64_t> &elements = run.memory[in.var().get()];
    // As many as the kernels read at most: one more would be behind the end.
    elements.resize(static_cast<std::size_t>(std::max(1, (rows + 2) * columns * items)));
    for (std::size_t e = 0; e < elements.size(); ++e)
      elements[e] = static_cast<std::int64_t>(e * e % 101);
    run.memory[out.var().get()].resize(elements.size());
    run.memory[a.var().get()].resize(elements.size());
    run.onAccess = [&](const Var *array, std::int64_t, bool write, std::int64_t) {
      reads += array == in.var().get() && !write ? 1 : 0;
    };
    run.run(plan.body);
    EXPECT_FALSE(run.wrong);
    return run.memory[out.var().get()];
  }
  /// The same results with no more loads.
  void expectSame(const StmtPtr &s) const {
    const LoweredPlan before = kernel(s), after = commonLoads(before, 2);
    EXPECT_NE(groupText(before), groupText(after));
    for (int rows = 0; rows < 8; ++rows) {
      for (int chains = 1; chains < 6; ++chains) {
        int readsBefore = 0, readsAfter = 0;
        EXPECT_EQ(ran(before, rows, chains, readsBefore), ran(after, rows, chains, readsAfter))
            << rows << " rows, " << chains << " chains";
        EXPECT_LE(readsAfter, readsBefore) << rows << " rows, " << chains << " chains";
      }
    }
  }
};

TEST_F(CommonLoads, OfThreeRowsOneIsRead) {
  EXPECT_EQ(text(threePoints()), R"(
parallel level 2 lane < N {
  if (0 < n) {
    int in_0 = in[lane];
    int in_1 = in[m + lane];
    for (index i = 0; i < n; i += 1) {
      int in_2 = in[(i + 2) * m + lane];
      out[i * m + lane] = in_0 + in_1 + in_2;
      in_0 = in_1;
      in_1 = in_2;
    }
  }
}
)");
  expectSame(threePoints());
}

TEST_F(CommonLoads, RowsOfAnInnerLoopAreArrays) {
  EXPECT_EQ(text(crosses()), R"(
parallel level 2 lane < N {
  if (0 < n) {
    int in_0[K];
    for (index c = 0; c < K; c += 1)
      in_0[c] = in[(c + 1) * s + lane];
    int in_1[K + 2];
    for (index c = 0; c < K; c += 1)
      in_1[c + 1] = in[m * s + ((c + 1) * s + lane)];
    for (index i = 0; i < n; i += 1) {
      in_1[0] = in[(i + 1) * (m * s) + lane];
      in_1[K + 1] = in[(i + 1) * (m * s) + ((K + 1) * s + lane)];
      int in_2[K];
      for (index c = 0; c < K; c += 1)
        in_2[c] = in[(i + 2) * (m * s) + ((c + 1) * s + lane)];
      for (index j = 0; j < K; j += 1) {
        out[i * (m * s) + (j * s + lane)] = in_0[j] + in_1[j] + in_1[j + 1] + in_1[j + 2] + in_2[j];
      }
      for (index c = 0; c < K; c += 1)
        in_0[c] = in_1[c + 1];
      for (index c = 0; c < K; c += 1)
        in_1[c + 1] = in_2[c];
    }
  }
}
)");
  expectSame(crosses());
}

TEST_F(CommonLoads, LoopsOverRowsAreUnrolled) {
  int unrolled = 0;
  ir::forEach(commonLoads(kernel(crosses()), 2).body,
              [&](const Stmt &each) { unrolled += each.unroll == 64; });
  EXPECT_EQ(unrolled, 6);
}

TEST_F(CommonLoads, ThreePlanesAreLeftToCachesAndFourAreNot) {
  const LoweredPlan three = kernel(crosses());
  EXPECT_EQ(groupText(commonLoads(three)), groupText(three));
  const auto at = [&](const E &plane) { return in[plane * (m * s) + (j * s + lane)]; };
  const LoweredPlan four =
      kernel(rounds({upTo(j, K, {set(out[row(j)], at(i) + at(i + 1) + at(i + 2) + at(i + 3))})}));
  EXPECT_NE(groupText(commonLoads(four)), groupText(four));
}

TEST_F(CommonLoads, ARoundNeedsNoGuardWhereThereIsOne) {
  const StmtPtr loop =
      upTo(i, K, {upTo(j, K, {set(out[row(i) + j], in[row(i) + j] + in[row(i + 1) + j])})});
  EXPECT_EQ(text(loop), R"(
parallel level 2 lane < N {
  int in_0[K];
  for (index c = 0; c < K; c += 1)
    in_0[c] = in[lane + c];
  for (index i = 0; i < K; i += 1) {
    int in_1[K];
    for (index c = 0; c < K; c += 1)
      in_1[c] = in[(i + 1) * m + lane + c];
    for (index j = 0; j < K; j += 1) {
      out[i * m + lane + j] = in_0[j] + in_1[j];
    }
    for (index c = 0; c < K; c += 1)
      in_0[c] = in_1[c];
  }
}
)");
}

TEST_F(CommonLoads, NotSingleElementsOfAsManyRoundsAsAreKnownAtMost) {
  const auto loop = [&](const E &bound) {
    return upTo(i, bound, {set(out[row(i)], in[row(i)] + in[row(i + 1)])});
  };
  const E length = variable("length");
  expectLeftAlone(loop(K));
  expectLeftAlone(loop(minE(n, K)));
  expectLeftAlone(ir::block({let(length, minE(K, n)), loop(length)}));
  expectLeftAlone(ir::block({let(length, minE(K + 2, n)), loop(maxE(length, 2) - 2)}));
  EXPECT_NE(text(loop(maxE(K, n))), groupText(kernel(loop(maxE(K, n)))));
}

TEST_F(CommonLoads, ARowBetweenTwoThatAreRead) {
  const StmtPtr loop = rounds({set(out[row(i)], in[row(i)] + in[row(i + 2)])});
  EXPECT_EQ(text(loop), R"(
parallel level 2 lane < N {
  if (0 < n) {
    int in_0 = in[lane];
    int in_1 = in[m + lane];
    for (index i = 0; i < n; i += 1) {
      int in_2 = in[(i + 2) * m + lane];
      out[i * m + lane] = in_0 + in_2;
      in_0 = in_1;
      in_1 = in_2;
    }
  }
}
)");
  const LoweredPlan before = kernel(loop), after = commonLoads(before, 2);
  int reads = 0;
  EXPECT_EQ(ran(before, 5, 1, reads), ran(after, 5, 1, reads));
}

TEST_F(CommonLoads, ByTheStepOfTheLoop) {
  const auto loop = [&](const E &further) {
    return ir::forLoop(let(i, lane), (i < n).e, addTo(i, N),
                       ir::block({set(out[i], in[i] + in[i + further])}));
  };
  EXPECT_EQ(text(loop(N)), R"(
parallel level 2 lane < N {
  if (lane < n) {
    int in_0 = in[lane];
    for (index i = lane; i < n; i += N) {
      int in_1 = in[i + N];
      out[i] = in_0 + in_1;
      in_0 = in_1;
    }
  }
}
)");
  expectSame(loop(N));
  expectLeftAlone(loop(1)); // another lane's
}

TEST_F(CommonLoads, NotTheOtherElementOfAPair) {
  expectLeftAlone(rounds({set(out[row(i)], in[i * 2] + in[i * 2 + 1])}));
}

TEST_F(CommonLoads, AConditionThatStaysGoesWithIt) {
  const auto chosen = [&](const E &condition) {
    const auto read = [&](const E &number) {
      return E(ir::select(condition, in[row(number)], ir::intLiteral(0, Scalar::I32)));
    };
    return rounds({set(out[row(i)], read(i) + read(i + 1))});
  };
  EXPECT_EQ(text(chosen(lane < s)), R"(
parallel level 2 lane < N {
  if (0 < n) {
    int in_0 = lane < s ? in[lane] : 0;
    for (index i = 0; i < n; i += 1) {
      int in_1 = lane < s ? in[(i + 1) * m + lane] : 0;
      out[i * m + lane] = (lane < s ? in_0 : 0) + (lane < s ? in_1 : 0);
      in_0 = in_1;
    }
  }
}
)");
  expectSame(chosen(lane < s - 1));
  expectLeftAlone(chosen(i < s));
  expectLeftAlone(rounds({when(i < s, {set(out[row(i)], in[row(i)] + in[row(i + 1)])})}));
}

TEST_F(CommonLoads, NotWhereBranchesReadDifferently) {
  expectLeftAlone(
      rounds({when(lane < s, {set(out[row(i)], in[row(i)])}, {set(out[row(i)], in[row(i + 1)])})}));
}

TEST_F(CommonLoads, NamesOfIndexesAreSeenThrough) {
  const E at = variable("at");
  EXPECT_EQ(text(rounds({let(at, i + s), set(out[row(at)], in[row(at)] + in[row(at + 1)])})), R"(
parallel level 2 lane < N {
  if (0 < n) {
    int in_0 = in[s * m + lane];
    for (index i = 0; i < n; i += 1) {
      int in_1 = in[(i + s + 1) * m + lane];
      index at = i + s;
      out[at * m + lane] = in_0 + in_1;
      in_0 = in_1;
    }
  }
}
)");
}

TEST_F(CommonLoads, NotWhatTheKernelWrites) {
  expectLeftAlone(rounds({set(in[row(i + 2)], in[row(i)] + in[row(i + 1)])}));
  // Nor another piece of it, which other groups may be at.
  LoweredPlan before = kernel(threePoints());
  before.body = ir::rewrite(before.body, [&](const StmtPtr &each) -> StmtPtr {
    return each->kind == StmtKind::Parallel && each->level == 2
               ? ir::block({each, lanes({set(in[lane], 0)})})
               : each;
  });
  EXPECT_EQ(groupText(commonLoads(before, 2)), groupText(before));
  // Nor by atomic operations.
  expectLeftAlone(rounds({ir::eval(atomicAt("add", in[i], {ir::intLiteral(1, Scalar::I32)})),
                          set(out[row(i)], in[row(i)] + in[row(i + 1)])}));
}

TEST_F(CommonLoads, AGroupsOwnMemoryWithinAPiece) {
  const StmtPtr reads = rounds({set(out[row(i)], a[row(i)] + a[row(i + 1)])});
  LoweredPlan apart = kernel(reads);
  apart.body = ir::rewrite(apart.body, [&](const StmtPtr &each) -> StmtPtr {
    return each->kind == StmtKind::Parallel && each->level == 2
               ? ir::block({lanes({set(a[lane], 0)}), each})
               : each;
  });
  EXPECT_NE(groupText(commonLoads(apart, 2)), groupText(apart));
  expectLeftAlone(ir::block({set(a[lane], 0), reads}));
}

TEST_F(CommonLoads, NotWhereARoundMayBeTheLast) {
  expectLeftAlone(
      rounds({set(x, in[row(i)] + in[row(i + 1)]), when(x < 1, {ir::jump(StmtKind::Break)})}));
}

TEST_F(CommonLoads, NotMoreThanRegistersAreFree) {
  machine.code.spareBytes = 11;
  expectLeftAlone(threePoints());
  machine.code.spareBytes = 12;
  EXPECT_NE(text(threePoints()), groupText(kernel(threePoints())));
}

TEST_F(CommonLoads, NotInALoopOfTheGroup) {
  LoweredPlan before = plan({upTo(i, n, {lanes({set(out[row(i)], in[row(i)] + in[row(i + 1)])})})});
  before.machine = &machine;
  EXPECT_EQ(groupText(commonLoads(before, 2)), groupText(before));
}

} // namespace
} // namespace tangram::codegen

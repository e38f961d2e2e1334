#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class FullTiles : public ::testing::Test, protected Kernel4 {
protected:
  /// Tiles are of K elements, of 4 by default.
  LoweredPlan plan(std::vector<StmtPtr> body) const {
    LoweredPlan plan = Kernel4::plan(std::move(body));
    plan.tunables[2].defaultValue = "4";
    return plan;
  }

  E j = variable("j");
  E rows = variable("rows");
  E first = variable("first");
  E inside = variable("inside", Scalar::Bool);

  /// rows = min(K, n - min(first, n)), where K is a tunable.
  StmtPtr clipped() const { return let(rows, minE(K, n - minE(first, n))); }
  StmtPtr copies() const { return upTo(j, rows, {set(out[first + j], in[first + j])}); }

  void expectLeftAlone(const std::vector<StmtPtr> &body) const {
    EXPECT_EQ(groupText(fullTiles(plan(body))), groupText(plan(body)));
  }
};

TEST_F(FullTiles, ExtentsAreNumbersInThem) {
  const std::vector<StmtPtr> body{let(first, group * K), clipped(), lanes({copies()})};
  EXPECT_EQ(groupText(fullTiles(plan(body))), R"(
index first = group * K;
index rows = min(K, n - min(first, n));
bool full = rows == K;
parallel level 2 lane < N {
  if (full) {
    for (index j = 0; j < K; j += 1) {
      out[first + j] = in[first + j];
    }
  }
  else {
    for (index j = 0; j < rows; j += 1) {
      out[first + j] = in[first + j];
    }
  }
}
)");
}

TEST_F(FullTiles, OfAChoiceThatWasMadeTheFirstBranchIsMadeForThem) {
  const std::vector<StmtPtr> body{
      let(first, group * K), clipped(), let(inside, E(1) <= first),
      lanes({ir::ifThen(inside.e, ir::block({copies()}), ir::block({set(out[first], rows)}))})};
  EXPECT_EQ(groupText(fullTiles(plan(body))), R"(
index first = group * K;
index rows = min(K, n - min(first, n));
bool inside = 1 <= first;
bool full = rows == K;
parallel level 2 lane < N {
  if (inside && full) {
    for (index j = 0; j < K; j += 1) {
      out[first + j] = in[first + j];
    }
  }
  else {
    if (inside) {
      for (index j = 0; j < rows; j += 1) {
        out[first + j] = in[first + j];
      }
    }
    else {
      out[first] = rows;
    }
  }
}
)");
}

TEST_F(FullTiles, InsideTheEndTheyNeedNoQuestion) {
  const auto text = [&](const E &isInside) {
    return groupText(fullTiles(plan({let(first, group * K), clipped(), let(inside, isInside),
                                     lanes({ir::ifThen(inside.e, ir::block({copies()}),
                                                       ir::block({set(out[first], rows)}))})})));
  };
  EXPECT_EQ(text(first + maxE(rows, 1) < n), R"(
index first = group * K;
index rows = min(K, n - min(first, n));
bool inside = first + max(rows, 1) < n;
parallel level 2 lane < N {
  if (inside) {
    for (index j = 0; j < K; j += 1) {
      out[first + j] = in[first + j];
    }
  }
  else {
    out[first] = rows;
  }
}
)");
  EXPECT_NE(text(first + rows < n + 1).find("full"), std::string::npos); // to the end
  EXPECT_NE(text(first + 3 < n).find("full"), std::string::npos);
}

TEST_F(FullTiles, ResultsAreTheSame) {
  const LoweredPlan before = plan({let(first, group * K), clipped(), lanes({copies()})});
  const LoweredPlan after = fullTiles(before);
  for (int size = 0; size < 9; ++size) {
    std::vector<std::int64_t> results[2];
    for (const int which : {0, 1}) {
      Interpreter machine;
      machine.set(p, 3);
      machine.set(N, 1);
      machine.set(K, 4);
      machine.set(n, size);
      for (int at = 0; at < size; ++at)
        machine.memory[in.var().get()].push_back(at * at + 3);
      machine.memory[out.var().get()].assign(16, -1);
      machine.run((which == 0 ? before : after).body);
      EXPECT_FALSE(machine.wrong);
      results[which] = machine.memory[out.var().get()];
    }
    EXPECT_EQ(results[0], results[1]) << size;
  }
}

TEST_F(FullTiles, WhatHasNoLoopAsLongAsATileStays) {
  expectLeftAlone({let(first, group * K), clipped(), lanes({set(out[lane], rows)})});
}

TEST_F(FullTiles, LongLoopsStay) {
  LoweredPlan before = plan({let(first, group * K), clipped(), lanes({copies()})});
  before.tunables[2].defaultValue = "4096";
  EXPECT_EQ(groupText(fullTiles(before)), groupText(before));
}

TEST_F(FullTiles, ExtentsThatOnlyACallKnowsStay) {
  expectLeftAlone({let(first, group * K), let(rows, minE(n, n - first)), lanes({copies()})});
  // The number of groups is chosen at the launch.
  expectLeftAlone({let(first, group * K), let(rows, minE(p, n - first)), lanes({copies()})});
}

TEST_F(FullTiles, ExtentsThatChangeStay) {
  expectLeftAlone({let(first, group * K), clipped(), set(rows, rows - 1), lanes({copies()})});
}

} // namespace
} // namespace tangram::codegen

#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class ExpandScalars : public ::testing::Test, protected Kernel4 {
protected:
  E x = variable("x", Scalar::I32);
  E i = variable("i");

  /// The plan of `body` with its variables expanded, for a target that is named.
  LoweredPlan expandedFor(const std::string &target, std::vector<StmtPtr> body) const {
    LoweredPlan before = plan(std::move(body));
    before.target = traitsOf(target);
    return expandScalars(std::move(before));
  }
  std::string expanded(std::vector<StmtPtr> body, bool itemsAreLoops) const {
    return groupText(expandedFor(itemsAreLoops ? "openmp" : "opencl", std::move(body)));
  }
};

TEST_F(ExpandScalars, LanesThatAreLoopsKeepAnArray) {
  EXPECT_EQ(expanded({lanes({let(x, in[lane])}), lanes({set(out[lane], x)})}, true), R"(
int x[N];
parallel level 2 lane < N {
  x[lane] = in[lane];
}
parallel level 2 lane < N {
  out[lane] = x[lane];
}
)");
}

TEST_F(ExpandScalars, ArraysOfLanesThatAreLoopsBecomeOneForAll) {
  E own = variable("own", Scalar::I32, VarKind::Local, ir::intLiteral(4));
  std::vector<StmtPtr> body{lanes({let(own), upTo(i, 4, {set(own[i], in[lane])})}),
                            lanes({set(out[lane], own[2])})};
  EXPECT_EQ(expanded(body, true), R"(
int own[4 * N];
parallel level 2 lane < N {
  for (index i = 0; i < 4; i += 1) {
    own[i * N + lane] = in[lane];
  }
}
parallel level 2 lane < N {
  out[lane] = own[2 * N + lane];
}
)");
  EXPECT_EQ(expanded(body, false), R"(
int own[4];
parallel level 2 lane < N {
  for (index i = 0; i < 4; i += 1) {
    own[i] = in[lane];
  }
}
parallel level 2 lane < N {
  out[lane] = own[2];
}
)");
}

TEST_F(ExpandScalars, AnArrayThatChainsFillTogetherStaysOne) {
  E all = variable("all", Scalar::I32, VarKind::Local, K.e);
  std::vector<StmtPtr> body{let(all), chains({set(all[chain], in[chain])}), set(out[0], all[1])};
  EXPECT_EQ(expanded(body, true), groupText(plan(body)));
}

TEST_F(ExpandScalars, WorkItemsKeepAPlainVariable) {
  EXPECT_EQ(expanded({lanes({let(x, in[lane])}), lanes({set(out[lane], x)})}, false), R"(
int x;
parallel level 2 lane < N {
  x = in[lane];
}
parallel level 2 lane < N {
  out[lane] = x;
}
)");
}

TEST_F(ExpandScalars, UnrolledChainsKeepAnArrayEverywhere) {
  for (bool items : {false, true}) {
    EXPECT_EQ(expanded({chains({let(x, 0)}), upTo(i, n, {chains({addTo(x, in[i + chain])})}),
                        chains({set(out[chain], x)})},
                       items),
              R"(
int x[K];
parallel level 3 chain < K {
  x[chain] = 0;
}
for (index i = 0; i < n; i += 1) {
  parallel level 3 chain < K {
    x[chain] += in[i + chain];
  }
}
parallel level 3 chain < K {
  out[chain] = x[chain];
}
)");
  }
}

TEST_F(ExpandScalars, WhatOnePieceUsesAloneStaysInIt) {
  std::string expected = R"(
parallel level 2 lane < N {
  int x = in[lane];
  out[lane] = x;
}
)";
  EXPECT_EQ(expanded({lanes({let(x, in[lane]), set(out[lane], x)})}, true), expected);
  EXPECT_EQ(expanded({lanes({let(x, in[lane]), set(out[lane], x)})}, false), expected);
}

TEST_F(ExpandScalars, WhatTheWorkersOnlyReadStaysOne) {
  EXPECT_EQ(expanded({let(x, in[0]), lanes({set(out[lane], x)})}, true), R"(
int x = in[0];
parallel level 2 lane < N {
  out[lane] = x;
}
)");
}

TEST_F(ExpandScalars, AVariableThatTheWorkersAssignBecomesTheirs) {
  EXPECT_EQ(expanded({let(x), lanes({set(x, in[lane])}), lanes({set(out[lane], x)})}, true), R"(
int x[N];
parallel level 2 lane < N {
  x[lane] = in[lane];
}
parallel level 2 lane < N {
  out[lane] = x[lane];
}
)");
}

TEST_F(ExpandScalars, ChainsOfALaneStayWithTheLane) {
  EXPECT_EQ(expanded({lanes({chains({let(x, in[chain])}), chains({set(out[chain], x)})})}, true),
            R"(
parallel level 2 lane < N {
  int x[K];
  parallel level 3 chain < K {
    x[chain] = in[chain];
  }
  parallel level 3 chain < K {
    out[chain] = x[chain];
  }
}
)");
}

TEST_F(ExpandScalars, ChainsOfLanesThatAreLoopsStayWithTheLaneInALoopToo) {
  const std::vector<StmtPtr> body{
      upTo(i, 2, {lanes({chains({let(x, in[lane])}), chains({set(out[lane * 4 + chain], x)})})})};
  EXPECT_EQ(expanded(body, true), R"(
for (index i = 0; i < 2; i += 1) {
  parallel level 2 lane < N {
    int x[K];
    parallel level 3 chain < K {
      x[chain] = in[lane];
    }
    parallel level 3 chain < K {
      out[lane * 4 + chain] = x[chain];
    }
  }
}
)");
  EXPECT_EQ(expanded(body, false).substr(0, 11), "\nint x[K];\n"); // each item runs all of it
}

TEST_F(ExpandScalars, TheDeclarationStandsAheadOfALoopItsValueOutlives) {
  EXPECT_EQ(expanded({upTo(i, n, {lanes({let(x, in[i])}), lanes({addTo(out[lane], x)})})}, true),
            R"(
int x[N];
for (index i = 0; i < n; i += 1) {
  parallel level 2 lane < N {
    x[lane] = in[i];
  }
  parallel level 2 lane < N {
    out[lane] += x[lane];
  }
}
)");
}

TEST_F(ExpandScalars, TheResultOfLanesAsLoopsStaysTheSame) {
  std::vector<StmtPtr> body{
      lanes({let(x, in[lane] + lane)}),
      upTo(i, 3, {lanes({set(a[lane], x)}), lanes({addTo(x, a[(lane + 1) % N])})}),
      lanes({set(out[lane], x)})};
  auto result = [&](const LoweredPlan &kernel) {
    Interpreter machine;
    machine.set(p, 1);
    machine.set(N, 4);
    machine.memory[in.var().get()] = {5, 1, 8, 2};
    machine.memory[a.var().get()].assign(4, 0);
    machine.memory[out.var().get()].assign(4, 0);
    machine.run(kernel.body);
    EXPECT_FALSE(machine.wrong);
    return machine.memory[out.var().get()];
  };
  EXPECT_EQ(result(expandedFor("openmp", body)), result(plan(body)));
}

} // namespace
} // namespace tangram::codegen

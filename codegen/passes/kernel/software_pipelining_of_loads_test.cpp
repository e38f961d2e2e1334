#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class PrefetchLoads : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");

  static StmtPtr addAtomically(const E &place, const E &value) {
    auto operation = std::make_shared<ir::Expr>(
        *ir::node(ir::ExprKind::Atomic, ir::scalarType(Scalar::I32), {place.e, value.e}));
    operation->op = "add";
    return ir::eval(operation);
  }

  StmtPtr dealt(std::vector<StmtPtr> body) const {
    return ir::forLoop(let(i, lane), (i < n).e, addTo(i, N), ir::block(std::move(body)));
  }

  std::string text(std::vector<StmtPtr> body) const {
    return groupText(prefetchLoads(plan(std::move(body))));
  }
};

TEST_F(PrefetchLoads, OfWhatAnAtomicOperationNeeds) {
  EXPECT_EQ(text({lanes({dealt({addAtomically(a[in[i]], 1)})})}), R"(
parallel level 2 lane < N {
  index i = lane;
  for (; i + 7 * N < n; i += 8 * N) {
    int ahead[8];
    for (index u = 0; u < 8; u += 1) {
      ahead[u] = in[i + u * N];
    }
    for (index u = 0; u < 8; u += 1) {
      atomicAdd(a[ahead[u]], 1);
    }
  }
  for (; i < n; i += N) {
    atomicAdd(a[in[i]], 1);
  }
}
)");
}

TEST_F(PrefetchLoads, OfChains) {
  EXPECT_EQ(text({lanes({chains({addAtomically(a[in[lane + chain * N]], 1)})})}), R"(
parallel level 2 lane < N {
  int ahead[K];
  parallel level 3 chain < K {
    ahead[chain] = in[lane + chain * N];
  }
  parallel level 3 chain < K {
    atomicAdd(a[ahead[chain]], 1);
  }
}
)");
}

TEST_F(PrefetchLoads, NotWithoutAtomicOperations) {
  const std::vector<StmtPtr> body{lanes({dealt({set(a[lane], in[i])})})};
  EXPECT_EQ(text(body), groupText(plan(body)));
}

TEST_F(PrefetchLoads, NotOfWhatIsLoadedOnACondition) {
  const std::vector<StmtPtr> body{lanes({dealt({when(i < 3, {addAtomically(a[in[i]], 1)})})})};
  EXPECT_EQ(text(body), groupText(plan(body)));
}

TEST_F(PrefetchLoads, NotOfWhatIsWritten) {
  const std::vector<StmtPtr> body{lanes({dealt({addAtomically(a[out[i]], 1)})})};
  EXPECT_EQ(text(body), groupText(plan(body)));
}

} // namespace
} // namespace tangram::codegen

#include "codegen/passes/kernel/passes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class UnrollCopies : public ::testing::Test, protected Kernel4 {
protected:
  /// What the pass makes of groups that run `body`.
  LoweredPlan unrolled(std::vector<StmtPtr> body) {
    LoweredPlan before = plan(std::move(body));
    before.machine = &machine;
    machine.code.loadsInFlight = 16;
    return unrollCopies(std::move(before));
  }

  StmtPtr inTurns(const StmtPtr &body) const {
    return ir::parallel(2, ir::Span::Turns, lane.var(), n.e, ir::block({body}));
  }
  StmtPtr copied(const StmtPtr &body) const { return copying(inTurns(body)); }

  static std::vector<unsigned> asked(const LoweredPlan &plan) {
    std::vector<unsigned> times;
    ir::forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && s.level == 2)
        times.push_back(s.unroll);
    });
    return times;
  }

  composer::Machine machine;
};

TEST_F(UnrollCopies, WhatItemsTakeTurnsToCopy) {
  EXPECT_EQ(asked(unrolled({copied(set(a[lane], in[lane]))})), std::vector<unsigned>{8});
}

TEST_F(UnrollCopies, NothingElse) {
  EXPECT_EQ(asked(unrolled({inTurns(set(a[lane], in[lane]))})), std::vector<unsigned>{0});
}

TEST_F(UnrollCopies, NotOfVectors) {
  const E e = variable("e");
  EXPECT_EQ(asked(unrolled({copied(upTo(e, 4, {set(a[lane * 4 + e], in[lane * 4 + e])}))})),
            std::vector<unsigned>{0});
}

TEST_F(UnrollCopies, NotWhatIsFoundByDivisions) {
  EXPECT_EQ(asked(unrolled({copied(set(a[lane], in[lane / n]))})), std::vector<unsigned>{0});
  EXPECT_EQ(asked(unrolled({copied(set(a[lane % n], in[lane]))})), std::vector<unsigned>{0});
}

TEST_F(UnrollCopies, WhatTheGroupDecidesIsAskedOnce) {
  const E inside = variable("inside", Scalar::Bool, VarKind::Local);
  const StmtPtr copy =
      copied(ir::ifThen(inside.e, set(a[lane], in[lane]), set(a[lane], in[lane + 1])));
  EXPECT_EQ(groupText(unrolled({let(inside, group < n), copy})), R"(
bool inside = group < n;
if (inside)
  parallel level 2 lane < n
    a[lane] = in[lane];
else
  parallel level 2 lane < n
    a[lane] = in[lane + 1];
)");
}

TEST_F(UnrollCopies, WhatEachItemDecidesStays) {
  const E low = variable("low", Scalar::Bool, VarKind::Local);
  const StmtPtr copy =
      copied(ir::ifThen(low.e, set(a[lane], in[lane]), set(a[lane], in[lane + 1])));
  const LoweredPlan made = unrolled({let(low, in[0] < 1), copy});
  EXPECT_EQ(asked(made), std::vector<unsigned>{8});
}

} // namespace
} // namespace tangram::codegen

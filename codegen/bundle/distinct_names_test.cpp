#include "codegen/bundle/distinct_names.h"

#include "codegen/form/target_traits.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

// A container is called p, and so are two tunables: all that is said over them has their new names.
TEST(DistinctNames, AreThoseOfAllThatHostsCompute) {
  const E p = variable("p", Scalar::F32, VarKind::Buffer);
  const E one = variable("p", Scalar::Index, VarKind::Tunable);
  const E other = variable("p", Scalar::Index, VarKind::Tunable);
  const E n = variable("n", Scalar::Index, VarKind::Param);
  LoweredPlan plan;
  plan.target = traitsOf("opencl");
  plan.extents = {n.var()};
  plan.buffers = {{p.var(), Space::Global, (n + one).e, "p"}};
  for (const E &each : {one, other}) {
    Tunable tunable;
    tunable.var = each.var();
    plan.tunables.push_back(tunable);
  }
  plan.tunables[1].sizedDefault = (one + 1).e;
  plan.workers[1] = other.e;
  plan.constraints = {{(one < other).e, "few"}};
  plan.mostIndex = (one * other).e;
  plan.roundings = (other + n).e;
  plan.body = ir::block({set(p[one], 0)});
  distinguishNames(plan, false);

  EXPECT_EQ(plan.tunables[0].var->name, "p_2");
  EXPECT_EQ(plan.tunables[1].var->name, "p_3");
  EXPECT_EQ(ir::toString(plan.buffers[0].count), "n + p_2");
  EXPECT_EQ(ir::toString(plan.tunables[1].sizedDefault), "p_2 + 1");
  EXPECT_EQ(ir::toString(plan.workers.at(1)), "p_3");
  EXPECT_EQ(ir::toString(plan.constraints[0].require), "p_2 < p_3");
  EXPECT_EQ(ir::toString(plan.mostIndex), "p_2 * p_3");
  EXPECT_EQ(ir::toString(plan.roundings), "p_3 + n");
  EXPECT_EQ(ir::toString(plan.body), "p[p_2] = 0;\n");
}

} // namespace
} // namespace tangram::codegen

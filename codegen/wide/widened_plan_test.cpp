#include "codegen/wide/widened_plan.h"

#include "codegen/form/roles.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::Scalar;

const char *const copies = R"(
float twice(float x) { return x + x; }
__codelet void doubled(const Array<1, float> in, const Array<1, int> which, float by, Array<1, float> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = by * twice(in[which[i]]);
}
)";

LoweredPlan lowered(const ir::Program &program, const composer::Machine &machine) {
  auto made = lower(program, "doubled", compute(0, "doubled", 0), machine, "openmp");
  EXPECT_TRUE(std::holds_alternative<LoweredPlan>(made));
  return std::get<LoweredPlan>(std::move(made));
}

TEST(WidenedPlan, OnlyItsFloatingPointTypesAreOthers) {
  const ir::Program program = parse(copies);
  const WiderTypes types = *widerTypes(program, *program.spectrum("doubled"));
  const ir::Program wideProgram = widened(program, types);
  const composer::Machine machine = projected("simple-cpu", "openmp");
  const LoweredPlan plan = lowered(program, machine);
  const LoweredPlan wide = widened(plan, wideProgram, types);
  ASSERT_EQ(wide.buffers.size(), plan.buffers.size());
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Scalar before = plan.buffers[i].var->type.scalar;
    EXPECT_EQ(wide.buffers[i].var->name, plan.buffers[i].var->name);
    EXPECT_EQ(wide.buffers[i].var->type.scalar, before == Scalar::F32 ? Scalar::F64 : before);
    EXPECT_EQ(wide.buffers[i].count, plan.buffers[i].count);
  }
  ASSERT_EQ(wide.scalars.size(), 1U);
  EXPECT_EQ(wide.scalars[0]->type.scalar, Scalar::F64);
  EXPECT_EQ(wide.extents, plan.extents);
  EXPECT_EQ(ir::toString(wide.body), ir::toString(plan.body)) << "casts aside, types do not show";
  ir::forEachExpr(wide.body, [](const ir::Expr &e) { EXPECT_NE(e.type.scalar, Scalar::F32); });
  ASSERT_EQ(wide.functions.size(), 1U);
  EXPECT_EQ(wide.functions[0], &wideProgram.functions[0]);
}

TEST(WidenedPlan, VectorsBecomeLoopsOverElements) {
  const Kernel4 k;
  const E i = variable("i", Scalar::Index);
  const E from = variable("from", Scalar::F32, ir::VarKind::Buffer);
  const E to = variable("to", Scalar::F32, ir::VarKind::Buffer);
  const auto element = [&](const E &array) { return ir::index(array.e, {i.e}); };
  auto loop = std::make_shared<ir::Stmt>(*ir::forLoop(
      ir::declare(i.var(), ir::intLiteral(0)), ir::binary("<", i.e, ir::intLiteral(8)),
      ir::assign(i.e, "+=", ir::intLiteral(1)), ir::assign(element(to), "=", element(from))));
  loop->lanes = 4;
  const LoweredPlan wide = widened(k.plan({loop}), {}, WiderTypes{});
  unsigned loops = 0;
  ir::forEach(wide.body, [&](const ir::Stmt &s) {
    EXPECT_EQ(s.lanes, 0U);
    loops += s.kind == ir::StmtKind::For;
  });
  EXPECT_EQ(loops, 1U);
}

TEST(WidenedPlan, KnowsPlansThatPassBitsOn) {
  const Kernel4 k;
  const E x = variable("x", Scalar::F32), bits = variable("bits", Scalar::U32);
  const auto asUint = ir::call("as_uint", ir::scalarType(Scalar::U32), {x.e});
  EXPECT_TRUE(readsBits(k.plan({ir::declare(bits.var(), asUint)})));
  EXPECT_FALSE(readsBits(k.plan({ir::declare(bits.var(), ir::cast(Scalar::U32, x.e))})));
}

TEST(WidenedPlan, OpenmpDrivesAGpu) {
  const composer::Machine machine =
      drivenBy("openmp", projected("gpu", "opencl"), *traitsOf("opencl"));
  std::string words;
  for (const composer::Level &level : machine.levels)
    words += level.spelling.at("opencl") + " is " + level.spelling.at("openmp") + ", ";
  EXPECT_EQ(words, "grid is process, group is thread, item is lane, unroll is unroll, ");
  EXPECT_TRUE(std::holds_alternative<std::vector<Role>>(rolesOf(machine, "openmp")));
  EXPECT_EQ(machine.levels[1].workers.defaultCount, "threads");
}

} // namespace
} // namespace tangram::codegen

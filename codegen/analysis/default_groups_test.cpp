#include "codegen/analysis/default_groups.h"

#include "algebra/size_expression.h"
#include "codegen/form/building.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class DefaultGroups : public ::testing::Test {
protected:
  DefaultGroups() {
    machine.costs.residentItems = 2048;
    machine.costs.residentGroups = 32;
    lowerSum();
  }

  void lowerSum() {
    auto made =
        lower(program, "sum",
              twoKernels(compound(1, "sum", strideTiled,
                                  {mapped(1, "sum", distribute, compute(2, "sum", sequential)),
                                   compute(1, "sum", kog)})),
              machine, "opencl");
    if (std::holds_alternative<LoweredPlan>(made))
      plan = std::get<LoweredPlan>(made);
  }

  const Tunable &groups() const {
    for (const Tunable &t : plan.tunables) {
      if (t.kind == Tunable::Kind::Launch)
        return t;
    }
    throw std::logic_error("no launch tunable");
  }

  /// On 132 units.
  std::int64_t groupsOf(std::uint64_t size, std::uint64_t items) const {
    const auto parsed = algebra::SizeExpression::parse(manifestText(groups().sizedDefault));
    const algebra::SizeBindings values{{{"in_size", size},
                                        {"n", size},
                                        {"NUM_THREADS", items},
                                        {"N", items},
                                        {"compute_units", 132}},
                                       {}};
    const auto value = std::get<algebra::SizeExpression>(parsed).evaluate(values);
    return static_cast<std::int64_t>(std::get<__int128>(value));
  }

  ir::Program program = sumProgram();
  composer::Machine machine = projected("simple-gpu", "opencl");
  LoweredPlan plan;
};

TEST_F(DefaultGroups, AWaveAndMoreOnlyWhereThereIsWork) {
  EXPECT_EQ(groupsOf(1 << 20, 256), 1056); // 132 units of 8 groups
  EXPECT_EQ(groupsOf(1 << 24, 256), 1056);
  EXPECT_EQ(groupsOf(1 << 26, 256), 7 * 1056);
  EXPECT_EQ(groupsOf(std::uint64_t{1} << 32, 256), 8 * 1056);
}

TEST_F(DefaultGroups, PartsBeginAtLinesOfMemory) {
  machine = projected("gpu", "opencl");
  machine.costs.residentItems = 2048;
  machine.costs.residentGroups = 32;
  lowerSum();
  for (const std::uint64_t size :
       {1ull << 24, 1ull << 26, 1ull << 28, 100'000'000ull, 300'000'001ull}) {
    const auto groups = static_cast<std::uint64_t>(groupsOf(size, 256));
    const std::uint64_t waves = std::min<std::uint64_t>(8, size / (1056 * 256 * 32));
    EXPECT_EQ((size + groups - 1) / groups % 32, 0u) << size; // ints in 128 bytes
    EXPECT_LE(groups, waves * 1056) << size;
    EXPECT_GE(groups, waves * 1056 * 7 / 8) << size;
  }
  EXPECT_EQ(groupsOf(257, 256), 2); // no such parts
}

TEST_F(DefaultGroups, FewOfAFixedNumberArePartsOfOneElement) {
  const auto required = [&](std::int64_t length) {
    plan.shape = {{plan.extents[0], ir::intLiteral(length)}};
    sizeDefaultGroups(plan);
    return groupsOf(1 << 20, 256);
  };
  EXPECT_EQ(required(4), 1);
  EXPECT_EQ(required(1 << 20), 1056);
}

TEST_F(DefaultGroups, OfAMapHaveAVectorForEachItem) {
  const Kernel4 kernel;
  const auto groupsOfMap = [&](std::vector<StmtPtr> body, Scalar type = Scalar::I32,
                               std::uint64_t most = UINT64_MAX) {
    plan = kernel.plan(std::move(body));
    plan.tunables[0].max = most;
    plan.buffers.resize(2); // the caller's
    plan.buffers[1].var = newVariable("out", type, ir::VarKind::Buffer);
    plan.machine = &machine;
    plan.target = traitsOf("opencl");
    sizeDefaultGroups(plan);
    return groupsOf(1 << 26, 256);
  };
  const auto element = [&] { return kernel.group * kernel.N + kernel.lane; };
  const StmtPtr copied = kernel.lanes({set(kernel.out[element()], kernel.in[element()])});
  EXPECT_EQ(groupsOfMap({copied}), (1 << 26) / 1024);
  EXPECT_EQ(groupsOfMap({copied}, Scalar::F64), (1 << 26) / 512);
  machine = projected("gpu", "opencl"); // which says how long lines are
  machine.costs.residentItems = 2048;
  machine.costs.residentGroups = 32;
  const std::int64_t fewer = groupsOfMap({copied}, Scalar::I32, 10000);
  EXPECT_LE(fewer, 10000);
  EXPECT_EQ(((1 << 26) + fewer - 1) / fewer % 32, 0)
      << "begin at lines, as many as a launch may have";
  machine = projected("simple-gpu", "opencl");
  machine.costs.residentItems = 2048;
  machine.costs.residentGroups = 32;
  const StmtPtr added =
      kernel.lanes({ir::eval(atomicAt("add", kernel.out[0].e, {kernel.in[element()].e}))});
  EXPECT_EQ(groupsOfMap({added}), 7 * 1056) << "groups meet";
}

TEST_F(DefaultGroups, NoneWithoutElements) {
  EXPECT_EQ(groupsOf(0, 256), 1);
  EXPECT_EQ(groupsOf(257, 256), 2);
  EXPECT_EQ(groupsOf(10000, 32), 313);
}

TEST_F(DefaultGroups, UnitsHoldSoManyGroupsAndItems) {
  EXPECT_EQ(groupsOf(1 << 22, 32), 132 * 32);
  EXPECT_EQ(groupsOf(1 << 22, 1024), 132 * 2);
  EXPECT_EQ(groupsOf(1 << 22, 4096), 132); // one at least
}

TEST_F(DefaultGroups, UnitsHaveLocalMemoryForSoMany) {
  const auto onUnitsOf = [&](std::uint64_t bytes) {
    for (composer::Level &level : machine.levels) {
      for (composer::Memory &memory : level.memory)
        memory.unitBytes = memory.space == "local" ? bytes : 0;
    }
    lowerSum();
    return groupsOf(1 << 22, 256);
  };
  EXPECT_EQ(onUnitsOf(0), 132 * 8); // not known
  EXPECT_EQ(onUnitsOf(1 << 20), 132 * 8);
  EXPECT_EQ(onUnitsOf(4096), 132 * 2); // of two arrays of 256 ints each
  EXPECT_EQ(onUnitsOf(100), 132);
}

TEST_F(DefaultGroups, AreTheModelsWhereAUnitHoldsOneItem) {
  const composer::Machine one = projected("simple-gpu", "opencl");
  auto made = lower(program, "sum", twoKernels(compute(1, "sum", kog)), one, "opencl");
  ASSERT_TRUE(std::holds_alternative<LoweredPlan>(made));
  for (const Tunable &t : std::get<LoweredPlan>(made).tunables)
    EXPECT_FALSE(t.sizedDefault) << t.var->name;
}

TEST_F(DefaultGroups, WavesAreThoseOfTheRule) {
  const ir::ExprPtr count = ir::varRef(groups().var);
  EXPECT_EQ(mostDefaultWaves(plan, count, 256), 8);
  for (Tunable &t : plan.tunables)
    t.sizedDefault = nullptr;
  machine.costs.units = 2; // of 8 groups, for the 64 of the model
  EXPECT_EQ(mostDefaultWaves(plan, count, 256), 4);
  EXPECT_EQ(mostDefaultWaves(plan, count, 128), 2);
}

} // namespace
} // namespace tangram::codegen

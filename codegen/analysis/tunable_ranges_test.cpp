#include "codegen/analysis/tunable_ranges.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace ir;

VarPtr variable(const char *name, Scalar type = Scalar::Index) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(type);
  var->kind = VarKind::Param;
  return var;
}

/// A plan of two tunables, on a machine whose groups have 48 KiB of local memory.
struct Planned {
  composer::Machine machine;
  LoweredPlan plan;
  VarPtr groups = variable("num_groups"), items = variable("NUM_ITEMS");

  Planned() {
    machine.name = "m";
    composer::Level group;
    group.title = "group";
    group.memory = {{"local", 49152, 0, 0, "", 0}};
    composer::Level grid;
    machine.levels = {grid, group};
    plan.roles = {Role::Host, Role::Group};
    plan.machine = &machine;
    plan.tunables = {{groups, Tunable::Kind::Launch, "64", 1, 65535, {}, ""},
                     {items, Tunable::Kind::Compile, "256", 1, 1024, {}, ""}};
  }

  /// A launch whose groups have a tile of as many doubles for each item.
  StmtPtr launchWithTile(std::int64_t each) {
    const VarPtr tile = variable("tile", Scalar::F64);
    plan.buffers.push_back({tile, Space::Local, binary("*", varRef(items), intLiteral(each)), ""});
    return parallel(1, Span::All, variable("group"), varRef(groups),
                    assign(index(varRef(tile), {intLiteral(0)}), "=", intLiteral(0)));
  }

  std::string text() const {
    std::string text;
    for (const Tunable &each : plan.tunables) {
      text += each.var->name + " " + std::to_string(each.min) + " to " + std::to_string(each.max);
      for (std::int64_t value : each.values)
        text += " " + std::to_string(value);
      text += "; ";
    }
    return text;
  }
};

TEST(TunableRanges, ConstraintsNarrowWhatATunerTries) {
  Planned p;
  // One item for the result of each group; sizes leave no number behind.
  p.plan.constraints = {{binary("<=", varRef(p.groups), varRef(p.items)), "kog"},
                        {binary("<=", varRef(variable("in_size")), varRef(p.items)), "kog"}};
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.text(), "num_groups 1 to 1024; NUM_ITEMS 1 to 1024; ");
}

TEST(TunableRanges, ADefaultOutsideGivesWayToTheNearest) {
  Planned p;
  p.plan.constraints = {{binary("<=", varRef(p.items), intLiteral(32)), "few"}};
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.plan.tunables[0].defaultValue, "64");
  EXPECT_EQ(p.plan.tunables[1].defaultValue, "32");
}

TEST(TunableRanges, DefaultsThatBreakAConstraintTogetherGiveWay) {
  Planned p;
  const VarPtr chains = variable("NUM_CHAINS");
  p.plan.tunables.push_back({chains, Tunable::Kind::Compile, "4", 1, 16, {}, ""});
  p.plan.constraints = {
      {binary("<=", binary("*", varRef(p.items), varRef(chains)), varRef(p.items)), "an item each"},
      {binary("<=", varRef(p.groups), varRef(p.items)), "which a call decides"}};
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.plan.tunables[1].defaultValue, "256");
  EXPECT_EQ(p.plan.tunables[2].defaultValue, "1");
}

TEST(TunableRanges, LocalMemoryIsAConstraint) {
  Planned p;
  p.plan.body = p.launchWithTile(16);
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.text(), "num_groups 1 to 65535; NUM_ITEMS 1 to 384; ");
}

TEST(TunableRanges, EachLaunchHasAllOfLocalMemory) {
  Planned p;
  p.plan.body = block({p.launchWithTile(16), p.launchWithTile(15)});
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.text(), "num_groups 1 to 65535; NUM_ITEMS 1 to 384; ");
}

TEST(TunableRanges, ChoicesKeepTheirOrder) {
  Planned p;
  p.plan.tunables[1].values = {256, 64, 1024, 512};
  p.plan.constraints = {{binary("<", varRef(p.items), intLiteral(1000)), "few"}};
  applyRanges(p.plan, tunableRanges(p.plan));
  EXPECT_EQ(p.text(), "num_groups 1 to 65535; NUM_ITEMS 64 to 512 256 64 512; ");
}

TEST(TunableRanges, APlanWithoutValuesIsRefusedWithTheReason) {
  Planned p;
  p.plan.body = p.launchWithTile(8000);
  EXPECT_EQ(
      tunableRanges(p.plan).refusal()->reason,
      "no value of NUM_ITEMS (1..1024) will do: a group of m has 49152 bytes of local memory");
}

} // namespace
} // namespace tangram::codegen

#include "composer/plans/plan_build.h"

namespace tangram::composer {

ir::PlanPtr slotOf(const ProgramRule &rule, std::size_t index, ir::PlanPtr plan,
                   const PlanInterner &interner) {
  const OpenGoal &open = rule.open[index];
  if (rule.kind != ProgramRule::Kind::Codelet || !open.policy)
    return plan;
  ir::PlanNode map;
  map.kind = ir::PlanNode::Kind::Map;
  map.level = rule.goal.level;
  map.spectrum = open.mapped->name;
  map.policy = *open.policy;
  map.children.push_back(std::move(plan));
  return interner.intern(std::move(map));
}

ir::PlanPtr nodeOf(const ProgramRule &rule, const std::vector<ir::PlanPtr> &slots,
                   const PlanInterner &interner) {
  ir::PlanNode node;
  node.level = rule.goal.level;
  node.spectrum = rule.goal.spectrum->name;
  node.children = slots;
  switch (rule.kind) {
  case ProgramRule::Kind::Devolve:
    node.kind = ir::PlanNode::Kind::Devolve;
    break;
  case ProgramRule::Kind::Codelet:
    node.kind = rule.computes ? ir::PlanNode::Kind::Compute : ir::PlanNode::Kind::Codelet;
    node.codelet = rule.codeletIndex;
    break;
  case ProgramRule::Kind::Map:
    node.kind = ir::PlanNode::Kind::Map;
    node.policy = rule.policies.front();
    break;
  }
  return interner.intern(std::move(node));
}

} // namespace tangram::composer

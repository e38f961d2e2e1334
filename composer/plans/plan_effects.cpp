#include "composer/plans/plan_effects.h"

#include <algorithm>
#include <cmath>

namespace tangram::composer {

namespace {

/// So many tries without a difference larger than this one say that there is none.
constexpr unsigned several = 8;
constexpr double difference = 1.005;

bool hasParts(const ir::PlanNode &node, int top) {
  return node.level == top && node.kind != ir::PlanNode::Kind::Devolve &&
         (node.children.size() > 1 ||
          (node.children.size() == 1 && hasParts(*node.children.front(), top)));
}

void addParts(const ir::PlanNode &node, int top, PlanParts &parts) {
  if (!hasParts(node, top)) {
    parts.plans.push_back(&node);
    return;
  }
  parts.above += node.spectrum + "#" + std::to_string(node.codelet) +
                 (node.kind == ir::PlanNode::Kind::Map
                      ? node.policy == ir::MapPolicy::Serialize ? "serialized" : "mapped"
                      : "") +
                 "(";
  for (const ir::PlanPtr &child : node.children)
    addParts(*child, top, parts);
  parts.above += ")";
}

PlanParts without(PlanParts parts, std::size_t i) {
  parts.plans[i] = nullptr;
  return parts;
}

} // namespace

PlanParts partsOf(const ir::PlanNode &plan, int top) {
  PlanParts parts;
  addParts(plan, top, parts);
  return parts;
}

void PartEstimates::keep(PlanParts parts, double value) {
  if (parts.plans.size() < 2 || !known_.try_emplace(parts, value).second)
    return;
  for (std::size_t i = 0; i < parts.plans.size() && std::isfinite(value); ++i) {
    Tries &tries = tries_[without(parts, i)];
    tries.least = std::min(tries.least, value);
    tries.most = std::max(tries.most, value);
    ++tries.count;
  }
  alike_[parts.above].emplace_back(std::move(parts.plans), value);
}

bool PartEstimates::makesNoDifference(const PlanParts &parts) const {
  for (std::size_t i = 0; parts.plans.size() > 1 && i < parts.plans.size(); ++i) {
    const auto tries = tries_.find(without(parts, i));
    if (tries != tries_.end() && tries->second.count >= several &&
        tries->second.most <= difference * tries->second.least)
      return true;
  }
  return false;
}

std::optional<double> PartEstimates::of(const PlanParts &parts) const {
  std::optional<double> least;
  const auto alike = alike_.find(parts.above);
  if (alike == alike_.end())
    return least;
  for (const auto &[plans, value] : alike->second) {
    if (!std::isfinite(value))
      continue;
    const std::optional<double> estimate = from(parts, plans, value);
    if (estimate)
      least = std::min(least.value_or(*estimate), *estimate);
  }
  return least;
}

std::optional<double> PartEstimates::from(const PlanParts &parts, const Plans &plans,
                                          double value) const {
  double estimate = value;
  unsigned others = 0;
  PlanParts changed{parts.above, plans};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i] == parts.plans[i])
      continue;
    ++others;
    changed.plans[i] = parts.plans[i];
    const auto alone = known_.find(changed);
    changed.plans[i] = plans[i];
    if (alone == known_.end())
      return std::nullopt;
    estimate += alone->second - value;
  }
  return others > 1 ? std::optional(estimate) : std::nullopt;
}

void ChangeEffects::keep(const PlanChange &change, double before, double after) {
  double &least = known_.try_emplace(change, std::numeric_limits<double>::infinity()).first->second;
  least = std::min(least, after / before);
}

bool ChangeEffects::isHopeless(const PlanChange &change, double times, bool isAmongBest) const {
  constexpr double slower = 1.3;
  constexpr double harm = 1.02;
  const auto known = known_.find(change);
  if (known == known_.end() || known->second < 1)
    return false;
  return !isAmongBest || times >= farSlower || (times >= slower && known->second >= harm);
}

void PlaceEffects::keep(const ChoicePlace &place, double before, double after) {
  const bool differs = after > difference * before || before > difference * after;
  for (auto end = place.begin(); end != place.end();) {
    Tries &tries = tries_[ChoicePlace(place.begin(), ++end)];
    ++tries.count;
    tries.differ |= differs;
  }
}

bool PlaceEffects::makesNoDifference(const ChoicePlace &place) const {
  for (auto end = place.begin(); end != place.end();) {
    const auto tries = tries_.find(ChoicePlace(place.begin(), ++end));
    if (tries != tries_.end() && tries->second.count >= several && !tries->second.differ)
      return true;
  }
  return false;
}

} // namespace tangram::composer

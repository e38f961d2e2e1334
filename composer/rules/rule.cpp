#include "composer/rules/rule.h"

#include "composer/machine/machine_vocabulary.h"

#include <algorithm>

namespace tangram::composer {

namespace {

/// What the level is to the target, where there are both.
std::optional<Role> roleOf(const RuleContext &context, int level) {
  const Target *known = targetNamed(context.target);
  if (!context.machine || !known)
    return std::nullopt;
  const auto &spelling = context.machine->levels[static_cast<std::size_t>(level)].spelling;
  const auto found = spelling.find(context.target);
  return found == spelling.end() ? std::nullopt : known->roleOf(found->second);
}

} // namespace

std::string nameOf(MapRule rule) {
  switch (rule) {
  case MapRule::Distribute:
    return "distribute";
  case MapRule::Serialize:
    return "serialize";
  case MapRule::Split:
    return "split";
  }
  return {};
}

std::string RuleContext::levelName(int level) const {
  if (!machine)
    return level == 0 ? "L" : "l_L";
  return machine->levels[static_cast<std::size_t>(level)].name;
}

std::string RuleContext::levelText(int level) const {
  std::string text = "level " + levelName(level);
  if (machine && !machine->levels[static_cast<std::size_t>(level)].title.empty())
    text += " (" + machine->levels[static_cast<std::size_t>(level)].title + ")";
  return text;
}

int RuleContext::subordinate(int level) const {
  if (!machine)
    return level == 0 ? 1 : -1;
  return machine->levels[static_cast<std::size_t>(level)].subordinate;
}

bool RuleContext::hasSubordinate(int level) const { return subordinate(level) >= 0; }

bool RuleContext::computes(int level) const {
  return !machine || machine->levels[static_cast<std::size_t>(level)].compute != Capability::None;
}

bool RuleContext::canExecute(const ir::Codelet &codelet, int level) const {
  return !machine || machine->levels[static_cast<std::size_t>(level)].compute ==
                         (codelet.cooperative ? Capability::Vector : Capability::Scalar);
}

std::vector<MapRule> RuleContext::offered(int level) const {
  if (!machine)
    return {MapRule::Distribute};
  const std::vector<MapRule> &ofLevel = machine->levels[static_cast<std::size_t>(level)].mapRules;
  if (mapRules.empty() || !isOfNests(level))
    return mapRules.empty() ? ofLevel : mapRules;
  // Maps are nested there to be distributed; whether the innermost may be split is the question.
  std::vector<MapRule> kept = ofLevel;
  std::erase_if(kept, [&](MapRule each) {
    return each == MapRule::Split && std::ranges::find(mapRules, each) == mapRules.end();
  });
  return kept;
}

std::string RuleContext::whyNoLoop(int level) const {
  if (machine && !machine->levels[static_cast<std::size_t>(level)].runsLoops())
    return levelText(level) + " runs no loop";
  if (onlyLaunches(level))
    return levelText(level) + " runs no loop, because with target " + target +
           " it can only launch kernels";
  return {};
}

bool RuleContext::onlyLaunches(int level) const {
  return roleOf(*this, level) == Role::Host && targetNamed(target)->hostOnlyLaunches;
}

bool RuleContext::isHost(int level) const {
  const std::optional<Role> role = roleOf(*this, level);
  return role ? *role == Role::Host : level == 0;
}

std::string RuleContext::whyNoRounds(int level) const {
  return isHost(level) ? std::string() : whyNoLoop(level);
}

bool RuleContext::isOfNests(int level) const {
  return machine && machine->levels[static_cast<std::size_t>(level)].isOfNests();
}

bool RuleContext::isFlat(int level) const {
  return machine && machine->levels[static_cast<std::size_t>(level)].flat;
}

std::string RuleContext::whyNoWaiting(int level) const {
  if (!machine || !hasSubordinate(level))
    return "no model says whether one worker may wait for another";
  if (!machine->levels[static_cast<std::size_t>(level)].forwardProgress)
    return levelText(level) + " does not promise its workers progress side by side";
  if (targetNamed(target) && roleOf(*this, subordinate(level)) != Role::Group)
    return "with target " + target + " workers of " + levelText(subordinate(level)) +
           " meet at barriers, so that none may wait for another";
  const std::vector<std::string> &atomics =
      machine->levels[static_cast<std::size_t>(subordinate(level))].atomics;
  if (std::ranges::count(atomics, "i32") + std::ranges::count(atomics, "u32") == 0)
    return "workers of " + levelText(subordinate(level)) +
           " have no atomic operations on 32-bit integers";
  return {};
}

std::string toString(const Term &term, const RuleContext &context) {
  const std::string level = context.levelName(term.level);
  switch (term.kind) {
  case Term::Kind::Spectrum:
    return "compose(" + term.spectrum->name + ", " + level + ")";
  case Term::Kind::Codelet:
    return "compose(" + term.codelet->name() + ", " + level + ")";
  case Term::Kind::Partition:
    return "compose(partition(" + term.codelet->name() + "), " + level + ")";
  case Term::Kind::Map:
    return "compose(map(" + term.spectrum->name + "), " + level + ")";
  case Term::Kind::Sync:
    return "S_" + level;
  case Term::Kind::Select:
    return "select(" + term.codelet->name() + ", " + level + ")";
  case Term::Kind::Devolve:
    return "devolve(" + level + ")";
  case Term::Kind::Compute:
    return "compute(" + term.codelet->name() + ", " + (term.codelet->cooperative ? "VE_" : "SE_") +
           level + ")";
  case Term::Kind::Regroup:
    return "regroup(" + term.codelet->name() + ", " + level + ")";
  case Term::Kind::Distribute:
    return "distribute(" + level + ")";
  case Term::Kind::Serialize:
    return "serialize(" + level + ")";
  case Term::Kind::Split:
    return "split(" + level + ")";
  }
  return {};
}

std::span<const AbstractRule *const> abstractRules() {
  static constexpr std::array<const AbstractRule *, 8> all{
      &rules::select,     &rules::devolve,   &rules::compute, &rules::regroup,
      &rules::distribute, &rules::serialize, &rules::split,   &rules::cascade};
  return all;
}

const AbstractRule &mapRule(MapRule policy) {
  switch (policy) {
  case MapRule::Distribute:
    return rules::distribute;
  case MapRule::Serialize:
    return rules::serialize;
  case MapRule::Split:
    return rules::split;
  }
  return rules::distribute;
}

} // namespace tangram::composer

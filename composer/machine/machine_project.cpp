// A machine as one target can express it (docs/hardware-models.md, "Targets").
#include "composer/machine/machine_expression.h"
#include "composer/machine/machine_hierarchy.h"
#include "composer/machine/target_words.h"

#include <algorithm>

namespace tangram::composer {
namespace {

ModelErrors projectionError(const Machine &machine, const std::string &pointer,
                            std::string message) {
  return {{machine.file, pointer, std::move(message)}};
}

std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/// Workers of two levels on top of each other, counted as one level.
Workers product(const Workers &outer, const Workers &inner) {
  return {productOf(outer.defaultCount, inner.defaultCount),
          saturatingProduct(outer.min, inner.min), saturatingProduct(outer.max, inner.max),
          saturatingProduct(outer.units, inner.units), saturatingProduct(outer.parts, inner.parts)};
}

/// What `superior` becomes when it reaches past `left` to the level below it.
void takeOver(Level &superior, const Level &left) {
  superior.prefers = left.prefers;
  superior.lockstep = superior.lockstep && left.lockstep;
  superior.forwardProgress = superior.forwardProgress && left.forwardProgress;
}

std::string noteFor(const Machine &machine, const std::string &target, const Level &left,
                    const Level *superior, const Level *next) {
  std::string note =
      target + " cannot express level " + display(left) + " of " + machine.name + "; ";
  if (!superior)
    return note + display(*next) + " is the top level instead";
  if (!next)
    return note + display(*superior) + " is the lowest level instead";
  return note + display(*superior) + " distributes to " + display(*next) + " instead";
}

/// How code of the target calls a level; null: it cannot express it. A target that is named as models name it has no plans
/// for warps: cuda leaves them out, cuda-warps has them.
const std::string *wordFor(const Level &level, const std::string &target) {
  const auto found = level.spelling.find(modelTarget(target));
  if (found == level.spelling.end())
    return nullptr;
  const Target *known = targetNamed(target);
  const bool isWarp = known && known->roleOf(found->second) == Role::Warp;
  return isWarp && target == modelTarget(target) ? nullptr : &found->second;
}

const Level *nextExpressible(const Machine &machine, std::size_t from, const std::string &target) {
  for (std::size_t i = from; i < machine.levels.size(); ++i)
    if (wordFor(machine.levels[i], target))
      return &machine.levels[i];
  return nullptr;
}

/// The expressible levels of `machine`, merged with what is left out between them.
std::vector<Level> expressibleLevels(const Machine &machine, const std::string &target,
                                     std::vector<std::string> &notes) {
  std::vector<Level> kept;
  std::vector<const Level *> leftOut; // since the last one kept
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    const Level &level = machine.levels[i];
    const Level *next = nextExpressible(machine, i, target);
    if (next != &level) {
      leftOut.push_back(&level);
      const Level *superior = kept.empty() ? nullptr : &kept.back();
      notes.push_back(noteFor(machine, target, level, superior, next));
      continue;
    }
    Level copy = level;
    copy.spelling[target] = *wordFor(level, target);
    for (Memory &memory : copy.memory)
      if (const auto own = memory.targetBytes.find(modelTarget(target));
          own != memory.targetBytes.end())
        memory.targetBytes.try_emplace(target, own->second);
    if (kept.empty())
      copy.workers = {};
    else
      for (auto left = leftOut.rbegin(); left != leftOut.rend(); ++left) {
        copy.workers = product((*left)->workers, copy.workers);
        copy.dims = std::max(copy.dims, (*left)->dims);
      }
    if (!kept.empty())
      for (const Level *left : leftOut)
        takeOver(kept.back(), *left);
    leftOut.clear();
    kept.push_back(std::move(copy));
  }
  return kept;
}

/// Subordinates are neighbours; the lowest level has none, and nothing that concerns one.
void relink(std::vector<Level> &levels) {
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    levels[i].subordinate = static_cast<int>(i) + 1;
  Level &lowest = levels.back();
  lowest.subordinate = -1;
  lowest.sync = Sync::None;
  lowest.prefers = Tiling::None;
  lowest.lockstep = lowest.forwardProgress = false;
  if (lowest.compute == Capability::Vector) // no workers left to be the lanes
    lowest.compute = Capability::Scalar;
  restrictMapRules(levels);
}

} // namespace

MachineOrErrors projectOnto(const Machine &machine, const std::string &target,
                            std::vector<std::string> &notes) {
  const std::vector<std::string> &listed = machine.targets;
  if (std::find(listed.begin(), listed.end(), modelTarget(target)) == listed.end()) {
    // A target that exists is no typo of another one.
    std::string suggestion = targetNamed(target) ? "" : didYouMean(target, listed);
    return projectionError(machine, "/targets",
                           "expected a target of " + machine.name + " (" + commaList(listed) +
                               "), found " + inQuotes(target) + suggestion);
  }
  if (!nextExpressible(machine, 0, target))
    return projectionError(machine, "/levels",
                           "expected a \"spelling\" for " + target +
                               " on at least one level, "
                               "found none");
  Machine projected = machine;
  std::vector<std::string> made;
  projected.levels = expressibleLevels(machine, target, made);
  relink(projected.levels);
  const Level &lowest = projected.levels.back();
  if (lowest.compute == Capability::None)
    return projectionError(machine, "/levels",
                           "expected a \"spelling\" for " + target + " on a level below " +
                               display(lowest) + ", which cannot compute, found none");
  notes.insert(notes.end(), made.begin(), made.end());
  return projected;
}

Machine withMapRules(const Machine &machine, const std::vector<MapRule> &rules) {
  Machine changed = machine;
  for (Level &level : changed.levels)
    level.mapRules = rules;
  restrictMapRules(changed.levels);
  return changed;
}

} // namespace tangram::composer

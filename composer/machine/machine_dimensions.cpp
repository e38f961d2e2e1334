// Levels that nested maps share: dimensions of the workers of one, or one index over all maps.
#include "composer/machine/machine.h"

#include <algorithm>

namespace tangram::composer {
namespace {

constexpr const char *suffixes[] = {"", ".y", ".z"};
constexpr const char *titles[] = {"", "row of ", "plane of "};

/// The rules that a level of nested maps below `superior` offers: only maps run there.
std::vector<MapRule> rulesBelow(const Level *superior, bool splits) {
  std::vector<MapRule> rules{MapRule::Distribute};
  if (splits && superior && superior->offers(MapRule::Split))
    rules.push_back(MapRule::Split);
  return rules;
}

/// `dimension` of the workers of `base`, which `superior` distributes to, as a level of its own.
Level dimensionOf(const Level &base, const Level *superior, unsigned dimension) {
  Level made;
  made.name = base.name + suffixes[dimension];
  made.title = titles[dimension] + (base.title.empty() ? base.name : base.title) + "s";
  made.compute = Capability::None;
  made.mapRules = rulesBelow(superior, dimension == 1);
  made.workers.defaultCount = dimension == 1 ? "4" : "1";
  made.workers.max = base.workers.max;
  made.dimension = dimension;
  made.spelling = base.spelling;
  made.description = "A worker is one index in dimension " + std::to_string(dimension) + " of " +
                     base.name + "; it distributes, and nothing else.";
  return made;
}

/// The workers of `base`, which `superior` distributes to, as flattened maps share them.
Level flattened(const Level &base, const Level *superior) {
  Level made;
  made.name = base.name + ".flat";
  made.title = "flattened " + (base.title.empty() ? base.name : base.title) + "s";
  made.compute = Capability::None;
  made.mapRules = rulesBelow(superior, true);
  made.flat = true;
  made.description =
      "Workers of " + base.name + " take elements of nested maps, which are counted through.";
  return made;
}

/// The level that has `level` below it; null: the top level, or one whose workers follow each other.
const Level *superiorOf(const Machine &machine, std::size_t level) {
  for (const Level &each : machine.levels) {
    const bool isSideBySide = each.sync != Sync::None && each.sync != Sync::Loop;
    if (!each.isOfNests() && each.subordinate == static_cast<int>(level))
      return isSideBySide ? &each : nullptr;
  }
  return nullptr;
}

} // namespace

Machine withFlatLevels(const Machine &machine) {
  Machine changed = machine;
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    const Level *superior = superiorOf(machine, i);
    if (!superior || machine.levels[i].isOfNests())
      continue;
    Level made = flattened(machine.levels[i], superior);
    made.subordinate = static_cast<int>(i);
    changed.levels.push_back(std::move(made));
  }
  return changed;
}

Machine withDimensions(const Machine &machine, unsigned dims) {
  Machine changed = machine;
  changed.levels.clear();
  std::vector<int> moved; // where each level of `machine` went
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    const Level &level = machine.levels[i];
    const unsigned last = i == 0 ? 1 : std::min({dims, level.dims, 3U});
    for (unsigned dimension = last; dimension-- > 1;) {
      Level made = dimensionOf(level, superiorOf(machine, i), dimension);
      made.subordinate = static_cast<int>(changed.levels.size()) + 1;
      changed.levels.push_back(std::move(made));
    }
    moved.push_back(static_cast<int>(changed.levels.size()));
    changed.levels.push_back(level);
  }
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    int &subordinate = changed.levels[static_cast<std::size_t>(moved[i])].subordinate;
    if (subordinate >= 0)
      subordinate = moved[static_cast<std::size_t>(subordinate)];
  }
  return changed;
}

} // namespace tangram::composer

// Levels whose workers have several indexes, taken dimension by dimension.
#include "composer/machine/machine.h"

#include <algorithm>

namespace tangram::composer {
namespace {

constexpr const char *suffixes[] = {"", ".y", ".z"};
constexpr const char *titles[] = {"", "row of ", "plane of "};

/// `dimension` of the workers of `base`, as a level of its own.
Level dimensionOf(const Level &base, unsigned dimension) {
  Level made;
  made.name = base.name + suffixes[dimension];
  made.title = titles[dimension] + (base.title.empty() ? base.name : base.title) + "s";
  made.compute = Capability::None;
  made.mapRules = {MapRule::Distribute};
  made.workers.defaultCount = dimension == 1 ? "4" : "1";
  made.workers.max = base.workers.max;
  made.dimension = dimension;
  made.spelling = base.spelling;
  made.description = "A worker is one index in dimension " + std::to_string(dimension) + " of " +
                     base.name + "; it distributes, and nothing else.";
  return made;
}

} // namespace

Machine withDimensions(const Machine &machine, unsigned dims) {
  Machine changed = machine;
  changed.levels.clear();
  std::vector<int> moved; // where each level of `machine` went
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    const Level &level = machine.levels[i];
    const unsigned last = i == 0 ? 1 : std::min({dims, level.dims, 3U});
    for (unsigned dimension = last; dimension-- > 1;) {
      Level made = dimensionOf(level, dimension);
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

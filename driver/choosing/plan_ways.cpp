#include "driver/choosing/plan_ways.h"

#include "composer/plans/plan_json.h"
#include "driver/text/comma_list.h"

#include <algorithm>
#include <set>

namespace tangram::driver {

using composer::Level;
using composer::Machine;

namespace {

/// Levels from the top down, without those that stand for dimensions of others.
std::vector<const Level *> chain(const Machine &machine) {
  std::vector<const Level *> levels;
  for (const Level &level : machine.levels) {
    if (!level.isOfNests())
      levels.push_back(&level);
  }
  return levels;
}

/// "B" of "B.y" and of "B".
std::string levelPart(const std::string &name) { return name.substr(0, name.find('.')); }

/// Levels below the top, of the level itself or the one that it is a dimension of.
std::size_t roleOf(const std::string &name, const Machine &machine) {
  const auto levels = chain(machine);
  const auto at =
      std::ranges::find(levels, levelPart(name), [](const Level *level) { return level->name; });
  return static_cast<std::size_t>(at - levels.begin());
}

void addLevels(const ir::PlanPtr &plan, std::set<int> &levels) {
  levels.insert(plan->level);
  for (const ir::PlanPtr &child : plan->children)
    addLevels(child, levels);
}

std::string titled(const Level &level) {
  return level.title.empty() ? level.name : level.name + " (" + level.title + ")";
}

} // namespace

bool sameKind(const Machine &a, const Machine &b) {
  return chain(a).front()->name == chain(b).front()->name;
}

std::map<std::string, std::string> correspondingLevels(const Machine &from, const Machine &to) {
  std::map<std::string, std::string> names;
  const auto below = chain(to);
  const bool byName = sameKind(from, to);
  for (const Level &level : from.levels) {
    std::string name = level.name;
    if (!byName) {
      const std::size_t role = roleOf(name, from);
      if (role >= below.size())
        continue;
      name = below[role]->name + level.name.substr(levelPart(level.name).size());
    }
    if (to.levelNamed(name) >= 0)
      names[level.name] = name;
  }
  return names;
}

std::variant<ir::PlanPtr, std::string> correspondingPlan(const ir::PlanPtr &plan,
                                                         const ir::Program &program,
                                                         const Machine &from, const Machine &to) {
  const auto names = correspondingLevels(from, to);
  std::set<int> used;
  addLevels(plan, used);
  for (const int level : used) {
    const Level &each = from.levels[static_cast<std::size_t>(level)];
    if (!names.contains(each.name))
      return to.name + " has no level that corresponds to " + titled(each) + " of " + from.name;
  }
  auto made = composer::planWithLevels(plan, program, from, to, names, composer::PlanInterner());
  if (auto *errors = std::get_if<ir::Diagnostics>(&made)) {
    const std::string &message = errors->front().message; // "/of/0/level: ...", or no place
    return message.starts_with('/') ? message.substr(message.find(": ") + 2) : message;
  }
  return std::get<ir::PlanPtr>(made);
}

std::string wayOf(const composer::PlanOutline &outline, const Machine &machine) {
  std::string way = outline.top + ";";
  for (const std::string &level : outline.distributed)
    way += " " + std::to_string(roleOf(level, machine));
  return way + "; " + joined(outline.leaves, " ");
}

std::vector<std::string> levelsOnAll(const composer::PlanOutline &outline, std::size_t of,
                                     const std::vector<const Machine *> &machines) {
  std::vector<std::string> all;
  for (const std::string &level : outline.distributed) {
    std::vector<std::string> names;
    for (const Machine *machine : machines) {
      const auto known = correspondingLevels(*machines[of], *machine);
      const auto name = known.find(level);
      if (name != known.end() && std::ranges::find(names, name->second) == names.end())
        names.push_back(name->second);
    }
    all.push_back(joined(names, "/"));
  }
  return all;
}

} // namespace tangram::driver

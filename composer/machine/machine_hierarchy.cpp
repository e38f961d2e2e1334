#include "composer/machine/machine_hierarchy.h"

#include <algorithm>

namespace tangram::composer {
namespace {

using Drafts = std::vector<LevelDraft>;

std::vector<std::string> levelNames(const Drafts &drafts) {
  std::vector<std::string> names;
  for (const LevelDraft &draft : drafts)
    if (draft.nameRead)
      names.push_back(draft.level.name);
  return names;
}

int indexOf(const Drafts &drafts, const std::string &name) {
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (drafts[i].nameRead && drafts[i].level.name == name)
      return static_cast<int>(i);
  return -1;
}

/// Whether the levels' names tell them apart.
bool namesDiffer(const Drafts &drafts, ErrorSink &sink) {
  bool differ = true;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    int first = drafts[i].nameRead ? indexOf(drafts, drafts[i].level.name) : -1;
    if (first < 0 || static_cast<std::size_t>(first) == i)
      continue;
    differ = false;
    sink.add(drafts[i].at / "name", "expected a name no other level has, found " +
                                        inQuotes(drafts[i].level.name) + " again (first at " +
                                        drafts[static_cast<std::size_t>(first)].at.to_string() +
                                        ")");
  }
  return differ;
}

/// A level has to compute or distribute, and synchronises exactly what it distributes to.
void checkRelations(const LevelDraft &draft, ErrorSink &sink) {
  const Level &level = draft.level;
  if (draft.computeRead && level.compute == Capability::None && !draft.hasSubordinate)
    sink.add(draft.at, "expected a level that computes (\"compute\": \"scalar\" or \"vector\") or "
                       "distributes (\"subordinate\"), found neither");
  if (level.compute == Capability::Vector && !draft.hasSubordinate)
    sink.add(draft.at / "compute", "expected scalar on a level without a \"subordinate\", whose "
                                   "workers would be the lanes, found \"vector\"");
  if (draft.hasSubordinate && !draft.hasSync)
    sink.add(draft.at, "expected a field \"sync\" beside \"subordinate\" (one of " +
                           commaList(namesOf(syncWords())) + "), found none");
  if (draft.hasSync && !draft.hasSubordinate)
    sink.add(draft.at / "sync",
             "expected a field \"subordinate\" beside \"sync\" (the level to synchronise), "
             "found none");
}

/// Fill in Level::subordinate (an index into `drafts`); true when every one was found.
bool resolveSubordinates(Drafts &drafts, ErrorSink &sink) {
  std::vector<std::string> names = levelNames(drafts);
  bool resolved = names.size() == drafts.size();
  for (LevelDraft &draft : drafts) {
    if (draft.hasSubordinate && !draft.subordinate)
      resolved = false;
    if (!draft.subordinate)
      continue;
    draft.level.subordinate = indexOf(drafts, *draft.subordinate);
    if (draft.level.subordinate >= 0)
      continue;
    resolved = false;
    // A level that could not be named may be the one that is meant.
    if (names.size() == drafts.size())
      sink.add(draft.at / "subordinate", "expected the name of a level (" + commaList(names) +
                                             "), found " + inQuotes(*draft.subordinate) +
                                             didYouMean(*draft.subordinate, names));
  }
  return resolved;
}

/// Whether the subordinates of `start` come back to a level seen before. The cycle
/// is reported once: from the earliest of its levels in the file.
bool runsIntoCycle(const Drafts &drafts, std::size_t start, ErrorSink &sink) {
  std::vector<std::size_t> path = {start};
  for (int next = drafts[start].level.subordinate; next >= 0;
       next = drafts[path.back()].level.subordinate) {
    std::size_t index = static_cast<std::size_t>(next);
    bool seen = std::find(path.begin(), path.end(), index) != path.end();
    path.push_back(index);
    if (!seen)
      continue;
    if (index == start && start == *std::min_element(path.begin(), path.end())) {
      std::string cycle;
      for (std::size_t i : path)
        cycle += (cycle.empty() ? "" : " -> ") + drafts[i].level.name;
      sink.add(drafts[start].at / "subordinate",
               "expected levels that lead from the top to the bottom, found the cycle " + cycle);
    }
    return true;
  }
  return false;
}

/// The levels from top to bottom as indexes of `drafts`; empty, and errors, when they are no chain.
std::vector<std::size_t> chain(const Drafts &drafts, ErrorSink &sink) {
  bool cyclic = false;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    cyclic = runsIntoCycle(drafts, i, sink) || cyclic;
  std::vector<bool> hasSuperior(drafts.size(), false);
  for (const LevelDraft &draft : drafts)
    if (draft.level.subordinate >= 0)
      hasSuperior[static_cast<std::size_t>(draft.level.subordinate)] = true;
  int top = -1;
  bool several = false;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (hasSuperior[i])
      continue;
    if (top >= 0) {
      several = true;
      sink.add(drafts[i].at, "expected one top level, found another beside " +
                                 display(drafts[static_cast<std::size_t>(top)].level) + ": no " +
                                 "level has " + display(drafts[i].level) +
                                 " as its \"subordinate\"");
    } else {
      top = static_cast<int>(i);
    }
  }
  std::vector<std::size_t> order;
  if (!cyclic && !several)
    for (int i = top; i >= 0; i = drafts[order.back()].level.subordinate)
      order.push_back(static_cast<std::size_t>(i));
  return order;
}

std::string whyNot(MapRule rule) {
  switch (rule) {
  case MapRule::Distribute:
    return "expected a rule this level can carry out, found \"distribute\", which needs a "
           "\"subordinate\"";
  case MapRule::Serialize:
    return "expected a rule this level can carry out, found \"serialize\", which needs "
           "\"compute\": \"scalar\" or \"vector\"";
  case MapRule::Split:
    break;
  }
  return "expected a rule this level can carry out, found \"split\", which needs a "
         "\"subordinate\" that offers a rule for the inner map";
}

/// Default rules where none are given; given ones have to be possible. Bottom up,
/// because split depends on what the subordinate offers.
void settleMapRules(Drafts &drafts, const std::vector<std::size_t> &order, ErrorSink &sink) {
  const Level *below = nullptr;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    LevelDraft &draft = drafts[*i];
    Level &level = draft.level;
    if (draft.hasMapRules && draft.computeRead) {
      for (std::size_t k = 0; k < level.mapRules.size(); ++k)
        if (!allowsMapRule(level, below, level.mapRules[k]))
          sink.add(draft.at / "map_rules" / k, whyNot(level.mapRules[k]));
    } else if (!draft.hasMapRules) {
      for (const Word<MapRule> &rule : mapRuleWords())
        if (allowsMapRule(level, below, rule.value))
          level.mapRules.push_back(rule.value);
    }
    below = &level;
  }
}

/// A target's constructs nest in one way; levels have to be spelled in that order.
void checkSpellingOrder(const Drafts &drafts, const std::vector<std::size_t> &order,
                        const Target &target, ErrorSink &sink) {
  const LevelDraft *above = nullptr;
  auto rank = [&](const LevelDraft &draft) {
    const std::vector<std::string> &all = target.spellings;
    return std::find(all.begin(), all.end(), draft.level.spelling.at(target.name)) - all.begin();
  };
  for (std::size_t i : order) {
    const LevelDraft &draft = drafts[i];
    if (!draft.level.spelling.count(target.name))
      continue;
    if (above && rank(draft) <= rank(*above))
      sink.add(draft.at / "spelling" / target.name,
               "expected a construct of " + target.name + " inside the " +
                   inQuotes(above->level.spelling.at(target.name)) + " of " +
                   display(above->level) + " (from the outermost: " + commaList(target.spellings) +
                   "), found " + inQuotes(draft.level.spelling.at(target.name)));
    above = &draft;
  }
}

void checkSpellings(const MachineDraft &draft, ErrorSink &sink) {
  const std::vector<std::string> &listed = draft.machine.targets;
  for (const LevelDraft &level : draft.levels)
    for (const auto &[target, word] : level.level.spelling)
      if (!listed.empty() && std::find(listed.begin(), listed.end(), target) == listed.end())
        sink.add(level.at / "spelling" / target, "expected a target the model lists (" +
                                                     commaList(listed) + "), found " +
                                                     inQuotes(target));
}

/// Every listed target must be able to express something that computes.
void checkTargets(const Machine &machine, ErrorSink &sink) {
  for (std::size_t i = 0; i < machine.targets.size(); ++i) {
    std::vector<std::string> notes;
    MachineOrErrors projected = projectOnto(machine, machine.targets[i], notes);
    if (const auto *errors = std::get_if<ModelErrors>(&projected))
      for (const ModelError &error : *errors)
        sink.add(JsonPointer("/targets") / i, error.message);
  }
}

} // namespace

std::string display(const Level &level) {
  return level.title == level.name ? level.name : level.name + " (" + level.title + ")";
}

bool allowsMapRule(const Level &level, const Level *subordinate, MapRule rule) {
  switch (rule) {
  case MapRule::Distribute:
    return subordinate != nullptr;
  case MapRule::Serialize:
    return level.compute != Capability::None;
  case MapRule::Split:
    return subordinate != nullptr && !subordinate->mapRules.empty();
  }
  return false;
}

void restrictMapRules(std::vector<Level> &levels) {
  const Level *below = nullptr;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    std::erase_if(level->mapRules,
                  [&](MapRule rule) { return !allowsMapRule(*level, below, rule); });
    below = &*level;
  }
}

Machine linkLevels(MachineDraft draft, ErrorSink &sink) {
  Drafts &drafts = draft.levels;
  bool distinct = namesDiffer(drafts, sink);
  for (const LevelDraft &level : drafts)
    checkRelations(level, sink);
  checkSpellings(draft, sink);
  std::vector<std::size_t> order;
  if (resolveSubordinates(drafts, sink) && distinct)
    order = chain(drafts, sink);
  settleMapRules(drafts, order, sink);
  for (const Target &target : targets())
    checkSpellingOrder(drafts, order, target, sink);
  if (!order.empty() && drafts[order.front()].hasWorkers)
    sink.add(drafts[order.front()].at / "workers",
             "expected no worker count on the top level, which runs once, found one");

  Machine machine = std::move(draft.machine);
  for (std::size_t i : order) {
    Level level = std::move(drafts[i].level);
    bool last = i == order.back();
    level.subordinate = last ? -1 : static_cast<int>(machine.levels.size()) + 1;
    machine.levels.push_back(std::move(level));
  }
  if (sink.errors.empty())
    checkTargets(machine, sink);
  return machine;
}

} // namespace tangram::composer

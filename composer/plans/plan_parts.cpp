#include "composer/plans/plan_parts.h"

#include "composer/analysis/sites.h"
#include "composer/plans/notation.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool handsDown(Term::Kind kind) {
  return kind == Term::Kind::Devolve || kind == Term::Kind::Distribute ||
         kind == Term::Kind::Serialize;
}

/// The maps of the codelet, in the order of its rule's policies.
std::vector<const ir::Expr *> mapsOf(const ir::Codelet *codelet) {
  std::vector<const ir::Expr *> maps;
  for (const Site &site : codelet ? sites(*codelet) : std::vector<Site>()) {
    if (site.kind == Site::Kind::Map)
      maps.push_back(site.expr);
  }
  return maps;
}

class Collector {
public:
  explicit Collector(const RuleBook &book) : book_(book) {}

  std::vector<PlanPart> collect(const ir::PlanPtr &plan) {
    std::vector<PlanPart> made;
    const ProgramRule *rule = book_.ruleOf(*plan);
    if (!rule)
      return made;
    const std::vector<const ir::Expr *> maps = mapsOf(rule->codelet());
    std::size_t map = 0;
    std::size_t open = 0;
    bool waiting = false; // for what the last part hands down
    for (const Term &term : rule->terms) {
      if (!term.isOpen()) {
        made.push_back({term.kind, step_++, rule->goal.level, rule->codelet(), rule->goal.spectrum,
                        term.expr});
        waiting = handsDown(term.kind);
        if (waiting && term.kind != Term::Kind::Devolve && map < maps.size())
          made.back().expr = maps[map++];
        continue;
      }
      const OpenGoal &next = rule->open[open++];
      std::vector<PlanPart> inside = collect(subplan(*plan, next));
      if (waiting) {
        made.back().spectrum = next.goal.spectrum;
        made.back().to = next.goal.level;
        made.back().inside = std::move(inside);
      } else {
        made.insert(made.end(), inside.begin(), inside.end());
      }
      waiting = false;
    }
    return made;
  }

private:
  const RuleBook &book_;
  std::size_t step_ = 0;
};

} // namespace

namespace {

void addOnce(std::vector<std::string> &names, const std::string &name) {
  if (std::ranges::find(names, name) == names.end())
    names.push_back(name);
}

void outline(const std::vector<PlanPart> &parts, const Machine &machine, PlanOutline &made) {
  for (const PlanPart &part : parts) {
    if (made.top.empty() && part.kind != Term::Kind::Sync && part.codelet)
      made.top = part.codelet->name();
    if (part.kind == Term::Kind::Distribute)
      addOnce(made.distributed, machine.levels[static_cast<std::size_t>(part.to)].name);
    if (part.kind == Term::Kind::Compute)
      addOnce(made.leaves, part.codelet->name());
    outline(part.inside, machine, made);
  }
}

} // namespace

PlanOutline outlineOf(const ir::PlanPtr &plan, const RuleBook &book) {
  PlanOutline made;
  outline(partsOf(plan, book), *book.context().machine, made);
  return made;
}

std::vector<PlanPart> partsOf(const ir::PlanPtr &plan, const RuleBook &book) {
  return Collector(book).collect(plan);
}

} // namespace tangram::composer

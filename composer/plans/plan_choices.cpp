#include "composer/plans/plan_choices.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tangram::composer {

namespace {

/// Whether the code calls a function of these.
bool callsOneOf(const ir::StmtPtr &body, const std::set<std::string> &functions) {
  bool found = false;
  ir::forEachExpr(body, [&](const ir::Expr &e) {
    found |= e.kind == ir::ExprKind::Call && functions.contains(e.callee);
  });
  return found;
}

bool hasParts(const Choice &choice, int top) {
  return choice.goal.level == top && choice.rule->kind != ProgramRule::Kind::Devolve &&
         (choice.below.size() > 1 ||
          (choice.below.size() == 1 && hasParts(*choice.below.front(), top)));
}

void addPlacesOfParts(const Choice &choice, int top, ChoicePlace &at,
                      std::vector<ChoicePlace> &places) {
  if (!hasParts(choice, top)) {
    places.push_back(at);
    return;
  }
  for (std::size_t i = 0; i < choice.below.size(); ++i) {
    at.push_back(i);
    addPlacesOfParts(*choice.below[i], top, at, places);
    at.pop_back();
  }
}

} // namespace

const ChoicePtr &choiceAt(const ChoicePtr &choice, const ChoicePlace &place) {
  const ChoicePtr *found = &choice;
  for (const std::size_t i : place)
    found = &(*found)->below[i];
  return *found;
}

bool hasPlace(const Choice &choice, const ChoicePlace &place) {
  const Choice *at = &choice;
  for (const std::size_t i : place) {
    if (i >= at->below.size())
      return false;
    at = at->below[i].get();
  }
  return true;
}

ChoicePtr withChoiceAt(const ChoicePtr &choice, const ChoicePlace &place, const ChoicePtr &other,
                       std::size_t depth) {
  if (depth == place.size())
    return other;
  auto changed = std::make_shared<Choice>(*choice);
  ChoicePtr &below = changed->below[place[depth]];
  below = withChoiceAt(below, place, other, depth + 1);
  return changed;
}

std::vector<ChoicePlace> placesOfParts(const ChoicePtr &choice, int top) {
  std::vector<ChoicePlace> places;
  ChoicePlace at;
  addPlacesOfParts(*choice, top, at, places);
  return places;
}

Avoided codeletsAt(const ir::Program &program, const ir::SourceLocation &place) {
  ir::SourceLocation begin; // of the definition that the place is in
  auto meet = [&](const ir::SourceLocation &each) {
    const bool before = each.file == place.file && !(place < each);
    if (before && (!begin.valid() || begin < each))
      begin = each;
  };
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      meet(codelet.location);
  }
  for (const ir::Function &function : program.functions)
    meet(function.location);
  std::set<std::string> helpers;
  for (const ir::Function &function : program.functions) { // callees before callers
    if (begin.valid() && (function.location == begin || callsOneOf(function.body, helpers)))
      helpers.insert(function.name);
  }
  Avoided codelets;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (begin.valid() && (codelet.location == begin || callsOneOf(codelet.body, helpers)))
        codelets.insert(codelet.location);
    }
  }
  return codelets;
}

bool isAvoided(const ProgramRule &rule, const Avoided &avoided) {
  return rule.codelet() != nullptr && avoided.contains(rule.codelet()->location);
}

ChoicePtr Chooser::chosen(const Goal &goal, unsigned left, const ProgramRule *rule,
                          SketchFit::Section section, const Choice *old, const Avoided &avoided,
                          Completion completion) const {
  const auto sections = fit_.sections(*rule, goal, left, section);
  if (!sections)
    return nullptr;
  auto choice = std::make_shared<Choice>(Choice{goal, left, rule, section});
  for (std::size_t open = 0; open < rule->open.size(); ++open) {
    const Goal child = childGoal(goal, rule->open[open]);
    const SketchFit::Section &part = (*sections)[open];
    ChoicePtr kept;
    for (std::size_t i = 0; old && !kept && i < old->below.size(); ++i) {
      if (old->below[i]->goal == child && old->below[i]->section == part)
        kept = old->below[i];
    }
    if (!kept && completion == Completion::Together)
      kept = together(child, left - 1, part, avoided);
    choice->below.push_back(kept ? kept : first(child, left - 1, part, avoided));
    if (!choice->below.back())
      return nullptr;
  }
  return choice;
}

ChoicePtr Chooser::first(const Goal &goal, unsigned left, SketchFit::Section section,
                         const Avoided &avoided) const {
  const auto [known, isNew] = completions_[avoided].first.try_emplace({goal, left, section});
  if (isNew)
    known->second = findFirst(goal, left, section, avoided);
  return known->second;
}

ChoicePtr Chooser::together(const Goal &goal, unsigned left, SketchFit::Section section,
                            const Avoided &avoided) const {
  const auto [known, isNew] = completions_[avoided].together.try_emplace({goal, left, section});
  if (isNew)
    known->second = findTogether(goal, left, section, avoided);
  return known->second;
}

ChoicePtr Chooser::findFirst(const Goal &goal, unsigned left, SketchFit::Section section,
                             const Avoided &avoided) const {
  for (const ProgramRule *rule : order_.usable(goal, left)) {
    if (isAvoided(*rule, avoided))
      continue;
    if (ChoicePtr choice = chosen(goal, left, rule, section, nullptr, avoided))
      return choice;
  }
  return nullptr;
}

ChoicePtr Chooser::findTogether(const Goal &goal, unsigned left, SketchFit::Section section,
                                const Avoided &avoided) const {
  for (const ProgramRule *rule : order_.usable(goal, left)) {
    if (isAvoided(*rule, avoided) ||
        (goal.nestedIn.empty() && !(rule->computes && rule->vectorizes)))
      continue;
    const ChoicePtr choice =
        chosen(goal, left, rule, section, nullptr, avoided, Completion::Together);
    if (choice && (goal.nestedIn.empty() || isTogether(*choice)))
      return choice;
  }
  return nullptr;
}

bool Chooser::isTogether(const Choice &choice) {
  if (choice.below.empty())
    return false;
  const Choice &below = *choice.below.front();
  return (below.rule->computes && below.rule->vectorizes) ||
         (!below.goal.nestedIn.empty() && isTogether(below));
}

ChoicePtr Chooser::alone(const Goal &goal, unsigned left, SketchFit::Section section) const {
  const auto rules = order_.usable(goal, left);
  for (const ProgramRule *rule : rules) {
    if (rule->computes && !rule->vectorizes && fit_.sections(*rule, goal, left, section))
      return std::make_shared<Choice>(Choice{goal, left, rule, section});
  }
  for (const ProgramRule *rule : rules) {
    const auto sections = rule->kind == ProgramRule::Kind::Devolve
                              ? fit_.sections(*rule, goal, left, section)
                              : std::nullopt;
    const ChoicePtr below =
        sections ? alone(childGoal(goal, rule->open.front()), left - 1, sections->front())
                 : nullptr;
    if (below)
      return std::make_shared<Choice>(Choice{goal, left, rule, section, {below}});
  }
  return nullptr;
}

ChoicePtr Chooser::alike(const Choice &choice, const Choice &example) const {
  return alike(choice.goal, choice.left, choice.section, example);
}

namespace {

/// Whether a rule does nothing but call another spectrum on the same level: codelets that name the rounds of a loop.
bool onlyCalls(const ProgramRule &rule) {
  return rule.open.size() == 1 && !rule.open.front().policy &&
         rule.open.front().goal.level == rule.goal.level && rule.codelet() != nullptr;
}

/// Whether two rules do the same, for whatever spectrums.
bool readAlike(const ProgramRule &a, const ProgramRule &b) {
  if (a.terms.size() != b.terms.size() || a.open.size() != b.open.size())
    return false;
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    if (a.terms[i].kind != b.terms[i].kind || (!a.terms[i].isOpen() && a.steps[i] != b.steps[i]))
      return false;
  }
  return true;
}

} // namespace

ChoicePtr Chooser::alike(const Goal &goal, unsigned left, SketchFit::Section section,
                         const Choice &example) const {
  if (onlyCalls(*example.rule))
    return alike(goal, left, section, *example.below.front());
  for (const ProgramRule *rule : order_.usable(goal, left)) {
    const bool calls = onlyCalls(*rule);
    if (!calls && !readAlike(*rule, *example.rule))
      continue;
    const auto sections = fit_.sections(*rule, goal, left, section);
    if (!sections)
      continue;
    auto made = std::make_shared<Choice>(Choice{goal, left, rule, section});
    for (std::size_t open = 0; open < rule->open.size(); ++open) {
      const Goal child = childGoal(goal, rule->open[open]);
      ChoicePtr below =
          alike(child, left - 1, (*sections)[open], calls ? example : *example.below[open]);
      if (!below && !calls)
        below = first(child, left - 1, (*sections)[open]);
      if (below)
        made->below.push_back(std::move(below));
    }
    if (made->below.size() == rule->open.size())
      return made;
  }
  return nullptr;
}

void Chooser::neighbours(const ChoicePtr &choice, const TakeNeighbour &take, const ChoicePlace &at,
                         const std::vector<ChoicePlace> &without) const {
  if (std::ranges::find(without, at) != without.end())
    return;
  for (const ProgramRule *rule : order_.usable(choice->goal, choice->left)) {
    if (rule == choice->rule)
      continue;
    if (ChoicePtr other = chosen(choice->goal, choice->left, rule, choice->section, choice.get()))
      take(other, {planOf(*choice), planOf(*other)}, at);
  }
  const ChoicePtr loop = choice->rule->kind == ProgramRule::Kind::Devolve
                             ? nullptr
                             : alone(choice->goal, choice->left, choice->section);
  if (loop && loop->rule->kind == ProgramRule::Kind::Devolve)
    take(loop, {planOf(*choice), planOf(*loop)}, at);
  ChoicePlace inside = at;
  inside.push_back(0);
  for (std::size_t i = 0; i < choice->below.size(); ++i) {
    inside.back() = i;
    neighbours(
        choice->below[i],
        [&](const ChoicePtr &below, const PlanChange &change, const ChoicePlace &place) {
          auto changed = std::make_shared<Choice>(*choice);
          changed->below[i] = below;
          take(changed, change, place);
        },
        inside, without);
  }
}

ir::PlanPtr Chooser::planOf(const Choice &choice) const {
  std::vector<ir::PlanPtr> slots;
  for (std::size_t i = 0; i < choice.below.size(); ++i)
    slots.push_back(slotOf(*choice.rule, i, planOf(*choice.below[i]), interner_));
  return nodeOf(*choice.rule, slots, interner_);
}
} // namespace tangram::composer

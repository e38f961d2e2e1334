#include "composer/plans/plan_search.h"

#include <queue>

namespace tangram::composer {

namespace {

/// A candidate: a tree of rules, some of its goals still open.
struct Candidate {
  Goal goal;
  const ProgramRule *rule = nullptr; ///< null: open
  std::size_t rank = 0;              ///< of the rule among the usable ones, 0 the best
  std::vector<std::shared_ptr<const Candidate>> below;
};
using CandidatePtr = std::shared_ptr<const Candidate>;

CandidatePtr openAt(const Goal &goal) {
  return std::make_shared<Candidate>(Candidate{goal, nullptr, 0, {}});
}

/// Rule by rule in notation order: < 0 when `a` is better.
int compare(const CandidatePtr &a, const CandidatePtr &b) {
  if (a == b || !a->rule || !b->rule)
    return 0;
  if (a->rule != b->rule)
    return a->rank < b->rank ? -1 : 1;
  for (std::size_t i = 0; i < a->below.size(); ++i) {
    if (int order = compare(a->below[i], b->below[i]))
      return order;
  }
  return 0;
}

/// The candidates one iteration makes of a candidate, best first, made when asked for.
class Expansion {
public:
  Expansion(const RuleOrder &order, CandidatePtr parent, unsigned left)
      : order(&order), parent(std::move(parent)), left(left) {
    countOpen(*this->parent);
  }

  /// How many there are.
  mpz_class count() const {
    mpz_class all = 1;
    for (const auto *each : choices)
      all *= each->size();
    return all;
  }

  /// Null after the last combination.
  CandidatePtr next() {
    if (done)
      return nullptr;
    std::size_t at = 0;
    CandidatePtr made = apply(parent, at);
    turn();
    return made;
  }

private:
  void countOpen(const Candidate &c) {
    if (!c.rule) {
      choices.push_back(&order->usable(c.goal, left));
      done |= choices.back()->empty();
    }
    for (const CandidatePtr &each : c.below)
      countOpen(*each);
    picked.resize(choices.size(), 0);
  }

  /// The last open goal turns fastest: combinations come in the order of compare().
  void turn() {
    for (std::size_t i = picked.size(); i-- > 0;) {
      if (++picked[i] < choices[i]->size())
        return;
      picked[i] = 0;
    }
    done = true;
  }

  CandidatePtr apply(const CandidatePtr &c, std::size_t &at) const {
    if (!c->rule) {
      Candidate expanded{c->goal, (*choices[at])[picked[at]], picked[at], {}};
      ++at;
      for (const OpenGoal &open : expanded.rule->open)
        expanded.below.push_back(openAt(childGoal(c->goal, open)));
      return std::make_shared<Candidate>(std::move(expanded));
    }
    const std::size_t before = at;
    std::vector<CandidatePtr> below;
    for (const CandidatePtr &each : c->below)
      below.push_back(apply(each, at));
    if (at == before)
      return c;
    return std::make_shared<Candidate>(Candidate{c->goal, c->rule, c->rank, std::move(below)});
  }

  const RuleOrder *order;
  CandidatePtr parent;
  unsigned left;
  std::vector<const std::vector<const ProgramRule *> *> choices; ///< of each open goal
  std::vector<std::size_t> picked;
  bool done = false;
};

/// The best `keep` of what one iteration makes of all candidates: a merge of sorted expansions. `made`:
/// how many there were.
std::vector<CandidatePtr> iterate(const RuleOrder &order, const std::vector<CandidatePtr> &all,
                                  unsigned left, unsigned keep, mpz_class &made) {
  struct Head {
    CandidatePtr candidate;
    std::size_t expansion;
  };
  auto worse = [](const Head &a, const Head &b) { return compare(a.candidate, b.candidate) > 0; };
  std::priority_queue<Head, std::vector<Head>, decltype(worse)> heads(worse);
  std::vector<Expansion> expansions;
  for (const CandidatePtr &each : all) {
    expansions.emplace_back(order, each, left);
    made += expansions.back().count();
    if (CandidatePtr first = expansions.back().next())
      heads.push({std::move(first), expansions.size() - 1});
  }
  std::vector<CandidatePtr> kept;
  while (!heads.empty() && kept.size() < keep) {
    Head best = heads.top();
    heads.pop();
    if (CandidatePtr next = expansions[best.expansion].next())
      heads.push({std::move(next), best.expansion});
    kept.push_back(std::move(best.candidate));
  }
  return kept;
}

ir::PlanPtr planOf(const Candidate &c, const PlanInterner &interner) {
  std::vector<ir::PlanPtr> slots;
  for (std::size_t i = 0; i < c.below.size(); ++i)
    slots.push_back(slotOf(*c.rule, i, planOf(*c.below[i], interner), interner));
  return nodeOf(*c.rule, slots, interner);
}

} // namespace

SearchedPlans searchPlans(const RuleOrder &order, unsigned iterations, unsigned keep,
                          const PlanInterner &interner) {
  std::vector<CandidatePtr> candidates{openAt(order.root())};
  SearchedPlans found;
  for (unsigned left = iterations; left > 0; --left) {
    mpz_class made = 0;
    candidates = iterate(order, candidates, left, keep, made);
    if (made > candidates.size())
      found.pruned.push_back({iterations - left + 1, made, candidates.size()});
  }
  for (const CandidatePtr &each : candidates) {
    if (each->rule)
      found.plans.push_back(planOf(*each, interner));
  }
  return found;
}

} // namespace tangram::composer

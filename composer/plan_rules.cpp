#include "composer/plan_rules.h"

#include "composer/sites.h"
#include "ir/stmt.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::composer {

namespace {

ir::MapPolicy policyOf(MapRule rule) {
  switch (rule) {
  case MapRule::Distribute:
    return ir::MapPolicy::Distribute;
  case MapRule::Serialize:
    return ir::MapPolicy::Serialize;
  case MapRule::Split:
    return ir::MapPolicy::Split;
  }
  return ir::MapPolicy::Distribute;
}

MapRule mapRuleOf(ir::MapPolicy policy) {
  switch (policy) {
  case ir::MapPolicy::Distribute:
    return MapRule::Distribute;
  case ir::MapPolicy::Serialize:
    return MapRule::Serialize;
  case ir::MapPolicy::Split:
    return MapRule::Split;
  }
  return MapRule::Distribute;
}

/// For each child of a codelet's plan node that is a call: the maps whose results it is given,
/// directly or through local variables.
class Feeders {
public:
  explicit Feeders(const ir::Codelet &codelet) {
    for (const Site &site : sites(codelet)) {
      if (site.kind != Site::Kind::Partition)
        childOf[site.expr] = site.child;
    }
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) { noteCalls(e); });
      if (s.kind == ir::StmtKind::Decl && s.value)
        mapsIn(s.value, held[s.var.get()]);
      if (s.kind == ir::StmtKind::Assign && s.target && s.target->kind == ir::ExprKind::Var)
        mapsIn(s.value, held[s.target->var.get()]);
    });
  }

  const std::set<int> &of(int child) { return feeding[child]; }

private:
  void noteCalls(const ir::ExprPtr &root) {
    if (!root)
      return;
    ir::forEach(root, [&](const ir::Expr &e) {
      if (e.kind != ir::ExprKind::SpectrumCall)
        return;
      for (const ir::ExprPtr &arg : e.args)
        mapsIn(arg, feeding[childOf[&e]]);
    });
  }

  /// Children that are maps whose results `e` holds. What a call makes of them is another value.
  void mapsIn(const ir::ExprPtr &e, std::set<int> &found) {
    if (e->kind == ir::ExprKind::SpectrumCall)
      return;
    if (e->kind == ir::ExprKind::Map) {
      found.insert(childOf[e.get()]);
      return;
    }
    if (e->kind == ir::ExprKind::Var) {
      const std::set<int> known = held[e->var.get()];
      found.insert(known.begin(), known.end());
      return;
    }
    for (const ir::ExprPtr &arg : e->args)
      mapsIn(arg, found);
  }

  std::map<const ir::Expr *, int> childOf;
  std::map<const ir::Var *, std::set<int>> held;
  std::map<int, std::set<int>> feeding;
};

/// Makes the rules of one goal by applying the abstract rules.
class Extraction {
public:
  Extraction(const RuleContext &context, const Goal &goal) : context(context), goal(goal) {}

  RuleSet run() {
    if (goal.map) {
      mapRules();
    } else {
      devolve();
      for (std::size_t i = 0; i < goal.spectrum->codelets.size(); ++i)
        codelet(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < made.rules.size(); ++i)
      made.rules[i].position = static_cast<unsigned>(i);
    return std::move(made);
  }

private:
  ProgramRule blank(ProgramRule::Kind kind, unsigned number, int codeletIndex = -1) const {
    ProgramRule rule;
    rule.kind = kind;
    rule.number = number;
    rule.goal = goal;
    rule.goal.combines = false;
    rule.codeletIndex = codeletIndex;
    return rule;
  }

  void reject(const ProgramRule &rule, Refusal why) {
    made.rejected.push_back({rule.kind, rule.number, rule.goal, rule.codeletIndex, std::move(why)});
  }

  void devolve() {
    ProgramRule rule = blank(ProgramRule::Kind::Devolve, 1);
    Rewriting result =
        rules::devolve.apply({Term::Kind::Spectrum, goal.level, goal.spectrum}, context);
    if (auto *refusal = std::get_if<Refusal>(&result))
      return reject(rule, std::move(*refusal));
    rule.terms = std::get<std::vector<Term>>(std::move(result));
    finish(std::move(rule), nullptr);
  }

  /// Select, then Compute, or Cascade and Regroup; what is left are the codelet's maps.
  void codelet(int index) {
    const ir::Codelet &codelet = goal.spectrum->codelets[static_cast<std::size_t>(index)];
    ProgramRule rule = blank(ProgramRule::Kind::Codelet, static_cast<unsigned>(index) + 2, index);
    std::vector<Term> terms{{Term::Kind::Spectrum, goal.level, goal.spectrum, &codelet}};
    static constexpr std::array<const AbstractRule *, 4> deterministic{
        &rules::select, &rules::compute, &rules::cascade, &rules::regroup};
    for (const AbstractRule *each : deterministic) {
      if (std::optional<Refusal> refusal = rewriteAll(*each, terms))
        return reject(rule, std::move(*refusal));
    }
    rule.terms = std::move(terms);
    std::vector<MapRule> possible = possiblePolicies(rule);
    expandMaps(rule, possible);
  }

  /// Apply `rule` to every term it concerns.
  std::optional<Refusal> rewriteAll(const AbstractRule &rule, std::vector<Term> &terms) const {
    std::vector<Term> rewritten;
    for (const Term &term : terms) {
      if (!rule.concerns(term)) {
        rewritten.push_back(term);
        continue;
      }
      Rewriting result = rule.apply(term, context);
      if (auto *refusal = std::get_if<Refusal>(&result))
        return std::move(*refusal);
      for (const Term &each : std::get<std::vector<Term>>(result)) {
        // Between two regroupings of one cascade nothing happens that a second S_L would wait for.
        bool regrouped = !rewritten.empty() && rewritten.back().kind == Term::Kind::Regroup;
        if (!(each.kind == Term::Kind::Sync && regrouped))
          rewritten.push_back(each);
      }
    }
    terms = std::move(rewritten);
    return std::nullopt;
  }

  /// The policies by which the rule's maps can be composed here, best first; records the others.
  std::vector<MapRule> possiblePolicies(const ProgramRule &rule) {
    auto map = std::ranges::find(rule.terms, Term::Kind::Map, &Term::kind);
    if (map == rule.terms.end())
      return {};
    std::vector<MapRule> order = context.offered(goal.level);
    for (MapRule each : {MapRule::Distribute, MapRule::Serialize, MapRule::Split}) {
      if (context.machine && std::ranges::find(order, each) == order.end())
        order.push_back(each);
    }
    std::vector<MapRule> possible;
    for (MapRule each : order) {
      Rewriting result = mapRule(each).apply(*map, context);
      if (auto *refusal = std::get_if<Refusal>(&result))
        reject(rule, std::move(*refusal));
      else
        possible.push_back(each);
    }
    return possible;
  }

  /// One rule for each combination of policies of the maps left in `rule`.
  void expandMaps(const ProgramRule &rule, const std::vector<MapRule> &possible) {
    auto map = std::ranges::find(rule.terms, Term::Kind::Map, &Term::kind);
    if (map == rule.terms.end() || rule.policies.size() == mapsOf(rule)) {
      finish(rule, rule.codelet());
      return;
    }
    for (MapRule policy : possible) {
      ProgramRule next = rule;
      next.policies.push_back(policyOf(policy));
      expandMaps(next, possible);
    }
  }

  static std::size_t mapsOf(const ProgramRule &rule) {
    return static_cast<std::size_t>(std::ranges::count(rule.terms, Term::Kind::Map, &Term::kind));
  }

  /// The rules of an inner map left open by Split.
  void mapRules() {
    ProgramRule rule = blank(ProgramRule::Kind::Map, 0);
    rule.terms = {{Term::Kind::Map, goal.level, goal.spectrum, nullptr, nullptr, 0}};
    expandMaps(rule, possiblePolicies(rule));
  }

  /// Carry out the chosen policies and note what is left open and what figure 6.5 asks.
  void finish(ProgramRule rule, const ir::Codelet *codelet) {
    std::vector<Term> composed;
    std::map<int, ir::MapPolicy> policyOfChild;
    std::map<int, const ir::Spectrum *> mappedBy;
    std::size_t nextPolicy = 0;
    for (const Term &term : rule.terms) {
      if (term.kind != Term::Kind::Map || rule.policies.empty()) {
        composed.push_back(term);
        continue;
      }
      const ir::MapPolicy policy = rule.policies[nextPolicy++];
      Rewriting result = mapRule(mapRuleOf(policy)).apply(term, context);
      const auto &terms = std::get<std::vector<Term>>(result);
      composed.insert(composed.end(), terms.begin(), terms.end());
      policyOfChild[term.child] = policy;
      mappedBy[term.child] = term.spectrum;
    }
    rule.terms = std::move(composed);
    for (const Term &term : rule.terms)
      rule.steps.push_back(toString(term, context));
    noteOpen(rule, policyOfChild, mappedBy);
    noteFacts(rule, codelet);
    made.rules.push_back(std::move(rule));
  }

  void noteOpen(ProgramRule &rule, const std::map<int, ir::MapPolicy> &policyOfChild,
                const std::map<int, const ir::Spectrum *> &mappedBy) const {
    std::optional<Feeders> feeders;
    if (rule.codelet())
      feeders.emplace(*rule.codelet());
    for (const Term &term : rule.terms) {
      if (!term.isOpen())
        continue;
      OpenGoal open;
      open.goal = {term.spectrum, term.level, term.kind == Term::Kind::Map, false};
      open.child = std::max(term.child, 0);
      if (auto policy = policyOfChild.find(term.child); policy != policyOfChild.end()) {
        open.policy = policy->second;
        open.mapped = mappedBy.at(term.child);
      } else if (feeders) {
        for (int map : feeders->of(term.child)) {
          auto how = policyOfChild.find(map);
          open.goal.combines |=
              how != policyOfChild.end() && how->second == ir::MapPolicy::Distribute;
        }
      }
      rule.open.push_back(open);
    }
  }

  static void noteFacts(ProgramRule &rule, const ir::Codelet *codelet) {
    std::optional<Tiling> tiling;
    for (const Term &term : rule.terms) {
      rule.computes |= term.kind == Term::Kind::Compute;
      rule.distributes |= term.kind == Term::Kind::Distribute;
      rule.serializes |= term.kind == Term::Kind::Serialize;
      rule.vectorizes |= term.kind == Term::Kind::Compute && term.codelet->cooperative;
      if (term.kind == Term::Kind::Regroup) {
        const Tiling here = tilingOf(*term.expr);
        tiling = !tiling || *tiling == here ? here : Tiling::None;
      }
    }
    rule.tiling = tiling.value_or(Tiling::None);
    if (codelet) {
      ir::forEach(codelet->body, [&](const ir::Stmt &s) {
        rule.tunable |= s.kind == ir::StmtKind::Decl && s.var->kind == ir::VarKind::Tunable;
      });
    }
  }

  const RuleContext &context;
  Goal goal;
  RuleSet made;
};

const char *capitalized(ir::MapPolicy policy) {
  switch (policy) {
  case ir::MapPolicy::Distribute:
    return "Distribute";
  case ir::MapPolicy::Serialize:
    return "Serialize";
  case ir::MapPolicy::Split:
    return "Split";
  }
  return "";
}

ir::ExprPtr withoutCasts(ir::ExprPtr e) {
  while (e->kind == ir::ExprKind::Cast)
    e = e->args[0];
  return e;
}

} // namespace

std::string toString(const Goal &goal, const RuleContext &context) {
  const std::string what = goal.map ? "map(" + goal.spectrum->name + ")" : goal.spectrum->name;
  return "compose(" + what + ", " + context.levelName(goal.level) + ")";
}

const ir::Codelet *ProgramRule::codelet() const {
  return codeletIndex < 0 ? nullptr
                          : &goal.spectrum->codelets[static_cast<std::size_t>(codeletIndex)];
}

std::string ProgramRule::origin() const {
  switch (kind) {
  case Kind::Devolve:
    return "Devolve";
  case Kind::Codelet:
    return codelet()->name();
  case Kind::Map:
    return capitalized(policies.front());
  }
  return {};
}

std::string ProgramRule::variant() const {
  std::string text;
  for (ir::MapPolicy policy : policies) {
    if (!text.empty())
      text += '+';
    text += nameOf(mapRuleOf(policy));
  }
  return text;
}

std::string RejectedRule::origin() const {
  switch (kind) {
  case ProgramRule::Kind::Devolve:
    return "Devolve";
  case ProgramRule::Kind::Codelet:
    return goal.spectrum->codelets[static_cast<std::size_t>(codeletIndex)].name();
  case ProgramRule::Kind::Map:
    return "map(" + goal.spectrum->name + ")";
  }
  return {};
}

Tiling tilingOf(const ir::Expr &partition) {
  if (partition.args.size() != 5)
    return Tiling::None;
  const ir::ExprPtr count = withoutCasts(partition.args[1]);
  const ir::Expr &increment = *partition.args[3];
  if (increment.kind != ir::ExprKind::Sequence || increment.args.empty())
    return Tiling::None;
  // A constant, or an affine sequence that never moves.
  const bool constant =
      increment.args.size() == 1 ||
      (increment.args.size() == 3 && ir::isLiteral(withoutCasts(increment.args[1]), 0));
  if (!constant)
    return Tiling::None;
  const ir::ExprPtr value = withoutCasts(increment.args[0]);
  if (ir::isLiteral(value, 1))
    return Tiling::Adjacent;
  return ir::sameExpr(value, count) ? Tiling::Strided : Tiling::None;
}

const RuleSet &RuleBook::rules(const Goal &goal) const {
  std::unique_ptr<RuleSet> &set = made[{goal.spectrum, goal.level, goal.map}];
  if (!set)
    set = std::make_unique<RuleSet>(Extraction(theContext, goal).run());
  return *set;
}

const ProgramRule *RuleBook::ruleOf(const ir::PlanNode &node) const {
  Goal goal{theContext.program->spectrum(node.spectrum), node.level,
            node.kind == ir::PlanNode::Kind::Map, false};
  if (!goal.spectrum)
    return nullptr;
  std::vector<ir::MapPolicy> policies;
  if (goal.map)
    policies.push_back(node.policy);
  if (node.kind == ir::PlanNode::Kind::Codelet) {
    for (const ir::PlanPtr &child : node.children) {
      if (child->kind == ir::PlanNode::Kind::Map)
        policies.push_back(child->policy);
    }
  }
  for (const ProgramRule &rule : rules(goal).rules) {
    const bool devolves = rule.kind == ProgramRule::Kind::Devolve;
    if (devolves == (node.kind == ir::PlanNode::Kind::Devolve) &&
        (goal.map || devolves || rule.codeletIndex == node.codelet) && rule.policies == policies)
      return &rule;
  }
  return nullptr;
}

std::string RuleBook::label(const ProgramRule &rule) const {
  const std::string level = theContext.levelName(rule.goal.level);
  if (rule.kind == ProgramRule::Kind::Map)
    return level + "/" + rule.variant();
  const bool several =
      std::ranges::count(rules(rule.goal).rules, rule.number, &ProgramRule::number) > 1;
  const std::string name =
      theContext.machine ? level + std::to_string(rule.number) : std::to_string(rule.number);
  return several ? name + "/" + rule.variant() : name;
}

} // namespace tangram::composer

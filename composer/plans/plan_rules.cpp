#include "composer/plans/plan_rules.h"

#include "composer/analysis/sites.h"
#include "composer/plans/codelet_maps.h"
#include "ir/casts.h"
#include "ir/stmt.h"

#include <algorithm>
#include <functional>
#include <iterator>
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

/// Rules of one codelet at one level. Six maps with three ways each have 729.
constexpr std::size_t mostCombinations = 1024;

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
    rule.goal = goal.unordered();
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
    finish(std::move(rule), {});
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
    for (const ir::Expr *outer : goal.nestedIn) {
      if (cutsAgain(*outer, codelet))
        return reject(rule, {rules::distribute.id, goal.level, codelet.location,
                             "codelet " + codelet.name() + " cuts the dimension that is cut for " +
                                 context.levelText(goal.level) +
                                 " already: one map over more parts "
                                 "is the same"});
    }
    expandMaps(rule, possibleWays(rule));
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
        // The partitions of one map are one scheme of the codelet: named once, and nothing happens
        // between them that a second S_L would wait for.
        bool regrouped = !rewritten.empty() && rewritten.back().kind == Term::Kind::Regroup;
        if (!regrouped || (each.kind != Term::Kind::Sync && each.kind != Term::Kind::Regroup))
          rewritten.push_back(each);
      }
    }
    terms = std::move(rewritten);
    return std::nullopt;
  }

  /// One way to carry out a map.
  struct Way {
    MapRule rule;
    int across = -1; ///< Distribute: to a level that nested maps share, -1: to the subordinate
    bool operator==(const Way &) const = default;
  };

  /// For each map of the rule the ways to compose it here, best first; records the others.
  std::vector<std::vector<Way>> possibleWays(const ProgramRule &rule) {
    std::vector<std::vector<Way>> possible;
    for (const Term &map : rule.terms) {
      if (map.kind != Term::Kind::Map)
        continue;
      std::vector<Way> &here = possible.emplace_back();
      for (const Way &each : ways(map)) {
        Rewriting result = mapRule(each.rule).apply(across(map, each), context);
        if (auto *refusal = std::get_if<Refusal>(&result))
          rejectOnce(rule, std::move(*refusal));
        else
          here.push_back(each);
      }
    }
    return possible;
  }

  /// The ways to try for a map: those that the level offers, in its order, then the rest. The order
  /// of a fold leaves no choice; a chain is distributed where it can be.
  std::vector<Way> ways(const Term &map) const {
    std::vector<MapRule> order = context.offered(goal.level);
    if (map.expr && map.expr->op == "fold")
      order = {MapRule::Serialize};
    else if (map.expr && isOrdered(*map.expr) && !context.machine)
      order = {MapRule::Serialize};
    for (MapRule each : {MapRule::Distribute, MapRule::Serialize, MapRule::Split}) {
      if (context.machine && std::ranges::find(order, each) == order.end())
        order.push_back(each);
    }
    std::vector<Way> all;
    for (MapRule each : order) {
      if (each == MapRule::Distribute)
        std::ranges::copy(nests(map), std::back_inserter(all));
      all.push_back({each});
    }
    return all;
  }

  /// To distribute a map along levels that it shares with a map nested in it.
  std::vector<Way> nests(const Term &map) const {
    std::vector<Way> ways;
    if (context.nests == NestedMaps::None || !context.machine || !map.expr ||
        isOrdered(*map.expr) || !context.hasSubordinate(goal.level))
      return ways;
    const int below = context.subordinate(goal.level);
    if (!context.isOfNests(goal.level)) {
      for (int level : context.machine->dimensionsOf(below))
        ways.push_back({MapRule::Distribute, level});
    }
    const int flat = context.machine->flatOf(below);
    if (flat >= 0 &&
        (!context.isOfNests(goal.level) || (context.isFlat(goal.level) && goesOn(*map.expr))))
      ways.push_back({MapRule::Distribute, flat});
    return ways;
  }

  /// Whether one more map may be flattened with this one and those around it. Any number may be; of
  /// more than three those in the order of the source alone, since all their orders would be the
  /// same elements in so many ways.
  bool goesOn(const ir::Expr &map) const {
    if (goal.nestedIn.size() < 2)
      return true;
    return goal.nestedIn.back()->location < map.location &&
           std::ranges::is_sorted(goal.nestedIn, {}, &ir::Expr::location);
  }

  static Term across(Term map, const Way &way) {
    map.across = way.across;
    return map;
  }

  /// Several maps of a codelet are mostly refused for the same reason.
  void rejectOnce(const ProgramRule &rule, Refusal why) {
    const bool known = std::ranges::any_of(made.rejected, [&](const RejectedRule &each) {
      return each.number == rule.number && each.refusal.rule == why.rule &&
             each.refusal.reason == why.reason;
    });
    if (!known)
      reject(rule, std::move(why));
  }

  static std::size_t combinations(const std::vector<std::vector<Way>> &possible) {
    std::size_t product = 1;
    for (const std::vector<Way> &each : possible)
      product = std::min(product * each.size(), mostCombinations + 1);
    return product;
  }

  /// One rule for each combination of ways of the maps left in `rule`; where those would be too
  /// many, maps that have the same ways are all carried out alike.
  void expandMaps(const ProgramRule &rule, const std::vector<std::vector<Way>> &possible,
                  std::vector<Way> chosen = {}) {
    if (chosen.size() == possible.size()) {
      finish(rule, chosen);
      return;
    }
    const std::vector<Way> &here = possible[chosen.size()];
    const bool alike = combinations(possible) > mostCombinations;
    for (const Way &way : here) {
      const auto before = std::ranges::find(possible, here) - possible.begin();
      if (alike && static_cast<std::size_t>(before) < chosen.size() &&
          chosen[static_cast<std::size_t>(before)] != way)
        continue;
      chosen.push_back(way);
      expandMaps(rule, possible, chosen);
      chosen.pop_back();
    }
  }

  /// The rules of an inner map left open by Split.
  void mapRules() {
    ProgramRule rule = blank(ProgramRule::Kind::Map, 0);
    rule.terms = {{Term::Kind::Map, goal.level, goal.spectrum, nullptr, nullptr, 0}};
    expandMaps(rule, possibleWays(rule));
  }

  /// Carry out the chosen ways and note what is left open and what figure 6.5 asks.
  void finish(ProgramRule rule, const std::vector<Way> &chosen) {
    std::vector<Term> composed;
    std::map<int, ir::MapPolicy> policyOfChild;
    std::map<int, const ir::Spectrum *> mappedBy;
    std::map<int, const ir::Expr *> mapOf;
    for (const Term &term : rule.terms) {
      if (term.kind != Term::Kind::Map || chosen.empty()) {
        composed.push_back(term);
        continue;
      }
      const Way &way = chosen[rule.policies.size()];
      Rewriting result = mapRule(way.rule).apply(across(term, way), context);
      const auto &terms = std::get<std::vector<Term>>(result);
      composed.insert(composed.end(), terms.begin(), terms.end());
      rule.policies.push_back(policyOf(way.rule));
      rule.appliedAt.push_back(terms.back().level);
      rule.acrossDimensions |= way.across >= 0;
      policyOfChild[term.child] = policyOf(way.rule);
      mappedBy[term.child] = term.spectrum;
      mapOf[term.child] = term.expr;
    }
    rule.terms = std::move(composed);
    for (const Term &term : rule.terms)
      rule.steps.push_back(toString(term, context));
    noteOpen(rule, policyOfChild, mappedBy, mapOf);
    noteFacts(rule);
    made.rules.push_back(std::move(rule));
  }

  /// Whether a codelet that calls spectrums here leads to a map that may be distributed, as one
  /// that calls assign and update does: its parallelism is that of its callees (algorithm 3).
  bool leadsToDistribution(const ProgramRule &rule) const {
    if (!context.hasSubordinate(goal.level) ||
        std::ranges::count(context.offered(goal.level), MapRule::Distribute) == 0)
      return false;
    std::vector<const ir::Spectrum *> found;
    for (const Term &term : rule.terms) {
      if (term.kind == Term::Kind::Spectrum && term.level == goal.level)
        found.push_back(term.spectrum);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == goal.spectrum)
        continue;
      for (const ir::Codelet &codelet : found[i]->codelets) {
        for (const Site &site : sites(codelet)) {
          if (site.kind == Site::Kind::Map && !isOrdered(*site.expr))
            return true;
          const ir::Spectrum *callee = context.program->spectrum(site.expr->callee);
          if (site.kind == Site::Kind::Call && std::ranges::find(found, callee) == found.end())
            found.push_back(callee);
        }
      }
    }
    return false;
  }

  void noteOpen(ProgramRule &rule, const std::map<int, ir::MapPolicy> &policyOfChild,
                const std::map<int, const ir::Spectrum *> &mappedBy,
                const std::map<int, const ir::Expr *> &mapOf) const {
    std::optional<Feeders> feeders;
    if (rule.codelet())
      feeders.emplace(*rule.codelet());
    for (const Term &term : rule.terms) {
      if (!term.isOpen())
        continue;
      OpenGoal open;
      open.goal = {term.spectrum, term.level, term.kind == Term::Kind::Map};
      if (context.isOfNests(term.level)) {
        open.goal.nestedIn = goal.nestedIn;
        open.goal.nestedIn.push_back(mapOf.at(term.child));
      }
      open.child = std::max(term.child, 0);
      if (auto policy = policyOfChild.find(term.child); policy != policyOfChild.end()) {
        open.policy = policy->second;
        const ir::Expr *map = mapOf.at(term.child);
        open.goal.handedOver = policy->second == ir::MapPolicy::Distribute && map &&
                               map->op == "chain" && !open.goal.map;
        open.mapped = mappedBy.at(term.child);
        if (map && !open.goal.map && policy->second == ir::MapPolicy::Distribute &&
            (isOverTiles(*map) ||
             (!isOrdered(*map) && isOverParts(*map) && computesAlone(term.level))))
          open.goal.tiled = Tiled::Tile;
        if (map && !open.goal.map && isFoldOverChunks(*map))
          open.goal.tiled = Tiled::Depth;
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

  bool computesAlone(int level) const {
    return context.machine &&
           context.machine->levels[static_cast<std::size_t>(level)].compute == Capability::Scalar;
  }

  void noteFacts(ProgramRule &rule) const {
    for (const Term &term : rule.terms) {
      rule.computes |= term.kind == Term::Kind::Compute;
      rule.distributes |= term.kind == Term::Kind::Distribute;
      rule.serializes |= term.kind == Term::Kind::Serialize;
      rule.vectorizes |= term.kind == Term::Kind::Compute && term.codelet->cooperative;
    }
    std::optional<Tiling> tiling;
    for (const Site &site : rule.codelet() ? sites(*rule.codelet()) : std::vector<Site>()) {
      if (site.kind != Site::Kind::Partition)
        continue;
      const Tiling here = tilingOf(*site.expr);
      tiling = !tiling || *tiling == here ? here : Tiling::None;
    }
    rule.tiling = tiling.value_or(Tiling::None);
    for (const Site &site : rule.codelet() ? sites(*rule.codelet()) : std::vector<Site>()) {
      if (site.kind != Site::Kind::Map)
        continue;
      rule.tiles |= rule.distributes && (isOverTiles(*site.expr) || isChainOverParts(*site.expr));
      rule.folds |= rule.serializes && isFoldOverChunks(*site.expr);
    }
    if (rule.kind == ProgramRule::Kind::Codelet && rule.policies.empty() && !rule.computes)
      rule.distributes = leadsToDistribution(rule);
    if (const ir::Codelet *codelet = rule.codelet()) {
      rule.worksAhead = worksAhead(*codelet);
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

/// The tiling of one dimension that is cut in `parts`.
Tiling tilingOf(const ir::ExprPtr &parts, const ir::Expr &increment) {
  const ir::ExprPtr count = ir::withoutCasts(parts);
  if (increment.kind != ir::ExprKind::Sequence || increment.args.empty())
    return Tiling::None;
  // A constant, or an affine sequence that never moves.
  const bool constant =
      increment.args.size() == 1 ||
      (increment.args.size() == 3 && ir::isLiteral(ir::withoutCasts(increment.args[1]), 0));
  if (!constant)
    return Tiling::None;
  const ir::ExprPtr value = ir::withoutCasts(increment.args[0]);
  if (ir::isLiteral(value, 1))
    return Tiling::Adjacent;
  return ir::sameExpr(value, count) ? Tiling::Strided : Tiling::None;
}

} // namespace

Goal Goal::unordered() const {
  Goal plain = *this;
  plain.combines = false;
  plain.handedOver = false;
  plain.tiled = Tiled::No;
  return plain;
}

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
  if (partition.args.size() < 5)
    return Tiling::None;
  const Tiling first = tilingOf(partition.args[1], *partition.args[3]);
  for (std::size_t i = 5; i + 3 < partition.args.size(); i += 4) {
    if (tilingOf(partition.args[i], *partition.args[i + 2]) != first)
      return Tiling::None;
  }
  return first;
}

const RuleSet &RuleBook::rules(const Goal &goal) const {
  std::unique_ptr<RuleSet> &set = made[goal.unordered()];
  if (!set)
    set = std::make_unique<RuleSet>(Extraction(theContext, goal).run());
  return *set;
}

const ProgramRule *RuleBook::ruleOf(const ir::PlanNode &node, const Goal *nested) const {
  Goal goal{theContext.program->spectrum(node.spectrum), node.level,
            node.kind == ir::PlanNode::Kind::Map};
  if (nested)
    goal.nestedIn = nested->nestedIn;
  if (!goal.spectrum)
    return nullptr;
  std::vector<ir::MapPolicy> policies;
  std::vector<int> levels;
  auto note = [&](const ir::PlanNode &map) {
    policies.push_back(map.policy);
    // A node on its way out of a file has no children yet; the first rule of its policy will do.
    levels.push_back(map.children.empty() ? -1 : map.children.front()->level);
  };
  auto sameLevels = [&](const std::vector<int> &others) {
    return std::ranges::equal(levels, others, [](int a, int b) { return a == -1 || a == b; });
  };
  if (goal.map)
    note(node);
  if (node.kind == ir::PlanNode::Kind::Codelet) {
    for (const ir::PlanPtr &child : node.children) {
      if (child->kind == ir::PlanNode::Kind::Map)
        note(*child);
    }
  }
  for (const ProgramRule &rule : rules(goal).rules) {
    const bool devolves = rule.kind == ProgramRule::Kind::Devolve;
    if (devolves == (node.kind == ir::PlanNode::Kind::Devolve) &&
        (goal.map || devolves || rule.codeletIndex == node.codelet) && rule.policies == policies &&
        sameLevels(rule.appliedAt))
      return &rule;
  }
  return nullptr;
}

std::string RuleBook::variant(const ProgramRule &rule) const {
  std::string text;
  for (std::size_t i = 0; i < rule.policies.size(); ++i) {
    text += (text.empty() ? "" : "+") + nameOf(mapRuleOf(rule.policies[i]));
    // "distribute.y": the part of the level's name behind its base's.
    if (const int level = rule.appliedAt[i];
        rule.policies[i] == ir::MapPolicy::Distribute && theContext.isOfNests(level))
      text += theContext.levelName(level).substr(
          theContext.levelName(theContext.machine->baseOf(level)).size());
  }
  return text;
}

std::string RuleBook::label(const ProgramRule &rule) const {
  const std::string level = theContext.levelName(rule.goal.level);
  if (rule.kind == ProgramRule::Kind::Map)
    return level + "/" + variant(rule);
  const bool several =
      std::ranges::count(rules(rule.goal).rules, rule.number, &ProgramRule::number) > 1;
  const std::string name =
      theContext.machine ? level + std::to_string(rule.number) : std::to_string(rule.number);
  return several ? name + "/" + variant(rule) : name;
}

} // namespace tangram::composer

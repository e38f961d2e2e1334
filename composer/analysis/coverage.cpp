#include "composer/analysis/coverage.h"

#include "composer/analysis/coverage_proof.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

namespace tangram::composer {

namespace {

/// How often a container variable occurs, by role.
struct Uses {
  struct Element {
    const ir::Expr *index = nullptr; ///< the Index node
    std::vector<Guard> guards;
  };
  std::vector<Element> elements; ///< in order of appearance
  bool whole = false;            ///< given away as a whole
  bool reads = false;
  bool writes = false;
};

struct UseFinder {
  const ir::Var *container;
  const Variables &variables;
  Uses uses;
  std::vector<Guard> guards; ///< on the way to what is looked at

  /// The container, or a local that is another name for it (`auto view = in;`).
  bool isContainer(const ir::Expr &e) const {
    if (e.kind != ir::ExprKind::Var)
      return false;
    if (e.var.get() == container)
      return true;
    ir::ExprPtr value = e.type.isContainer() ? variables.definition(*e.var) : nullptr;
    return value && isContainer(*value);
  }

  void under(const ir::ExprPtr &condition, bool holds, const std::function<void()> &look) {
    guards.push_back({condition, holds});
    look();
    guards.pop_back();
  }

  void expression(const ir::ExprPtr &e, bool reads, bool writes) {
    if (isContainer(*e))
      uses.whole = true;
    if (e->kind == ir::ExprKind::Size)
      return;
    if (e->kind == ir::ExprKind::Select) {
      expression(e->args[0], true, false);
      under(e->args[0], true, [&] { expression(e->args[1], true, false); });
      under(e->args[0], false, [&] { expression(e->args[2], true, false); });
      return;
    }
    if (e->kind == ir::ExprKind::Binary && (e->op == "&&" || e->op == "||")) {
      expression(e->args[0], true, false);
      under(e->args[0], e->op == "&&", [&] { expression(e->args[1], true, false); });
      return;
    }
    std::size_t first = 0;
    if (e->kind == ir::ExprKind::Index && isContainer(*e->args[0])) {
      uses.elements.push_back({e.get(), guards});
      uses.reads |= reads;
      uses.writes |= writes;
      first = 1;
    }
    bool atomic = e->kind == ir::ExprKind::Atomic;
    for (std::size_t i = first; i < e->args.size(); ++i)
      expression(e->args[i], true, atomic && i == 0);
  }

  void statement(const ir::StmtPtr &s) {
    if (!s || s->kind == ir::StmtKind::Require)
      return;
    if (s->target)
      expression(s->target, s->op != "=", true);
    bool namesIt = s->kind == ir::StmtKind::Decl && s->value && isContainer(*s->value);
    if (s->value && !namesIt)
      expression(s->value, true, false);
    // Whether a loop runs at all is left to the author: a tree has no rounds for one lane.
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      if (s->kind == ir::StmtKind::If)
        under(s->value, i == 0, [&] { statement(s->children[i]); });
      else
        statement(s->children[i]);
    }
  }
};

ir::ExprPtr sizeOf(const ir::VarPtr &container, unsigned dimension) {
  return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {ir::varRef(container)},
                  {}, {}, dimension);
}

/// Elements along one dimension, or of all of them together.
ir::ExprPtr extentOf(const ir::VarPtr &container, int dimension) {
  if (dimension != LaneBound::together)
    return sizeOf(container, static_cast<unsigned>(dimension));
  ir::ExprPtr size = sizeOf(container, 0);
  for (unsigned d = 1; d < container->type.rank; ++d)
    size = ir::binary("*", size, sizeOf(container, d));
  return size;
}

/// What bounds are found with: one codelet, and what holds of its sizes.
struct LaneSearch {
  const ir::Codelet &codelet;
  const Variables &variables;
  const std::vector<ir::ExprPtr> &facts;

  /// The number that `c[e / m][e % m]` makes the place of, m being the length of a row: e.
  ir::ExprPtr placeOf(const ir::VarPtr &container, const ir::Expr &element,
                      CoverageProof &proof) const {
    if (element.args.size() != 3)
      return nullptr;
    const ir::ExprPtr row = variables.closed(element.args[1]);
    const ir::ExprPtr column = variables.closed(element.args[2]);
    const bool split = row->kind == ir::ExprKind::Binary && row->op == "/" &&
                       column->kind == ir::ExprKind::Binary && column->op == "%";
    return split && proof.isEqual(row->args[0], column->args[0]) &&
                   proof.isEqual(row->args[1], column->args[1]) &&
                   proof.isEqual(row->args[1], sizeOf(container, 1))
               ? row->args[0]
               : nullptr;
  }

  /// A bound on the elements of both dimensions of a matrix, where the lanes share them.
  std::optional<LaneBound> shared(const ir::VarPtr &container, const Uses &uses) const {
    CoverageProof proof(variables, extentOf(container, LaneBound::together), facts);
    for (const Uses::Element &each : uses.elements) {
      const ir::ExprPtr place = placeOf(container, *each.index, proof);
      if (!place || !proof.add({place, variables.loopOf(each.index), each.guards}))
        return std::nullopt;
    }
    return bound(container, LaneBound::together, uses, proof);
  }

  std::optional<LaneBound> along(const ir::VarPtr &container, int dimension,
                                 const Uses &uses) const {
    CoverageProof proof(variables, extentOf(container, dimension), facts);
    const std::size_t at = static_cast<std::size_t>(dimension) + 1;
    for (const Uses::Element &each : uses.elements) {
      if (at >= each.index->args.size() ||
          !proof.add({each.index->args[at], variables.loopOf(each.index), each.guards}))
        return std::nullopt;
    }
    return bound(container, dimension, uses, proof);
  }

  static std::optional<LaneBound> bound(const ir::VarPtr &container, int dimension,
                                        const Uses &uses, CoverageProof &proof) {
    if (!proof.differsByLane())
      return std::nullopt;
    return LaneBound{container,  dimension,   proof.perLane(),
                     uses.reads, uses.writes, uses.elements.front().index->location};
  }

  void add(const ir::VarPtr &container, std::vector<LaneBound> &bounds) const {
    UseFinder finder{container.get(), variables, {}, {}};
    finder.statement(codelet.body);
    const Uses &uses = finder.uses;
    if (uses.whole || uses.elements.empty())
      return;
    if (auto both = shared(container, uses)) {
      bounds.push_back(*both);
      return;
    }
    for (unsigned d = 0; d < container->type.rank; ++d) {
      if (auto found = along(container, static_cast<int>(d), uses))
        bounds.push_back(*found);
    }
  }
};

std::vector<Requirement> stated(const ir::Codelet &codelet, const Variables &variables) {
  std::vector<Requirement> result;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Require)
      result.push_back({variables.closed(s.value), s.location, false, "stated"});
  });
  return result;
}

/// What the codelet states, and what its spectrum's callers guarantee.
std::vector<Requirement> known(const ir::Codelet &codelet,
                               const std::vector<ir::ExprPtr> &contracts) {
  std::vector<Requirement> conditions = stated(codelet, Variables(codelet));
  for (const ir::ExprPtr &each : contracts)
    conditions.push_back({each, {}, false, "stated"});
  return conditions;
}

/// Values of sizes: of the bound's container `size`, and of those that are as long by an equation.
Environment sized(const LaneBound &bound, std::int64_t size,
                  const std::vector<Requirement> &conditions) {
  Environment env;
  if (bound.dimension == LaneBound::together) {
    for (unsigned d = 1; d < bound.container->type.rank; ++d)
      env.sizes[{bound.container.get(), d}] = 1;
  }
  env.sizes[{bound.container.get(), std::max(bound.dimension, 0)}] = size;
  for (std::size_t before = 0; before != env.sizes.size();) {
    before = env.sizes.size();
    for (const Requirement &each : conditions) {
      if (each.condition->kind != ir::ExprKind::Binary || each.condition->op != "==")
        continue;
      for (const auto &[from, to] : {std::pair(0, 1), std::pair(1, 0)}) {
        const ir::Expr &unknown = *each.condition->args[static_cast<std::size_t>(to)];
        auto known = evaluate(each.condition->args[static_cast<std::size_t>(from)], env);
        if (known && unknown.kind == ir::ExprKind::Size &&
            unknown.args[0]->kind == ir::ExprKind::Var)
          env.sizes.try_emplace({unknown.args[0]->var.get(), unknown.integer}, *known);
      }
    }
  }
  return env;
}

bool isExcluded(const LaneBound &bound, std::int64_t lanes, std::int64_t size,
                const std::vector<Requirement> &conditions) {
  Environment env = sized(bound, size, conditions);
  env.coopDim = lanes;
  return std::any_of(conditions.begin(), conditions.end(), [&](const Requirement &each) {
    return evaluate(each.condition, env) == std::optional<std::int64_t>(0);
  });
}

/// Whether the author's conditions, tried on small sizes, leave no container larger than the bound;
/// conditions on other names do not help. Where the bound is not proved, any bound of theirs will do.
bool isImplied(const LaneBound &bound, const std::vector<Requirement> &conditions) {
  constexpr std::int64_t mostLanes = 8;
  constexpr std::int64_t large = std::int64_t{1} << 40;
  for (std::int64_t lanes = 1; lanes <= mostLanes; ++lanes) {
    std::int64_t limit = bound.isProved() ? bound.perLane * lanes : large;
    for (std::int64_t size = limit + 1; size <= limit + std::min(limit, mostLanes * 8) + mostLanes;
         ++size) {
      if (!isExcluded(bound, lanes, size, conditions))
        return false;
    }
  }
  return true;
}

ir::ExprPtr limitOf(const LaneBound &bound) {
  ir::Type type = ir::scalarType(ir::Scalar::Index);
  ir::ExprPtr lanes = ir::node(ir::ExprKind::CoopDim, type, {});
  return bound.perLane == 1 ? lanes : ir::binary("*", ir::intLiteral(bound.perLane), lanes);
}

ir::ExprPtr conditionOf(const LaneBound &bound) {
  return ir::binary("<=", extentOf(bound.container, bound.dimension), limitOf(bound));
}

std::string verbOf(const LaneBound &bound) {
  return !bound.writes ? "reads" : bound.reads ? "reads and writes" : "writes";
}

std::string touches(const LaneBound &bound) {
  bool isIndex = bound.dimension != LaneBound::together && bound.container->type.rank > 1;
  std::string one = isIndex ? "index" : "element";
  std::string several = isIndex ? " indexes" : " elements";
  std::string amount = bound.perLane == 1 ? "one " + one : std::to_string(bound.perLane) + several;
  std::string where = isIndex ? " in dimension " + std::to_string(bound.dimension) : "";
  return verbOf(bound) + " at most " + amount + " of '" + bound.container->name + "'" + where +
         " a lane";
}

std::vector<LaneBound> foundBounds(const ir::Codelet &codelet,
                                   const std::vector<ir::ExprPtr> &contracts) {
  std::vector<LaneBound> bounds;
  Variables variables(codelet);
  std::vector<ir::ExprPtr> facts = contracts;
  for (const Requirement &each : stated(codelet, variables))
    facts.push_back(each.condition);
  const LaneSearch search{codelet, variables, facts};
  for (const ir::VarPtr &param : codelet.params) {
    if (param->type.rank != 0 && param->type.nest == 0)
      search.add(param, bounds);
  }
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const LaneBound &a, const LaneBound &b) { return a.location < b.location; });
  return bounds;
}

/// What was found of codelets, since warnings, rules and code ask for the same. The bodies are kept, so that none
/// is taken for another one.
class FoundBounds {
public:
  std::vector<LaneBound> of(const ir::Codelet &codelet, const std::vector<ir::ExprPtr> &contracts) {
    {
      const std::lock_guard lock(mutex_);
      for (const Entry &each : entries_[codelet.body]) {
        if (each.params == codelet.params &&
            std::ranges::equal(each.contracts, contracts, ir::sameExpr))
          return each.bounds;
      }
    }
    std::vector<LaneBound> bounds = foundBounds(codelet, contracts);
    const std::lock_guard lock(mutex_);
    entries_[codelet.body].push_back({codelet.params, contracts, bounds});
    return bounds;
  }

private:
  struct Entry {
    std::vector<ir::VarPtr> params;
    std::vector<ir::ExprPtr> contracts;
    std::vector<LaneBound> bounds;
  };
  std::mutex mutex_;
  std::map<ir::StmtPtr, std::vector<Entry>> entries_;
};

} // namespace

std::vector<LaneBound> laneBounds(const ir::Codelet &codelet,
                                  const std::vector<ir::ExprPtr> &contracts) {
  static FoundBounds found;
  return codelet.cooperative ? found.of(codelet, contracts) : std::vector<LaneBound>{};
}

std::vector<Requirement> inferRequires(const ir::Codelet &codelet,
                                       const std::vector<ir::ExprPtr> &contracts) {
  std::vector<Requirement> inferred;
  std::vector<Requirement> conditions = stated(codelet, Variables(codelet));
  for (const LaneBound &bound : laneBounds(codelet, contracts)) {
    if (bound.isProved() && !isImplied(bound, conditions))
      inferred.push_back(
          {conditionOf(bound), bound.location, true, codelet.name() + " " + touches(bound)});
  }
  return inferred;
}

std::optional<LaneBound> unprovedCoverage(const ir::Codelet &codelet,
                                          const std::vector<ir::ExprPtr> &contracts) {
  const std::vector<Requirement> conditions = known(codelet, contracts);
  for (const LaneBound &bound : laneBounds(codelet, contracts)) {
    if (!bound.isProved() && !isImplied(bound, conditions))
      return bound;
  }
  return std::nullopt;
}

std::string whyUnproved(const ir::Codelet &codelet, const LaneBound &bound) {
  return "that the lanes of cooperative codelet '" + codelet.name() + "' " +
         (bound.reads ? "read" : "write") + " every element of '" + bound.container->name +
         "' is not proved: it has to bound " +
         ir::toString(extentOf(bound.container, bound.dimension)) + " by a require";
}

std::vector<Requirement> requirements(const ir::Codelet &codelet,
                                      const std::vector<ir::ExprPtr> &contracts) {
  std::vector<Requirement> all = stated(codelet, Variables(codelet));
  std::vector<Requirement> inferred = inferRequires(codelet, contracts);
  all.insert(all.end(), inferred.begin(), inferred.end());
  return all;
}

ir::Diagnostics coverageWarnings(const ir::Codelet &codelet,
                                 const std::vector<ir::ExprPtr> &contracts) {
  if (std::optional<LaneBound> unproved = unprovedCoverage(codelet, contracts))
    return {ir::warningAt(unproved->location, whyUnproved(codelet, *unproved))};
  std::vector<LaneBound> bounds = laneBounds(codelet, contracts);
  std::erase_if(bounds, [](const LaneBound &each) { return !each.isProved(); });
  const std::vector<Requirement> conditions = known(codelet, contracts);
  // One stated bound is taken to speak for containers of the same length, as `a` for
  // `b` in a dot product. The others are inferred all the same.
  bool silent =
      bounds.empty() || std::any_of(bounds.begin(), bounds.end(),
                                    [&](const LaneBound &b) { return isImplied(b, conditions); });
  if (silent)
    return {};
  const LaneBound &first = bounds.front();
  std::string condition = ir::toString(conditionOf(first));
  std::string fate = first.reads ? "lost" : "left unwritten";
  ir::Diagnostic warning = ir::warningAt(
      first.location, "cooperative codelet '" + codelet.name() + "' " + touches(first) +
                          " but does not require " + condition + ", elements beyond " +
                          ir::toString(limitOf(first)) + " would be " + fate);
  warning.suggestion = "require(" + condition + ");";
  return {warning};
}

} // namespace tangram::composer

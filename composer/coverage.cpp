#include "composer/coverage.h"

#include "composer/locality_polynomial.h"
#include "composer/partition_check_evaluate.h"

#include <algorithm>
#include <array>
#include <set>

namespace tangram::composer {

namespace {

/// How often a container variable occurs, by role.
struct Uses {
  std::vector<const ir::Expr *> elements; ///< Index nodes, in order of appearance
  bool whole = false;                     ///< given away as a whole
  bool reads = false;
  bool writes = false;
};

struct UseFinder {
  const ir::Var *container;
  const Variables &variables;
  Uses uses;

  /// The container, or a local that is another name for it (`auto view = in;`).
  bool isContainer(const ir::Expr &e) const {
    if (e.kind != ir::ExprKind::Var)
      return false;
    if (e.var.get() == container)
      return true;
    ir::ExprPtr value = e.type.isContainer() ? variables.definition(*e.var) : nullptr;
    return value && isContainer(*value);
  }

  void expression(const ir::ExprPtr &e, bool reads, bool writes) {
    if (isContainer(*e))
      uses.whole = true;
    if (e->kind == ir::ExprKind::Size)
      return;
    std::size_t first = 0;
    if (e->kind == ir::ExprKind::Index && isContainer(*e->args[0])) {
      uses.elements.push_back(e.get());
      uses.reads |= reads;
      uses.writes |= writes;
      first = 1;
    }
    bool atomic = e->kind == ir::ExprKind::Atomic;
    for (std::size_t i = first; i < e->args.size(); ++i)
      expression(e->args[i], true, atomic && i == 0);
  }

  void statement(const ir::StmtPtr &body) {
    ir::forEach(body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Require)
        return;
      if (s.target)
        expression(s.target, s.op != "=", true);
      bool namesIt = s.kind == ir::StmtKind::Decl && s.value && isContainer(*s.value);
      if (s.value && !namesIt)
        expression(s.value, true, false);
    });
  }
};

/// Numbers of lanes to try; powers of two, as butterflies (`id ^ 1`) need them.
constexpr std::array<std::int64_t, 3> laneCounts{2, 4, 8};

/// The largest n such that up to n indexes of a dimension of `container` are covered by `indexes`
/// with `lanes` lanes; none when an index cannot be computed.
std::optional<std::int64_t> covered(const std::vector<ir::ExprPtr> &indexes,
                                    const ir::Var *container, int dimension, std::int64_t lanes) {
  auto most = static_cast<std::int64_t>(indexes.size()) * lanes;
  for (std::int64_t size = 1; size <= most; ++size) {
    Environment env;
    env.sizes[{container, dimension}] = size;
    env.coopDim = lanes;
    std::set<std::int64_t> touched;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      env.coopIdx = lane;
      for (const ir::ExprPtr &index : indexes) {
        std::optional<std::int64_t> element = evaluate(index, env);
        if (!element)
          return std::nullopt;
        if (*element >= 0 && *element < size)
          touched.insert(*element);
      }
    }
    if (static_cast<std::int64_t>(touched.size()) < size)
      return size - 1;
  }
  return most;
}

/// None when an index depends on more than the lane and the dimension's own size.
std::optional<std::int64_t> indexesPerLane(const std::vector<ir::ExprPtr> &indexes,
                                           const ir::Var *container, int dimension) {
  // No index names two elements a lane, so their number is a bound in any case.
  auto most = static_cast<std::int64_t>(indexes.size());
  std::int64_t least = most;
  for (std::int64_t lanes : laneCounts) {
    std::optional<std::int64_t> elements = covered(indexes, container, dimension, lanes);
    if (!elements)
      return std::nullopt;
    least = std::min(least, *elements / lanes);
  }
  return least > 0 ? least : most;
}

/// What the accesses of a container name in one dimension.
struct Subscripts {
  std::vector<ir::ExprPtr> distinct; ///< closed
  bool fixed = true;                 ///< every access has one that no loop or data changes
  bool byLane = false;
};

Subscripts subscripts(const Uses &uses, std::size_t dimension, const Variables &variables) {
  Subscripts found;
  PolynomialBuilder builder(variables, PolynomialBuilder::Style::Expanded);
  std::vector<Polynomial> distinct;
  for (const ir::Expr *element : uses.elements) {
    if (dimension + 1 >= element->args.size() || !variables.isFixed(element->args[dimension + 1])) {
      found.fixed = false;
      return found;
    }
    const ir::ExprPtr &index = element->args[dimension + 1];
    found.byLane |= variables.differsByLane(index);
    Polynomial polynomial = builder.build(index, variables.loopOf(element));
    if (std::find(distinct.begin(), distinct.end(), polynomial) != distinct.end())
      continue;
    distinct.push_back(std::move(polynomial));
    found.distinct.push_back(variables.closed(index));
  }
  return found;
}

void addLaneBounds(const ir::Codelet &codelet, const Variables &variables,
                   const ir::VarPtr &container, std::vector<LaneBound> &bounds) {
  UseFinder finder{container.get(), variables, {}};
  finder.statement(codelet.body);
  const Uses &uses = finder.uses;
  if (uses.whole || uses.elements.empty())
    return;
  bool allFixed = true;
  std::size_t most = 1; // elements a lane can name
  std::vector<LaneBound> found;
  bool together = false;
  for (unsigned d = 0; d < container->type.rank; ++d) {
    const Subscripts here = subscripts(uses, d, variables);
    allFixed &= here.fixed;
    most = std::max(most, here.distinct.size());
    if (!here.fixed || !here.byLane)
      continue;
    const int dimension = static_cast<int>(d);
    auto perLane = indexesPerLane(here.distinct, container.get(), dimension);
    together |= !perLane && container->type.rank > 1;
    found.push_back({container, dimension,
                     perLane.value_or(static_cast<std::int64_t>(here.distinct.size())), uses.reads,
                     uses.writes, uses.elements.front()->location});
  }
  if (together) {
    if (!allFixed || found.empty())
      return;
    found = {found.front()};
    found.front().dimension = LaneBound::together;
    found.front().perLane = static_cast<std::int64_t>(most);
  }
  bounds.insert(bounds.end(), found.begin(), found.end());
}

std::vector<Requirement> stated(const ir::Codelet &codelet, const Variables &variables) {
  std::vector<Requirement> result;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Require)
      result.push_back({variables.closed(s.value), s.location, false, "stated"});
  });
  return result;
}

/// Whether the stated conditions leave no container larger than the bound, tried
/// on small sizes; conditions on other names do not help.
bool isImplied(const LaneBound &bound, const std::vector<Requirement> &conditions) {
  for (std::int64_t lanes = 1; lanes <= laneCounts.back(); ++lanes) {
    std::int64_t limit = bound.perLane * lanes;
    for (std::int64_t size = limit + 1; size <= 2 * limit + laneCounts.back(); ++size) {
      Environment env;
      if (bound.dimension == LaneBound::together) {
        for (unsigned d = 1; d < bound.container->type.rank; ++d)
          env.sizes[{bound.container.get(), d}] = 1;
      }
      env.sizes[{bound.container.get(), std::max(bound.dimension, 0)}] = size;
      env.coopDim = lanes;
      bool excluded =
          std::any_of(conditions.begin(), conditions.end(), [&](const Requirement &each) {
            return evaluate(each.condition, env) == std::optional<std::int64_t>(0);
          });
      if (!excluded)
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

ir::ExprPtr sizeOf(const ir::VarPtr &container, unsigned dimension) {
  return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {ir::varRef(container)},
                  {}, {}, dimension);
}

ir::ExprPtr conditionOf(const LaneBound &bound) {
  ir::ExprPtr size = sizeOf(bound.container, static_cast<unsigned>(std::max(bound.dimension, 0)));
  if (bound.dimension == LaneBound::together) {
    for (unsigned d = 1; d < bound.container->type.rank; ++d)
      size = ir::binary("*", size, sizeOf(bound.container, d));
  }
  return ir::binary("<=", size, limitOf(bound));
}

std::string touches(const LaneBound &bound) {
  std::string verb = !bound.writes ? "reads" : bound.reads ? "reads and writes" : "writes";
  bool isIndex = bound.dimension != LaneBound::together && bound.container->type.rank > 1;
  std::string one = isIndex ? "index" : "element";
  std::string several = isIndex ? " indexes" : " elements";
  std::string amount = bound.perLane == 1 ? "one " + one : std::to_string(bound.perLane) + several;
  std::string where = isIndex ? " in dimension " + std::to_string(bound.dimension) : "";
  return verb + " at most " + amount + " of '" + bound.container->name + "'" + where + " a lane";
}

} // namespace

std::vector<LaneBound> laneBounds(const ir::Codelet &codelet) {
  std::vector<LaneBound> bounds;
  if (!codelet.cooperative)
    return bounds;
  Variables variables(codelet);
  for (const ir::VarPtr &param : codelet.params) {
    if (param->type.rank != 0 && param->type.nest == 0)
      addLaneBounds(codelet, variables, param, bounds);
  }
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const LaneBound &a, const LaneBound &b) { return a.location < b.location; });
  return bounds;
}

std::vector<Requirement> inferRequires(const ir::Codelet &codelet) {
  std::vector<Requirement> inferred;
  std::vector<Requirement> conditions = stated(codelet, Variables(codelet));
  for (const LaneBound &bound : laneBounds(codelet)) {
    if (!isImplied(bound, conditions))
      inferred.push_back(
          {conditionOf(bound), bound.location, true, codelet.name() + " " + touches(bound)});
  }
  return inferred;
}

std::vector<Requirement> requirements(const ir::Codelet &codelet) {
  std::vector<Requirement> all = stated(codelet, Variables(codelet));
  std::vector<Requirement> inferred = inferRequires(codelet);
  all.insert(all.end(), inferred.begin(), inferred.end());
  return all;
}

ir::Diagnostics coverageWarnings(const ir::Codelet &codelet) {
  std::vector<LaneBound> bounds = laneBounds(codelet);
  std::vector<Requirement> conditions = stated(codelet, Variables(codelet));
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

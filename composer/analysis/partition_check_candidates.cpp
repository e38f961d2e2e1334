#include "composer/analysis/partition_check_candidates.h"

#include "composer/analysis/locality_variables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace tangram::composer {

namespace {

using Guards = std::vector<ir::ExprPtr>;
using Visitor = std::function<void(const ir::ExprPtr &site, const Guards &guards)>;

void findIn(const ir::ExprPtr &e, const Guards &guards, const Visitor &visitor) {
  for (const ir::ExprPtr &arg : e->args)
    findIn(arg, guards, visitor);
  if (e->kind == ir::ExprKind::Partition || e->kind == ir::ExprKind::Map)
    visitor(e, guards);
}

/// within(...), ascending(...)
bool isAboutData(const ir::Expr &condition) { return condition.kind == ir::ExprKind::Call; }

/// What `s` adds to the guards of the statements behind it.
void addGuards(const ir::Stmt &s, Guards &guards) {
  if (s.kind == ir::StmtKind::Require && !isAboutData(*s.value))
    guards.push_back(s.value);
  if (s.kind != ir::StmtKind::If)
    return;
  if (ir::leavesBlock(s.children[0]))
    guards.push_back(ir::unary("!", s.value));
  else if (s.children.size() > 1 && ir::leavesBlock(s.children[1]))
    guards.push_back(s.value);
}

void findIn(const ir::StmtPtr &s, Guards guards, const Visitor &visitor) {
  if (!s)
    return;
  ir::forEachOwnExpr(*s, [&](const ir::ExprPtr &e) { findIn(e, guards, visitor); });
  if (s->kind == ir::StmtKind::If) {
    Guards then = guards;
    then.push_back(s->value);
    findIn(s->children[0], then, visitor);
    guards.push_back(ir::unary("!", s->value));
    if (s->children.size() > 1)
      findIn(s->children[1], guards, visitor);
    return;
  }
  for (const ir::StmtPtr &child : s->children) {
    findIn(child, guards, visitor);
    if (child && s->kind == ir::StmtKind::Block)
      addGuards(*child, guards);
  }
}

/// Extent of a container expression in one dimension, as an expression; null if unknown.
ir::ExprPtr countOf(const ir::ExprPtr &container, std::int64_t dimension = 0) {
  if (container->kind != ir::ExprKind::Var && container->kind != ir::ExprKind::Allocate &&
      container->kind != ir::ExprKind::Pad && dimension != 0)
    return nullptr;
  switch (container->kind) {
  case ir::ExprKind::Var:
    return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container}, {}, {},
                    dimension);
  case ir::ExprKind::Allocate:
    return container->args[static_cast<std::size_t>(dimension)];
  case ir::ExprKind::Pad: {
    const ir::ExprPtr inner = countOf(container->args[0], dimension);
    if (!inner || container->integer != dimension)
      return inner;
    return ir::binary("+", inner, ir::binary("+", container->args[1], container->args[2]));
  }
  case ir::ExprKind::Partition:
    return container->args[1];
  case ir::ExprKind::Map:
    for (const ir::ExprPtr &arg : container->args) {
      if (arg->kind != ir::ExprKind::All && arg->type.isContainer())
        return countOf(arg);
    }
    return nullptr;
  default:
    return nullptr;
  }
}

/// `e` over parameters and tunables: definitions put in, and the sizes of parts and
/// of results of maps replaced by what they are.
ir::ExprPtr overFreeNames(const ir::ExprPtr &e, const Variables &variables) {
  return ir::rewrite(variables.closed(e), [](const ir::ExprPtr &node) -> ir::ExprPtr {
    if (node->kind != ir::ExprKind::Size || node->args[0]->kind == ir::ExprKind::Var)
      return node;
    ir::ExprPtr count = countOf(node->args[0], node->integer);
    return count ? count : node;
  });
}

bool isFreeName(const ir::Expr &e) {
  if (e.kind == ir::ExprKind::Size)
    return e.args[0]->kind == ir::ExprKind::Var && e.args[0]->var->kind == ir::VarKind::Param &&
           e.args[0]->type.nest == 0;
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Tunable;
}

/// Whether the interpreter can compute `e` from sizes and tunables.
bool isComputable(const ir::ExprPtr &e) {
  if (!e || e->type.isContainer() || !ir::isInteger(e->type.scalar))
    return false;
  switch (e->kind) {
  case ir::ExprKind::Literal:
    return true;
  case ir::ExprKind::Var:
  case ir::ExprKind::Size:
    return isFreeName(*e);
  case ir::ExprKind::Call:
    if (e->callee != "min" && e->callee != "max")
      return false;
    break;
  case ir::ExprKind::Unary:
  case ir::ExprKind::Binary:
  case ir::ExprKind::Select:
  case ir::ExprKind::Cast:
    break;
  default:
    return false;
  }
  return std::all_of(e->args.begin(), e->args.end(), isComputable);
}

std::optional<AffineSequence> affine(const ir::ExprPtr &e, const Variables &variables) {
  if (e->kind != ir::ExprKind::Sequence || e->args.size() == 4)
    return std::nullopt;
  ir::ExprPtr step = e->args.size() == 3 ? e->args[1] : ir::intLiteral(0);
  return AffineSequence{overFreeNames(e->args[0], variables), overFreeNames(step, variables)};
}

std::optional<PartitionCandidate> candidate(const ir::ExprPtr &e, const Guards &guards,
                                            const Variables &variables) {
  if (e->args.size() != 5) // tiles
    return std::nullopt;
  ir::ExprPtr size = countOf(variables.closed(e->args[0]), e->integer);
  auto start = affine(e->args[2], variables);
  auto increment = affine(e->args[3], variables);
  auto end = affine(e->args[4], variables);
  if (!size || !start || !increment || !end)
    return std::nullopt;
  PartitionCandidate result{e.get(),
                            overFreeNames(size, variables),
                            overFreeNames(e->args[1], variables),
                            *start,
                            *increment,
                            *end,
                            {}};
  for (const ir::ExprPtr &guard : guards)
    result.guards.push_back(overFreeNames(guard, variables));
  std::vector<ir::ExprPtr> all = result.expressions();
  if (!std::all_of(all.begin(), all.end(), isComputable))
    return std::nullopt;
  return result;
}

} // namespace

std::vector<ir::ExprPtr> PartitionCandidate::expressions() const {
  std::vector<ir::ExprPtr> all{size,           count,     start.start, start.step, increment.start,
                               increment.step, end.start, end.step};
  all.insert(all.end(), guards.begin(), guards.end());
  return all;
}

std::vector<ir::ExprPtr> sizeContracts(const ir::Spectrum &spectrum, const ir::Codelet &codelet) {
  std::vector<ir::ExprPtr> contracts;
  for (const ir::Codelet &each : spectrum.codelets) {
    for (const ir::StmtPtr &s : each.body->children) {
      if (s->kind != ir::StmtKind::Require || s->value->op != "==")
        continue;
      // Codelets of one spectrum may name its parameters differently.
      bool isContract = true;
      ir::ExprPtr here = ir::rewrite(s->value, [&](const ir::ExprPtr &e) -> ir::ExprPtr {
        isContract &= e->kind != ir::ExprKind::CoopDim && e->kind != ir::ExprKind::CoopIdx;
        if (e->kind != ir::ExprKind::Var)
          return e;
        auto param = std::find(each.params.begin(), each.params.end(), e->var);
        isContract &= param != each.params.end();
        const auto position = static_cast<std::size_t>(param - each.params.begin());
        return position < codelet.params.size() ? ir::varRef(codelet.params[position]) : e;
      });
      if (isContract)
        contracts.push_back(std::move(here));
    }
  }
  return contracts;
}

std::vector<PartitionCandidate> partitionCandidates(const ir::Codelet &codelet,
                                                    const std::vector<ir::ExprPtr> &contracts) {
  Variables variables(codelet);
  std::vector<PartitionCandidate> found;
  Guards given;
  std::copy_if(
      contracts.begin(), contracts.end(), std::back_inserter(given),
      [&](const ir::ExprPtr &each) { return isComputable(overFreeNames(each, variables)); });
  findIn(codelet.body, given, [&](const ir::ExprPtr &site, const Guards &guards) {
    if (site->kind != ir::ExprKind::Partition)
      return;
    if (auto each = candidate(site, guards, variables))
      found.push_back(std::move(*each));
  });
  return found;
}

namespace {

/// What a map gives its elements for `e`; nothing where that is not known from sizes.
std::optional<MapArgument> argumentOf(const ir::ExprPtr &e, const Variables &variables) {
  const ir::ExprPtr arg = variables.closed(e);
  MapArgument result;
  if (!arg->type.isContainer())
    return result;
  result.isShared = arg->kind == ir::ExprKind::All;
  const bool isCut = arg->kind == ir::ExprKind::Partition;
  const ir::ExprPtr container = isCut || result.isShared ? arg->args[0] : arg;
  for (unsigned d = 0; d < container->type.rank; ++d) {
    const ir::ExprPtr extent = countOf(variables.closed(container), d);
    result.extents.push_back(extent ? overFreeNames(extent, variables) : nullptr);
    if (!extent || !isComputable(result.extents.back()))
      return std::nullopt;
  }
  for (std::size_t i = 1; isCut && i + 3 < arg->args.size(); i += 4) {
    auto start = affine(arg->args[i + 1], variables);
    auto increment = affine(arg->args[i + 2], variables);
    auto end = affine(arg->args[i + 3], variables);
    const unsigned dimension = static_cast<unsigned>(arg->integer) + static_cast<unsigned>(i / 4);
    if (!start || !increment || !end || arg->callee == "reversed" ||
        dimension >= container->type.rank)
      return std::nullopt;
    result.cuts.push_back({dimension, overFreeNames(arg->args[i], variables), *start, *increment,
                           *end, arg->callee == "strided"});
  }
  const std::vector<ir::ExprPtr> all = result.expressions();
  if (!std::all_of(all.begin(), all.end(), isComputable))
    return std::nullopt;
  return result;
}

} // namespace

std::vector<ir::ExprPtr> MapArgument::expressions() const {
  std::vector<ir::ExprPtr> all = extents;
  for (const Cut &cut : cuts)
    all.insert(all.end(), {cut.count, cut.start.start, cut.start.step, cut.increment.start,
                           cut.increment.step, cut.end.start, cut.end.step});
  return all;
}

std::vector<ir::ExprPtr> MapCandidate::expressions() const {
  std::vector<ir::ExprPtr> all = guards;
  for (const MapArgument &each : args) {
    const std::vector<ir::ExprPtr> of = each.expressions();
    all.insert(all.end(), of.begin(), of.end());
  }
  if (results)
    all.push_back(results);
  return all;
}

std::vector<MapCandidate> mapCandidates(const ir::Codelet &codelet,
                                        const std::vector<ir::ExprPtr> &contracts) {
  const Variables variables(codelet);
  std::map<const ir::Expr *, ir::ExprPtr> targets;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Assign && s.target->type.isContainer())
      targets[s.value.get()] = s.target;
  });
  std::vector<MapCandidate> found;
  findIn(codelet.body, contracts, [&](const ir::ExprPtr &site, const Guards &guards) {
    if (site->kind != ir::ExprKind::Map)
      return;
    MapCandidate map{site.get(), {}, nullptr, {}};
    if (const ir::ExprPtr target = targets[site.get()]) {
      const ir::ExprPtr count = countOf(variables.closed(target));
      map.results = count ? overFreeNames(count, variables) : nullptr;
      if (map.results && !isComputable(map.results))
        map.results = nullptr;
    }
    for (const ir::ExprPtr &arg : site->args) {
      const std::optional<MapArgument> known = argumentOf(arg, variables);
      if (!known)
        return;
      map.args.push_back(*known);
    }
    for (const ir::ExprPtr &guard : guards) {
      const ir::ExprPtr closed = overFreeNames(guard, variables);
      if (isComputable(closed))
        map.guards.push_back(closed);
    }
    found.push_back(std::move(map));
  });
  return found;
}

std::string nameOfSize(const ir::Codelet &codelet, const ir::ExprPtr &size) {
  std::string name = ir::toString(size);
  bool named = false;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (named || s.kind != ir::StmtKind::Decl || !s.value)
      return;
    ir::ExprPtr value = s.value;
    while (value->kind == ir::ExprKind::Cast)
      value = value->args[0];
    named = ir::sameExpr(value, size);
    if (named)
      name = s.var->name;
  });
  return name;
}

} // namespace tangram::composer

// Output containers of elements that run side by side must not overlap: this is
// proved from the sequences of the partition, or the plan is refused.
#include "codegen/lowering/side_effects.h"
#include "algebra/simplify.h"
#include "codegen/lowering/contracts.h"

#include "composer/analysis/sites.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool isConstant(const Sequence &s) { return !s.dataDependent && isLiteral(s.inc, 0); }

bool sameView(const View &a, const View &b) {
  return a.buffer == b.buffer && a.edges.empty() && b.edges.empty() &&
         std::equal(a.origin.begin(), a.origin.end(), b.origin.begin(), b.origin.end(), sameExpr) &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const Dimension &one, const Dimension &other) {
                      return one.of == other.of && sameExpr(one.step, other.step);
                    });
}

/// Whether a <= b follows from the form of the two.
bool isAtMost(const ExprPtr &a, const ExprPtr &b) {
  return sameExpr(a, b) || isLiteral(simplify(binary("<=", a, b)), 1);
}

/// Part i ends where part i + 1 begins, or before: contiguous tiles, with gaps or without.
bool areTiles(const Cut &cut) {
  bool follow = isConstant(cut.inc) && sameExpr(cut.start.inc, cut.end.inc) &&
                isAtMost(cut.end.start, simplify(add(cut.start.start, cut.start.inc)));
  if (!follow || cut.start.dataDependent != cut.end.dataDependent)
    return false;
  // Read from a container, which the codelet requires to be ascending.
  return !cut.start.dataDependent ||
         (cut.ascending && sameView(cut.start.container, cut.end.container));
}

/// The n parts are a apart and advance by b >= n * a: start + i * a + j * b, a sum of strides in
/// which no stride overlaps with the ones below it, tells all i and j apart (NOOVERLAP of
/// notes/index-functions-and-dispatch.md 1.2, for two strides).
bool areInterleaved(const Cut &cut) {
  return !cut.start.dataDependent && !cut.inc.dataDependent && isConstant(cut.inc) &&
         !isLiteral(cut.start.inc, 0) &&
         isAtMost(simplify(mul(cut.start.inc, cut.count)), cut.inc.start);
}

const Var *rootOf(const Value &value) {
  if (const View *view = std::get_if<View>(&value))
    return view->buffer.get();
  if (const Parts *parts = std::get_if<Parts>(&value))
    return parts->base.buffer.get();
  if (const ExprPtr *number = std::get_if<ExprPtr>(&value)) {
    const Var *read = nullptr;
    forEach(*number, [&](const Expr &e) {
      if (e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var)
        read = e.args[0]->var.get();
    });
    return read;
  }
  return nullptr;
}

/// Whether the bounds of parts are read from a container in that memory.
bool boundsAreIn(const Value &value, const Var *buffer) {
  const Parts *parts = std::get_if<Parts>(&value);
  return parts && std::any_of(parts->cuts.begin(), parts->cuts.end(), [&](const Cut &cut) {
           return (cut.start.dataDependent && cut.start.container.buffer.get() == buffer) ||
                  (cut.inc.dataDependent && cut.inc.container.buffer.get() == buffer) ||
                  (cut.end.dataDependent && cut.end.container.buffer.get() == buffer);
         });
}

/// "part i: from i * 2, below i * 2 + 3"
std::string partText(const Cut &cut) {
  auto name = std::make_shared<Var>();
  name->name = "i";
  name->type = scalarType(Scalar::Index);
  const ExprPtr i = varRef(name);
  auto text = [](const ExprPtr &e) {
    return toString(simplify(rewrite(e, [](const ExprPtr &each) {
      return each->kind == ExprKind::Cast && each->type.scalar == Scalar::Index ? each->args[0]
                                                                                : each;
    })));
  };
  std::string inc = isConstant(cut.inc) && isLiteral(cut.inc.start, 1)
                        ? ""
                        : ", in steps of " + text(cut.inc.at(i));
  return "part i: from " + text(cut.start.at(i)) + inc + ", below " + text(cut.end.at(i));
}

bool isOutput(const VarPtr &param) { return param->type.isContainer() && !param->type.isConst; }

/// Whether `e` is the container `param` itself, or a view of it.
bool isViewOf(const ExprPtr &e, const Var *param) {
  switch (e->kind) {
  case ExprKind::Var:
    return e->var.get() == param;
  case ExprKind::All:
  case ExprKind::Partition:
  case ExprKind::Transpose:
  case ExprKind::Pad:
    return isViewOf(e->args[0], param);
  case ExprKind::Call: // reverse, broadcast
  case ExprKind::Index:
    return e->type.isContainer() && isViewOf(e->args[0], param);
  default:
    return false;
  }
}

/// Whether `e` names the container other than as the target of an Atomic, for its size, or as an
/// argument that is looked at by itself.
bool touches(const ExprPtr &e, const Var *param) {
  if (!e || e->kind == ExprKind::Size)
    return false;
  if (e->kind == ExprKind::Var)
    return e->var.get() == param;
  bool call = callsSpectrum(*e);
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    bool target = e->kind == ExprKind::Atomic && i == 0;
    if (target || (call && isViewOf(e->args[i], param))) {
      const ExprPtr &inside = e->args[i];
      for (std::size_t k = 1; k < inside->args.size(); ++k) {
        if (touches(inside->args[k], param))
          return true;
      }
      continue;
    }
    if (touches(e->args[i], param))
      return true;
  }
  return false;
}

} // namespace

std::string SideEffects::plainUse(const PlanNode &node, std::size_t param) const {
  if (node.kind == PlanNode::Kind::Devolve || node.kind == PlanNode::Kind::Map)
    return plainUse(*node.children[0], param);
  const Codelet &codelet = codeletOf(program_, node);
  const Var *container = codelet.params[param].get();
  std::string use;
  forEach(codelet.body, [&](const Stmt &s) {
    bool touched = false;
    forEachOwnExpr(s, [&](const ExprPtr &e) { touched |= touches(e, container); });
    if (!touched || !use.empty())
      return;
    const bool writes = s.kind == StmtKind::Assign && touches(s.target, container);
    use = codelet.name() + (writes ? " writes" : " reads") + " it " + inParentheses(s.location) +
          ", which " + (writes ? "atomicExchange" : "an atomic operation that changes nothing") +
          " may do";
  });
  for (const composer::Site &site : composer::sites(codelet)) {
    if (site.child < 0)
      continue;
    for (std::size_t i = 0; i < site.expr->args.size() && use.empty(); ++i) {
      if (isViewOf(site.expr->args[i], container))
        use = plainUse(*node.children[static_cast<std::size_t>(site.child)], i);
    }
  }
  return use;
}

namespace {

/// So that no two of its elements meet.
bool hasOneElement(const MapWork &work) { return work.count && literalValue(work.count) == 1; }

} // namespace

bool SideEffects::sharesOutput(const MapWork &work, const std::set<std::size_t> &appended) {
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    if (work.shared[k] && isOutput(work.callee->params[k]) && !appended.contains(k))
      return true;
  }
  return false;
}

void SideEffects::requireDisjointOutputs(const MapWork &work, const PlanNode &node,
                                         const SourceLocation &at) const {
  if (node.policy == MapPolicy::Serialize)
    return;
  if (const std::string why = whyOverlap(work, node); !why.empty())
    refuse(why + ", so map(" + node.spectrum + ", ...) cannot be distributed at level " +
               plan_.machine->levels[static_cast<std::size_t>(node.level)].name,
           at);
}

std::string SideEffects::whyOverlap(const MapWork &work, const PlanNode &node,
                                    const std::set<std::size_t> &appended) const {
  if (hasOneElement(work))
    return {};
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    const VarPtr &param = work.callee->params[k];
    if (!isOutput(param) || appended.contains(k))
      continue;
    if (work.shared[k]) {
      if (const std::string use = plainUse(node, k); !use.empty())
        return "every element writes the same container '" + param->name +
               "', and not by atomic operations alone: " + use;
      continue;
    }
    const Parts *parts = std::get_if<Parts>(&work.args[k]);
    for (std::size_t c = 0; parts && c < parts->cuts.size(); ++c) {
      const Cut &cut = parts->cuts[c];
      if (!areTiles(cut) && !areInterleaved(cut) && !partsAreDisjoint(*parts, c))
        return "the parts that '" + param->name + "' of different elements is may overlap (" +
               partText(cut) + ")";
    }
  }
  return {};
}

namespace {

const View *windowOf(const Value &value) {
  const Parts *parts = std::get_if<Parts>(&value);
  return parts ? &parts->base : std::get_if<View>(&value);
}

} // namespace

void SideEffects::requireNotRead(const MapWork &work, const View &result,
                                 const SourceLocation &at) const {
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    if (mayRead(work, k, result))
      refuse("the results of the map over " + work.callee->name + " go to what its argument '" +
                 work.callee->params[k]->name +
                 "' is read from; give them a container of their own",
             at);
  }
}

bool SideEffects::mayRead(const MapWork &work, std::size_t a, const View &result) const {
  const Value &arg = work.args[a];
  const View *view = std::get_if<View>(&arg);
  if (view && !work.shared[a] && view->dims.size() == 1 && sameView(*view, result))
    return false;
  if (boundsAreIn(arg, result.buffer.get()))
    return true;
  const View *window = windowOf(arg);
  return rootOf(arg) == result.buffer.get() && !(window && areApart(*window, result)) &&
         !resultsAreDisjoint(work, result, a);
}

namespace {

/// d - 2 as d and -2; null: it is a constant.
std::pair<ExprPtr, std::int64_t> withoutConstant(const ExprPtr &e) {
  if (const auto literal = literalValue(e))
    return {nullptr, *literal};
  const bool sum = e->kind == ExprKind::Binary && e->type.scalar == Scalar::Index &&
                   (e->op == "+" || e->op == "-");
  const auto constant = sum ? literalValue(e->args[1]) : std::nullopt;
  if (!constant)
    return {e, 0};
  const auto [rest, plus] = withoutConstant(e->args[0]);
  return {rest, e->op == "+" ? plus + *constant : plus - *constant};
}

} // namespace

/// Whether two windows onto one array are different rows, columns or planes of it, or different blocks of them.
bool SideEffects::areApart(const View &one, const View &other) const {
  const View a = reachOf(one);
  const View b = reachOf(other);
  auto stays = [](const View &view, std::size_t d) {
    return std::none_of(view.dims.begin(), view.dims.end(),
                        [&](const Dimension &each) { return each.of == d; });
  };
  auto goesUp = [](const View &view, std::size_t d) {
    return std::all_of(view.dims.begin(), view.dims.end(), [&](const Dimension &each) {
      return each.of != d || isLiteral(each.step, 1);
    });
  };
  for (std::size_t d = 0; d < std::min(a.origin.size(), b.origin.size()); ++d) {
    // Modulo 2^64, as indexes are: no matter which of them are below 0, where no elements are.
    const auto [first, plus] = withoutConstant(scope_.meaningOf(a.origin[d]));
    const auto [second, more] = withoutConstant(scope_.meaningOf(b.origin[d]));
    if (!(first && second ? sameExpr(first, second) : first == second))
      continue;
    if ((stays(a, d) && stays(b, d) && plus != more) ||
        (stays(a, d) && goesUp(b, d) && plus < more) ||
        (goesUp(a, d) && stays(b, d) && more < plus))
      return true;
  }
  return subscriptsAreDisjoint(a, b);
}

namespace {

/// Whether lanes run a codelet of `node` together, in no map.
bool lanesRun(const Program &program, const PlanNode &node) {
  if (node.kind == PlanNode::Kind::Map)
    return false;
  return (node.kind == PlanNode::Kind::Compute && codeletOf(program, node).cooperative) ||
         std::any_of(node.children.begin(), node.children.end(),
                     [&](const PlanPtr &child) { return lanesRun(program, *child); });
}

bool areSameContainer(const Value &a, const Value &b) {
  const View *one = std::get_if<View>(&a);
  const View *other = std::get_if<View>(&b);
  return one && other && sameView(*one, *other);
}

} // namespace

/// Whether one worker may write through argument `a` what another one sees through `b`.
bool SideEffects::mayMeet(const std::vector<Value> &args, std::size_t a, std::size_t b,
                          const PlanNode &node, const MapWork *work) const {
  if (boundsAreIn(args[b], rootOf(args[a])))
    return true;
  const View *one = windowOf(args[a]);
  const View *other = windowOf(args[b]);
  if (one && other && areApart(*one, *other))
    return false;
  if (!work)
    return !valuesAreDisjoint(args[a], args[b]);
  const PlanNode *map = &node;
  bool across = false;
  for (; map->kind == PlanNode::Kind::Map; map = map->children[0].get())
    across |= map->policy != MapPolicy::Serialize;
  return (across && !hasOneElement(*work) && !argumentsAreDisjoint(*work, a, b)) ||
         (runsSideBySide(*map) && !sameElementIsDisjoint(*work, a, b));
}

void SideEffects::requireNoAliasing(const Spectrum &callee, const std::vector<Value> &args,
                                    const PlanNode &node, const SourceLocation &at,
                                    const MapWork *work) const {
  for (std::size_t a = 0; a < args.size(); ++a) {
    for (std::size_t b = 0; b < args.size(); ++b) {
      const Var *root = rootOf(args[a]);
      bool same = a != b && root && (root == rootOf(args[b]) || boundsAreIn(args[b], root));
      // incs(ys, ys): each map in it is asked in turn, of the parts that its elements have of both.
      if (same && !work && areSameContainer(args[a], args[b]) && !lanesRun(program_, node))
        continue;
      if (same && isOutput(callee.params[a]) && runsSideBySide(node) &&
          mayMeet(args, a, b, node, work))
        refuse("'" + callee.params[a]->name + "' and '" + callee.params[b]->name + "' of " +
                   callee.name +
                   " may be the same memory, and the first is written, so it cannot "
                   "run in parallel",
               at);
    }
  }
}

bool SideEffects::runsSideBySide(const PlanNode &node) const {
  bool here = (node.kind == PlanNode::Kind::Map && node.policy != MapPolicy::Serialize) ||
              (node.kind == PlanNode::Kind::Compute && codeletOf(program_, node).cooperative);
  return here || std::any_of(node.children.begin(), node.children.end(),
                             [&](const PlanPtr &child) { return runsSideBySide(*child); });
}

} // namespace tangram::codegen

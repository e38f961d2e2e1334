// Containers that are built where they are copied to: what of it depends on which memory is meant.
//
// From its first use to its copy nobody but the container may touch the window that it is built in, and the
// window has to have its extents and to lie as it would. Where one of it is not known the container gets
// memory of its own.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/lowering/counting.h"
#include "codegen/lowering/instantiation.h"
#include "codegen/lowering/results_in_place.h"
#include "ir/swap.h"

#include <algorithm>
#include <map>
#include <span>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Whether neighbours along the last dimension are neighbours in memory, and the dimensions follow each other
/// as those of the array: what is built in it is read and written as in an array of its own.
bool liesAsAnArray(const View &view) {
  if (view.dims.empty() || !view.edges.empty() || view.padded)
    return false;
  for (std::size_t d = 0; d + 1 < view.dims.size(); ++d) {
    if (view.dims[d].of >= view.dims[d + 1].of)
      return false;
  }
  const Dimension &last = view.dims.back();
  return last.of + 1 == view.origin.size() && isLiteral(last.step, 1);
}

bool readsFrom(const ExprPtr &e, const VarPtr &buffer) { return e && mentions(e, buffer.get()); }

bool isReadFrom(const Sequence &sequence, const VarPtr &buffer) {
  return (sequence.dataDependent && sequence.container.buffer == buffer) ||
         readsFrom(sequence.start, buffer) || readsFrom(sequence.inc, buffer);
}

} // namespace

/// Whether `value` is surely no element of `window`, and none of these says which elements it is.
bool Instantiation::isApart(const Value &value, const View &window) const {
  if (const ExprPtr *number = std::get_if<ExprPtr>(&value))
    return !readsFrom(*number, window.buffer);
  if (const Sequence *sequence = std::get_if<Sequence>(&value))
    return !isReadFrom(*sequence, window.buffer);
  const Parts *parts = std::get_if<Parts>(&value);
  if (parts && std::ranges::any_of(parts->cuts, [&](const Cut &cut) {
        return isReadFrom(cut.start, window.buffer) || isReadFrom(cut.inc, window.buffer) ||
               isReadFrom(cut.end, window.buffer);
      }))
    return false;
  const View &view = parts ? parts->base : std::get<View>(value);
  return view.buffer != window.buffer || effects_.areDifferent(view, window);
}

/// The part of a container that `e` names, where it is the same all along; null where that is not known.
std::optional<View> Instantiation::partNamedBy(Instance &in, const ExprPtr &e) {
  if (!namesPart(e))
    return std::nullopt;
  const bool known = !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Var &&
           (in.assigned.contains(each.var.get()) || !in.environment.contains(each.var.get()));
  });
  if (!known)
    return std::nullopt;
  std::optional<View> view;
  scope_.collect([&] {
    const Value value = evaluate(in, e);
    if (const View *found = std::get_if<View>(&value))
      view = *found;
  });
  return view;
}

/// Whether what `e` names of containers, but those that have no memory yet, is apart from `window`. `views`:
/// what is named later on.
bool Instantiation::leavesAlone(Instance &in, const ExprPtr &e, const View &window,
                                const Substitution &views) {
  if (!e || e->kind == ExprKind::Size)
    return true;
  if (e->kind == ExprKind::Var) {
    const auto known = in.environment.find(e->var.get());
    if (known != in.environment.end())
      return isApart(known->second, window);
    const auto view = views.find(e->var.get());
    return view == views.end() || leavesAlone(in, view->second, window, views);
  }
  if (e->kind == ExprKind::Index && e->type.isContainer()) {
    const std::optional<View> part = partNamedBy(in, e);
    if (part && isApart(*part, window))
      return true;
  }
  return std::ranges::all_of(
      e->args, [&](const ExprPtr &arg) { return leavesAlone(in, arg, window, views); });
}

/// Whether two extents are the same, for all that is known of sizes.
bool Instantiation::areEqual(const ExprPtr &a, const ExprPtr &b) const {
  Substitution sizes;
  for (const ShapeContract &each : plan_.shape) {
    if (!mentions(each.equals, each.extent.get()))
      sizes.try_emplace(each.extent.get(), each.equals);
  }
  const auto written = [&](const ExprPtr &e) {
    return simplified(substitute(scope_.closed(e), sizes));
  };
  const ExprPtr one = written(a);
  const ExprPtr other = written(b);
  return sameExpr(one, other) || (scope_.isAtLeast(one, other) && scope_.isAtLeast(other, one));
}

/// The window that the container, of these extents, can be built in; null: it needs memory of its own. It is
/// used by `uses`, of which the last one is followed by its copy.
std::optional<View> Instantiation::windowFor(Instance &in, const Var &container,
                                             const std::vector<ExprPtr> &extents,
                                             const ExprPtr &destination,
                                             std::span<const StmtPtr> uses) {
  const bool known = !contains(destination, [&](const Expr &e) {
    return e.kind == ExprKind::Var && !in.environment.contains(e.var.get());
  });
  if (!known)
    return std::nullopt;
  const Value value = evaluate(in, destination);
  const View *found = std::get_if<View>(&value);
  if (!found || !liesAsAnArray(*found) || found->dims.size() != extents.size() ||
      found->buffer->type.scalar != container.type.scalar)
    return std::nullopt;
  View window = *found;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (!areEqual(window.dims[d].extent, extents[d]))
      return std::nullopt;
    window.dims[d].extent = extents[d];
  }
  Substitution views;
  for (const StmtPtr &use : uses) {
    forEach(use, [&](const Stmt &s) {
      if (namesView(s))
        views[s.var.get()] = s.value;
    });
  }
  bool apart = true;
  for (const StmtPtr &use : uses) {
    forEach(use, [&](const Stmt &s) {
      if (!namesView(s))
        forEachOwnExpr(
            s, [&](const ExprPtr &e) { apart = apart && leavesAlone(in, e, window, views); });
    });
  }
  return apart ? std::optional(window) : std::nullopt;
}

/// Whether arrays of these extents are small enough for memory that is closer to their workers.
bool Instantiation::areKeptClose(int level, const std::vector<ExprPtr> &extents) const {
  return role(level) != Role::Host && std::ranges::all_of(extents, [&](const ExprPtr &extent) {
           const ExprPtr most = scope_.boundOf(extent);
           return most && scope_.compileTimeBound(most);
         });
}

/// How often the loops go round, but for a multiple of 2; null where the host does not know it before them.
ExprPtr Instantiation::parityOf(Instance &in, const std::vector<StmtPtr> &rounds,
                                std::span<const StmtPtr> before) {
  ExprPtr sum = intLiteral(0);
  for (const StmtPtr &loop : rounds) {
    const std::optional<Counting> counting = countingOf(*loop);
    if (!counting || counting->multiplies || counting->converted || !isLiteral(counting->by, 1))
      return nullptr;
    for (const ExprPtr &each : {counting->from, counting->below}) {
      const bool known = !contains(each, [&](const Expr &e) {
        return e.kind == ExprKind::Var && (!in.environment.contains(e.var.get()) ||
                                           std::ranges::any_of(before, [&](const StmtPtr &s) {
                                             return assigns(s, e.var.get());
                                           }));
      });
      if (!known)
        return nullptr;
    }
    const ExprPtr from = hostNumber(evaluateScalar(in, counting->from));
    const ExprPtr below = hostNumber(evaluateScalar(in, counting->below));
    if (!from || !below || isSigned(below->type.scalar) ||
        (isSigned(from->type.scalar) && literalValue(from).value_or(-1) < 0))
      return nullptr;
    const ExprPtr first = cast(Scalar::Index, from);
    sum = add(sum, sub(maxOf(cast(Scalar::Index, below), first), first));
  }
  return simplified(binary("%", sum, intLiteral(2)));
}

/// The container that rounds leave their result in is where it is copied to; before an odd number of rounds the
/// two begin exchanged. False: both need memory of their own.
bool Instantiation::placeExchanged(Instance &in, const ExchangedResult &result,
                                   const std::vector<StmtPtr> &statements, const Var &container,
                                   const std::vector<ExprPtr> &extents,
                                   const std::vector<ExprPtr> &extentsOfOther) {
  // A host that only launches exchanges memory of its own, and none of its caller's.
  if (role(in.node->level) != Role::Host || onlyLaunches(in.node->level))
    return false;
  const auto uses = std::span(statements)
                        .subspan(result.place.firstUse, result.place.copy - result.place.firstUse);
  const ExprPtr odd = parityOf(in, result.rounds, uses);
  const std::optional<View> window =
      odd ? windowFor(in, container, extents, result.place.destination, uses) : std::nullopt;
  if (!window)
    return false;
  const Buffer *buffer = plan_.bufferOf(window->buffer);
  if (!buffer)
    return false;
  ExprPtr count = intLiteral(1);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (!isLiteral(window->origin[d], 0) || !isLiteral(window->dims[d].step, 1) ||
        d >= extentsOfOther.size() || !areEqual(extents[d], extentsOfOther[d]))
      return false;
    count = mul(count, extents[d]);
  }
  if (window->origin.size() != extents.size() || !areEqual(count, buffer->count))
    return false;
  const Stmt &declared = *statements[result.other];
  const View other = temporary(in.node->level, declared.var->name, declared.var->type.scalar,
                               extentsOfOther, declared.value->location);
  in.environment[&container] = *window;
  in.environment[declared.var.get()] = other;
  scope_.emitComment(container.name + " is " + window->buffer->name + " after all rounds");
  const StmtPtr exchange = swapOf(varRef(window->buffer), varRef(other.buffer));
  if (const auto known = literalValue(odd)) {
    if (*known != 0)
      scope_.emit(exchange);
  } else {
    scope_.emit(ifThen(binary("==", odd, intLiteral(1)), block({exchange})));
  }
  placed_ = true;
  return true;
}

/// What is known of the local containers of a block whose memory is still open.
struct Instantiation::OpenContainers {
  std::map<std::size_t, PlaceOfResult> single;
  std::map<std::size_t, ExchangedResult> exchanged;
  std::map<std::size_t, std::vector<ExprPtr>> extents; ///< of those that have been declared
  std::multimap<std::size_t, std::size_t> firstUses;   ///< and the containers that they are of
  std::set<std::size_t> done;                          ///< copies that are not needed any more

  OpenContainers(const Program &program, const std::vector<StmtPtr> &statements) {
    std::set<std::size_t> others;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (const auto place = placeOfResult(program, statements, i)) {
        single.emplace(i, *place);
      } else if (const auto result = placeOfExchanged(program, statements, i)) {
        exchanged.emplace(i, *result);
        others.insert(result->other);
      }
    }
    std::erase_if(exchanged, [&](const auto &each) {
      return others.contains(each.first) || single.contains(each.second.other);
    });
    for (const auto &[declared, place] : single)
      firstUses.emplace(place.firstUse, declared);
    for (const auto &[declared, result] : exchanged)
      firstUses.emplace(result.place.firstUse, declared);
  }

  /// Whether statement `i` declares one of them.
  bool declares(std::size_t i) const {
    return single.contains(i) || exchanged.contains(i) ||
           std::ranges::any_of(exchanged, [&](const auto &each) { return each.second.other == i; });
  }
};

/// Memory of its own for the container that statement `i` declares.
void Instantiation::allocateOpen(Instance &in, const std::vector<StmtPtr> &statements,
                                 OpenContainers &open, std::size_t i) {
  const Stmt &s = *statements[i];
  in.environment[s.var.get()] = temporary(in.node->level, s.var->name, s.var->type.scalar,
                                          open.extents.at(i), s.value->location);
  open.extents.erase(i);
}

/// Memory for the container that statement `i` declares, which is used next.
void Instantiation::placeOpen(Instance &in, const std::vector<StmtPtr> &statements,
                              OpenContainers &open, std::size_t i) {
  const Var &container = *statements[i]->var;
  if (const auto rounds = open.exchanged.find(i); rounds != open.exchanged.end()) {
    const auto &[place, other, loops] = rounds->second;
    if (placeExchanged(in, rounds->second, statements, container, open.extents.at(i),
                       open.extents.at(other))) {
      open.done.insert(place.copy);
      return;
    }
    allocateOpen(in, statements, open, std::min(i, other));
    return allocateOpen(in, statements, open, std::max(i, other));
  }
  const PlaceOfResult &to = open.single.at(i);
  std::optional<View> window;
  const StmtPtr names = scope_.collect([&] {
    window = windowFor(in, container, open.extents.at(i), to.destination,
                       std::span(statements).subspan(to.firstUse, to.copy - to.firstUse));
  });
  if (!window)
    return allocateOpen(in, statements, open, i);
  for (const StmtPtr &name : names->children)
    scope_.emit(name);
  scope_.emitComment(container.name + " is built in its place in " + window->buffer->name);
  in.environment[&container] = *window;
  open.done.insert(to.copy);
  placed_ = true;
}

void Instantiation::lowerBlock(Instance &in, const std::vector<StmtPtr> &statements) {
  if (!inPlace_ || in.codelet->cooperative || in.perLane) {
    for (const StmtPtr &s : statements)
      lowerStatement(in, s);
    return;
  }
  OpenContainers open(program_, statements);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (auto [each, end] = open.firstUses.equal_range(i); each != end; ++each) {
      if (open.extents.contains(each->second))
        placeOpen(in, statements, open, each->second);
    }
    if (open.done.contains(i))
      continue;
    if (!open.declares(i)) {
      lowerStatement(in, statements[i]);
      continue;
    }
    const Stmt &s = *statements[i];
    open.extents[i] = extentsOf(in, *s.var, *s.value);
    if (open.single.contains(i) && areKeptClose(in.node->level, open.extents[i]))
      allocateOpen(in, statements, open, i);
  }
}

} // namespace tangram::codegen

// Containers that are built where they are copied to: what of it depends on which memory is meant.
//
// From its first use to its copy nobody but the container may touch the window that it is built in, and the
// window has to have its extents and to lie as it would. Where one of it is not known the container gets
// memory of its own.
#include "algebra/simplify.h"
#include "codegen/kernel/accesses.h"
#include "codegen/kernel/building.h"
#include "codegen/lowering/instantiation.h"
#include "codegen/lowering/results_in_place.h"

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

void Instantiation::lowerBlock(Instance &in, const std::vector<StmtPtr> &statements) {
  struct Waiting {
    const Stmt *declaration;
    PlaceOfResult place;
    std::vector<ExprPtr> extents;
  };
  std::multimap<std::size_t, Waiting> waiting; // by their first use
  std::set<std::size_t> done;
  const bool places = inPlace_ && !in.codelet->cooperative && !in.perLane;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (auto [each, end] = waiting.equal_range(i); each != end; ++each) {
      const auto &[declaration, place, extents] = each->second;
      const Var &container = *declaration->var;
      std::optional<View> window;
      const StmtPtr names = scope_.collect([&] {
        window = windowFor(in, container, extents, place.destination,
                           std::span(statements).subspan(i, place.copy - i));
      });
      if (window) {
        for (const StmtPtr &name : names->children)
          scope_.emit(name);
        scope_.emitComment(container.name + " is built in its place in " + window->buffer->name);
        done.insert(place.copy);
        placed_ = true;
      }
      in.environment[&container] =
          window ? *window
                 : temporary(in.node->level, container.name, container.type.scalar, extents,
                             declaration->value->location);
    }
    if (done.contains(i))
      continue;
    const std::optional<PlaceOfResult> place =
        places ? placeOfResult(program_, statements, i) : std::nullopt;
    if (place) {
      const Stmt &declaration = *statements[i];
      std::vector<ExprPtr> extents = extentsOf(in, *declaration.var, *declaration.value);
      if (!areKeptClose(in.node->level, extents)) {
        waiting.emplace(place->firstUse, Waiting{&declaration, *place, std::move(extents)});
        continue;
      }
    }
    lowerStatement(in, statements[i]);
  }
}

} // namespace tangram::codegen

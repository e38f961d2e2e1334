#include "codegen/printing/place_offsets.h"

#include "algebra/simplify.h"
#include "algebra/wrapping.h"
#include "codegen/form/building.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

PlaceOffsets::PlaceOffsets(const LoweredPlan &plan, const StmtPtr &body)
    : plan_(plan), wrapping_(wrappingVariables(body)) {
  forEach(body, [&](const Stmt &s) {
    const auto loop = s.kind == StmtKind::For && s.unroll > 1 ? countedLoop(s) : std::nullopt;
    if (loop && loop->isPlain() && isCompileTime(plan, loop->bound))
      counters_.insert(loop->i.get());
  });
}

bool PlaceOffsets::isOffset(const ExprPtr &e) const {
  return !contains(e, [&](const Expr &each) {
    if (each.kind == ExprKind::Var)
      return !counters_.contains(each.var.get()) && !isCompileTime(plan_, varRef(each.var));
    return each.kind != ExprKind::Literal && each.kind != ExprKind::Binary;
  });
}

PlaceOffsets::Parts PlaceOffsets::split(const ExprPtr &e) const {
  if (isOffset(e))
    return {nullptr, e};
  const auto both = [](const ExprPtr &a, const ExprPtr &b) {
    return a && b ? add(a, b) : a ? a : b;
  };
  if (e->kind == ExprKind::Binary && e->op == "+") {
    const Parts a = split(e->args[0]), b = split(e->args[1]);
    return {both(a.place, b.place), both(a.offset, b.offset)};
  }
  if (e->kind == ExprKind::Binary && e->op == "*" && isOffset(e->args[1])) {
    const Parts a = split(e->args[0]);
    return {mul(a.place, e->args[1]), a.offset ? mul(a.offset, e->args[1]) : nullptr};
  }
  return {e, nullptr};
}

std::optional<PlaceOffsets::Parts> PlaceOffsets::of(const Expr &element) const {
  const Buffer *buffer = element.args.size() == 2 && element.args[0]->kind == ExprKind::Var
                             ? plan_.bufferOf(element.args[0]->var)
                             : nullptr;
  if (!buffer || buffer->space != Space::Local || element.args[1]->type.scalar != Scalar::Index)
    return std::nullopt;
  const Parts parts = split(element.args[1]);
  const bool adds = parts.place && parts.offset && contains(parts.offset, [&](const Expr &each) {
                      return each.kind == ExprKind::Var && counters_.contains(each.var.get());
                    });
  if (!adds || mayHaveWrapped(parts.place) || mayHaveWrapped(parts.offset))
    return std::nullopt;
  return parts;
}

/// Also where a variable in it is given what may have wrapped around.
bool PlaceOffsets::mayHaveWrapped(const ExprPtr &e) const {
  return mayWrap(e) || contains(e, [&](const Expr &each) {
           const auto known =
               each.kind == ExprKind::Var ? wrapping_.find(each.var.get()) : wrapping_.end();
           return known != wrapping_.end() && known->second;
         });
}

} // namespace tangram::codegen

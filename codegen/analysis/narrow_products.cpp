#include "codegen/analysis/narrow_products.h"

#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "ir/casts.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isNarrow(const Expr &e) {
  const Scalar type = e.type.scalar;
  return e.kind == ExprKind::Index &&
         (type == Scalar::I8 || type == Scalar::U8 || type == Scalar::I16);
}

bool isWide(Scalar type) { return type == Scalar::I32 || type == Scalar::U32; }

/// A product that is added to an element, in its loops.
struct NarrowSum {
  const Expr *target;
  const Expr *factors[2];
  VarPtr summed;
};

bool names(const Expr &element, const VarPtr &number) {
  return std::any_of(element.args.begin() + 1, element.args.end(), [&](const ExprPtr &e) {
    return contains(e, [&](const Expr &each) { return each.var == number; });
  });
}

/// The sum that an assignment in these loops is; nothing where it is none.
std::optional<NarrowSum> sumOf(const Stmt &s, const std::vector<const Stmt *> &loops) {
  if (s.kind != StmtKind::Assign || s.op != "+=" || s.target->kind != ExprKind::Index ||
      !isWide(s.target->type.scalar))
    return std::nullopt;
  const Expr &product = withoutCasts(*s.value);
  if (product.kind != ExprKind::Binary || product.op != "*" || !isWide(product.type.scalar))
    return std::nullopt;
  NarrowSum sum{s.target.get(), {}, nullptr};
  for (std::size_t k = 0; k < 2; ++k) {
    sum.factors[k] = &withoutCasts(*product.args[k]);
    if (!isNarrow(*sum.factors[k]))
      return std::nullopt;
  }
  for (const Stmt *loop : loops) {
    const VarPtr number = counterOf(*loop);
    if (!number || names(*sum.target, number))
      continue;
    if (!names(*sum.factors[0], number) || !names(*sum.factors[1], number))
      continue;
    if (sum.summed)
      return std::nullopt; // of several loops, none is contiguous in both
    sum.summed = number;
  }
  return sum.summed ? std::optional(sum) : std::nullopt;
}

void collect(const StmtPtr &s, std::vector<const Stmt *> &loops, std::vector<NarrowSum> &sums) {
  if (!s)
    return;
  if (const auto sum = sumOf(*s, loops))
    sums.push_back(*sum);
  const bool isLoop = s->kind == StmtKind::For;
  if (isLoop)
    loops.push_back(s.get());
  for (const StmtPtr &child : s->children)
    collect(child, loops, sums);
  if (isLoop)
    loops.pop_back();
}

std::vector<NarrowSum> sumsIn(const LoweredPlan &plan, const StmtPtr &s) {
  std::vector<NarrowSum> sums;
  if (plan.target && plan.target->itemsAreLoops) {
    std::vector<const Stmt *> loops;
    collect(s, loops, sums);
  }
  return sums;
}

} // namespace

bool sumsNarrowProducts(const LoweredPlan &plan, const StmtPtr &s, const Var *array) {
  const std::vector<NarrowSum> sums = sumsIn(plan, s);
  std::size_t additions = 0, narrow = 0;
  forEach(s, [&](const Stmt &each) {
    if (each.kind != StmtKind::Assign || each.op == "=" || each.target->kind != ExprKind::Index ||
        each.target->args[0]->var.get() != array)
      return;
    ++additions;
    narrow += std::ranges::count(sums, each.target.get(), &NarrowSum::target) > 0 ? 1 : 0;
  });
  return additions > 0 && additions == narrow;
}

bool isNarrowSum(const LoweredPlan &plan, const StmtPtr &loop) {
  const VarPtr number = loop->kind == StmtKind::For ? counterOf(*loop) : nullptr;
  const std::vector<NarrowSum> sums = number ? sumsIn(plan, loop) : std::vector<NarrowSum>{};
  std::size_t assigned = 0;
  if (number)
    forEach(loop->children[2], [&](const Stmt &each) {
      assigned += each.kind == StmtKind::Assign && each.target->kind == ExprKind::Index ? 1 : 0;
    });
  return !sums.empty() && assigned == sums.size() &&
         std::ranges::all_of(sums, [&](const NarrowSum &sum) { return sum.summed == number; });
}

VarPtr summedAlong(const LoweredPlan &plan, const StmtPtr &s, const Var *array) {
  VarPtr along;
  const std::vector<NarrowSum> sums = sumsIn(plan, s);
  for (const WindowAccess &access : accessesTo(s, array)) {
    const auto sum = std::ranges::find_if(sums, [&](const NarrowSum &each) {
      return each.factors[0] == access.element || each.factors[1] == access.element;
    });
    if (sum == sums.end() || (along && along != sum->summed))
      return nullptr;
    along = sum->summed;
  }
  return along;
}

} // namespace tangram::codegen

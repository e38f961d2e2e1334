// Loop versioning for full tiles: in a group whose tile is full, extents that only the last tiles have less of are
// numbers when the kernel is compiled, so that loops over them are unrolled and compare nothing.
//
//   before:  group { rows = min(T, n - first);  items { for (i < rows) A } }
//   after:   group { rows = min(T, n - first);  full = rows == T
//                    items { if (full) { for (i < T) A } else { for (i < rows) A } } }
//
// for what items of groups do with such loops. All items of a group take the same branch. Where a group has branched before
// on whether it is inside (index_set_splitting_of_groups.cpp), only the branch of groups that are inside gets code for full
// tiles. A tile that is not full reaches the end of what is cut into tiles: where no group inside has such a tile, all their
// tiles are full, and no branch is needed.
#include "algebra/simplify.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "ir/assigned_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

class FullTiles {
public:
  explicit FullTiles(const LoweredPlan &plan) : plan_(plan), assigned_(assignedIn(plan.body)) {}

  /// What a group does. `clipped`: the extents that are known there, and what they are in full tiles.
  StmtPtr inGroup(const StmtPtr &s, Substitution &clipped) {
    if (s->kind == StmtKind::Decl) {
      if (s->value && !assigned_.contains(s->var.get()))
        values_[s->var.get()] = s->value;
      if (const ExprPtr most = s->value ? fullExtent(s->value) : nullptr;
          most && !assigned_.contains(s->var.get()))
        clipped[s->var.get()] = cast(s->var->type.scalar, most);
      return s;
    }
    std::vector<StmtPtr> children;
    Substitution inner = clipped;
    for (const StmtPtr &child : s->children) {
      const StmtPtr now = child && !inner.empty() ? apart(child, inner) : nullptr;
      if (!now)
        children.push_back(child ? inGroup(child, inner) : child);
      else if (s->kind == StmtKind::Block)
        std::ranges::copy(now->children, std::back_inserter(children));
      else
        children.push_back(now);
    }
    return children == s->children ? s : withChildren(s, std::move(children));
  }

private:
  /// T of min(T, n - first), where T is known when a kernel is compiled; null: it is something else.
  ExprPtr fullExtent(const ExprPtr &e) const {
    if (e->kind == ExprKind::Cast)
      return fullExtent(e->args[0]);
    if (e->kind != ExprKind::Call || e->callee != "min")
      return nullptr;
    const bool first = isCompiled(e->args[0]), second = isCompiled(e->args[1]);
    return first == second ? nullptr : first ? e->args[0] : e->args[1];
  }

  bool isCompiled(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var) {
        const Tunable *tunable = plan_.tunableOf(each.var);
        return !tunable || tunable->kind == Tunable::Kind::Launch;
      }
      return each.kind != ExprKind::Literal && each.kind != ExprKind::Binary &&
             each.kind != ExprKind::Cast;
    });
  }

  /// Whether loops gain by it: those over few rounds can be unrolled, those of known rounds need not
  /// compare, and others need not divide. Not where something is made for full tiles already.
  bool isWorthIt(const StmtPtr &s, const Substitution &clipped) const {
    bool found = false, made = false;
    forEach(s, [&](const Stmt &each) {
      const auto loop = each.kind == StmtKind::For ? steppedLoop(each) : std::nullopt;
      if (!loop)
        return;
      const auto counted = countedLoop(each);
      const bool known = counted && literalValue(counted->bound) && literalValue(counted->step);
      found |= literalValue(loop->step) && each.value && isShort(each.value, clipped);
      forEachExpr(each.children[2], [&](const Expr &e) {
        if (e.kind != ExprKind::Binary)
          return;
        found |= (e.op == "/" || e.op == "%") && mentions(e.args[1], clipped);
        found |= known && e.op.isComparison() &&
                 (mentions(e.args[0], clipped) || mentions(e.args[1], clipped));
      });
    });
    forEachExpr(s, [&](const Expr &e) {
      made |= e.kind == ExprKind::Binary && e.op == "==" &&
              (isExtent(e.args[0], e.args[1], clipped) || isExtent(e.args[1], e.args[0], clipped));
    });
    return found && !made;
  }

  /// Whether it compares with an extent that compilers unroll a loop over.
  bool isShort(const ExprPtr &condition, const Substitution &clipped) const {
    constexpr std::int64_t rounds = 64;
    return contains(condition, [&](const Expr &each) {
      const auto found = each.kind == ExprKind::Var ? clipped.find(each.var.get()) : clipped.end();
      const auto most = found != clipped.end() ? defaultValue(plan_, found->second) : std::nullopt;
      return most && *most <= rounds;
    });
  }

  /// Whether `e` is an extent, which is `most` in full tiles.
  static bool isExtent(const ExprPtr &e, const ExprPtr &most, const Substitution &clipped) {
    const auto found = e->kind == ExprKind::Var ? clipped.find(e->var.get()) : clipped.end();
    return found != clipped.end() && sameExpr(found->second, most);
  }

  static bool mentions(const ExprPtr &e, const Substitution &clipped) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Var && clipped.contains(each.var.get());
    });
  }

  /// What items do, and whether the tile is full before it; null where that is the same.
  StmtPtr apart(const StmtPtr &s, const Substitution &clipped) {
    if (s->kind != StmtKind::Parallel || plan_.role(s->level) < Role::Item ||
        !isWorthIt(s, clipped))
      return nullptr;
    const StmtPtr body = onlyOf(s->children[0]);
    const bool chooses = body->kind == StmtKind::If && body->children.size() == 2 &&
                         body->children[1] && body->value->kind == ExprKind::Var;
    const StmtPtr &usual = chooses ? body->children[0] : s->children[0];
    const ExprPtr chosen = chooses ? valueOf(body->value) : nullptr;
    Substitution used;
    ExprPtr isFull;
    forEachExpr(usual, [&](const Expr &e) {
      const auto extent = e.var ? clipped.find(e.var.get()) : clipped.end();
      if (extent == clipped.end() || !used.insert(*extent).second)
        return;
      if (chosen && impliesFull(chosen, e.var))
        return;
      const ExprPtr one = binary("==", varRef(e.var), extent->second);
      isFull = isFull ? binary("&&", isFull, one) : one;
    });
    if (used.empty())
      return nullptr;
    const StmtPtr inFull =
        withOwnVariables(simplify(substitute(usual, used), {.proofs = plan_.proofs}));
    if (!isFull)
      return block({withChildren(s, {block({ifThen(body->value, inFull, body->children[1])})})});
    const VarPtr full = newVariable("full", Scalar::Bool);
    const ExprPtr condition = chooses ? binary("&&", body->value, varRef(full)) : varRef(full);
    return block({declare(full, isFull),
                  withChildren(s, {block({ifThen(condition, inFull, s->children[0])})})});
  }

  /// What a variable that is declared before is given.
  ExprPtr valueOf(const ExprPtr &e) const {
    const auto found = values_.find(e->var.get());
    return found == values_.end() ? nullptr : found->second;
  }

  /// Whether a tile's extent, min(T, n - min(first, n)), is T wherever the condition holds: that first + extent is below n.
  bool impliesFull(const ExprPtr &condition, const VarPtr &extent) const {
    if (condition->kind == ExprKind::Binary && condition->op == "&&")
      return std::ranges::any_of(condition->args,
                                 [&](const ExprPtr &e) { return impliesFull(e, extent); });
    if (condition->kind != ExprKind::Binary || condition->op != "<")
      return false;
    const auto value = values_.find(extent.get());
    if (value == values_.end() || value->second->kind != ExprKind::Call ||
        value->second->callee != "min")
      return false;
    return std::ranges::any_of(value->second->args, [&](const ExprPtr &rest) {
      if (rest->kind != ExprKind::Binary || rest->op != "-")
        return false;
      const ExprPtr &n = rest->args[0], &first = rest->args[1];
      return sameExpr(n, condition->args[1]) && first->kind == ExprKind::Call &&
             first->callee == "min" && sameExpr(first->args[1], n) &&
             isAtMost(plan_, add(first->args[0], varRef(extent)), condition->args[0]);
    });
  }

  static StmtPtr onlyOf(StmtPtr s) {
    while (s->kind == StmtKind::Block && s->children.size() == 1)
      s = s->children[0];
    return s;
  }

  const LoweredPlan &plan_;
  std::set<const Var *> assigned_;
  std::map<const Var *, ExprPtr> values_; ///< of variables that groups declare
};

} // namespace

LoweredPlan fullTiles(LoweredPlan plan) {
  FullTiles tiles(plan);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel || plan.role(s->level) != Role::Group)
      return s;
    Substitution clipped;
    const StmtPtr body = tiles.inGroup(s->children[0], clipped);
    return body == s->children[0] ? s : withChildren(s, {body});
  });
  return plan;
}

} // namespace tangram::codegen

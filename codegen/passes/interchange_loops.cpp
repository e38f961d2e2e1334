// Loop order: where a codelet finishes one element of an output after the other, all of them are
// advanced together, so that what they share is read once for all and they can be kept in registers.
//
//   before: for (i) for (j) { s = c[i][j]; for (k) s += a[i][k] * b[k][j]; c[i][j] = s; }
//   after:  for (k) for (i) for (j) c[i][j] += a[i][k] * b[k][j];
//
// The element takes the place of the variable, with what it starts from and what becomes of it in
// loops of their own where that is more than the element itself. What the loop inside does may ask (if) and name
// what it computes. Each element goes through the same operations in the same order. Done where the output is a window whose extents have bounds that are
// known when the kernel is compiled, and which the loops run over.
#include "algebra/simplify.h"
#include "codegen/kernel/accesses.h"
#include "codegen/kernel/building.h"
#include "codegen/passes/passes.h"
#include "codegen/passes/windows.h"

#include <functional>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The statement that a block, or blocks in it, consist of; null where there are several.
StmtPtr only(const StmtPtr &s) {
  StmtPtr found;
  for (const StmtPtr &child : s->kind == StmtKind::Block ? s->children : std::vector{s}) {
    if (!child || child->kind == StmtKind::Comment)
      continue;
    if (found)
      return nullptr;
    found = child;
  }
  return found && found->kind == StmtKind::Block ? only(found) : found;
}

/// for (i) for (j) { s = start; for (k) body; c[i][j] = end; }
struct Nest {
  std::vector<StmtPtr> loops; ///< over the elements, outermost first
  StmtPtr variable;           ///< its declaration
  StmtPtr sum;                ///< the loop inside
  StmtPtr store;

  static std::optional<Nest> of(const StmtPtr &s) {
    Nest nest;
    StmtPtr inner = only(s);
    for (; inner && inner->kind == StmtKind::For && counterOf(*inner);
         inner = only(inner->children[2])) {
      nest.loops.push_back(inner);
      std::vector<StmtPtr> body;
      for (const StmtPtr &each : inner->children[2]->children) {
        if (each->kind != StmtKind::Comment)
          body.push_back(each);
      }
      if (body.size() != 3)
        continue;
      nest.variable = body[0];
      nest.sum = body[1];
      nest.store = body[2];
      const bool fits = nest.variable->kind == StmtKind::Decl && nest.variable->value &&
                        !nest.variable->var->extent && nest.sum->kind == StmtKind::For &&
                        counterOf(*nest.sum) && nest.store->kind == StmtKind::Assign &&
                        nest.store->op == "=" && nest.store->target->kind == ExprKind::Index;
      return fits ? std::optional(nest) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Whether its iterations may be interleaved: an element is `window`'s, each of another round,
  /// and nobody else's; the loop inside goes equally far for all and assigns the variable alone.
  bool isFree(const Window &window) const {
    const VarPtr &array = window.array;
    const Expr &element = *store->target;
    if (element.args[0]->var != array || array->type.scalar != variable->var->type.scalar)
      return false;
    const auto position =
        codegen::positionIn(window, {element.args.begin() + 1, element.args.end()});
    if (!position || position->size() != loops.size())
      return false;
    for (const StmtPtr &loop : loops) {
      const VarPtr number = counterOf(*loop);
      const auto runs = [&](const ExprPtr &e) {
        return e->kind == ExprKind::Var && e->var == number;
      };
      if (std::count_if(position->begin(), position->end(), runs) != 1 ||
          mentions(sum->value->args[1], number.get()))
        return false;
      for (const StmtPtr &inner : loops) {
        if (mentions(inner->value->args[1], number.get()))
          return false;
      }
    }
    bool free = !mentions(sum->value->args[1], variable->var.get());
    // How far the loops go is decided before an element changes.
    auto readsElements = [&](const ExprPtr &e) {
      return contains(e, [&](const Expr &each) {
        return each.kind == ExprKind::Atomic ||
               (each.kind == ExprKind::Index && each.args[0]->var == array);
      });
    };
    free &= !readsElements(sum->value);
    for (const StmtPtr &loop : loops)
      free &= !readsElements(loop->value);
    auto readsNothingElse = [&](const ExprPtr &own) {
      forEach(own, [&](const Expr &e) {
        free &=
            e.kind != ExprKind::Atomic && (e.kind != ExprKind::Index || e.args[0]->var != array ||
                                           sameExpr(std::make_shared<Expr>(e), store->target));
      });
    };
    readsNothingElse(variable->value);
    // In its place the element changes: nobody may ask for what it was.
    readsNothingElse(store->value);
    free &= !contains(store->value, [&](const Expr &e) { return e.kind == ExprKind::Index; });
    return free && advancesOnly(sum->children[2], array);
  }

  /// Whether `body` assigns nothing but the variable and what it declares itself, and sees no other element.
  bool advancesOnly(const StmtPtr &body, const VarPtr &array) const {
    bool only = true;
    std::set<const Var *> own{variable->var.get()};
    forEach(body, [&](const Stmt &s) {
      const bool declares = s.kind == StmtKind::Decl && !s.var->extent && s.value;
      if (declares)
        own.insert(s.var.get());
      only &= declares || s.kind == StmtKind::Block || s.kind == StmtKind::Comment ||
              s.kind == StmtKind::If ||
              (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
               own.contains(s.target->var.get()));
      forEachOwnExpr(s, [&](const ExprPtr &e) {
        only &= !contains(e, [&](const Expr &each) {
          return each.kind == ExprKind::Atomic ||
                 (each.kind == ExprKind::Index && each.args[0]->var == array);
        });
      });
    });
    return only;
  }

  /// In place of `window`, the statement that the nest stands in. Where lanes are loops, what becomes of the elements
  /// in the end stands apart: loops that only add to them go by vectors (register_tiles.cpp).
  StmtPtr interchanged(const StmtPtr &window, bool lanesAreLoops) const {
    auto inElement = [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) {
        return e->kind == ExprKind::Var && e->var == variable->var ? store->target : e;
      });
    };
    std::vector<StmtPtr> all;
    if (!sameExpr(variable->value, store->target))
      all.push_back(over(assign(store->target, "=", variable->value, variable->location)));
    all.push_back(withChildren(sum, {sum->children[0], sum->children[1],
                                     block({over(mapExprs(sum->children[2], inElement))})}));
    const ExprPtr end = inElement(store->value);
    if (sameExpr(end, store->target))
      return withChildren(window, {block(std::move(all))});
    const StmtPtr last = over(assign(store->target, "=", end, store->location));
    if (lanesAreLoops)
      return block({withChildren(window, {block(std::move(all))}),
                    withOwnVariables(withChildren(window, {last}))});
    all.push_back(last);
    return withChildren(window, {block(std::move(all))});
  }

  /// `s` in loops over all elements, which have counters of their own.
  StmtPtr over(StmtPtr s) const {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      const VarPtr number = counterOf(**loop);
      const auto own = std::make_shared<Var>(*number);
      s = substitute(s->kind == StmtKind::Block ? s : block({s}), {{number.get(), varRef(own)}});
      s = forLoop(declare(own, intLiteral(0)), binary("<", varRef(own), (*loop)->value->args[1]),
                  assign(varRef(own), "+=", intLiteral(1)), s, (*loop)->location);
    }
    return s;
  }
};

} // namespace

LoweredPlan interchangeLoops(LoweredPlan plan) {
  std::function<StmtPtr(const StmtPtr &, std::vector<const Window *>)> run =
      [&](const StmtPtr &s, std::vector<const Window *> windows) -> StmtPtr {
    if (!s)
      return s;
    if (s->kind == StmtKind::Window && s->children[0]->kind != StmtKind::Window) {
      windows.push_back(s->window.get());
      if (const auto nest = Nest::of(s->children[0])) {
        for (const Window *each : windows) {
          if (nest->isFree(*each))
            return nest->interchanged(s, plan.target->itemsAreLoops);
        }
      }
    }
    if (s->kind == StmtKind::Window)
      windows.push_back(s->window.get());
    else
      windows.clear();
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, windows));
    return withChildren(s, std::move(children));
  };
  plan.body = run(plan.body, {});
  return plan;
}

} // namespace tangram::codegen

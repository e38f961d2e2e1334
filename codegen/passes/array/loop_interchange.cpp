// Loop interchange: the loop over a sum moves outside of the loops over the elements of an output,
// so that all elements are advanced together, and what they share is read once for all and can be
// kept in registers.
//
//   before: for (i) for (j) { s = c[i][j]; for (k) s += a[i][k] * b[k][j]; c[i][j] = s; }
//   after:  for (k) for (i) for (j) c[i][j] += a[i][k] * b[k][j];
//
// The element takes the place of the variable, with what it starts from and what becomes of it in
// loops of their own where that is more than the element itself. The loop inside may be several,
// each all of the one around it, but for conditions and names that then stand in it: a sum over
// channels and the rows and columns of a filter. What the loop inside does may ask (if) and name
// what it computes. Each element goes through the same operations in the same order. There may be
// several variables, each for an output of its own: a sum and the largest, a complex number in two
// arrays. Done where the outputs are windows whose extents have bounds that are known when the
// kernel is compiled, and which the loops run over.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/vector_loops.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// s = start; ... c[i][j] = end;
struct Advanced {
  StmtPtr variable; ///< its declaration
  StmtPtr store;
};

/// for (i) for (j) { s = start; for (k) for ... body; c[i][j] = end; }, of several variables and outputs too.
struct Nest {
  std::vector<StmtPtr> loops; ///< over the elements, outermost first
  std::vector<StmtPtr> sums;  ///< the loop inside, and loops that are all of it, outermost first
  std::vector<Advanced> all;  ///< an output each

  static std::optional<Nest> of(const StmtPtr &s) {
    Nest nest;
    StmtPtr inner = onlyStatementIn(s);
    for (; inner && inner->kind == StmtKind::For && counterOf(*inner);
         inner = onlyStatementIn(inner->children[2])) {
      nest.loops.push_back(inner);
      std::vector<StmtPtr> body;
      for (const StmtPtr &each : inner->children[2]->children) {
        if (each->kind != StmtKind::Comment)
          body.push_back(each);
      }
      if (body.size() < 3 || body.size() % 2 == 0)
        continue;
      return nest.takes(body) ? std::optional(nest) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Declarations, the loop, and as many stores, each of what has become of one of the variables.
  bool takes(const std::vector<StmtPtr> &body) {
    const std::size_t count = body.size() / 2;
    for (StmtPtr sum = body[count]; sum && sum->kind == StmtKind::For && counterOf(*sum);
         sum = sunk(sum->children[2]))
      sums.push_back(sum);
    if (sums.empty())
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      const StmtPtr &variable = body[i];
      if (variable->kind != StmtKind::Decl || !variable->value || variable->var->extent)
        return false;
      StmtPtr its;
      for (auto store = body.begin() + static_cast<std::ptrdiff_t>(count) + 1; store != body.end();
           ++store) {
        if ((*store)->kind != StmtKind::Assign || (*store)->op != "=" ||
            (*store)->target->kind != ExprKind::Index)
          return false;
        if (count > 1 && !mentions((*store)->value, variable->var.get()))
          continue;
        if (its)
          return false;
        its = *store;
      }
      if (!its)
        return false;
      all.push_back({variable, its});
    }
    return areApart();
  }

  /// The loop that is all of `s` but for names in front of it and conditions around it, which then
  /// stand in it; null where there is none, how far it goes asks for such a name, or its rounds
  /// change what these ask for.
  static StmtPtr sunk(const StmtPtr &s) {
    if (const StmtPtr loop = onlyStatementIn(s); loop && loop->kind == StmtKind::For)
      return loop;
    std::vector<StmtPtr> names;
    StmtPtr last;
    for (const StmtPtr &each : withoutBlocks({s})) {
      if (each->kind == StmtKind::Comment)
        continue;
      if (last)
        return nullptr;
      const bool isName = each->kind == StmtKind::Decl && each->value && !each->var->extent &&
                          isInteger(each->var->type.scalar);
      if (isName)
        names.push_back(each);
      else
        last = each;
    }
    const bool asks =
        last && last->kind == StmtKind::If && (last->children.size() < 2 || !last->children[1]);
    const StmtPtr loop = asks ? sunk(last->children[0]) : last;
    if (!loop || loop->kind != StmtKind::For || !counterOf(*loop))
      return nullptr;
    const auto staysIn = [&](const ExprPtr &e) {
      return !contains(e, [&](const Expr &each) {
        return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
               (each.kind == ExprKind::Var && assigns(loop, each.var.get()));
      });
    };
    const bool isSame = std::ranges::all_of(names, [&](const StmtPtr &name) {
      return !mentions(loop->value, name->var.get()) && staysIn(name->value);
    });
    if (!isSame || (asks && !staysIn(last->value)))
      return nullptr;
    std::vector<StmtPtr> body = names;
    body.push_back(asks ? ifThen(last->value, loop->children[2], nullptr, last->location)
                        : loop->children[2]);
    return withChildren(loop, {loop->children[0], loop->children[1], block(std::move(body))});
  }

  /// Whether no variable's start, and no output's end, asks for another one.
  bool areApart() const {
    for (const Advanced &one : all) {
      for (const Advanced &other : all) {
        if (&one != &other &&
            (one.store == other.store ||
             one.store->target->args[0]->var == other.store->target->args[0]->var ||
             mentions(one.variable->value, other.variable->var.get()) ||
             mentions(one.store->value, other.variable->var.get())))
          return false;
      }
    }
    return true;
  }

  bool isOutput(const Expr &e) const {
    return e.kind == ExprKind::Index && std::ranges::any_of(all, [&](const Advanced &each) {
             return each.store->target->args[0]->var == e.args[0]->var;
           });
  }

  /// Whether its iterations may be interleaved: elements are windows', each of another round,
  /// and nobody else's; the loop inside goes equally far for all and assigns the variables alone.
  bool isFree(const std::vector<const Window *> &windows) const {
    return std::ranges::all_of(all,
                               [&](const Advanced &each) {
                                 return std::ranges::any_of(
                                     windows, [&](const Window *w) { return isFree(each, *w); });
                               }) &&
           advancesOnly(sums.back()->children[2]);
  }

  bool isFree(const Advanced &one, const Window &window) const {
    const VarPtr &array = window.array;
    const Expr &element = *one.store->target;
    if (element.args[0]->var != array || array->type.scalar != one.variable->var->type.scalar)
      return false;
    const auto position =
        codegen::positionInSteps(window, {element.args.begin() + 1, element.args.end()});
    if (!position || position->size() != loops.size())
      return false;
    for (const StmtPtr &loop : loops) {
      const VarPtr number = counterOf(*loop);
      const auto runs = [&](const ExprPtr &e) {
        return e->kind == ExprKind::Var && e->var == number;
      };
      if (std::count_if(position->begin(), position->end(), runs) != 1 ||
          std::ranges::any_of(sums, [&](const StmtPtr &sum) {
            return mentions(sum->value->args[1], number.get());
          }))
        return false;
      for (const StmtPtr &inner : loops) {
        if (mentions(inner->value->args[1], number.get()))
          return false;
      }
    }
    bool free = true;
    // How far the loops go is decided before an element changes.
    auto readsElements = [&](const ExprPtr &e) {
      return contains(
          e, [&](const Expr &each) { return each.kind == ExprKind::Atomic || isOutput(each); });
    };
    for (const StmtPtr &sum : sums)
      free &= !mentions(sum->value->args[1], one.variable->var.get()) && !readsElements(sum->value);
    for (const StmtPtr &loop : loops)
      free &= !readsElements(loop->value);
    auto readsNothingElse = [&](const ExprPtr &own) {
      forEach(own, [&](const Expr &e) {
        free &= e.kind != ExprKind::Atomic &&
                (!isOutput(e) || sameExpr(std::make_shared<Expr>(e), one.store->target));
      });
    };
    readsNothingElse(one.variable->value);
    // In its place the element changes: nobody may ask for what it was.
    readsNothingElse(one.store->value);
    return free &&
           !contains(one.store->value, [&](const Expr &e) { return e.kind == ExprKind::Index; });
  }

  /// Whether `body` assigns nothing but the variables and what it declares itself, and sees no
  /// other element.
  bool advancesOnly(const StmtPtr &body) const {
    bool only = true;
    std::set<const Var *> own;
    for (const Advanced &each : all)
      own.insert(each.variable->var.get());
    forEach(body, [&](const Stmt &s) {
      const bool declares = s.kind == StmtKind::Decl && !s.var->extent && s.value;
      if (declares)
        own.insert(s.var.get());
      only &= declares || s.kind == StmtKind::Block || s.kind == StmtKind::Comment ||
              s.kind == StmtKind::If ||
              (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
               own.contains(s.target->var.get()));
      forEachOwnExpr(s, [&](const ExprPtr &e) {
        only &= !contains(
            e, [&](const Expr &each) { return each.kind == ExprKind::Atomic || isOutput(each); });
      });
    });
    return only;
  }

  ExprPtr inElements(const ExprPtr &own) const {
    return rewrite(own, [&](const ExprPtr &e) {
      for (const Advanced &each : all) {
        if (e->kind == ExprKind::Var && e->var == each.variable->var)
          return each.store->target;
      }
      return e;
    });
  }

  /// The loops over all elements that go one step of the sums.
  StmtPtr step() const {
    return over(
        mapExprs(sums.back()->children[2], [&](const ExprPtr &own) { return inElements(own); }));
  }

  /// Whether several outputs are advanced by vectors, as far as this can be told: others are better
  /// off one element after the other where lanes are loops.
  bool goesByVectors() const {
    StmtPtr inner = step();
    while (const StmtPtr next = onlyStatementIn(inner->children[2])) {
      if (next->kind != StmtKind::For)
        break;
      inner = next;
    }
    return std::ranges::all_of(all, [&](const Advanced &each) {
      return codegen::goesByVectors(*inner, each.variable->var->type.scalar);
    });
  }

  /// The interchanged nest in `windows`, of which the innermost has the nest in it. `endsApart`:
  /// the last values of the elements are computed in a nest of their own, so that the loops before
  /// it only add, and become vectors (register_tiles.cpp).
  StmtPtr interchanged(const std::vector<StmtPtr> &windows, bool endsApart) const {
    std::vector<StmtPtr> first;
    std::vector<StmtPtr> last;
    for (const Advanced &each : all) {
      if (!sameExpr(each.variable->value, each.store->target))
        first.push_back(
            over(assign(each.store->target, "=", each.variable->value, each.variable->location)));
      const ExprPtr end = inElements(each.store->value);
      if (!sameExpr(end, each.store->target))
        last.push_back(over(assign(each.store->target, "=", end, each.store->location)));
    }
    StmtPtr advanced = step();
    for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum)
      advanced = withChildren(*sum, {(*sum)->children[0], (*sum)->children[1], block({advanced})});
    first.push_back(advanced);
    if (endsApart && !last.empty())
      return block({inside(windows, block(std::move(first))),
                    withOwnVariables(inside(windows, block(std::move(last))))});
    first.insert(first.end(), last.begin(), last.end());
    return inside(windows, block(std::move(first)));
  }

  static StmtPtr inside(const std::vector<StmtPtr> &windows, StmtPtr s) {
    for (auto each = windows.rbegin(); each != windows.rend(); ++each)
      s = withChildren(*each, {s});
    return s;
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
  const bool itemsAreLoops = plan.target->itemsAreLoops;
  std::function<StmtPtr(const StmtPtr &)> run = [&](const StmtPtr &s) -> StmtPtr {
    if (!s)
      return s;
    if (s->kind == StmtKind::Window) {
      std::vector<StmtPtr> chain{s};
      std::vector<const Window *> windows{s->window.get()};
      while (chain.back()->children[0]->kind == StmtKind::Window) {
        chain.push_back(chain.back()->children[0]);
        windows.push_back(chain.back()->window.get());
      }
      const auto nest = Nest::of(chain.back()->children[0]);
      if (nest && nest->isFree(windows)) {
        if (nest->all.size() == 1) {
          const StmtPtr innermost = chain.back();
          chain.pop_back();
          return Nest::inside(chain, nest->interchanged({innermost}, itemsAreLoops));
        }
        if (!itemsAreLoops || nest->goesByVectors())
          return nest->interchanged(chain, itemsAreLoops);
      }
      return Nest::inside(chain, run(chain.back()->children[0]));
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    return withChildren(s, std::move(children));
  };
  plan.body = run(plan.body);
  return plan;
}

} // namespace tangram::codegen

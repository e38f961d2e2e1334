// Predictive commoning of values: a value that a round computes of a window, and the next round would compute again one
// place further on, is computed once and carried in registers.
//
//   before: for (i < n) {
//             float lines[5];  for (k < 5) lines[k] = f(in[(i + k) * m + j]);
//             out[i * m + j] = g(lines);
//           }
//   after:  float lines[5];  for (k < 4) lines[k] = f(in[k * m + j]);
//           for (i < n) {
//             lines[4] = f(in[(i + 4) * m + j]);
//             out[i * m + j] = g(lines);
//             for (k < 4) lines[k] = lines[k + 1];
//           }
//
// The value of round i + 1 at k is that of round i at k + 1 where places are the same but for a multiple of 2^64, as sums
// and products. What is computed before the first round is what that round computes; so nothing is
// read that was not before. It takes arrays that nobody writes in the kernel.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t mostValues = 16; ///< of a window, in registers

/// for (k < n) values[k] = value, of an array of n that belongs to one round.
struct Filled {
  StmtPtr declaration;
  StmtPtr whole;
  VarPtr values;
  VarPtr k;
  std::int64_t count;
  ExprPtr value;
};

class CommonValues {
public:
  explicit CommonValues(const LoweredPlan &plan) : plan_(plan), facts_(plan.proofs) {
    assumePlan(facts_, plan);
  }

  StmtPtr run(const StmtPtr &s, bool inItem = false) {
    if (!s)
      return s;
    const Role role = s->kind == StmtKind::Parallel ? plan_.role(s->level) : Role::Host;
    if (role == Role::Group)
      written_ = writtenIn(s);
    const auto loop =
        s->kind == StmtKind::For && inItem && s->lanes <= 1 ? loopToTheEnd(*s) : std::nullopt;
    if (loop && loop->i->type.scalar == Scalar::Index && isLiteral(loop->step, 1)) {
      if (const auto carried = carrying(*s, *loop))
        return *carried;
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, inItem || role == Role::Item));
    return withChildren(s, std::move(children));
  }

private:
  std::optional<StmtPtr> carrying(const Stmt &whole, const CountedLoop &loop) {
    const auto filled = filledIn(loop);
    if (!filled || !movesOn(*filled, loop))
      return std::nullopt;
    const ExprPtr last = intLiteral(filled->count - 1);
    std::vector<StmtPtr> round;
    for (const StmtPtr &each : loop.body->children) {
      if (each == filled->whole)
        round.push_back(store(*filled, last, loop.i.get(), varRef(loop.i)));
      else if (each != filled->declaration)
        round.push_back(each);
    }
    round.push_back(eachBut(*filled, [&](const ExprPtr &k) {
      return assign(element(*filled, k), "=", element(*filled, add(k, intLiteral(1))));
    }));
    StmtPtr first = eachBut(
        *filled, [&](const ExprPtr &k) { return store(*filled, k, loop.i.get(), loop.start); });
    if (!facts_.isPositive(facts_.of(loop.bound) - facts_.of(loop.start)))
      first = ifThen(binary("<", loop.start, loop.bound), first);
    const StmtPtr rounds =
        unrolledLoop(countingLoop(loop.i, loop.bound, block(std::move(round)), loop.start),
                     whole.unroll, whole.lanes);
    return block({filled->declaration, first, rounds});
  }

  /// The first array of a round that is one.
  std::optional<Filled> filledIn(const CountedLoop &loop) const {
    for (const StmtPtr &declaration : loop.body->children) {
      const auto count = declaration->kind == StmtKind::Decl && declaration->var->extent
                             ? literalValue(declaration->var->extent)
                             : std::nullopt;
      if (!count || *count < 2 || *count > mostValues)
        continue;
      for (const StmtPtr &each : loop.body->children) {
        const auto inner = each->kind == StmtKind::For ? loopToTheEnd(*each) : std::nullopt;
        const bool isWhole = inner && isLiteral(inner->start, 0) && isLiteral(inner->step, 1) &&
                             isLiteral(inner->bound, *count);
        const StmtPtr store = isWhole ? onlyStatement(inner->body) : nullptr;
        if (store && isStore(*store, declaration->var.get(), inner->i.get()) &&
            isAlone(loop.body, declaration->var.get(), each))
          return Filled{declaration, each, declaration->var, inner->i, *count, store->value};
      }
    }
    return std::nullopt;
  }

  static StmtPtr onlyStatement(const StmtPtr &body) {
    if (body->kind != StmtKind::Block)
      return body;
    return body->children.size() == 1 ? body->children[0] : nullptr;
  }

  static bool isStore(const Stmt &s, const Var *values, const Var *k) {
    const auto isVar = [](const ExprPtr &e, const Var *var) {
      return e->kind == ExprKind::Var && e->var.get() == var;
    };
    return s.kind == StmtKind::Assign && s.op == "=" && s.target->kind == ExprKind::Index &&
           s.target->args.size() == 2 && isVar(s.target->args[0], values) &&
           isVar(s.target->args[1], k);
  }

  /// Whether nobody else in a round writes the values, nor gets them as a whole.
  static bool isAlone(const StmtPtr &body, const Var *values, const StmtPtr &whole) {
    bool handedOn = false;
    forEachExpr(body, [&](const Expr &e) {
      handedOn |= e.kind != ExprKind::Index && std::ranges::any_of(e.args, [&](const ExprPtr &arg) {
                    return arg->kind == ExprKind::Var && arg->var.get() == values;
                  });
    });
    return !handedOn && std::ranges::all_of(body->children, [&](const StmtPtr &each) {
      return each == whole || !writtenIn(each).contains(values);
    });
  }

  /// Whether the value at k is what the next round's at k - 1 is.
  bool movesOn(const Filled &filled, const CountedLoop &loop) {
    const std::set<const Var *> changing = changedIn(loop.body);
    const bool stays = !contains(filled.value, [&](const Expr &e) {
      return e.kind == ExprKind::Atomic ||
             (e.kind == ExprKind::Var && e.var != filled.k &&
              (changing.contains(e.var.get()) || written_.contains(e.var.get()) ||
               e.var == filled.values));
    });
    const ExprPtr one = intLiteral(1);
    return stays && mentions(filled.value, loop.i.get()) &&
           areAlike(substitute(filled.value, {{loop.i.get(), add(varRef(loop.i), one)}}),
                    substitute(filled.value, {{filled.k.get(), add(varRef(filled.k), one)}}));
  }

  /// Whether these have one value, whatever has wrapped around.
  bool areAlike(const ExprPtr &a, const ExprPtr &b) {
    if (sameExpr(a, b))
      return true;
    const auto isPlace = [](const ExprPtr &e) {
      return !e->type.isContainer() && e->type.scalar == Scalar::Index;
    };
    if (isPlace(a) && isPlace(b) && (facts_.unwrapped(a) - facts_.unwrapped(b)).isZero())
      return true;
    if (a->args.empty() || a->args.size() != b->args.size() || !sameExpr(a, withArgs(b, a->args)))
      return false;
    return std::ranges::equal(a->args, b->args,
                              [&](const ExprPtr &x, const ExprPtr &y) { return areAlike(x, y); });
  }

  static ExprPtr element(const Filled &filled, const ExprPtr &k) {
    return index(varRef(filled.values), {k});
  }

  static StmtPtr store(const Filled &filled, const ExprPtr &k, const Var *i, const ExprPtr &round) {
    return assign(element(filled, k), "=",
                  simplify(substitute(filled.value, {{filled.k.get(), k}, {i, round}})));
  }

  template <typename F> static StmtPtr eachBut(const Filled &filled, const F &statement) {
    const VarPtr k = newVariable(filled.k->name);
    const std::int64_t all = filled.count - 1;
    return unrolledLoop(countingLoop(k, intLiteral(all), block({statement(varRef(k))})),
                        static_cast<unsigned>(all));
  }

  const LoweredPlan &plan_;
  Inequalities facts_;
  std::set<const Var *> written_; ///< in the kernel
};

} // namespace

LoweredPlan commonValues(LoweredPlan plan) {
  plan.body = CommonValues(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen

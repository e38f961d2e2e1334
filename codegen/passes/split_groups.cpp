// Edges apart by group: a group none of whose elements is past an end of a padded container does without
// comparing them with the ends.
//
//   before:  group { for (part) items { out[...] = 1 <= row + part && row + part < n + 1 ? in[...] : 0 } }
//   after:   group { inside = 1 <= row && row + parts - 1 < n + 1
//                    for (part) items { if (inside) out[...] = in[...]
//                                       else        out[...] = 1 <= row + part && ... } }
//
// Whether a group is inside follows from where the numbers of its items and loops begin and end, by what
// grows with them; it is the same for all items, so that no warp does both.
// Source: interior and edge groups of stencils, ../shared/notes/stencils-and-views.md 1.5.
#include "codegen/passes/split_edges.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/kernel/building.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// The least and the most that an expression is in one statement of a group's, over what is known before
/// it. Indexes are naturals.
class Extremes {
public:
  /// `s`: the statement, whose own variables are not known before it.
  Extremes(const LoweredPlan &plan, const StmtPtr &s) : plan_(plan) {
    forEach(s, [&](const Stmt &each) { note(each); });
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var) {
        inner_.insert(each.target->var.get());
        constants_.erase(each.target->var.get());
      }
    });
    for (const Var *var : several_) {
      counters_.erase(var);
      constants_.erase(var);
    }
  }

  ExprPtr least(const ExprPtr &e) const { return of(e, false, 0); }
  ExprPtr most(const ExprPtr &e) const { return of(e, true, 0); }

private:
  /// From `start` to below `end`.
  struct Counter {
    ExprPtr start;
    ExprPtr end;
  };

  void note(const Stmt &s) {
    if (s.kind == StmtKind::Decl) {
      if (!inner_.insert(s.var.get()).second)
        several_.insert(s.var.get());
      if (s.value)
        constants_[s.var.get()] = s.value;
    }
    if (s.kind == StmtKind::Parallel && s.var) {
      if (!inner_.insert(s.var.get()).second)
        several_.insert(s.var.get());
      counters_[s.var.get()] = {intLiteral(0), s.value};
    }
    const auto loop = s.kind == StmtKind::For ? counted(s) : std::nullopt;
    if (loop && !assigns(loop->body, loop->i.get()))
      counters_[loop->i.get()] = {loop->start, loop->bound};
  }

  /// for (...; i + 2 < n; ...) as for (...; i < n - 2; ...), none where n is less.
  static std::optional<CountedLoop> counted(const Stmt &s) {
    const ExprPtr &c = s.value;
    const bool shifted = c && c->kind == ExprKind::Binary && c->op == "<" &&
                         c->args[0]->kind == ExprKind::Binary && c->args[0]->op == "+" &&
                         literalValue(c->args[0]->args[1]).value_or(-1) > 0;
    if (!shifted)
      return countedLoop(s);
    Stmt plain = s;
    const ExprPtr &by = c->args[0]->args[1];
    plain.value = binary("<", c->args[0]->args[0], simplify(sub(maxOf(c->args[1], by), by)));
    return countedLoop(plain);
  }

  /// Null: it cannot be told.
  ExprPtr of(const ExprPtr &e, bool most, int depth) const {
    constexpr int deep = 32; // names of names
    if (depth > deep)
      return nullptr;
    if (e->kind == ExprKind::Literal)
      return e;
    if (e->kind == ExprKind::Var)
      return ofVariable(e, most, depth);
    if (e->kind == ExprKind::Binary && e->op == "%" && isKnown(e->args[1]))
      return most ? before(e->args[1]) : intLiteral(0);
    const bool extreme = e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max");
    const bool widens = e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index &&
                        isInteger(e->args[0]->type.scalar);
    const bool grows =
        e->kind == ExprKind::Binary && (e->op == "+" || e->op == "*") && !isSigned(e->type.scalar);
    const bool second = e->kind == ExprKind::Binary && (e->op == "-" || e->op == "/");
    if (!extreme && !widens && !grows && !second)
      return nullptr;
    // What is taken away, or divided by, stays; and what may become too little is not looked for.
    if (second && (!isKnown(e->args[1]) || (!most && e->op == "-" && !isKnown(e->args[0]))))
      return nullptr;
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(of(arg, most, depth + 1));
    // No more than either, and no less than either.
    if (extreme && (e->callee == "min") == most && (args[0] == nullptr) != (args[1] == nullptr))
      return args[0] ? args[0] : args[1];
    return std::ranges::find(args, nullptr) == args.end() ? withArgs(e, std::move(args)) : nullptr;
  }

  ExprPtr ofVariable(const ExprPtr &e, bool most, int depth) const {
    const Var *var = e->var.get();
    if (const auto counter = counters_.find(var); counter != counters_.end()) {
      const ExprPtr end = of(most ? counter->second.end : counter->second.start, most, depth + 1);
      if (!end)
        return nullptr;
      return cast(var->type.scalar, most ? before(end) : end);
    }
    if (!inner_.contains(var))
      return e;
    const auto constant = constants_.find(var);
    return constant == constants_.end() ? nullptr : of(constant->second, most, depth + 1);
  }

  /// The last number below `end`, which is above 0 where anything is done.
  ExprPtr before(const ExprPtr &end) const {
    const Tunable *workers = end->kind == ExprKind::Var ? plan_.tunableOf(end->var) : nullptr;
    const bool some = workers && workers->min >= 1;
    const ExprPtr count = cast(Scalar::Index, end);
    return simplify(sub(some ? count : maxOf(count, intLiteral(1)), intLiteral(1)));
  }

  bool isKnown(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.var && inner_.contains(each.var.get()));
    });
  }

  const LoweredPlan &plan_;
  std::set<const Var *> inner_;   ///< that are not known before the statement
  std::set<const Var *> several_; ///< declared more than once
  std::map<const Var *, Counter> counters_;
  std::map<const Var *, ExprPtr> constants_;
};

/// One statement of a group's, with what its items do inside beside what they do at the edges.
class Apart {
public:
  Apart(const LoweredPlan &plan, const StmtPtr &s)
      : plan_(plan), extremes_(plan, s), inside_(newVariable("inside", Scalar::Bool)) {
    for (const auto *known : {&plan.extents, &plan.scalars}) {
      for (const VarPtr &var : *known)
        host_.insert(var.get());
    }
    for (const Tunable &tunable : plan.tunables)
      host_.insert(tunable.var.get());
    result_ = split(s);
  }

  /// Null: nothing is compared with ends, or no group is known to be inside.
  StmtPtr declaration() const {
    ExprPtr all;
    if (std::ranges::all_of(conditions_, [&](const ExprPtr &each) { return isEnd(each); }))
      return nullptr; // which hold for all groups or for none

    for (const ExprPtr &each : conditions_)
      all = all ? binary("&&", all, each) : each;
    return all ? declare(inside_, all) : nullptr;
  }
  const StmtPtr &statement() const { return result_; }

private:
  StmtPtr split(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && plan_.role(s->level) >= Role::Item) {
      if (!repeats(*s))
        return s;
      const std::size_t before = found_;
      const StmtPtr inner =
          simplify(mapExprs(s->children[0], [&](const ExprPtr &e) { return inside(e, false); }));
      if (found_ == before)
        return s;
      return withChildren(
          s, {block({ifThen(varRef(inside_), withOwnVariables(inner), s->children[0])})});
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(split(child));
    return withChildren(s, std::move(children));
  }

  /// Whether more than one element is asked for.
  static bool repeats(const Stmt &items) {
    bool found = items.span != Span::One;
    forEach(items.children[0], [&](const Stmt &each) { found |= each.kind == StmtKind::For; });
    return found;
  }

  /// Whether an element of memory that all groups share is accessed.
  bool accesses(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      const Buffer *buffer = each.kind == ExprKind::Index && each.args[0]->kind == ExprKind::Var
                                 ? plan_.bufferOf(each.args[0]->var)
                                 : nullptr;
      return buffer && buffer->space == Space::Global;
    });
  }

  /// `e` as it is inside; `decides`: it says which element is accessed, or whether there is one.
  ExprPtr inside(const ExprPtr &e, bool decides) {
    if (e->args.empty())
      return e;
    const bool chooses = e->kind == ExprKind::Select && accesses(e);
    const bool element = e->kind == ExprKind::Index && accesses(e);
    std::vector<ExprPtr> args;
    for (std::size_t i = 0; i < e->args.size(); ++i)
      args.push_back(inside(e->args[i], element ? i > 0 : decides || (chooses && i == 0)));
    const ExprPtr now = withArgs(e, std::move(args));
    if (!decides || now->args.size() != 2 || now->args[0]->type.scalar != Scalar::Index)
      return now;
    if (now->kind == ExprKind::Call && (now->callee == "min" || now->callee == "max"))
      return chosen(now);
    const bool orders = now->kind == ExprKind::Binary && now->op.isComparison() &&
                        now->op != "==" && now->op != "!=";
    return orders ? decided(now) : now;
  }

  /// Over what the host knows.
  bool isEnd(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.var && !host_.contains(each.var.get()));
    });
  }

  /// The one of two numbers that is no end.
  ExprPtr chosen(const ExprPtr &e) {
    for (const std::size_t at : {0, 1}) {
      const ExprPtr &x = e->args[at];
      const ExprPtr &end = e->args[1 - at];
      if (isEnd(x) || !isEnd(end))
        continue;
      return e->callee == "max" ? when("<=", end, extremes_.least(x), x, e)
                                : when("<=", extremes_.most(x), end, x, e);
    }
    return e;
  }

  /// A comparison with a number is one with the beginning, another one with the end.
  ExprPtr decided(const ExprPtr &e) {
    ExprPtr x = e->args[0];
    ExprPtr end = e->args[1];
    bool below = e->op == "<" || e->op == "<=";
    bool orEqual = e->op == "<=" || e->op == ">=";
    if (isEnd(x) && isEnd(end)) { // whether there are elements at all
      if (!isLiteral(x, 0) || e->op != "<")
        return e;
      note(e);
      return truth(true);
    }
    if (isEnd(x)) {
      std::swap(x, end);
      below = !below;
    }
    if (!isEnd(end))
      return e;
    const bool beginning = end->kind == ExprKind::Literal;
    // x < end or x > end, or not: with `below` what is inside is not below the beginning.
    const Operator lower = below != orEqual ? Operator("<=") : Operator("<");
    const Operator upper = below != orEqual ? Operator("<") : Operator("<=");
    return beginning ? when(lower, end, extremes_.least(x), truth(!below), e)
                     : when(upper, extremes_.most(x), end, truth(below), e);
  }

  static ExprPtr truth(bool value) { return intLiteral(value ? 1 : 0, Scalar::Bool); }

  /// `then`, where a < b or a <= b; `otherwise` where that cannot be said before the statement.
  ExprPtr when(Operator op, const ExprPtr &a, const ExprPtr &b, const ExprPtr &then,
               const ExprPtr &otherwise) {
    if (!a || !b)
      return otherwise;
    const ExprPtr condition = simplify(binary(op, cast(Scalar::Index, a), cast(Scalar::Index, b)));
    // What is the same for all groups tells none of them from others.
    if (isEnd(condition) && literalValue(condition) != 1)
      return otherwise;
    ++found_;
    note(condition);
    return then;
  }

  /// Of conditions one of which follows from the other, the stronger one.
  void note(const ExprPtr &condition) {
    if (literalValue(condition) == 1)
      return;
    if (std::ranges::any_of(conditions_,
                            [&](const ExprPtr &each) { return implies(each, condition); }))
      return;
    std::erase_if(conditions_, [&](const ExprPtr &each) { return implies(condition, each); });
    conditions_.push_back(condition);
  }

  static bool implies(const ExprPtr &a, const ExprPtr &b) {
    if (sameExpr(a, b))
      return true;
    const bool alike = a->kind == ExprKind::Binary && b->kind == ExprKind::Binary && a->op == b->op;
    return alike && ((sameExpr(a->args[1], b->args[1]) && isAtMost(b->args[0], a->args[0])) ||
                     (sameExpr(a->args[0], b->args[0]) && isAtMost(a->args[1], b->args[1])));
  }

  static bool isAtMost(const ExprPtr &a, const ExprPtr &b) {
    Inequalities facts;
    return facts.isNonNegative(facts.of(b) - facts.of(a));
  }

  const LoweredPlan &plan_;
  Extremes extremes_;
  VarPtr inside_;
  std::set<const Var *> host_;
  std::vector<ExprPtr> conditions_;
  std::size_t found_ = 0; ///< comparisons that are none inside
  StmtPtr result_;
};

/// The statements of a group, one after the other; itself where nothing is compared with ends.
StmtPtr splitStatements(const LoweredPlan &plan, const StmtPtr &s) {
  std::vector<StmtPtr> statements;
  bool changed = false;
  for (const StmtPtr &each : s->kind == StmtKind::Block ? s->children : std::vector{s}) {
    if (each->kind == StmtKind::Block) {
      statements.push_back(splitStatements(plan, each));
      changed |= statements.back() != each;
      continue;
    }
    const Apart apart(plan, each);
    const StmtPtr declaration = apart.declaration();
    changed |= declaration != nullptr;
    if (declaration)
      statements.push_back(declaration);
    statements.push_back(declaration ? apart.statement() : each);
  }
  return changed ? block(std::move(statements)) : s;
}

} // namespace

LoweredPlan splitGroups(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const bool groups = s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group;
    const StmtPtr body = groups ? splitStatements(plan, s->children[0]) : nullptr;
    return groups && body != s->children[0] ? withChildren(s, {body}) : s;
  });
  return plan;
}

} // namespace tangram::codegen

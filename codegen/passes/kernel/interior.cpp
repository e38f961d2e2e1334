#include "codegen/passes/kernel/interior.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

/// The least and the most that an expression is in one statement of a group's, over what is known before
/// it. Indexes are naturals.
class Interior::Extremes {
public:
  /// `s`: the statement, whose own variables are not known before it; nor are `unknown`.
  Extremes(const LoweredPlan &plan, const StmtPtr &s, std::set<const Var *> unknown)
      : plan_(plan), unknown_(std::move(unknown)) {
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

  ExprPtr least(const ExprPtr &e) { return from(e, false); }
  ExprPtr most(const ExprPtr &e) { return from(e, true); }

  /// Whether it is the same in all of the statement, and can be computed before it.
  bool isKnown(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.var && (inner_.contains(each.var.get()) || unknown_.contains(each.var.get())));
    });
  }

  /// What has to hold besides, for the last answer: that nothing wraps around below 0.
  const std::vector<ExprPtr> &provided() const { return provided_; }

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
    const auto loop = s.kind == StmtKind::For ? loopUpTo(s) : std::nullopt;
    // A large step is one below 0 of a type that has none.
    const bool ascends = loop && isCount(plan_, loop->step) &&
                         literalValue(loop->step).value_or(1) <= INT32_MAX &&
                         (!isSigned(loop->i->type.scalar) || isNatural(loop->start));
    if (ascends && !assigns(loop->body, loop->i.get()))
      counters_[loop->i.get()] = {loop->start, loop->bound};
  }

  static bool isNatural(const ExprPtr &e) { return literalValue(e).value_or(-1) >= 0; }

  ExprPtr from(const ExprPtr &e, bool most) {
    provided_.clear();
    asked_ = 0;
    return of(e, most, 0);
  }

  /// Null: it cannot be told.
  ExprPtr of(const ExprPtr &e, bool most, int depth) {
    constexpr int deep = 32; // names of names
    if (depth > deep || ++asked_ > mostNodesOfMeaning)
      return nullptr;
    if (e->kind == ExprKind::Literal)
      return e;
    if (e->kind == ExprKind::Var)
      return ofVariable(e, most, depth);
    const bool natural = !isSigned(e->type.scalar);
    if (natural && e->kind == ExprKind::Binary && e->op == "%" && isKnown(e->args[1]))
      return most ? before(e->args[1]) : intLiteral(0);
    const bool extreme = e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max");
    const bool widens = e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index &&
                        isInteger(e->args[0]->type.scalar) && isNaturalNumber(e->args[0]);
    const bool grows = e->kind == ExprKind::Binary && (e->op == "+" || e->op == "*") && natural;
    const bool shrinks = e->kind == ExprKind::Binary && e->op == "-" && natural;
    const bool divides =
        e->kind == ExprKind::Binary && e->op == "/" && natural && isKnown(e->args[1]);
    if (!extreme && !widens && !grows && !shrinks && !divides)
      return nullptr;
    // What is taken away stays, and there is as much; what may become too little is not looked for.
    if (shrinks) {
      if (!isKnown(e->args[1]) || (!most && !isKnown(e->args[0])))
        return nullptr;
      const ExprPtr least = of(e->args[0], false, depth + 1);
      if (!least)
        return nullptr;
      provided_.push_back(
          binary("<=", cast(Scalar::Index, e->args[1]), cast(Scalar::Index, least)));
    }
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(of(arg, most, depth + 1));
    // By 0 nobody divides: those who would are kept from it, and so is this.
    if (divides && args[1] && !isCount(plan_, args[1]))
      args[1] = maxOf(args[1], intLiteral(1));
    // No more than either, and no less than either.
    if (extreme && (e->callee == "min") == most && (args[0] == nullptr) != (args[1] == nullptr))
      return args[0] ? args[0] : args[1];
    return std::ranges::find(args, nullptr) == args.end() ? withArgs(e, std::move(args)) : nullptr;
  }

  /// Whether no number of its type that is below 0 can be: a cast makes a large one of it.
  bool isNaturalNumber(const ExprPtr &e) const {
    return !isSigned(e->type.scalar) || isNatural(e) ||
           (e->kind == ExprKind::Var && counters_.contains(e->var.get()));
  }

  ExprPtr ofVariable(const ExprPtr &e, bool most, int depth) {
    const Var *var = e->var.get();
    if (const auto counter = counters_.find(var); counter != counters_.end()) {
      const ExprPtr end = of(most ? counter->second.end : counter->second.start, most, depth + 1);
      if (!end)
        return nullptr;
      return cast(var->type.scalar, most ? before(end) : end);
    }
    if (!inner_.contains(var))
      return unknown_.contains(var) ? nullptr : e;
    const auto constant = constants_.find(var);
    return constant == constants_.end() ? nullptr : of(constant->second, most, depth + 1);
  }

  /// The last number below `end`, which is above 0 where anything is done.
  ExprPtr before(const ExprPtr &end) const {
    const Tunable *workers = end->kind == ExprKind::Var ? plan_.tunableOf(end->var) : nullptr;
    const bool some = workers && workers->min >= 1;
    const ExprPtr count = cast(Scalar::Index, end);
    return simplify(sub(some ? count : maxOf(count, intLiteral(1)), intLiteral(1)),
                    {.proofs = plan_.proofs});
  }

  const LoweredPlan &plan_;
  std::set<const Var *> unknown_;
  std::set<const Var *> inner_;   ///< that are not known before the statement
  std::set<const Var *> several_; ///< declared more than once
  std::map<const Var *, Counter> counters_;
  std::map<const Var *, ExprPtr> constants_;
  std::vector<ExprPtr> provided_;
  std::size_t asked_ = 0; ///< nodes looked at for the answer at hand
};

Interior::Interior(const LoweredPlan &plan, const StmtPtr &s, const std::set<const Var *> &unknown,
                   Of what)
    : plan_(plan), extremes_(std::make_unique<Extremes>(plan, s, unknown)), what_(what) {
  for (const auto *known : {&plan.extents, &plan.scalars}) {
    for (const VarPtr &var : *known)
      host_.insert(var.get());
  }
  for (const Tunable &tunable : plan.tunables)
    host_.insert(tunable.var.get());
}

Interior::~Interior() = default;

StmtPtr Interior::of(const StmtPtr &part) {
  const std::size_t before = found_;
  const StmtPtr now = mapExprs(part, [&](const ExprPtr &e) { return inside(e, false); });
  return found_ == before ? part : simplify(now, {.proofs = plan_.proofs});
}

ExprPtr Interior::condition() const {
  if (std::ranges::all_of(conditions_, [&](const ExprPtr &each) { return isEnd(each); }))
    return nullptr; // which hold for all or for none
  return anyCondition();
}

ExprPtr Interior::anyCondition() const {
  ExprPtr all;
  for (const ExprPtr &each : conditions_)
    all = all ? binary("&&", all, each) : each;
  return all;
}

/// Whether an element of memory that all groups share is accessed.
bool Interior::accesses(const ExprPtr &e) const {
  return contains(e, [&](const Expr &each) {
    const Buffer *buffer = each.kind == ExprKind::Index && each.args[0]->kind == ExprKind::Var
                               ? plan_.bufferOf(each.args[0]->var)
                               : nullptr;
    return buffer && buffer->space == Space::Global;
  });
}

namespace {

/// The smaller or larger of two indexes, or which one that is.
bool isOrder(const Expr &e) {
  if (e.args.size() != 2 || e.args[0]->type.scalar != Scalar::Index)
    return false;
  if (e.kind == ExprKind::Call)
    return e.callee == "min" || e.callee == "max";
  return e.kind == ExprKind::Binary && e.op.isComparison() && e.op != "==" && e.op != "!=";
}

} // namespace

/// `e` as it is inside; `decides`: it says which element is accessed, or whether there is one.
ExprPtr Interior::inside(const ExprPtr &e, bool decides) {
  if (e->args.empty())
    return e;
  const bool chooses = e->kind == ExprKind::Select && accesses(e);
  const bool element = e->kind == ExprKind::Index && accesses(e);
  if (element && what_ == Of::Guards) {
    noteChoices(e->args[1]);
    return e;
  }
  std::vector<ExprPtr> args;
  for (std::size_t i = 0; i < e->args.size(); ++i)
    args.push_back(inside(e->args[i], element ? i > 0 : decides || (chooses && i == 0)));
  const ExprPtr now = withArgs(e, std::move(args));
  if (!decides || !isOrder(*now))
    return now;
  ExprPtr known = now->kind == ExprKind::Call ? chosen(now) : decided(now);
  left_ += known == now ? 1 : 0;
  return known;
}

void Interior::noteChoices(const ExprPtr &subscript) {
  if (isOrder(*subscript) && !extremes_->isKnown(subscript))
    ++left_;
  for (const ExprPtr &each : subscript->args)
    noteChoices(each);
}

/// Over what the host knows.
bool Interior::isEnd(const ExprPtr &e) const {
  return !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
           (each.var && !host_.contains(each.var.get()));
  });
}

/// The one of two numbers that is no end.
ExprPtr Interior::chosen(const ExprPtr &e) {
  for (const std::size_t at : {0, 1}) {
    const ExprPtr &x = e->args[at];
    const ExprPtr &end = e->args[1 - at];
    if (isEnd(x) || !isEnd(end))
      continue;
    return e->callee == "max" ? when("<=", end, extremes_->least(x), x, e)
                              : when("<=", extremes_->most(x), end, x, e);
  }
  return e;
}

namespace {

ExprPtr truth(bool value) { return intLiteral(value ? 1 : 0, Scalar::Bool); }

} // namespace

/// A comparison with a number is one with the beginning, another one with the end.
ExprPtr Interior::decided(const ExprPtr &e) {
  ExprPtr x = e->args[0];
  ExprPtr end = e->args[1];
  bool below = e->op == "<" || e->op == "<=";
  bool orEqual = e->op == "<=" || e->op == ">=";
  if (isEnd(x) && isEnd(end)) { // whether there are elements at all
    if (!isLiteral(x, 0) || e->op != "<")
      return e;
    found_ += what_ == Of::Guards ? 1 : 0;
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
  return beginning ? when(lower, end, extremes_->least(x), truth(!below), e)
                   : when(upper, extremes_->most(x), end, truth(below), e);
}

/// `then`, where a < b or a <= b; `otherwise` where that cannot be said before the statement.
ExprPtr Interior::when(Operator op, const ExprPtr &a, const ExprPtr &b, const ExprPtr &then,
                       const ExprPtr &otherwise) {
  if (!a || !b)
    return otherwise;
  // At most n - 1, of n elements: below n.
  if (op == "<=" && b->kind == ExprKind::Binary && b->op == "-" && isLiteral(b->args[1], 1))
    return when("<", a, b->args[0], then, otherwise);
  const ExprPtr condition = simplify(binary(op, cast(Scalar::Index, a), cast(Scalar::Index, b)),
                                     {.proofs = plan_.proofs});
  std::vector<ExprPtr> provided;
  for (const ExprPtr &each : extremes_->provided())
    provided.push_back(simplify(each, {.proofs = plan_.proofs}));
  // What is the same for all groups tells none of them from others.
  if ((isEnd(condition) && literalValue(condition) != 1) ||
      std::ranges::any_of(provided, [](const ExprPtr &each) { return isLiteral(each, 0); }))
    return otherwise;
  ++found_;
  note(condition);
  for (const ExprPtr &each : provided)
    note(each);
  return then;
}

/// Of conditions one of which follows from the other, the stronger one.
void Interior::note(const ExprPtr &condition) {
  if (literalValue(condition) == 1)
    return;
  if (std::ranges::any_of(conditions_,
                          [&](const ExprPtr &each) { return implies(each, condition); }))
    return;
  std::erase_if(conditions_, [&](const ExprPtr &each) { return implies(condition, each); });
  conditions_.push_back(condition);
}

bool Interior::implies(const ExprPtr &a, const ExprPtr &b) const {
  if (sameExpr(a, b))
    return true;
  const bool alike = a->kind == ExprKind::Binary && b->kind == ExprKind::Binary && a->op == b->op;
  return alike && ((sameExpr(a->args[1], b->args[1]) && isAtMost(plan_, b->args[0], a->args[0])) ||
                   (sameExpr(a->args[0], b->args[0]) && isAtMost(plan_, a->args[1], b->args[1])));
}

} // namespace tangram::codegen

#include "codegen/timing/loops.h"

#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "ir/checked_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

double operationsIn(const StmtPtr &s) {
  if (!s || isLoop(*s))
    return 0;
  double count = 0;
  const auto isSum = [](const Operator &op) { return op == "+" || op == "-"; };
  const auto isProduct = [](const ExprPtr &e) {
    return e->kind == ExprKind::Binary && e->op == "*";
  };
  const std::function<void(const Expr &)> counts = [&](const Expr &e) {
    const bool isAccess = e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
    const bool isOperation =
        e.kind == ExprKind::Binary || e.kind == ExprKind::Select || e.kind == ExprKind::Call;
    count += isAccess || isOperation;
    if (e.kind == ExprKind::Binary && isSum(e.op) && std::ranges::any_of(e.args, isProduct))
      count -= 1; // which are one operation
    for (const ExprPtr &arg : e.args) {
      if (!isAccess || contains(arg, [](const Expr &each) { return each.kind == ExprKind::Index; }))
        counts(*arg);
    }
  };
  forEachOwnExpr(*s, [&](const ExprPtr &e) { counts(*e); });
  if (s->kind == StmtKind::Assign && !s->op.withoutAssignment().empty())
    count += isSum(s->op.withoutAssignment()) && isProduct(s->value) ? 0 : 1;
  for (const StmtPtr &child : s->children)
    count += operationsIn(child);
  return count;
}

std::vector<const Var *> carried(const StmtPtr &body) {
  std::vector<const Var *> assigned;
  std::set<const Var *> own;
  forEach(body, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl || each.kind == StmtKind::Parallel)
      own.insert(each.var.get());
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
        !isFloating(each.target->type.scalar))
      assigned.push_back(each.target->var.get());
  });
  std::erase_if(assigned, [&](const Var *v) { return own.contains(v); });
  return assigned;
}

bool isCounted(const Stmt &s, const std::vector<const Var *> &assigned) {
  return std::ranges::none_of(assigned, [&](const Var *v) {
    bool asked = contains(s.value, [&](const Expr &e) { return e.var.get() == v; });
    forEachExpr(s.children[1], [&](const Expr &e) { asked |= e.var.get() == v; });
    return asked;
  });
}

bool spins(const Stmt &s) {
  return s.kind != StmtKind::For && std::ranges::any_of(s.children, [](const StmtPtr &child) {
           return child && hasAtomic(child);
         });
}

namespace {

constexpr double mostUnrolledOperations = 200;

const StmtPtr &bodyOf(const Stmt &loop) {
  return loop.children[loop.kind == StmtKind::For ? 2 : 0];
}

/// Floating-point numbers in arrays, each of which is the same one in all rounds of a loop: compilers keep them as they
/// do variables, or read what the round before has written.
class SteadyElements {
public:
  explicit SteadyElements(const Stmt &loop) {
    std::set<const Var *> changing;
    for (const StmtPtr &child : loop.children)
      changing.merge(changedIn(child));
    forEach(bodyOf(loop), [&](const Stmt &each) {
      if (each.kind == StmtKind::Assign && stays(*each.target, changing) && !find(each.target))
        all_.push_back(each.target);
    });
  }

  /// The one that `e` is, whoever names it; null: it is none.
  const Expr *find(const ExprPtr &e) const {
    const auto found =
        std::ranges::find_if(all_, [&](const ExprPtr &each) { return sameExpr(each, e); });
    return found == all_.end() ? nullptr : found->get();
  }

  const std::vector<ExprPtr> &all() const { return all_; }

private:
  static bool stays(const Expr &target, const std::set<const Var *> &changing) {
    if (target.kind != ExprKind::Index || !isFloating(target.type.scalar))
      return false;
    // What lanes keep side by side is of vectors across them.
    const bool isOwn = target.args[0]->var && target.args[0]->var->kind != VarKind::Buffer;
    return std::ranges::none_of(target.args, [&](const ExprPtr &arg) {
      return contains(arg, [&](const Expr &e) {
        return e.kind == ExprKind::Index || (e.var && (changing.contains(e.var.get()) ||
                                                       (isOwn && e.var->kind == VarKind::Worker)));
      });
    });
  }

  std::vector<ExprPtr> all_;
};

bool isVar(const ExprPtr &e, const Var *var) {
  return e->kind == ExprKind::Var && e->var.get() == var;
}

/// Whether it adds to a variable, or the like, so that vectors may begin with parts of their own; or takes another value,
/// `chosen` or not. What the variable was decides about nothing else.
bool isReduction(const Stmt &assign, bool chosen) {
  const Var *var = assign.target->var.get();
  const auto joins = [](const Operator &op) {
    return op == "+" || op == "-" || op == "*" || op == "&" || op == "|" || op == "^";
  };
  const Operator combined = assign.op.withoutAssignment();
  if (!combined.empty())
    return joins(combined) && !mentions(assign.value, var);
  const Expr &value = *assign.value;
  const bool joined = (value.kind == ExprKind::Binary && joins(value.op)) ||
                      value.callee == "min" || value.callee == "max";
  if (joined && value.args.size() == 2 && isVar(value.args[0], var) != isVar(value.args[1], var))
    return !mentions(value.args[isVar(value.args[0], var) ? 1 : 0], var);
  return chosen && !mentions(assign.value, var);
}

/// Looks for what keeps a compiler from making vectors of a loop's body.
class Simple {
public:
  Simple(const Stmt &loop, const Stmt *inner)
      : body_(bodyOf(loop)), inner_(inner), elements_(loop) {
    forEach(body_, [&](const Stmt &each) {
      if (each.kind != StmtKind::Decl)
        return;
      own_.insert(each.var.get());
      if (each.value && isOfData(each.value))
        ofData_.insert(each.var.get());
    });
    statement(*body_, false);
    for (const auto &[var, updates] : carried_) {
      std::size_t asked = 0;
      forEachExpr(body_, [&, v = var](const Expr &e) { asked += e.var.get() == v; });
      simple_ &= asked <= updates || counters_.contains(var);
    }
  }

  bool holds() const { return simple_; }

private:
  void statement(const Stmt &s, bool chosen) {
    forEachOwnExpr(s, [&](const ExprPtr &e) {
      simple_ &= !contains(e, [](const Expr &each) { return each.kind == ExprKind::Atomic; });
    });
    simple_ &= s.kind != StmtKind::Break && s.kind != StmtKind::Continue &&
               s.kind != StmtKind::Parallel && s.kind != StmtKind::Return;
    if (isLoop(s)) {
      simple_ &= !chosen && (&s == inner_ || isShort(s));
      return statement(*bodyOf(s), chosen);
    }
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
        !own_.contains(s.target->var.get()))
      carries(s, chosen);
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
      simple_ &= !chosen || !isNamedByData(*s.target) || !isRead(arrayOf(*s.target));
    if (s.kind == StmtKind::Assign && elements_.find(s.target))
      simple_ &= s.op.withoutAssignment().empty() && !readsElement(s.value);
    for (const StmtPtr &child : s.children) {
      if (child)
        statement(*child, chosen || s.kind == StmtKind::If);
    }
  }

  void carries(const Stmt &assign, bool chosen) {
    const Var *var = assign.target->var.get();
    simple_ &= !isFloating(assign.target->type.scalar) && isReduction(assign, chosen);
    carried_[var] += 1 + (assign.op.withoutAssignment().empty() && mentions(assign.value, var));
    if (!chosen && assign.op == "+=" && assign.value->kind == ExprKind::Literal)
      counters_.insert(var);
  }

  /// Its place is no sum of counters: another round may write there.
  bool isNamedByData(const Expr &element) const {
    return std::any_of(element.args.begin() + 1, element.args.end(),
                       [&](const ExprPtr &place) { return isOfData(place); });
  }

  bool isOfData(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || (each.var && ofData_.contains(each.var.get()));
    });
  }

  /// Whether the loop asks for any element of the array.
  bool isRead(const Var *array) const {
    bool found = false;
    forEach(body_, [&](const Stmt &each) {
      forEachOwnExpr(each, [&](const ExprPtr &own) {
        forEach(own, [&](const Expr &e) {
          const bool isTarget =
              each.kind == StmtKind::Assign && &e == each.target.get() && each.op == "=";
          found |= !isTarget && e.kind == ExprKind::Index && arrayOf(e) == array;
        });
      });
    });
    return found;
  }

  bool readsElement(const ExprPtr &e) const {
    return elements_.find(e) ||
           std::ranges::any_of(e->args, [&](const ExprPtr &arg) { return readsElement(arg); });
  }

  const StmtPtr &body_;
  const Stmt *inner_;
  SteadyElements elements_;
  std::set<const Var *> own_;
  std::set<const Var *> ofData_;               ///< variables of a round that elements decide
  std::map<const Var *, std::size_t> carried_; ///< and how often their updates name them
  std::set<const Var *> counters_;
  bool simple_ = true;
};

} // namespace

bool isShort(const Stmt &loop) {
  if (loop.kind != StmtKind::For || !loop.children[0] || loop.children[0]->kind != StmtKind::Decl ||
      !loop.children[0]->value || !loop.value || loop.value->kind != ExprKind::Binary)
    return false;
  const auto first = literalValue(loop.children[0]->value);
  const auto end = literalValue(loop.value->args[1]);
  if (!first || !end || !isVar(loop.value->args[0], loop.children[0]->var.get()))
    return false;
  const auto rounds = checkedDifference(*end, *first);
  return rounds && *rounds >= -mostUnrolled && *rounds <= mostUnrolled &&
         static_cast<double>(*rounds) * operationsIn(loop.children[2]) <= mostUnrolledOperations;
}

const Stmt *onlyLoopIn(const Stmt &loop) {
  const Stmt *found = nullptr;
  bool several = false;
  forEach(bodyOf(loop), [&](const Stmt &each) {
    if (!isLoop(each) || isShort(each))
      return;
    several |= found != nullptr;
    found = &each;
  });
  return several ? nullptr : found;
}

bool isSimple(const Stmt &loop, const Stmt *inner) {
  return loop.kind == StmtKind::For && Simple(loop, inner).holds();
}

double roundsOf(double gap, double nextGap) {
  const double rounds = gap / (gap - nextGap);
  return rounds > 1 ? std::ceil(rounds) : 1;
}

namespace {

/// What of those that one waits for the other is counted.
enum class Counted { Divisions, Operations };

/// Follows what depends on variables, and elements like them, that are carried.
class Dependence {
public:
  Dependence(const Stmt &loop, Counted counted) : counted_(counted), elements_(loop) {
    const StmtPtr &body = bodyOf(loop);
    std::set<const Var *> own;
    forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        own.insert(each.var.get());
      const bool carries = each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
                           isFloating(each.target->type.scalar);
      if (carries && !own.contains(each.target->var.get()))
        steps_[each.target->var.get()] = 0;
    });
    for (const ExprPtr &element : elements_.all())
      steps_[element.get()] = 0;
    for (const auto &[number, none] : steps_)
      carried_.push_back(number);
    if (!carried_.empty())
      forEach(body, [&](const Stmt &each) { statement(each); });
  }

  double most() const {
    double most = 0;
    for (const Number number : carried_)
      most = std::max(most, steps_.at(number).value_or(0));
    return most;
  }

private:
  using Number = const void *;         ///< a variable, or an element
  using Steps = std::optional<double>; ///< none: it depends on nothing that is carried

  Number numberOf(const ExprPtr &e) const {
    return e->kind == ExprKind::Var ? static_cast<Number>(e->var.get()) : elements_.find(e);
  }

  void statement(const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value) {
      steps_[s.var.get()] = of(s.value);
    } else if (s.kind == StmtKind::Assign && numberOf(s.target)) {
      Steps &steps = steps_[numberOf(s.target)];
      const Operator combined = s.op.withoutAssignment();
      if (combined.empty()) {
        steps = of(s.value);
        return;
      }
      steps =
          std::max(combined == "+" || combined == "-" ? ofSummand(s.value) : of(s.value), steps);
      if (steps && (counted_ == Counted::Operations || combined == "/"))
        *steps += 1;
    }
  }

  /// A product that is added is one operation with that.
  Steps ofSummand(const ExprPtr &e) const {
    const bool fused =
        counted_ == Counted::Operations && e->kind == ExprKind::Binary && e->op == "*";
    return fused ? std::max(of(e->args[0]), of(e->args[1])) : of(e);
  }

  bool counts(const Expr &e) const {
    if (!isFloating(e.type.scalar))
      return false;
    const bool chooses = e.callee == "min" || e.callee == "max" || e.callee == "fmin" ||
                         e.callee == "fmax" || e.callee == "fabs" || e.callee == "abs";
    const bool divides =
        (e.kind == ExprKind::Binary && e.op == "/") || (e.kind == ExprKind::Call && !chooses);
    return divides || (counted_ == Counted::Operations && e.kind == ExprKind::Binary);
  }

  Steps of(const ExprPtr &e) const {
    if (const Number number = numberOf(e)) {
      const auto known = steps_.find(number);
      return known == steps_.end() ? std::nullopt : known->second;
    }
    const bool sum = e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-");
    Steps most;
    for (const ExprPtr &arg : e->args)
      most = std::max(most, sum ? ofSummand(arg) : of(arg));
    if (most && counts(*e))
      *most += 1;
    return most;
  }

  Counted counted_;
  SteadyElements elements_;
  std::map<Number, Steps> steps_;
  std::vector<Number> carried_;
};

} // namespace

double dependentDivisions(const Stmt &loop) { return Dependence(loop, Counted::Divisions).most(); }

double dependentOperations(const Stmt &loop) {
  return Dependence(loop, Counted::Operations).most();
}

} // namespace tangram::codegen

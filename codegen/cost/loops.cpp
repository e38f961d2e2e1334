#include "codegen/cost/loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

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
  bool found = false;
  for (const StmtPtr &child : s.children) {
    if (child && s.kind != StmtKind::For)
      forEachExpr(child, [&](const Expr &e) { found |= e.kind == ExprKind::Atomic; });
  }
  return found;
}

bool isSimple(const Stmt &loop) {
  if (loop.kind != StmtKind::For)
    return false;
  bool simple = true;
  std::set<const Var *> own;
  forEach(loop.children[2], [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl)
      own.insert(each.var.get());
    simple &= !isLoop(each) && each.kind != StmtKind::If && each.kind != StmtKind::Break &&
              each.kind != StmtKind::Parallel;
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
        !own.contains(each.target->var.get()))
      simple &= !isFloating(each.target->type.scalar) && each.op == "+=";
  });
  return simple;
}

double roundsOf(double gap, double nextGap) {
  const double rounds = gap / (gap - nextGap);
  return rounds > 1 ? std::ceil(rounds) : 1;
}

namespace {

/// What of those that one waits for the other is counted.
enum class Counted { Divisions, Operations };

/// Follows what depends on variables that are carried.
class Dependence {
public:
  Dependence(const StmtPtr &body, Counted counted) : counted_(counted) {
    std::set<const Var *> own;
    forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        own.insert(each.var.get());
      const bool carries = each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
                           isFloating(each.target->type.scalar);
      if (carries && !own.contains(each.target->var.get()))
        steps_[each.target->var.get()] = 0;
    });
    for (const auto &[var, none] : steps_)
      carried_.push_back(var);
    if (!carried_.empty())
      forEach(body, [&](const Stmt &each) { statement(each); });
  }

  double most() const {
    double most = 0;
    for (const Var *var : carried_)
      most = std::max(most, steps_.at(var).value_or(0));
    return most;
  }

private:
  using Steps = std::optional<double>; ///< none: it depends on nothing that is carried

  void statement(const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value) {
      steps_[s.var.get()] = of(s.value);
    } else if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var) {
      Steps &steps = steps_[s.target->var.get()];
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
    if (e->kind == ExprKind::Var) {
      const auto known = steps_.find(e->var.get());
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
  std::map<const Var *, Steps> steps_;
  std::vector<const Var *> carried_;
};

const StmtPtr &bodyOf(const Stmt &loop) {
  return loop.children[loop.kind == StmtKind::For ? 2 : 0];
}

} // namespace

double dependentDivisions(const Stmt &loop) {
  return Dependence(bodyOf(loop), Counted::Divisions).most();
}

double dependentOperations(const Stmt &loop) {
  return Dependence(bodyOf(loop), Counted::Operations).most();
}

} // namespace tangram::codegen

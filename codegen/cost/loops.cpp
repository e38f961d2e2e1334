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

/// Follows what depends on variables that are carried.
class Dependence {
public:
  explicit Dependence(const StmtPtr &body) {
    std::set<const Var *> own;
    forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        own.insert(each.var.get());
      const bool carries = each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
                           isFloating(each.target->type.scalar);
      if (carries && !own.contains(each.target->var.get()))
        divisions_[each.target->var.get()] = 0;
    });
    for (const auto &[var, none] : divisions_)
      carried_.push_back(var);
    if (!carried_.empty())
      forEach(body, [&](const Stmt &each) { statement(each); });
  }

  double most() const {
    double most = 0;
    for (const Var *var : carried_)
      most = std::max(most, divisions_.at(var).value_or(0));
    return most;
  }

private:
  using Divisions = std::optional<double>; ///< none: it depends on nothing that is carried

  void statement(const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value) {
      divisions_[s.var.get()] = of(s.value);
    } else if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var) {
      Divisions &divisions = divisions_[s.target->var.get()];
      const Divisions value = of(s.value);
      const Divisions before = s.op == "=" ? std::nullopt : divisions;
      divisions = std::max(value, before);
      if (divisions && s.op == "/=")
        *divisions += 1;
    }
  }

  Divisions of(const ExprPtr &e) const {
    if (e->kind == ExprKind::Var) {
      const auto known = divisions_.find(e->var.get());
      return known == divisions_.end() ? std::nullopt : known->second;
    }
    Divisions most;
    for (const ExprPtr &arg : e->args)
      most = std::max(most, of(arg));
    const bool chooses = e->callee == "min" || e->callee == "max" || e->callee == "fmin" ||
                         e->callee == "fmax" || e->callee == "fabs" || e->callee == "abs";
    const bool takesLong =
        (e->kind == ExprKind::Binary && e->op == "/") || (e->kind == ExprKind::Call && !chooses);
    if (most && takesLong && isFloating(e->type.scalar))
      *most += 1;
    return most;
  }

  std::map<const Var *, Divisions> divisions_;
  std::vector<const Var *> carried_;
};

} // namespace

double dependentDivisions(const Stmt &loop) {
  return Dependence(loop.children[loop.kind == StmtKind::For ? 2 : 0]).most();
}

} // namespace tangram::codegen

#include "codegen/cost/loops.h"

#include <algorithm>
#include <cmath>
#include <set>

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

} // namespace tangram::codegen

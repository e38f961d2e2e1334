#include "codegen/lockstep/uniformity.h"

#include "codegen/lockstep/independence.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

Uniformity::Uniformity(const StmtPtr &body) : constants_(body) {
  std::size_t before = 0;
  do {
    before = varying_.size();
    declaredAt_.clear();
    mark(body, 0, false);
  } while (varying_.size() != before);
}

bool Uniformity::varies(const ExprPtr &e) const {
  return e && contains(e, [&](const Expr &each) {
           return each.kind == ExprKind::CoopIdx || each.kind == ExprKind::Atomic ||
                  (each.kind == ExprKind::Var && varying_.contains(each.var.get()));
         });
}

bool Uniformity::isLeftApart(const Stmt &loop) const {
  return varies(loop.value) || jumpsApart(loop.children.back(), false);
}

/// Whether some lanes may take a break or continue of the loop around `s` and others not.
bool Uniformity::jumpsApart(const StmtPtr &s, bool apart) const {
  if (!s || isLoop(*s))
    return false;
  if (s->kind == StmtKind::Break || s->kind == StmtKind::Continue)
    return apart;
  apart |= s->kind == StmtKind::If && varies(s->value);
  return std::ranges::any_of(s->children,
                             [&](const StmtPtr &child) { return jumpsApart(child, apart); });
}

bool Uniformity::areIndependent(const StmtPtr &s) const {
  return codegen::areIndependent(s, constants_, varying_);
}

bool Uniformity::staysTogether(const StmtPtr &s) const {
  if (!s)
    return false;
  if (isLoop(*s))
    return !areIndependent(s);
  return std::ranges::any_of(s->children,
                             [&](const StmtPtr &child) { return staysTogether(child); });
}

void Uniformity::markAssignment(const Stmt &s, int depth, bool alone) {
  const ExprPtr &base = s.target->kind == ExprKind::Index ? s.target->args[0] : s.target;
  if (base->kind != ExprKind::Var || isSeenByAllLanes(*base->var))
    return;
  auto declared = declaredAt_.find(base->var.get());
  const int scope = declared == declaredAt_.end() ? 0 : declared->second;
  if (alone || depth > scope || varies(s.value) || varies(s.target))
    varying_.insert(base->var.get());
}

/// `alone`: `s` is run lane by lane; `depth`: below that many conditions that differ between lanes.
void Uniformity::mark(const StmtPtr &s, int depth, bool alone) {
  if (!s)
    return;
  if (s->kind == StmtKind::Decl && s->var->kind == VarKind::Local && !s->var->type.isContainer()) {
    declaredAt_[s->var.get()] = depth;
    if (alone || varies(s->value))
      varying_.insert(s->var.get());
  }
  if (s->kind == StmtKind::Assign)
    markAssignment(*s, depth, alone);
  if (s->kind == StmtKind::If && !alone && varies(s->value)) {
    for (const StmtPtr &branch : s->children)
      mark(branch, depth + 1, !staysTogether(branch));
    return;
  }
  if (isLoop(*s) && !alone)
    alone = isLeftApart(*s) || (depth > 0 && areIndependent(s));
  for (const StmtPtr &child : s->children)
    mark(child, depth, alone);
}

} // namespace tangram::codegen

#include "composer/derive/statements.h"

#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::composer {

bool hasLoop(const ir::StmtPtr &s) {
  bool found = false;
  ir::forEach(s, [&](const ir::Stmt &each) { found |= ir::isLoop(each); });
  return found;
}

ir::ExprPtr targetOf(const ir::Stmt &s) {
  if (s.kind == ir::StmtKind::Eval && s.value->kind == ir::ExprKind::Atomic)
    return s.value->args[0];
  return s.kind == ir::StmtKind::Assign ? s.target : nullptr;
}

bool writesContainer(const ir::StmtPtr &s) {
  bool found = false;
  ir::forEach(s, [&](const ir::Stmt &each) {
    const ir::ExprPtr target = targetOf(each);
    found |= target && target->kind == ir::ExprKind::Index &&
             target->args[0]->kind == ir::ExprKind::Var &&
             target->args[0]->var->kind == ir::VarKind::Param;
  });
  return found;
}

bool namesElements(const ir::StmtPtr &s) {
  bool found = false;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    found |= e.kind == ir::ExprKind::Index && e.args[0]->type.isContainer();
  });
  return found;
}

std::set<const ir::Var *> variablesIn(const ir::StmtPtr &s) {
  std::set<const ir::Var *> found;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    if (e.kind == ir::ExprKind::Var)
      found.insert(e.var.get());
  });
  return found;
}

std::vector<ir::VarPtr> changedOutside(const ir::StmtPtr &s) {
  std::vector<ir::VarPtr> own, changed;
  ir::forEach(s, [&](const ir::Stmt &each) {
    if (each.kind == ir::StmtKind::Decl)
      own.push_back(each.var);
  });
  ir::forEach(s, [&](const ir::Stmt &each) {
    if (each.kind != ir::StmtKind::Assign)
      return;
    const ir::Expr *target = each.target.get();
    while (target->kind == ir::ExprKind::Index)
      target = target->args[0].get();
    const ir::VarPtr &var = target->var;
    if (var->kind != ir::VarKind::Param && std::ranges::find(own, var) == own.end() &&
        std::ranges::find(changed, var) == changed.end())
      changed.push_back(var);
  });
  return changed;
}

void flatten(const ir::StmtPtr &s, std::vector<ir::StmtPtr> &into) {
  if (s->kind != ir::StmtKind::Block) {
    into.push_back(s);
    return;
  }
  for (const ir::StmtPtr &child : s->children)
    flatten(child, into);
}

ir::StmtPtr withoutUnusedLocals(ir::StmtPtr s) {
  for (bool changes = true; changes;) {
    changes = false;
    const std::set<const ir::Var *> used = variablesIn(s);
    s = ir::rewrite(s, [&](const ir::StmtPtr &each) -> ir::StmtPtr {
      const bool isUnused =
          each->kind == ir::StmtKind::Decl && each->value && !used.contains(each->var.get());
      changes |= isUnused;
      return isUnused ? nullptr : each;
    });
  }
  return s;
}

FreshNames::FreshNames(const std::vector<ir::VarPtr> &params, const ir::StmtPtr &body) {
  for (const ir::VarPtr &param : params)
    taken_.insert(param->name);
  ir::forEach(body, [&](const ir::Stmt &s) {
    if (s.var)
      taken_.insert(s.var->name);
  });
}

std::string FreshNames::operator()(const std::string &wanted) {
  const std::string name =
      ir::uniqueName(wanted, [&](const std::string &each) { return taken_.contains(each); });
  taken_.insert(name);
  return name;
}

const ir::Stmt *onlyStatement(const ir::StmtPtr &s) {
  const ir::Stmt *at = s.get();
  while (at->kind == ir::StmtKind::Block && at->children.size() == 1)
    at = at->children[0].get();
  return at;
}

} // namespace tangram::composer

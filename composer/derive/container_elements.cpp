#include "composer/derive/container_elements.h"

#include "composer/derive/statements.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

using algebra::Nest;
using algebra::NestAccess;
using ir::ExprPtr;
using ir::StmtPtr;

namespace {

std::set<const ir::Expr *> expressionsIn(const StmtPtr &statement) {
  std::set<const ir::Expr *> inside;
  ir::forEachExpr(statement, [&](const ir::Expr &e) { inside.insert(&e); });
  return inside;
}

} // namespace

std::vector<const NestAccess *> accessesIn(const Nest &nest, const StmtPtr &statement,
                                           const ir::VarPtr &array) {
  const std::set<const ir::Expr *> inside = expressionsIn(statement);
  std::vector<const NestAccess *> found;
  for (const NestAccess &access : nest.accesses) {
    if (access.array == array && inside.contains(access.expr))
      found.push_back(&access);
  }
  return found;
}

bool isStore(const ir::Stmt &s) {
  return s.kind == ir::StmtKind::Assign && s.target->kind == ir::ExprKind::Index &&
         s.target->args[0]->type.isContainer();
}

bool isSameElement(const NestAccess &a, const NestAccess &b) {
  return a.array == b.array && a.place == b.place &&
         std::ranges::all_of(a.place, [](const auto &place) { return place.has_value(); });
}

bool namesOnly(const Nest &nest, const StmtPtr &statement, const NestAccess &element) {
  const auto accesses = accessesIn(nest, statement, element.array);
  return !accesses.empty() && std::ranges::all_of(accesses, [&](const NestAccess *access) {
    return isSameElement(*access, element);
  });
}

const NestAccess *accessOf(const Nest &nest, const ExprPtr &e) {
  const auto found = std::ranges::find(nest.accesses, e.get(), &NestAccess::expr);
  return found == nest.accesses.end() ? nullptr : &*found;
}

StmtPtr withElement(const Nest &nest, const StmtPtr &statement, const NestAccess &element,
                    const ExprPtr &value) {
  std::set<const ir::Expr *> same;
  for (const NestAccess *access : accessesIn(nest, statement, element.array)) {
    if (isSameElement(*access, element))
      same.insert(access->expr);
  }
  return ir::mapExprs(statement, [&](const ExprPtr &e) {
    return ir::rewrite(
        e, [&](const ExprPtr &each) { return same.contains(each.get()) ? value : each; });
  });
}

bool canMoveBehind(const Nest &nest, const StmtPtr &moved, const std::vector<StmtPtr> &others) {
  const std::set<const ir::Expr *> own = expressionsIn(moved);
  const std::set<const ir::Var *> used = variablesIn(moved);
  for (const StmtPtr &other : others) {
    const std::vector<ir::VarPtr> changed = changedOutside(other);
    if (std::ranges::any_of(changed,
                            [&](const ir::VarPtr &var) { return used.contains(var.get()); }))
      return false;
    const std::set<const ir::Expr *> inside = expressionsIn(other);
    for (const NestAccess &write : nest.accesses) {
      if (write.writes && inside.contains(write.expr) && used.contains(write.array.get()))
        return false;
    }
  }
  return true;
}

} // namespace tangram::composer

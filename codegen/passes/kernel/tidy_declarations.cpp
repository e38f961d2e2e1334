// Sinking of declarations: a variable without a value is declared where it gets its first one, or in the only piece or loop
// that uses it, of a loop where each round sets it before it reads it.
//
//   before: int x;  parallel w { x = f(w); use(x); }
//   after:  parallel w { int x = f(w); use(x); }
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// int x; ... x = a;   ->   ... int x = a;
bool meetFirstAssignment(std::vector<StmtPtr> &statements, std::size_t at) {
  const VarPtr &v = statements[at]->var;
  if (statements[at]->value || v->extent)
    return false;
  for (std::size_t i = at + 1; i < statements.size(); ++i) {
    const StmtPtr &s = statements[i];
    if (!mentions(s, v.get()))
      continue;
    bool first = s->kind == StmtKind::Assign && s->op == "=" && s->target->var == v &&
                 !contains(s->value, [&](const Expr &e) { return e.var == v; });
    if (!first)
      return false;
    statements[i] = declare(v, s->value, s->location);
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }
  return false;
}

/// Whether the first mention of `v` in a block gives it a value, under no condition.
bool isSetFirstIn(const StmtPtr &body, const Var *v) {
  for (const StmtPtr &s : body->children) {
    if (!mentions(s, v))
      continue;
    if (s->kind == StmtKind::Block)
      return isSetFirstIn(s, v);
    if (s->kind == StmtKind::Parallel)
      return isSetFirstIn(s->children[0], v);
    return s->kind == StmtKind::Assign && s->op == "=" && s->target->var.get() == v &&
           !contains(s->value, [&](const Expr &e) { return e.var.get() == v; });
  }
  return false;
}

/// Whether every round of the loop gives `v` a value before it reads it.
bool isSetFirst(const StmtPtr &loop, const Var *v) {
  if (loop->kind != StmtKind::For || loop->children[2]->kind != StmtKind::Block ||
      (loop->value && contains(loop->value, [&](const Expr &e) { return e.var.get() == v; })))
    return false;
  for (std::size_t part = 0; part < 2; ++part) {
    if (loop->children[part] && mentions(loop->children[part], v))
      return false;
  }
  return isSetFirstIn(loop->children[2], v);
}

/// int x; parallel { ..x.. }   ->   parallel { int x; ..x.. }, where nothing else uses x;
/// the same for a loop that sets x in every round before it reads it.
bool moveIntoOnlyUser(std::vector<StmtPtr> &statements, std::size_t at) {
  StmtPtr declaration = statements[at];
  if (declaration->value || declaration->var->extent)
    return false;
  std::size_t user = 0;
  for (std::size_t i = at + 1; i < statements.size(); ++i) {
    if (!mentions(statements[i], declaration->var.get()))
      continue;
    if (user != 0)
      return false;
    user = i;
  }
  if (user == 0)
    return false;
  const StmtPtr &s = statements[user];
  if (s->kind != StmtKind::Parallel && !isSetFirst(s, declaration->var.get()))
    return false;
  std::vector<StmtPtr> children = s->children;
  std::vector<StmtPtr> body = children.back()->children;
  body.insert(body.begin(), declaration);
  children.back() = block(std::move(body));
  statements[user] = withChildren(s, std::move(children));
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

StmtPtr tidy(const StmtPtr &s) {
  if (!s)
    return s;
  if (s->kind != StmtKind::Block) {
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(tidy(child));
    return withChildren(s, std::move(children));
  }
  std::vector<StmtPtr> statements = withoutBlocks(s->children);
  for (std::size_t i = 0; i < statements.size();) {
    bool moved = statements[i]->kind == StmtKind::Decl &&
                 (meetFirstAssignment(statements, i) || moveIntoOnlyUser(statements, i));
    if (!moved)
      ++i;
  }
  for (StmtPtr &child : statements)
    child = tidy(child);
  return withChildren(s, std::move(statements));
}

} // namespace

LoweredPlan tidyDeclarations(LoweredPlan plan) {
  plan.body = tidy(plan.body);
  return plan;
}

} // namespace tangram::codegen

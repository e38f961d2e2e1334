// Index-set splitting by groups: a group none of whose elements is past an end of a padded container runs code that does
// not compare them with the ends.
//
//   before:  group { for (part) items { out[...] = 1 <= row + part && row + part < n + 1 ? in[...] : 0 } }
//   after:   group { inside = 1 <= row && row + parts - 1 < n + 1
//                    for (part) items { if (inside) out[...] = in[...]
//                                       else        out[...] = 1 <= row + part && ... } }
//
// Whether a group is inside follows from where the numbers of its items and loops begin and end, by what
// grows with them; it is the same for all items, so that no warp does both.
// Source: interior and edge groups of stencils, ../shared/notes/stencils-and-views.md 1.5.
#include "codegen/form/building.h"
#include "codegen/passes/kernel/index_set_splitting.h"
#include "codegen/passes/kernel/interior.h"

#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// One statement of a group's, with what its items do inside beside what they do at the edges.
class Apart {
public:
  Apart(const LoweredPlan &plan, const StmtPtr &s, const std::set<const Var *> &ofWorkers)
      : plan_(plan), interior_(plan, s, ofWorkers), inside_(newVariable("inside", Scalar::Bool)),
        result_(split(s)) {}

  /// Null: nothing is compared with ends, or no group is known to be inside.
  StmtPtr declaration() const {
    const ExprPtr condition = interior_.condition();
    return condition ? declare(inside_, condition) : nullptr;
  }
  const StmtPtr &statement() const { return result_; }

private:
  StmtPtr split(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && plan_.role(s->level) >= Role::Item) {
      if (!repeats(*s))
        return s;
      const StmtPtr inner = interior_.of(s->children[0]);
      if (inner == s->children[0])
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

  const LoweredPlan &plan_;
  Interior interior_;
  VarPtr inside_;
  StmtPtr result_;
};

/// The statements of a group, one after the other; itself where nothing is compared with ends.
StmtPtr splitStatements(const LoweredPlan &plan, const StmtPtr &s,
                        const std::set<const Var *> &ofWorkers) {
  std::vector<StmtPtr> statements;
  bool changed = false;
  for (const StmtPtr &each : s->kind == StmtKind::Block ? s->children : std::vector{s}) {
    if (each->kind == StmtKind::Block) {
      statements.push_back(splitStatements(plan, each, ofWorkers));
      changed |= statements.back() != each;
      continue;
    }
    const Apart apart(plan, each, ofWorkers);
    const StmtPtr declaration = apart.declaration();
    changed |= declaration != nullptr;
    if (declaration)
      statements.push_back(declaration);
    statements.push_back(declaration ? apart.statement() : each);
  }
  return changed ? block(std::move(statements)) : s;
}

/// What workers of groups declare or change: each of them its own.
std::set<const Var *> variablesOfWorkers(const LoweredPlan &plan) {
  std::set<const Var *> found;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Parallel || plan.role(s.level) < Role::Item)
      return;
    found.insert(s.var.get());
    forEach(s.children[0], [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        found.insert(each.var.get());
      if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
        found.insert(each.target->var.get());
    });
  });
  return found;
}

} // namespace

LoweredPlan splitIndexSetsOfGroups(LoweredPlan plan) {
  const std::set<const Var *> ofWorkers = variablesOfWorkers(plan);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const bool groups = s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group;
    const StmtPtr body = groups ? splitStatements(plan, s->children[0], ofWorkers) : nullptr;
    return groups && body != s->children[0] ? withChildren(s, {body}) : s;
  });
  return plan;
}

} // namespace tangram::codegen

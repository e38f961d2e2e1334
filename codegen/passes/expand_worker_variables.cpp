#include "codegen/passes.h"

#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isPiece(const LoweredPlan &plan, const Stmt &s) {
  if (s.kind != StmtKind::Parallel || !s.var)
    return false;
  Role role = plan.role(s.level);
  return role == Role::Unroll || (role == Role::Item && isTunable(plan, s.value));
}

/// Where a variable occurs: in which innermost pieces, and how.
struct Occurrences {
  std::set<const Stmt *> pieces; ///< null: outside any piece
  const Stmt *declaredIn = nullptr;
  bool declared = false;
  const Stmt *assignedIn = nullptr; ///< some piece that assigns it
};

class Survey {
public:
  explicit Survey(const LoweredPlan &plan) : plan_(plan) {}

  std::map<const Var *, Occurrences> run() {
    walk(plan_.body, nullptr);
    return std::move(found_);
  }

private:
  void mention(const ExprPtr &e, const Stmt *piece) {
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var && each.var->kind == VarKind::Local && !each.var->extent)
        found_[each.var.get()].pieces.insert(piece);
    });
  }

  void walk(const StmtPtr &s, const Stmt *piece) {
    if (!s)
      return;
    if (s->kind == StmtKind::Decl && s->var->kind == VarKind::Local && !s->var->extent) {
      Occurrences &o = found_[s->var.get()];
      o.declared = true;
      o.declaredIn = piece;
    }
    forEachOwnExpr(*s, [&](const ExprPtr &e) { mention(e, piece); });
    if (s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var && piece)
      found_[s->target->var.get()].assignedIn = piece;
    const Stmt *inner = isPiece(plan_, *s) ? s.get() : piece;
    for (const StmtPtr &child : s->children)
      walk(child, inner);
  }

  const LoweredPlan &plan_;
  std::map<const Var *, Occurrences> found_;
};

bool mentions(const StmtPtr &s, const Var *v) {
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    found |= each.kind == StmtKind::Decl && each.var.get() == v;
    forEachOwnExpr(each, [&](const ExprPtr &e) {
      found |= contains(e, [&](const Expr &x) { return x.var.get() == v; });
    });
  });
  return found;
}

/// `declaration` in the innermost block that holds every mention of `v`, before the first.
StmtPtr hoist(const StmtPtr &s, const Var *v, const StmtPtr &declaration) {
  std::vector<StmtPtr> children = s->children;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (mentions(children[i], v))
      where.push_back(i);
  }
  bool own = false;
  forEachOwnExpr(*s, [&](const ExprPtr &e) {
    own |= contains(e, [&](const Expr &x) { return x.var.get() == v; });
  });
  bool inside = where.size() == 1 && !own && children[where[0]]->kind != StmtKind::Decl &&
                !children[where[0]]->children.empty() && s->kind != StmtKind::For;
  if (inside && children[where[0]]->kind != StmtKind::For &&
      children[where[0]]->kind != StmtKind::While && children[where[0]]->kind != StmtKind::DoWhile) {
    children[where[0]] = hoist(children[where[0]], v, declaration);
    return withChildren(s, std::move(children));
  }
  if (s->kind == StmtKind::Block)
    children.insert(children.begin() + static_cast<std::ptrdiff_t>(where.empty() ? 0 : where[0]),
                    declaration);
  else
    return block({declaration, s});
  return withChildren(s, std::move(children));
}

class Expansion {
public:
  Expansion(const LoweredPlan &plan, bool items) : plan_(plan), items_(items) {}

  StmtPtr run(StmtPtr body) {
    for (auto &[var, o] : Survey(plan_).run()) {
      const Stmt *piece = o.declaredIn ? o.declaredIn : o.assignedIn;
      bool crosses = o.declared && piece && (o.pieces.size() > 1 || !o.declaredIn ||
                                             !o.pieces.contains(o.declaredIn));
      if (o.declaredIn && o.pieces.size() <= 1 && (o.pieces.empty() || o.pieces.contains(piece)))
        crosses = false;
      if (!crosses)
        continue;
      bool array = plan_.role(piece->level) == Role::Unroll || items_;
      auto own = std::make_shared<Var>(*var);
      if (array)
        own->extent = piece->value;
      replacement_[var] = own;
      isArray_[var] = array;
      body = hoist(body, var, declare(own, nullptr));
    }
    return replacement_.empty() ? body : replace(body, nullptr);
  }

private:
  ExprPtr replace(const ExprPtr &e, const VarPtr &worker) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Var ? replacement_.find(each->var.get())
                                               : replacement_.end();
      if (found == replacement_.end())
        return each;
      ExprPtr whole = varRef(found->second);
      return isArray_.at(each->var.get()) && worker ? index(whole, {varRef(worker)}) : whole;
    });
  }

  StmtPtr replace(const StmtPtr &s, const VarPtr &worker) const {
    if (!s)
      return s;
    if (s->kind == StmtKind::Decl && replacement_.contains(s->var.get())) {
      if (!s->value)
        return block({});
      VarPtr own = s->var;
      return assign(replace(varRef(own), worker), "=", replace(s->value, worker), s->location);
    }
    VarPtr inner = isPiece(plan_, *s) ? s->var : worker;
    auto copy = std::make_shared<Stmt>(*s);
    copy->children.clear();
    for (const StmtPtr &child : s->children)
      copy->children.push_back(replace(child, inner));
    if (s->value)
      copy->value = replace(s->value, worker);
    if (s->target)
      copy->target = replace(s->target, worker);
    return copy;
  }

  const LoweredPlan &plan_;
  bool items_;
  std::map<const Var *, VarPtr> replacement_;
  std::map<const Var *, bool> isArray_;
};

} // namespace

LoweredPlan expandWorkerVariables(LoweredPlan plan, bool items) {
  plan.body = Expansion(plan, items).run(plan.body);
  return plan;
}

} // namespace tangram::codegen

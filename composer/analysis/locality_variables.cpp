#include "composer/analysis/locality_variables.h"

#include "ir/expression_length.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool isWithin(const Loop *inner, const Loop *outer) {
  for (; inner; inner = inner->parent) {
    if (inner == outer)
      return true;
  }
  return false;
}

/// Whether a `continue` of this very loop may pass over the rest of its body.
bool continues(const ir::StmtPtr &s) {
  if (!s)
    return false;
  if (s->kind == ir::StmtKind::Continue)
    return true;
  return std::any_of(s->children.begin(), s->children.end(), [](const ir::StmtPtr &child) {
    return child && !isLoop(*child) && continues(child);
  });
}

bool isVar(const ir::ExprPtr &e, const ir::Var &var) {
  return e->kind == ir::ExprKind::Var && e->var.get() == &var;
}

/// c of `v += c`, `v -= c`, `v = v + c`, `v = c + v`, `v = v - c`; null for any other form.
ir::ExprPtr stepOf(const ir::Stmt &update, const ir::Var &var) {
  if (update.kind != ir::StmtKind::Assign)
    return nullptr;
  if (update.op == "+=")
    return update.value;
  if (update.op == "-=")
    return ir::unary("-", update.value);
  const ir::ExprPtr &value = update.value;
  if (update.op != "=" || value->kind != ir::ExprKind::Binary)
    return nullptr;
  if (value->op == "+" && isVar(value->args[0], var))
    return value->args[1];
  if (value->op == "+" && isVar(value->args[1], var))
    return value->args[0];
  if (value->op == "-" && isVar(value->args[0], var))
    return ir::unary("-", value->args[1]);
  return nullptr;
}

bool isAtomic(const ir::Expr &e) { return e.kind == ir::ExprKind::Atomic; }

const ir::Var *arrayOf(const ir::Expr &e) {
  if (e.kind != ir::ExprKind::Index || e.args[0]->kind != ir::ExprKind::Var)
    return nullptr;
  return e.args[0]->var.get();
}

} // namespace

Variables::Variables(const ir::Codelet &codelet) {
  collect(codelet.body, nullptr, false);
  findLaneDependent(codelet.body);
}

void Variables::note(const ir::ExprPtr &e, const Loop *loop) {
  ir::forEach(e, [&](const ir::Expr &node) {
    loopOf_.emplace(&node, loop);
    if (isAtomic(node) && !node.args.empty()) {
      if (const ir::Var *array = arrayOf(*node.args[0]))
        arrayWrites_[array].push_back(loop);
    }
  });
}

void Variables::collect(const ir::StmtPtr &s, const Loop *loop, bool conditional) {
  if (!s)
    return;
  if (isLoop(*s)) {
    collectLoop(s, loop);
    return;
  }
  ir::forEachOwnExpr(*s, [&](const ir::ExprPtr &e) { note(e, loop); });
  if (s->kind == ir::StmtKind::Decl && s->var->kind == ir::VarKind::Local && !s->var->extent)
    updates_[s->var.get()].push_back({s.get(), loop, conditional});
  if (s->kind == ir::StmtKind::Assign) {
    if (s->target->kind == ir::ExprKind::Var)
      updates_[s->target->var.get()].push_back({s.get(), loop, conditional});
    else if (const ir::Var *array = arrayOf(*s->target))
      arrayWrites_[array].push_back(loop);
  }
  bool below = conditional || s->kind == ir::StmtKind::If;
  for (const ir::StmtPtr &child : s->children)
    collect(child, loop, below);
}

void Variables::collectLoop(const ir::StmtPtr &s, const Loop *loop) {
  loops_.push_back(std::make_unique<Loop>(Loop{s.get(), loop}));
  const Loop *self = loops_.back().get();
  ir::forEachOwnExpr(*s, [&](const ir::ExprPtr &e) { note(e, self); });
  if (s->kind != ir::StmtKind::For) {
    collect(s->children[0], self, continues(s->children[0]));
    return;
  }
  collect(s->children[0], loop, false);
  collect(s->children[1], self, false);
  collect(s->children[2], self, continues(s->children[2]));
}

const Loop *Variables::loopOf(const ir::Expr *access) const {
  auto found = loopOf_.find(access);
  return found == loopOf_.end() ? nullptr : found->second;
}

ir::ExprPtr Variables::definition(const ir::Var &var) const {
  auto found = updates_.find(&var);
  if (found == updates_.end() || found->second.size() != 1)
    return nullptr;
  const ir::Stmt &only = *found->second[0].stmt;
  // `int x = x;` is legal C++, and defines nothing.
  bool ofItself = ir::contains(only.value, [&](const ir::Expr &e) { return e.var.get() == &var; });
  return only.kind == ir::StmtKind::Decl && !ofItself ? only.value : nullptr;
}

const Loop *Variables::definedIn(const ir::Var &var) const {
  return definition(var) ? updates_.at(&var)[0].loop : nullptr;
}

Induction Variables::induction(const ir::Var &var, const Loop *at) const {
  auto found = updates_.find(&var);
  if (found == updates_.end())
    return {};
  const std::vector<Update> &updates = found->second;
  auto inLoop = [&](const Loop *loop) {
    return std::count_if(updates.begin(), updates.end(),
                         [&](const Update &u) { return isWithin(u.loop, loop); });
  };
  const Loop *loop = at;
  while (loop && inLoop(loop) == 0)
    loop = loop->parent;
  if (!loop || inLoop(loop) != 1)
    return {};
  auto update = std::find_if(updates.begin(), updates.end(),
                             [&](const Update &u) { return isWithin(u.loop, loop); });
  ir::ExprPtr step = stepOf(*update->stmt, var);
  if (update->loop != loop || update->conditional || !step || changesIn(step, loop))
    return {};

  Induction result{loop, nullptr, step};
  const ir::Stmt *init =
      loop->stmt->kind == ir::StmtKind::For ? loop->stmt->children[0].get() : nullptr;
  for (const Update &u : updates) {
    bool isInit = u.stmt == init;
    bool onlyOther = updates.size() == 2 && u.stmt->kind == ir::StmtKind::Decl &&
                     u.loop == loop->parent && u.stmt != update->stmt;
    bool plain = u.stmt->kind == ir::StmtKind::Decl || u.stmt->op == "=";
    if (plain && (isInit || onlyOther))
      result.initial = u.stmt->value;
  }
  return result;
}

bool Variables::changesIn(const ir::ExprPtr &e, const Loop *loop) const {
  if (!loop)
    return false;
  return ir::contains(e, [&](const ir::Expr &node) {
    if (node.kind == ir::ExprKind::Var) {
      auto found = updates_.find(node.var.get());
      return found != updates_.end() &&
             std::any_of(found->second.begin(), found->second.end(),
                         [&](const Update &u) { return isWithin(u.loop, loop); });
    }
    const ir::Var *array = arrayOf(node);
    auto writes = arrayWrites_.find(array);
    return array && writes != arrayWrites_.end() &&
           std::any_of(writes->second.begin(), writes->second.end(),
                       [&](const Loop *l) { return isWithin(l, loop); });
  });
}

bool Variables::differsByLane(const ir::ExprPtr &e) const {
  return e && ir::contains(e, [&](const ir::Expr &node) {
           if (node.kind == ir::ExprKind::CoopIdx || isAtomic(node))
             return true;
           if (node.kind == ir::ExprKind::Var)
             return laneDependent_.count(node.var.get()) != 0;
           const ir::Var *array = arrayOf(node);
           return array && array->kind == ir::VarKind::Local; // each lane has its own
         });
}

void Variables::findLaneDependent(const ir::StmtPtr &body) {
  bool changed = true;
  while (changed) {
    changed = false;
    markUpdates(body, false, changed);
  }
}

void Variables::markUpdates(const ir::StmtPtr &s, bool divergent, bool &changed) {
  if (!s)
    return;
  const ir::Var *var = nullptr;
  if (s->kind == ir::StmtKind::Decl && s->value)
    var = s->var.get();
  else if (s->kind == ir::StmtKind::Assign && s->target->kind == ir::ExprKind::Var)
    var = s->target->var.get();
  if (var && var->kind != ir::VarKind::Shared && (divergent || differsByLane(s->value)))
    changed |= laneDependent_.insert(var).second;
  bool branches = s->kind == ir::StmtKind::If || isLoop(*s);
  bool below = divergent || (branches && differsByLane(s->value));
  for (const ir::StmtPtr &child : s->children)
    markUpdates(child, below, changed);
}

bool Variables::isFixed(const ir::ExprPtr &e) const {
  return !ir::contains(e, [&](const ir::Expr &node) {
    switch (node.kind) {
    case ir::ExprKind::Index:
    case ir::ExprKind::SpectrumCall:
      return true;
    case ir::ExprKind::Atomic:
      return true;
    case ir::ExprKind::Var:
      return !isFixed(*node.var);
    default:
      return false;
    }
  });
}

bool Variables::isFixed(const ir::Var &var) const {
  if (!updates_.contains(&var))
    return var.kind != ir::VarKind::Shared;
  if (const auto known = fixed_.find(&var); known != fixed_.end())
    return known->second;
  const ir::ExprPtr value = definition(var);
  return fixed_[&var] = value && isFixed(value);
}

ir::ExprPtr Variables::closed(const ir::ExprPtr &e) const {
  return ir::rewrite(e, [&](const ir::ExprPtr &node) -> ir::ExprPtr {
    return node->kind == ir::ExprKind::Var ? meaningOf(node) : node;
  });
}

ir::ExprPtr Variables::meaningOf(const ir::ExprPtr &variable) const {
  const ir::Var &var = *variable->var;
  if (const auto known = meanings_.find(&var); known != meanings_.end())
    return known->second ? known->second : variable;
  ir::ExprPtr value = definition(var);
  if (value && isFixed(value)) {
    value = closed(value);
    const bool converts = !var.type.isContainer() && !value->type.isContainer() &&
                          value->type.scalar != var.type.scalar;
    value = converts ? ir::cast(var.type.scalar, value, variable->location) : value;
  } else {
    value = nullptr;
  }
  if (ir::isLongerThan(value, ir::mostNodesOfMeaning))
    value = nullptr;
  meanings_[&var] = value;
  return value ? value : variable;
}

} // namespace tangram::composer

#include "codegen/analysis/accesses.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

class Collector {
public:
  explicit Collector(const LoweredPlan &plan) : plan_(plan) {}

  Accesses run(const StmtPtr &s) {
    walk(s);
    return std::move(found_);
  }

  void expression(const ExprPtr &e, bool write) {
    if (!e)
      return;
    if (e->kind == ExprKind::Atomic) {
      bool any = e->op == "add" || e->op == "min" || e->op == "max";
      element(e->args[0], e->op != "load", unused_ == e.get() && any ? e->op : Operator());
      for (const ExprPtr &arg : e->args)
        expression(arg->kind == ExprKind::Index && arg == e->args[0] ? arg->args[1] : arg, false);
      return;
    }
    element(e, write, {});
    for (std::size_t i = e->kind == ExprKind::Index ? 1 : 0; i < e->args.size(); ++i)
      expression(e->args[i], false);
  }

  Accesses found() { return std::move(found_); }

private:
  /// Whether an element with the number of an item is of one item: lanes of several warps have the same number, and each
  /// warp has an array of its own.
  bool isOneLanes(const VarPtr &array) const {
    const Buffer *buffer = warps_ == 0 ? nullptr : plan_.bufferOf(array);
    return !buffer || buffer->space == Space::Warp;
  }

  void element(const ExprPtr &e, bool write, Operator atomic) {
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var &&
        e->args[0]->var->kind == VarKind::Buffer) {
      Access::By by = Access::By::Anyone;
      if (first_)
        by = Access::By::First;
      else if (worker_ && isOneLanes(e->args[0]->var) && e->args[1]->kind == ExprKind::Var && e->args[1]->var.get() == worker_)
        by = Access::By::Own;
      found_.push_back({e->args[0]->var.get(), write, by, atomic, e.get(), piece_});
    }
  }

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    unused_ = s->kind == StmtKind::Eval ? s->value.get() : nullptr;
    if (s->value)
      expression(s->value, false);
    if (s->target) {
      expression(s->target, true);
      if (s->op != "=")
        expression(s->target, false);
    }
    const bool warps = s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Warp &&
                       s->span != Span::One;
    bool items = s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Item;
    warps_ += warps ? 1 : 0;
    if (items) {
      first_ = s->span == Span::One && warps_ == 0; // else the first of each warp
      // Items of different rows have the same number.
      worker_ = isPieceOfAllItems(plan_, *s) && depth_ == 0 &&
                        !hasWorkers(plan_, s->children[0], Role::Item)
                    ? s->var.get()
                    : nullptr;
      // The footprints of items tell lanes of one warp apart, not those of several.
      piece_ = worker_ && warps_ == 0 ? s.get() : nullptr;
      ++depth_;
    }
    for (const StmtPtr &child : s->children)
      walk(child);
    if (items) {
      first_ = false;
      worker_ = nullptr;
      piece_ = nullptr;
      --depth_;
    }
    warps_ -= warps ? 1 : 0;
  }

  const LoweredPlan &plan_;
  const Expr *unused_ = nullptr; ///< the value of the statement at hand, when nobody looks at it
  int depth_ = 0;                ///< of pieces in pieces
  int warps_ = 0;                ///< Parallels of several warps around
  Accesses found_;
  const Var *worker_ = nullptr;
  const Stmt *piece_ = nullptr;
  bool first_ = false;
};

} // namespace

Accesses accessesOf(const LoweredPlan &plan, const StmtPtr &s) { return Collector(plan).run(s); }

Accesses readsOf(const ExprPtr &e) {
  LoweredPlan none;
  Collector collector(none);
  collector.expression(e, false);
  return collector.found();
}

const Var *conflict(const Accesses &earlier, const Accesses &later,
                    const std::function<bool(const Access &, const Access &)> &differ) {
  for (const Access &a : earlier) {
    for (const Access &b : later) {
      bool sameItem = a.by == b.by && a.by != Access::By::Anyone;
      if (a.buffer == b.buffer && (a.write || b.write) && !sameItem &&
          (a.atomic.empty() || a.atomic != b.atomic) && !(differ && differ(a, b)))
        return a.buffer;
    }
  }
  return nullptr;
}

std::set<const Var *> writtenIn(const StmtPtr &s) {
  std::set<const Var *> written;
  auto add = [&](const ExprPtr &place) {
    if (place->kind == ExprKind::Index && place->args[0]->kind == ExprKind::Var)
      written.insert(place->args[0]->var.get());
  };
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign)
      add(each.target);
  });
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Atomic)
      add(e.args[0]);
    for (const ExprPtr &arg : e.args)
      if (arg->kind == ExprKind::Var && arg->var->kind == VarKind::Buffer &&
          (e.kind != ExprKind::Index || arg != e.args[0]))
        written.insert(arg->var.get());
  });
  return written;
}

bool mentions(const StmtPtr &s, const Var *variable) {
  if (!s)
    return false;
  bool found = false;
  forEachOwnExpr(*s, [&](const ExprPtr &e) { found = found || mentions(e, variable); });
  return found || std::ranges::any_of(
                      s->children, [&](const StmtPtr &child) { return mentions(child, variable); });
}

bool mentions(const ExprPtr &e, const Var *variable) {
  return e && (e->var.get() == variable || std::ranges::any_of(e->args, [&](const ExprPtr &arg) {
                 return mentions(arg, variable);
               }));
}

bool isPieceOfAllItems(const LoweredPlan &plan, const Stmt &s) {
  return s.kind == StmtKind::Parallel && s.span == Span::All && plan.role(s.level) == Role::Item;
}

} // namespace tangram::codegen

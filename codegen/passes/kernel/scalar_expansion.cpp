// Scalar expansion: a variable that each worker of a piece sets, and that another piece reads, becomes an array with an
// element for each worker.
//
//   before: parallel w { int x = ..; }            parallel w { use(x); }
//   after:  int x[N];  parallel w { x[w] = ..; }  parallel w { use(x[w]); }
//
// For workers that one thread runs one after the other: chains, and items that are loops. An item that is a thread of its
// own keeps a variable, which moves out of the piece.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// The workers whose variables are expanded.
enum class Of { Chains, ChainsAndItems };

bool isPiece(const LoweredPlan &plan, const Stmt &s, Of of) {
  return s.kind == StmtKind::Parallel && s.span == Span::All &&
         (plan.role(s.level) == Role::Unroll ||
          (of == Of::ChainsAndItems && plan.role(s.level) == Role::Item));
}

using Pieces = std::vector<const Stmt *>; ///< outermost first

/// Where a variable is declared, and the pieces it has to have a copy for.
struct Occurrences {
  bool declared = false;
  Pieces declaredIn;
  /// A piece with a copy a worker of its own: the one that declares the variable for
  /// others to use, or one that assigns what is declared outside of it.
  const Stmt *expandFor = nullptr;
};

bool startsWith(const Pieces &whole, const Pieces &start) {
  return whole.size() >= start.size() && std::equal(start.begin(), start.end(), whole.begin());
}

class Survey {
public:
  Survey(const LoweredPlan &plan, Of of) : plan_(plan), of_(of) {}

  /// In order of declaration.
  std::vector<std::pair<const Var *, Occurrences>> run() {
    walk(plan_.body);
    std::vector<std::pair<const Var *, Occurrences>> ordered;
    for (const Var *variable : order_)
      ordered.emplace_back(variable, found_.at(variable));
    return ordered;
  }

private:
  void mention(const ExprPtr &e) {
    forEach(e, [&](const Expr &each) {
      auto known = each.kind == ExprKind::Var ? found_.find(each.var.get()) : found_.end();
      if (known != found_.end() && !startsWith(pieces_, known->second.declaredIn))
        known->second.expandFor = known->second.declaredIn.back();
    });
  }

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Decl && s->var->kind == VarKind::Local) {
      if (!found_.contains(s->var.get()))
        order_.push_back(s->var.get());
      found_[s->var.get()] = {true, pieces_, nullptr};
    }
    forEachOwnExpr(*s, [&](const ExprPtr &e) { mention(e); });
    if (s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var) {
      auto known = found_.find(s->target->var.get());
      if (known != found_.end() && pieces_.size() > known->second.declaredIn.size() &&
          startsWith(pieces_, known->second.declaredIn))
        known->second.expandFor = pieces_[known->second.declaredIn.size()];
    }
    bool piece = isPiece(plan_, *s, of_);
    if (piece)
      pieces_.push_back(s.get());
    for (const StmtPtr &child : s->children)
      walk(child);
    if (piece)
      pieces_.pop_back();
  }

  const LoweredPlan &plan_;
  Of of_;
  Pieces pieces_;
  std::map<const Var *, Occurrences> found_;
  std::vector<const Var *> order_;
};

bool declares(const StmtPtr &s, const Var *v) {
  return s && ((s->kind == StmtKind::Decl && s->var.get() == v) ||
               std::ranges::any_of(s->children,
                                   [&](const StmtPtr &child) { return declares(child, v); }));
}

bool usesOrDeclares(const StmtPtr &s, const Var *v) { return declares(s, v) || mentions(s, v); }

/// Puts `declaration` before the first mention of `v`, into the innermost block that has all of
/// them. It stays outside of loops, except those that start the workers that each need a variable
/// of their own: groups, and items that are loops where it is `ofItems`.
StmtPtr hoist(const LoweredPlan &plan, const StmtPtr &s, const Var *v, const StmtPtr &declaration,
              bool ofItems) {
  std::vector<StmtPtr> children = s->children;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (usesOrDeclares(children[i], v))
      where.push_back(i);
  }
  bool own = false;
  forEachOwnExpr(*s, [&](const ExprPtr &e) { own |= mentions(e, v); });
  bool inside = where.size() == 1 && !own && children[where[0]]->kind != StmtKind::Decl &&
                !children[where[0]]->children.empty() && s->kind != StmtKind::For;
  bool started = isLoop(*s) && where.size() == 1 && !own && where[0] + 1 == children.size();
  if ((inside || started) &&
      (!isLoop(*children[where[0]]) || hasWorkers(plan, children[where[0]], Role::Group) ||
       (ofItems && hasWorkers(plan, children[where[0]], Role::Item)))) {
    children[where[0]] = hoist(plan, children[where[0]], v, declaration, ofItems);
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
  Expansion(const LoweredPlan &plan, bool itemsAreLoops, Of of)
      : plan_(plan), itemsAreLoops_(itemsAreLoops), of_(of) {}

  StmtPtr run(StmtPtr body) {
    for (const auto &[var, o] : Survey(plan_, of_).run()) {
      if (!o.expandFor)
        continue;
      const bool chains = plan_.role(o.expandFor->level) == Role::Unroll;
      bool array = chains || itemsAreLoops_;
      auto own = std::make_shared<Var>(*var);
      if (array)
        own->extent = var->extent ? mul(var->extent, o.expandFor->value) : o.expandFor->value;
      copies_[var] = {own, array ? o.expandFor->level : -1, o.expandFor->value};
      if (var->extent)
        arrays_.insert(own.get());
      body = hoist(plan_, body, var, declare(own, nullptr), chains && itemsAreLoops_);
    }
    return copies_.empty() ? body : replace(body);
  }

private:
  struct Copies {
    VarPtr var;
    int level;       ///< whose worker indexes them; -1: a plain variable
    ExprPtr workers; ///< how many of them there are
  };

  ExprPtr replace(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::Index && each->args[0]->kind == ExprKind::Var &&
          arrays_.contains(each->args[0]->var.get()))
        return element(each);
      auto found = each->kind == ExprKind::Var ? copies_.find(each->var.get()) : copies_.end();
      if (found == copies_.end())
        return each;
      ExprPtr whole = varRef(found->second.var);
      auto worker = workers_.find(found->second.level);
      bool plain = worker == workers_.end() || arrays_.contains(found->second.var.get());
      return plain ? whole : index(whole, {varRef(worker->second)});
    });
  }

  /// Elements with one subscript stand side by side, as neighbouring workers access them together.
  ExprPtr element(const ExprPtr &e) const {
    auto copies = std::ranges::find_if(
        copies_, [&](const auto &each) { return each.second.var == e->args[0]->var; });
    auto worker = workers_.find(copies->second.level);
    if (worker == workers_.end())
      return e;
    ExprPtr row = mul(cast(Scalar::Index, e->args[1]), copies->second.workers);
    return withArgs(e, {e->args[0], simplify(add(row, varRef(worker->second)))});
  }

  StmtPtr replace(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Decl && copies_.contains(s->var.get())) {
      if (!s->value)
        return block({});
      return assign(replace(varRef(s->var)), "=", replace(s->value), s->location);
    }
    auto outer = workers_;
    auto copy = std::make_shared<Stmt>(*s);
    if (s->value)
      copy->value = replace(s->value);
    if (s->target)
      copy->target = replace(s->target);
    if (isPiece(plan_, *s, of_))
      workers_[s->level] = s->var;
    copy->children.clear();
    for (const StmtPtr &child : s->children)
      copy->children.push_back(replace(child));
    workers_ = outer;
    return copy;
  }

  const LoweredPlan &plan_;
  bool itemsAreLoops_;
  Of of_;
  std::map<const Var *, Copies> copies_;
  std::set<const Var *> arrays_;  ///< copies of arrays
  std::map<int, VarPtr> workers_; ///< by level, of the pieces around
};

} // namespace

LoweredPlan expandScalars(LoweredPlan plan) {
  const bool itemsAreLoops = plan.target->itemsAreLoops;
  plan.body = Expansion(plan, itemsAreLoops, Of::ChainsAndItems).run(plan.body);
  return plan;
}

LoweredPlan expandScalarsOfThreads(LoweredPlan plan) {
  plan.body = Expansion(plan, false, Of::ChainsAndItems).run(plan.body);
  return plan;
}

LoweredPlan expandScalarsOfChains(LoweredPlan plan) {
  plan.body = Expansion(plan, true, Of::Chains).run(plan.body);
  return plan;
}

} // namespace tangram::codegen

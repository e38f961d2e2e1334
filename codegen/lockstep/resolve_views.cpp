#include "codegen/lockstep/resolve_views.h"
#include "ir/assigned_variables.h"

#include <map>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

ExprPtr withSubscripts(const ExprPtr &like, const ExprPtr &container,
                       std::vector<ExprPtr> subscripts) {
  subscripts.insert(subscripts.begin(), container);
  return withArgs(like, std::move(subscripts));
}

/// a.size(1) of (a[i]).size() and of transpose(a).size(0).
ExprPtr sizeOfWhole(const ExprPtr &e) {
  const ExprPtr &container = e->args[0];
  if (container->kind != ExprKind::Index && container->kind != ExprKind::Transpose)
    return e;
  auto whole = std::make_shared<Expr>(*e);
  whole->args = {container->args[0]};
  whole->integer = container->kind == ExprKind::Transpose
                       ? (e->integer < 2 ? 1 - e->integer : e->integer)
                       : e->integer + static_cast<std::int64_t>(container->args.size()) - 1;
  return sizeOfWhole(whole);
}

/// a[i][j] of (a[i])[j] and of transpose(a)[j][i].
ExprPtr flattened(const ExprPtr &e) {
  if (e->kind == ExprKind::Size)
    return sizeOfWhole(e);
  if (e->kind != ExprKind::Index)
    return e;
  const ExprPtr &container = e->args[0];
  std::vector<ExprPtr> subscripts(e->args.begin() + 1, e->args.end());
  if (container->kind == ExprKind::Index) {
    std::vector<ExprPtr> all(container->args.begin() + 1, container->args.end());
    all.insert(all.end(), subscripts.begin(), subscripts.end());
    return flattened(withSubscripts(e, container->args[0], std::move(all)));
  }
  if (container->kind == ExprKind::Transpose && subscripts.size() >= 2) {
    std::swap(subscripts[0], subscripts[1]);
    return flattened(withSubscripts(e, container->args[0], std::move(subscripts)));
  }
  return e;
}

class Resolution {
public:
  explicit Resolution(const StmtPtr &body) : changing_(assignedIn(body)) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Decl && s->var->type.isContainer() && s->value &&
        s->value->kind != ExprKind::Allocate)
      return view(*s);
    auto copy = std::make_shared<Stmt>(*s);
    if (s->value)
      copy->value = resolved(s->value);
    if (s->target)
      copy->target = resolved(s->target);
    for (StmtPtr &child : copy->children)
      child = run(child);
    return copy;
  }

private:
  ExprPtr resolved(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Var ? views_.find(each->var.get()) : views_.end();
      return found == views_.end() ? flattened(each) : found->second;
    });
  }

  /// The view is known from here on; what stays of its declaration are the values it is made with.
  StmtPtr view(const Stmt &s) {
    std::vector<StmtPtr> kept;
    ExprPtr value = resolved(s.value);
    if (value->kind == ExprKind::Index) {
      std::vector<ExprPtr> subscripts(value->args.begin() + 1, value->args.end());
      for (ExprPtr &each : subscripts) {
        if (!mayChange(each))
          continue;
        auto at = std::make_shared<Var>();
        at->name = s.var->name + "_at";
        at->type = scalarType(Scalar::Index);
        at->location = s.location;
        kept.push_back(declare(at, cast(Scalar::Index, each), s.location));
        each = varRef(at);
      }
      value = withSubscripts(value, value->args[0], std::move(subscripts));
    }
    views_[s.var.get()] = value;
    return block(std::move(kept), s.location);
  }

  bool mayChange(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Call ||
             (each.kind == ExprKind::Var &&
              (changing_.contains(each.var.get()) || each.var->kind == VarKind::Shared));
    });
  }

  std::set<const Var *> changing_;
  std::map<const Var *, ExprPtr> views_;
};

} // namespace

StmtPtr resolveViews(const StmtPtr &body) { return Resolution(body).run(body); }

} // namespace tangram::codegen

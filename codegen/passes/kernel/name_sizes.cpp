#include "codegen/passes/kernel/name_sizes.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

class Sizes {
public:
  Sizes(const LoweredPlan &plan, const StmtPtr &groups)
      : plan_(plan), constants_(constantsOf(groups)) {
    forEach(groups, [&](const Stmt &s) {
      if (isLoop(s) && s.value)
        forEach(s.value, [&](const Expr &e) { bounds_.insert(e.var.get()); });
    });
    find(groups);
  }

  const std::vector<StmtPtr> &all() const { return sizes_; }

  /// The code without the declarations.
  StmtPtr takenFrom(const StmtPtr &groups) const {
    const StmtPtr code = rewrite(groups, [&](const StmtPtr &s) -> StmtPtr {
      return s->kind == StmtKind::Decl && names_.contains(s->var.get()) ? nullptr : s;
    });
    return substitute(code, names_);
  }

private:
  void find(const StmtPtr &s) {
    if (!s)
      return;
    for (const StmtPtr &each : s->children) {
      if (s->kind == StmtKind::Block && each && isSize(*each))
        keep(each);
      find(each);
    }
  }

  bool isSize(const Stmt &s) const {
    return s.kind == StmtKind::Decl && s.value && s.value->kind == ExprKind::Binary &&
           s.var->type.scalar == Scalar::Index && !s.var->extent &&
           constants_.contains(s.var.get()) && !bounds_.contains(s.var.get()) &&
           isOfTunables(*s.value);
  }

  /// Whether compilers find it where an array is declared: sums, products and quotients of tunables.
  bool isOfTunables(const Expr &e) const {
    if (e.kind == ExprKind::Literal)
      return true;
    if (e.kind == ExprKind::Var) {
      const Tunable *tunable = plan_.tunableOf(e.var);
      return names_.contains(e.var.get()) || (tunable && tunable->kind == Tunable::Kind::Compile);
    }
    const bool isPlain = e.kind == ExprKind::Binary &&
                         (e.op == "+" || e.op == "-" || e.op == "*" || e.op == "/" || e.op == "%");
    return isPlain &&
           std::ranges::all_of(e.args, [&](const ExprPtr &arg) { return isOfTunables(*arg); });
  }

  void keep(const StmtPtr &declaration) {
    const ExprPtr value = substitute(declaration->value, names_);
    const auto same = std::ranges::find_if(
        sizes_, [&](const StmtPtr &size) { return sameExpr(size->value, value); });
    const VarPtr name = same == sizes_.end() ? declaration->var : (*same)->var;
    if (same == sizes_.end())
      sizes_.push_back(declare(name, value));
    names_[declaration->var.get()] = varRef(name);
  }

  const LoweredPlan &plan_;
  const std::map<const Var *, ExprPtr> constants_;
  std::set<const Var *> bounds_; ///< of loops: PoCL takes minutes for loops with barriers whose rounds it knows early
  std::vector<StmtPtr> sizes_;
  Substitution names_; ///< what is declared: the size that it is
};

} // namespace

void nameSizes(const LoweredPlan &plan, Launch &launch) {
  const Sizes sizes(plan, launch.groups);
  if (sizes.all().empty())
    return;
  launch.sizes = sizes.all();
  launch.groups = sizes.takenFrom(launch.groups);
}

} // namespace tangram::codegen

#include "codegen/c/unsigned_sums.h"

#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isSignedArray(const VarPtr &var) {
  return var && var->extent && var->inner.empty() && !var->type.isContainer() &&
         var->type.lanes == 1 &&
         (var->type.scalar == Scalar::I32 || var->type.scalar == Scalar::I64);
}

/// The array of `e`, where that is an element of one.
const Var *arrayOf(const ExprPtr &e) {
  return e && e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var
             ? e->args[0]->var.get()
             : nullptr;
}

class UnsignedSums {
public:
  UnsignedSums(const StmtPtr &body, const std::function<bool(const Stmt &)> &mayWrap) {
    std::set<const Var *> declared;
    look(body, false, declared, mayWrap);
    for (const VarPtr &var : sums_) {
      if (declared.contains(var.get()) && !others_.contains(var.get()))
        without_.emplace(var.get(), withoutSign(*var));
    }
  }

  StmtPtr of(const StmtPtr &body) const {
    if (without_.empty())
      return body;
    return rewrite(body, [&](const StmtPtr &s) { return statement(s); });
  }

private:
  static VarPtr withoutSign(const Var &var) {
    auto copy = std::make_shared<Var>(var);
    copy->type.scalar = var.type.scalar == Scalar::I64 ? Scalar::U64 : Scalar::U32;
    return copy;
  }

  void look(const StmtPtr &s, bool inVectors, std::set<const Var *> &declared,
            const std::function<bool(const Stmt &)> &mayWrap) {
    if (!s)
      return;
    if (s->kind == StmtKind::Decl && isSignedArray(s->var) && !s->value)
      declared.insert(s->var.get());
    forEachOwnExpr(*s, [&](const ExprPtr &e) { lookAt(e, inVectors); });
    const Var *array = arrayOf(s->target);
    if (s->kind == StmtKind::Assign && array && s->op != "=" &&
        isSignedArray(s->target->args[0]->var) && mayWrap(*s))
      sums_.insert(s->target->args[0]->var);
    for (std::size_t i = 0; i < s->children.size(); ++i)
      look(s->children[i], inVectors || (s->kind == StmtKind::For && s->lanes > 1 && i == 2),
           declared, mayWrap);
  }

  /// Notes arrays that are used otherwise than by their elements, one at a time.
  void lookAt(const ExprPtr &e, bool inVectors) {
    if (e->kind == ExprKind::Var && isSignedArray(e->var)) {
      others_.insert(e->var.get());
      return;
    }
    const Var *array = arrayOf(e);
    if (array && inVectors)
      others_.insert(array);
    for (std::size_t i = array ? 1 : 0; i < e->args.size(); ++i) {
      if (e->kind == ExprKind::Atomic && i == 0) {
        if (const Var *changed = arrayOf(e->args[0]))
          others_.insert(changed);
      }
      lookAt(e->args[i], inVectors);
    }
  }

  StmtPtr statement(const StmtPtr &s) const {
    auto copy = std::make_shared<Stmt>(*s);
    if (const auto found = without_.find(s->var.get());
        s->kind == StmtKind::Decl && found != without_.end())
      copy->var = found->second;
    if (s->value)
      copy->value = read(s->value);
    if (s->target) {
      const Var *array = arrayOf(s->target);
      copy->target = array && without_.contains(array) ? element(*s->target) : read(s->target);
    }
    return copy;
  }

  ExprPtr element(const Expr &e) const {
    std::vector<ExprPtr> subscripts;
    for (std::size_t i = 1; i < e.args.size(); ++i)
      subscripts.push_back(read(e.args[i]));
    return index(varRef(without_.at(e.args[0]->var.get())), std::move(subscripts), e.location);
  }

  /// Elements are numbers with a sign to all that reads them.
  ExprPtr read(const ExprPtr &e) const {
    const Var *array = arrayOf(e);
    if (array && without_.contains(array))
      return cast(e->type.scalar, element(*e), e->location);
    std::vector<ExprPtr> args;
    for (const ExprPtr &each : e->args)
      args.push_back(read(each));
    return withArgs(e, std::move(args));
  }

  std::set<VarPtr> sums_;
  std::set<const Var *> others_; ///< handed over as wholes, changed by atomics, or used by vectors
  std::map<const Var *, VarPtr> without_;
};

} // namespace

StmtPtr withUnsignedSums(const StmtPtr &body, const std::function<bool(const Stmt &)> &mayWrap) {
  return UnsignedSums(body, mayWrap).of(body);
}

} // namespace tangram::codegen

#include "codegen/printing/unsigned_sums.h"

#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// A variable, or an array of one dimension, of integers with a sign that operations are done in.
bool isSigned32Or64(const VarPtr &var) {
  return var && var->kind == VarKind::Local && var->inner.empty() && !var->type.isContainer() &&
         !var->type.isConst && var->type.lanes == 1 &&
         (var->type.scalar == Scalar::I32 || var->type.scalar == Scalar::I64);
}

/// The variable that `e` is, or is an element of; null: neither.
VarPtr variableOf(const ExprPtr &e) {
  if (!e)
    return nullptr;
  const Expr &place = e->kind == ExprKind::Index ? *e->args[0] : *e;
  const bool isWhole = place.kind == ExprKind::Var && !!place.var &&
                       (e->kind == ExprKind::Index) == !!place.var->extent;
  return isWhole && isSigned32Or64(place.var) ? place.var : nullptr;
}

/// Whether a compound assignment makes the same bits with and without a sign.
bool keepsBits(const Stmt &s) {
  const Operator op = s.op.withoutAssignment();
  return isInteger(s.value->type.scalar) &&
         (op == "+" || op == "-" || op == "*" || op == "&" || op == "|" || op == "^");
}

class UnsignedSums {
public:
  UnsignedSums(const StmtPtr &body, const std::function<bool(const Stmt &)> &mayWrap) {
    look(body, false, mayWrap);
    for (const VarPtr &var : sums_) {
      if (declared_.contains(var.get()) && !others_.contains(var.get()))
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

  void look(const StmtPtr &s, bool inVectors, const std::function<bool(const Stmt &)> &mayWrap) {
    if (!s)
      return;
    if (s->kind == StmtKind::Decl && isSigned32Or64(s->var))
      declared_.insert(s->var.get());
    forEachOwnExpr(*s, [&](const ExprPtr &e) { lookAt(e, inVectors); });
    const bool isCompound = s->kind == StmtKind::Assign && s->op != "=";
    if (const VarPtr target = isCompound ? variableOf(s->target) : nullptr) {
      if (!keepsBits(*s))
        others_.insert(target.get());
      else if (mayWrap(*s))
        sums_.insert(target);
    }
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      const bool ofVectors = s->kind == StmtKind::For && s->lanes > 1;
      // A loop's counter reads better as it is.
      if (s->kind == StmtKind::For && i == 0 && s->children[0] && s->children[0]->var)
        others_.insert(s->children[0]->var.get());
      look(s->children[i], inVectors || ofVectors, mayWrap);
    }
  }

  /// Notes variables that are used otherwise than one number at a time.
  void lookAt(const ExprPtr &e, bool inVectors) {
    const VarPtr variable = variableOf(e);
    if (!variable && e->kind == ExprKind::Var && e->var)
      others_.insert(e->var.get());
    if (variable && inVectors)
      others_.insert(variable.get());
    if (e->kind == ExprKind::Atomic) {
      if (const VarPtr changed = variableOf(e->args[0]))
        others_.insert(changed.get());
    }
    for (std::size_t i = variable && e->kind == ExprKind::Index ? 1 : 0; i < e->args.size(); ++i)
      lookAt(e->args[i], inVectors);
  }

  StmtPtr statement(const StmtPtr &s) const {
    auto copy = std::make_shared<Stmt>(*s);
    if (const auto found = without_.find(s->var.get());
        s->kind == StmtKind::Decl && found != without_.end())
      copy->var = found->second;
    if (s->value)
      copy->value = read(s->value);
    if (s->target)
      copy->target = isChanged(s->target) ? place(*s->target) : read(s->target);
    return copy;
  }

  bool isChanged(const ExprPtr &e) const {
    const VarPtr variable = variableOf(e);
    return variable && without_.contains(variable.get());
  }

  ExprPtr place(const Expr &e) const {
    if (e.kind == ExprKind::Var)
      return varRef(without_.at(e.var.get()), e.location);
    std::vector<ExprPtr> subscripts;
    for (std::size_t i = 1; i < e.args.size(); ++i)
      subscripts.push_back(read(e.args[i]));
    return index(varRef(without_.at(e.args[0]->var.get())), std::move(subscripts), e.location);
  }

  /// All that reads them takes numbers with a sign.
  ExprPtr read(const ExprPtr &e) const {
    if (isChanged(e))
      return cast(e->type.scalar, place(*e), e->location);
    std::vector<ExprPtr> args;
    for (const ExprPtr &each : e->args)
      args.push_back(read(each));
    return withArgs(e, std::move(args));
  }

  std::set<VarPtr> sums_;
  std::set<const Var *> declared_;
  std::set<const Var *>
      others_; ///< handed over as wholes, changed by other operations, or used by vectors
  std::map<const Var *, VarPtr> without_;
};

} // namespace

StmtPtr withUnsignedSums(const StmtPtr &body, const std::function<bool(const Stmt &)> &mayWrap) {
  return UnsignedSums(body, mayWrap).of(body);
}

} // namespace tangram::codegen

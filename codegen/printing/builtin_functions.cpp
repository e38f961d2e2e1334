#include "codegen/printing/builtin_functions.h"
#include "ir/assigned_variables.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isCall(const Expr &e, const char *function) {
  return e.kind == ExprKind::Call && e.callee == function;
}

bool isOne(const Expr &e) {
  return e.kind == ExprKind::Literal &&
         (e.type.scalar == Scalar::F32 ? e.real == 1 : e.integer == 1);
}

ExprPtr reciprocalRoot(const ExprPtr &e) {
  const bool is = e->kind == ExprKind::Binary && e->op == "/" && e->type.scalar == Scalar::F32 &&
                  isOne(*e->args[0]) && isCall(*e->args[1], "sqrt") &&
                  e->args[1]->type.scalar == Scalar::F32;
  return is ? call("rsqrt", e->type, e->args[1]->args, e->location) : e;
}

VarPtr local(const char *name, Type type) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = type;
  return var;
}

class SinesAndCosines {
public:
  explicit SinesAndCosines(const StmtPtr &body) : assigned_(assignedIn(body)) {}

  /// Those of what a block declares.
  StmtPtr foundTogether(const StmtPtr &s) const {
    if (s->kind != StmtKind::Block)
      return s;
    std::vector<StmtPtr> done, left = s->children;
    while (!left.empty()) {
      done.push_back(left.front());
      left.erase(left.begin());
      const Stmt &first = *done.back();
      if (first.kind == StmtKind::Decl && isAskedForBoth(first, left))
        findTogether(first.var, done, left);
    }
    return withChildren(s, std::move(done));
  }

private:
  bool isAskedForBoth(const Stmt &declaration, const std::vector<StmtPtr> &rest) const {
    const Var &var = *declaration.var;
    if (!declaration.value || var.extent || assigned_.contains(&var))
      return false;
    bool sine = false, cosine = false;
    for (const StmtPtr &s : rest)
      forEachExpr(s, [&](const Expr &e) {
        sine |= isCall(e, "sin") && isVar(*e.args[0], var);
        cosine |= isCall(e, "cos") && isVar(*e.args[0], var);
      });
    return sine && cosine;
  }

  static bool isVar(const Expr &e, const Var &var) {
    return e.kind == ExprKind::Var && e.var.get() == &var;
  }

  static void findTogether(const VarPtr &angle, std::vector<StmtPtr> &done,
                           std::vector<StmtPtr> &rest) {
    const VarPtr sine = local("sine", angle->type), cosine = local("cosine", angle->type);
    done.push_back(declare(cosine, nullptr));
    done.push_back(declare(sine, call("sincos", angle->type, {varRef(angle), varRef(cosine)})));
    for (StmtPtr &s : rest)
      s = mapExprs(s, [&](const ExprPtr &e) {
        return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
          const bool isSine = isCall(*each, "sin");
          if ((!isSine && !isCall(*each, "cos")) || !isVar(*each->args[0], *angle))
            return each;
          return varRef(isSine ? sine : cosine);
        });
      });
  }

  std::set<const Var *> assigned_;
};

} // namespace

StmtPtr withBuiltinFunctions(const StmtPtr &body, bool exact) {
  const SinesAndCosines both(body);
  const StmtPtr rooted =
      exact ? body : mapExprs(body, [](const ExprPtr &e) { return rewrite(e, reciprocalRoot); });
  return rewrite(rooted, [&](const StmtPtr &s) { return both.foundTogether(s); });
}

} // namespace tangram::codegen

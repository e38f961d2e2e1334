// Lambdas: functions that know the variables around them. They have names, are called, and handed to functions that
// are inlined; what they capture by value they have copies of where it changes later.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

namespace tangram::frontend {

namespace {

const clang::LambdaExpr *lambdaIn(const clang::Expr *e) {
  return llvm::dyn_cast<clang::LambdaExpr>(e->IgnoreUnlessSpelledInSource());
}

const clang::DeclRefExpr *nameIn(const clang::Expr *e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto *copied = llvm::dyn_cast<clang::CXXConstructExpr>(e);
      copied != nullptr && copied->getNumArgs() == 1)
    return nameIn(copied->getArg(0));
  return llvm::dyn_cast<clang::DeclRefExpr>(e);
}

} // namespace

/// The lambda that `e` names or is; null after an error.
const FunctionLowering::Closure *FunctionLowering::closureOf(const clang::Expr *e, Stmts &into) {
  if (const clang::DeclRefExpr *name = nameIn(e)) {
    const auto known = closures.find(name->getDecl());
    if (known != closures.end())
      return &known->second;
  }
  const clang::LambdaExpr *written = lambdaIn(e);
  if (written == nullptr) {
    unsupported(e->getSourceRange(), "call of an object");
    return nullptr;
  }
  const clang::ValueDecl *key = written->getCallOperator();
  return capture(*key, *written, into) ? &closures.at(key) : nullptr;
}

/// Whether `declaration` names a lambda, which is known by it from here on.
bool FunctionLowering::closure(const clang::VarDecl &declaration, const clang::Expr &init,
                               Stmts &into) {
  const clang::LambdaExpr *written = lambdaIn(&init);
  if (written != nullptr)
    return capture(declaration, *written, into);
  const Closure *known = closureOf(&init, into);
  if (known != nullptr)
    closures[&declaration] = Closure(*known);
  return known != nullptr;
}

bool FunctionLowering::capture(const clang::ValueDecl &key, const clang::LambdaExpr &written,
                               Stmts &into) {
  if (written.isMutable())
    return unsupported(written.getBeginLoc(), "mutable lambda: capture by reference instead") !=
           nullptr;
  Closure made{&written, {}};
  for (const clang::LambdaCapture &each : written.captures()) {
    if (!each.capturesVariable())
      return unsupported(each.getLocation(), "capture of this") != nullptr;
    const auto *captured = llvm::dyn_cast<clang::VarDecl>(each.getCapturedVar());
    if (captured == nullptr)
      continue;
    if (captured->isInitCapture()) { // [k = n / 2]
      variable(*captured, into);
      continue;
    }
    const auto known = variables.find(captured);
    const bool isNumber = known != variables.end() && !known->second->type.isContainer() &&
                          !known->second->extent && !captured->getType().isConstQualified();
    if (each.getCaptureKind() != clang::LCK_ByCopy || !isNumber)
      continue;
    const bool stays = known->second->kind != ir::VarKind::Local &&
                       known->second->kind != ir::VarKind::Shared &&
                       known->second->kind != ir::VarKind::Param;
    if (stays || !mayChange(*captured))
      continue;
    const ir::ExprPtr value = ir::varRef(known->second, at(each.getLocation()));
    made.copies[captured] = named(value, captured->getNameAsString(), into)->var;
  }
  closures[&key] = std::move(made);
  return true;
}

/// Whether the function at hand does anything to `variable` but read it.
bool FunctionLowering::mayChange(const clang::VarDecl &variable) const {
  const clang::FunctionDecl *owner = inlined.empty() ? &function : inlined.back().function;
  return isChanged(*owner->getBody(), variable);
}

} // namespace tangram::frontend

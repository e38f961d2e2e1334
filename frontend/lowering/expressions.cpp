#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <utility>

namespace tangram::frontend {

namespace {

/// What an author calls an expression the language does not have.
std::string nameOf(const clang::Expr &e) {
  switch (e.getStmtClass()) {
  case clang::Stmt::LambdaExprClass:
    return "lambda expression";
  case clang::Stmt::StringLiteralClass:
    return "string";
  case clang::Stmt::CXXThrowExprClass:
    return "exception handling";
  case clang::Stmt::CXXNewExprClass:
  case clang::Stmt::CXXDeleteExprClass:
    return "dynamic memory";
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass:
    return "pointer";
  case clang::Stmt::CXXThisExprClass:
  case clang::Stmt::MemberExprClass:
    return "member of a struct or class";
  case clang::Stmt::CompoundLiteralExprClass:
  case clang::Stmt::InitListExprClass:
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
  case clang::Stmt::CXXStdInitializerListExprClass:
    return "value of type '" + e.getType().getAsString() + "'";
  case clang::Stmt::StmtExprClass:
    return "statement in an expression";
  default:
    return std::string(e.getStmtClassName());
  }
}

/// Nodes of Clang's tree that say nothing: what is inside them, or `e` itself.
const clang::Expr *inner(const clang::Expr *e) {
  if (const auto *parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return parens->getSubExpr();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
    return full->getSubExpr();
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return temporary->getSubExpr();
  if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
    return bound->getSubExpr();
  if (const auto *substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    return substituted->getReplacement();
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(e);
  if (list != nullptr && list->getNumInits() == 1 && !list->getType()->isRecordType())
    return list->getInit(0);
  return e;
}

} // namespace

/// Whether `e` is made of a variable whose declaration has been refused, so that a message
/// about `e` would only repeat that one.
bool FunctionLowering::isOfRefusedVariable(const clang::Expr *e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto *declaration = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    return declaration != nullptr && declaration->isLocalVarDeclOrParm() &&
           !isKnown(*declaration) && !declaration->isConstexpr() && textOf(*declaration) == nullptr;
  }
  if (const auto *subscripted = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return isOfRefusedVariable(subscripted->getBase());
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e))
    return operation->getOpcode() == clang::UO_Deref &&
           isOfRefusedVariable(operation->getSubExpr());
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
    return isOfRefusedVariable(member->getBase());
  if (const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e))
    return isOfRefusedVariable(operation->getArg(0));
  if (const auto *called = llvm::dyn_cast<clang::CallExpr>(e))
    return isOfRefusedVariable(called->getCallee());
  return false;
}

ir::ExprPtr FunctionLowering::expression(const clang::Expr *e) {
  // All that follows goes through expressions by recursion, in this file and the ones after it.
  constexpr unsigned deepest = 500;
  if (levels == deepest && !std::exchange(isTooDeep, true))
    unsupported(e->getSourceRange(),
                "expression of more than " + std::to_string(deepest) + " levels");
  if (levels == deepest)
    return nullptr;
  ++levels;
  ir::ExprPtr lowered = expressionOfKind(e);
  --levels;
  return lowered;
}

ir::ExprPtr FunctionLowering::expressionOfKind(const clang::Expr *e) {
  for (const clang::Expr *next = inner(e); next != e; next = inner(e))
    e = next;
  if (isOfRefusedVariable(e))
    return nullptr;
  switch (e->getStmtClass()) {
  case clang::Stmt::ImplicitCastExprClass:
    return implicitCast(*llvm::cast<clang::ImplicitCastExpr>(e));
  case clang::Stmt::CStyleCastExprClass:
  case clang::Stmt::CXXStaticCastExprClass:
  case clang::Stmt::CXXFunctionalCastExprClass:
    return explicitCast(*llvm::cast<clang::ExplicitCastExpr>(e));
  case clang::Stmt::DeclRefExprClass:
    return reference(*llvm::cast<clang::DeclRefExpr>(e));
  case clang::Stmt::UnaryOperatorClass:
    return unary(*llvm::cast<clang::UnaryOperator>(e));
  case clang::Stmt::BinaryOperatorClass:
  case clang::Stmt::CompoundAssignOperatorClass:
    return binary(*llvm::cast<clang::BinaryOperator>(e));
  case clang::Stmt::ConditionalOperatorClass:
    return conditional(*llvm::cast<clang::ConditionalOperator>(e));
  case clang::Stmt::ArraySubscriptExprClass:
    return arrayElement(*e, *llvm::cast<clang::ArraySubscriptExpr>(e)->getBase(),
                        *llvm::cast<clang::ArraySubscriptExpr>(e)->getIdx());
  case clang::Stmt::CallExprClass:
  case clang::Stmt::CXXMemberCallExprClass:
  case clang::Stmt::CXXOperatorCallExprClass:
    return call(*llvm::cast<clang::CallExpr>(e));
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
    return construction(*llvm::cast<clang::CXXConstructExpr>(e));
  case clang::Stmt::MemberExprClass:
    if (isVectorComponent(*llvm::cast<clang::MemberExpr>(e)))
      return component(*llvm::cast<clang::MemberExpr>(e));
    if (llvm::isa<clang::FieldDecl>(llvm::cast<clang::MemberExpr>(e)->getMemberDecl()))
      return member(*llvm::cast<clang::MemberExpr>(e));
    break;
  default:
    break;
  }
  // How many bytes C++ gives the language's own classes means nothing in a kernel.
  if (const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e);
      size != nullptr && languageClass(size->getTypeOfArgument()) != LanguageClass::None &&
      languageClass(size->getTypeOfArgument()) != LanguageClass::Vector)
    return unsupported(e->getSourceRange(), "sizeof of a container; it has size()");
  // Literals, sizeof, enumerators' initial values, `int()` and the like.
  if (ir::ExprPtr folded = foldConstant(file.ast, e, at(e->getSourceRange())))
    return folded;
  return unsupported(e->getSourceRange(), nameOf(*e));
}

ir::ExprPtr FunctionLowering::implicitCast(const clang::ImplicitCastExpr &e) {
  const clang::Expr *operand = e.getSubExpr();
  switch (e.getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
    return expression(operand);
  case clang::CK_IntegralCast: {
    // Operators convert integers the same way in the IR; only literals take the type.
    ir::ExprPtr value = expression(operand);
    auto type = typeOf(file.ast, e.getType());
    bool isLiteral = value && type && value->kind == ir::ExprKind::Literal;
    return isLiteral ? convert(value, type->scalar) : value;
  }
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingCast:
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean: {
    ir::ExprPtr value = expression(operand);
    auto type = typeOf(file.ast, e.getType());
    if (value && !type)
      return unsupported(e.getSourceRange(),
                         "value of type '" + spelling(file.ast, e.getType()) + "'");
    return value ? convert(value, type->scalar) : nullptr;
  }
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
    // What a misused primitive converts to: the primitive itself is reported.
    return expression(operand);
  case clang::CK_ArrayToPointerDecay:
  case clang::CK_NullToPointer:
    return unsupported(operand->getSourceRange(),
                       llvm::isa<clang::StringLiteral>(operand->IgnoreParens()) ? "string"
                                                                                : "pointer");
  default:
    return unsupported(e.getSourceRange(), "conversion from '" +
                                               spelling(file.ast, operand->getType()) + "' to '" +
                                               spelling(file.ast, e.getType()) + "'");
  }
}

ir::ExprPtr FunctionLowering::explicitCast(const clang::ExplicitCastExpr &e) {
  auto type = typeOf(file.ast, e.getTypeAsWritten());
  if (!type || type->isContainer() || type->scalar == ir::Scalar::Void)
    return unsupported(e.getSourceRange(),
                       "cast to '" + spelling(file.ast, e.getTypeAsWritten()) + "'");
  if (type->lanes > 1)
    return expression(e.getSubExpr());
  ir::ExprPtr value = expression(e.getSubExprAsWritten());
  if (!value)
    return nullptr;
  bool isFolded = value->kind == ir::ExprKind::Literal || type->scalar == ir::Scalar::Bool;
  // Unlike an implicit conversion, a cast between integers stays as it was written.
  return isFolded ? convert(value, type->scalar)
                  : ir::cast(type->scalar, value, at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::reference(const clang::DeclRefExpr &e) {
  const auto *declaration = llvm::dyn_cast<clang::VarDecl>(e.getDecl());
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(e.getDecl()))
    return binding->getHoldingVar() != nullptr ? pairMember(*binding)
                                               : expression(binding->getBinding());
  if (const auto alias = aliases.find(e.getDecl()); alias != aliases.end())
    return alias->second;
  if (declaration != nullptr) {
    auto known = variables.find(declaration);
    if (known != variables.end()) {
      const ir::SourceLocation place = at(e.getSourceRange());
      const ir::ExprPtr variable = ir::varRef(known->second, place);
      const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(declaration);
      return parameter != nullptr && isElementReference(file.ast, *parameter)
                 ? ir::index(variable, {integerAt(0, ir::Scalar::Index, place)}, place)
                 : variable;
    }
  }
  if (ir::ExprPtr folded = foldConstant(file.ast, &e, at(e.getSourceRange())))
    return folded;
  if (ir::ExprPtr folded = vectorConstant(e))
    return folded;
  std::string name = "'" + e.getDecl()->getNameAsString() + "'";
  if (declaration != nullptr)
    return unsupported(e.getSourceRange(), "global variable " + name + " that is not a constant");
  if (file.spectrums.calledBy(llvm::dyn_cast<clang::FunctionDecl>(e.getDecl())) != nullptr)
    return unsupported(e.getSourceRange(), "spectrum " + name + " used as a value");
  return unsupported(e.getSourceRange(), "function " + name + " used as a value");
}

ir::ExprPtr FunctionLowering::unary(const clang::UnaryOperator &e) {
  switch (e.getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_Minus:
  case clang::UO_Not:
  case clang::UO_LNot:
    break;
  case clang::UO_Extension:
    return expression(e.getSubExpr());
  case clang::UO_AddrOf:
    return unsupported(e.getSourceRange(), "address of a variable");
  case clang::UO_Deref:
    return unsupported(e.getSourceRange(), "pointer");
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    if (usedIncrements.contains(&e))
      return expression(e.getSubExpr());
    if (before != nullptr && conditionalIncrements.contains(&e))
      return incrementValue(e);
    if (isOfRefusedVariable(e.getSubExpr()))
      return nullptr;
    return unsupported(e.getSourceRange(),
                       "increment used as a value where what it changes occurs again");
  default:
    return unsupported(e.getSourceRange(),
                       "operator '" + clang::UnaryOperator::getOpcodeStr(e.getOpcode()).str() +
                           "'");
  }
  ir::ExprPtr operand = expression(e.getSubExpr());
  if (!operand)
    return nullptr;
  // A negative number is one literal; there is nothing else to fold on the way.
  if (e.getOpcode() == clang::UO_Minus && operand->kind == ir::ExprKind::Literal) {
    if (ir::ExprPtr folded = foldConstant(file.ast, &e, at(e.getSourceRange())))
      return folded;
  }
  return ir::unary(ir::Operator::named(clang::UnaryOperator::getOpcodeStr(e.getOpcode())).value(),
                   operand, at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::binary(const clang::BinaryOperator &e) {
  if (&e == assigned)
    return expression(e.getLHS());
  if (e.isAssignmentOp())
    return assignmentValue(e);
  if (e.isCommaOp()) {
    if (before == nullptr)
      return unsupported(e.getSourceRange(), "comma operator");
    expressionStatement(e.getLHS(), *before);
    return expression(e.getRHS());
  }
  if (e.isPtrMemOp() || e.getOpcode() == clang::BO_Cmp)
    return unsupported(e.getSourceRange(), "operator '" + e.getOpcodeStr().str() + "'");
  ir::ExprPtr left = expression(e.getLHS());
  Stmts first; // of what may not be evaluated
  ir::ExprPtr right = e.isLogicalOp() ? hoisted(before != nullptr ? &first : nullptr, e.getRHS())
                                      : expression(e.getRHS());
  if (!left || !right)
    return nullptr;
  if (!first.empty()) {
    const bool isAnd = e.getOpcode() == clang::BO_LAnd;
    const ir::ExprPtr known = integerAt(isAnd ? 0 : 1, ir::Scalar::Bool, at(e.getSourceRange()));
    return isAnd ? chosen(left, right, std::move(first), known, {}, e)
                 : chosen(left, known, {}, right, std::move(first), e);
  }
  return ir::binary(ir::Operator::named(e.getOpcodeStr()).value(), left, right,
                    at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::conditional(const clang::ConditionalOperator &e) {
  ir::ExprPtr condition = expression(e.getCond());
  Stmts whenTrue;
  Stmts whenFalse;
  ir::ExprPtr ifTrue = hoisted(before != nullptr ? &whenTrue : nullptr, e.getTrueExpr());
  ir::ExprPtr ifFalse = hoisted(before != nullptr ? &whenFalse : nullptr, e.getFalseExpr());
  if (!condition || !ifTrue || !ifFalse)
    return nullptr;
  if (ifTrue->type.isContainer() || ifFalse->type.isContainer() || e.getType()->isVoidType())
    return unsupported(e.getSourceRange(),
                       "choice between values of type '" + spelling(file.ast, e.getType()) + "'");
  if (!whenTrue.empty() || !whenFalse.empty())
    return chosen(condition, ifTrue, std::move(whenTrue), ifFalse, std::move(whenFalse), e);
  return ir::select(condition, ifTrue, ifFalse, at(e.getSourceRange()));
}

/// Containers are copied by reference: the copy is the container.
ir::ExprPtr FunctionLowering::construction(const clang::CXXConstructExpr &e) {
  LanguageClass container = languageClass(e.getType());
  if (container == LanguageClass::Vector)
    return vectorConstruction(e);
  bool isView = container != LanguageClass::None && container != LanguageClass::Domain;
  if (isView && e.getConstructor()->isCopyOrMoveConstructor())
    return expression(e.getArg(0));
  return unsupported(e.getSourceRange(), nameOf(e));
}

} // namespace tangram::frontend

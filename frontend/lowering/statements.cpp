#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"
#include "frontend/lowering/types.h"

#include <algorithm>
#include <llvm/ADT/StringRef.h>
#include <utility>

namespace tangram::frontend {

namespace {

/// What an author calls a statement the language does not have.
std::string nameOf(const clang::Stmt &s) {
  switch (s.getStmtClass()) {
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    return "case inside another statement";
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass:
    return "goto statement";
  case clang::Stmt::LabelStmtClass:
    return "label";
  case clang::Stmt::CXXTryStmtClass:
    return "exception handling";
  case clang::Stmt::CXXForRangeStmtClass:
    return "range-based for loop";
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass:
    return "inline assembly";
  default:
    return std::string(s.getStmtClassName());
  }
}

/// Whether `s` has a continue of the loop around it.
bool continues(const clang::Stmt *s) {
  if (s == nullptr || llvm::isa<clang::ForStmt>(s) || llvm::isa<clang::WhileStmt>(s) ||
      llvm::isa<clang::DoStmt>(s))
    return false;
  return llvm::isa<clang::ContinueStmt>(s) ||
         std::any_of(s->child_begin(), s->child_end(), continues);
}

/// Whether neither of two statements uses the variable that the other changes.
bool areIndependent(const ir::Stmt &a, const ir::Stmt &b) {
  auto leavesAlone = [](const ir::Stmt &changes, const ir::Stmt &uses) {
    bool isVariable = changes.kind == ir::StmtKind::Assign && changes.target->var != nullptr;
    auto isIt = [&](const ir::Expr &e) { return e.var && e.var == changes.target->var; };
    return isVariable && !ir::contains(uses.target, isIt) && !ir::contains(uses.value, isIt);
  };
  return leavesAlone(a, b) && leavesAlone(b, a);
}

} // namespace

void FunctionLowering::statement(const clang::Stmt *s, Stmts &into) {
  // All that follows goes through statements by recursion, as through expressions.
  constexpr unsigned deepest = 300;
  if (levels >= deepest) {
    if (!std::exchange(isTooDeep, true))
      unsupported(s->getSourceRange(),
                  "statements in each other of more than " + std::to_string(deepest) + " levels");
    return;
  }
  struct Level {
    unsigned &count;
    explicit Level(unsigned &levels) : count(levels) { ++count; }
    ~Level() { --count; }
  };
  const Level level(levels);
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    Stmts children;
    ++depth;
    for (const clang::Stmt *child : compound->children())
      statement(child, children);
    --depth;
    into.push_back(ir::block(std::move(children), at(compound->getLBracLoc())));
  } else if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
    declarations(*declared, into);
  } else if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) {
    expressionStatement(e, into);
  } else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    ifStatement(*branch, into);
  } else if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    forStatement(*loop, into);
  } else if (const auto *whileLoop = llvm::dyn_cast<clang::WhileStmt>(s)) {
    whileStatement(*whileLoop, into);
  } else if (const auto *doLoop = llvm::dyn_cast<clang::DoStmt>(s)) {
    ir::StmtPtr body = substatement(doLoop->getBody());
    if (ir::ExprPtr condition = expression(doLoop->getCond()))
      into.push_back(ir::doWhile(body, condition, at(doLoop->getDoLoc())));
  } else if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(s)) {
    returnStatement(*returned, into);
  } else if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(s)) {
    switchStatement(*choice, into);
  } else if (llvm::isa<clang::BreakStmt>(s)) {
    if (s != impliedBreak)
      into.push_back(ir::jump(ir::StmtKind::Break, at(s->getSourceRange())));
  } else if (llvm::isa<clang::ContinueStmt>(s)) {
    into.push_back(ir::jump(ir::StmtKind::Continue, at(s->getSourceRange())));
  } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(s)) {
    // Hints to a compiler ([[likely]], #pragma unroll) say nothing about the meaning.
    statement(attributed->getSubStmt(), into);
  } else if (!llvm::isa<clang::NullStmt>(s)) {
    unsupported(s->getBeginLoc(), nameOf(*s));
  }
}

ir::StmtPtr FunctionLowering::substatement(const clang::Stmt *s) {
  Stmts lowered;
  ++depth;
  statement(s, lowered);
  --depth;
  if (lowered.size() == 1)
    return lowered.front();
  return ir::block(std::move(lowered), at(s->getBeginLoc()));
}

void FunctionLowering::expressionStatement(const clang::Expr *e, Stmts &into) {
  e = e->IgnoreParenImpCasts();
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(e))
    return expressionStatement(cleanups->getSubExpr(), into);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (operation->isAssignmentOp())
      return withIncrements(e, into, [&] { assignment(*operation, into); });
    if (operation->isCommaOp()) {
      expressionStatement(operation->getLHS(), into);
      return expressionStatement(operation->getRHS(), into);
    }
  }
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (operation->isIncrementDecrementOp())
      return withIncrements(operation->getSubExpr(), into, [&] { increment(*operation, into); });
  }
  // `(void)x;` silences a warning and does nothing.
  const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
  if (cast != nullptr && cast->getType()->isVoidType() && !cast->HasSideEffects(file.ast))
    return;
  if (const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    bool isOfContainer = languageClass(operation->getArg(0)->getType()) == LanguageClass::Array ||
                         languageClass(operation->getArg(0)->getType()) == LanguageClass::Parts;
    if (operation->isAssignmentOp() && isOfContainer)
      return containerAssignment(*operation, into);
    if (operation->isAssignmentOp() && isVectorOperation(*operation))
      return withIncrements(e, into, [&] { vectorAssignment(*operation, into); });
  }
  if (primitiveName(e) == "require")
    return requirement(*llvm::cast<clang::CallExpr>(e), into);
  if (primitiveName(e) == "typical")
    return typical(*llvm::cast<clang::CallExpr>(e));
  if (primitiveName(e) == "swap" && isCodelet())
    return exchange(*llvm::cast<clang::CallExpr>(e), into);
  ir::ExprPtr value = wholeValue(e);
  if (!value)
    return;
  bool isCall = value->kind == ir::ExprKind::Call || value->kind == ir::ExprKind::SpectrumCall ||
                value->kind == ir::ExprKind::Map || value->kind == ir::ExprKind::Atomic;
  if (isCall)
    into.push_back(ir::eval(value, at(e->getSourceRange())));
  else
    unsupported(e->getSourceRange(), "statement without effect");
}

/// The left side of an assignment: a scalar variable or an element.
ir::ExprPtr FunctionLowering::assignable(const clang::Expr *e) {
  ir::ExprPtr target = expression(e);
  if (!target)
    return nullptr;
  if (target->type.isContainer())
    return unsupported(e->getSourceRange(), "assignment to a container");
  if (target->kind == ir::ExprKind::Var && target->var->kind == ir::VarKind::Tunable) {
    file.error(target->location, "tunable '" + target->var->name +
                                     "' cannot be assigned: its value is chosen by tuning");
    return nullptr;
  }
  if (target->kind != ir::ExprKind::Var && target->kind != ir::ExprKind::Index)
    return unsupported(e->getSourceRange(), "assignment to this expression");
  return checkWritable(*target) ? target : nullptr;
}

void FunctionLowering::assignment(const clang::BinaryOperator &e, Stmts &into) {
  const auto *next = llvm::dyn_cast<clang::BinaryOperator>(e.getRHS()->IgnoreParenImpCasts());
  if (next != nullptr && next->getOpcode() == clang::BO_Assign) { // x = y = 3
    assignment(*next, into);
    assigned = next;
  }
  ir::ExprPtr target = assignable(e.getLHS());
  ir::ExprPtr value =
      e.getOpcode() == clang::BO_Assign ? wholeValue(e.getRHS()) : expression(e.getRHS());
  if (target && value)
    into.push_back(ir::assign(target, ir::Operator::named(e.getOpcodeStr()).value(), value,
                              at(e.getSourceRange())));
}

void FunctionLowering::increment(const clang::UnaryOperator &e, Stmts &into) {
  ir::ExprPtr target = assignable(e.getSubExpr());
  if (!target)
    return;
  ir::SourceLocation place = at(e.getSourceRange());
  ir::ExprPtr one = convert(integerAt(1, ir::Scalar::I32, place), target->type.scalar);
  into.push_back(ir::assign(target, e.isIncrementOp() ? ir::Operator("+=") : "-=", one, place));
}

void FunctionLowering::ifStatement(const clang::IfStmt &s, Stmts &into) {
  if (s.getInit() != nullptr || s.getConditionVariable() != nullptr) {
    // What is declared there lives in a block around the statement.
    Stmts block;
    if (s.getInit() != nullptr)
      statement(s.getInit(), block);
    if (s.getConditionVariable() != nullptr)
      variable(*s.getConditionVariable(), block);
    branches(s, block);
    into.push_back(ir::block(std::move(block), at(s.getIfLoc())));
    return;
  }
  branches(s, into);
}

void FunctionLowering::branches(const clang::IfStmt &s, Stmts &into) {
  Stmts before;
  ir::ExprPtr decided = condition(s.getCond(), before);
  ir::StmtPtr then = substatement(s.getThen());
  ir::StmtPtr otherwise = s.getElse() != nullptr ? substatement(s.getElse()) : nullptr;
  if (!decided)
    return;
  ir::StmtPtr branch = ir::ifThen(decided, then, otherwise, at(s.getIfLoc()));
  if (!before.empty()) {
    before.push_back(branch);
    branch = ir::block(std::move(before), at(s.getIfLoc()));
  }
  into.push_back(branch);
}

/// The body of a loop with several increments: all but one, which `increment` becomes, are
/// done at the body's end.
ir::StmtPtr FunctionLowering::withMoreIncrements(const ir::StmtPtr &body, Stmts increments,
                                                 ir::StmtPtr &increment, const clang::ForStmt &s) {
  if (continues(s.getBody()))
    unsupported(s.getInc()->getSourceRange(),
                "several increments of a loop that is continued in its middle");
  // The one that is likely to count comes first; where the order matters, the last stays.
  bool isFree = std::all_of(increments.begin() + 1, increments.end(), [&](const auto &other) {
    return areIndependent(*increments.front(), *other);
  });
  if (!isFree)
    std::rotate(increments.begin(), std::prev(increments.end()), increments.end());
  increment = increments.front();
  increments.front() = body;
  return ir::block(std::move(increments), body->location);
}

void FunctionLowering::forStatement(const clang::ForStmt &s, Stmts &into) {
  if (s.getConditionVariable() != nullptr) {
    unsupported(s.getForLoc(), "declaration in the condition of a loop");
    return;
  }
  Stmts before;
  if (s.getInit() != nullptr)
    statement(s.getInit(), before);
  Stmts first;
  ir::ExprPtr goesOn = s.getCond() != nullptr ? condition(s.getCond(), first) : nullptr;
  Stmts after;
  if (s.getInc() != nullptr)
    expressionStatement(s.getInc(), after);
  ir::StmtPtr body = substatement(s.getBody());
  if (s.getCond() != nullptr && !goesOn)
    return;
  ir::SourceLocation place = at(s.getForLoc());
  ir::StmtPtr increment = after.empty() ? nullptr : after.front();
  if (after.size() > 1)
    body = withMoreIncrements(body, after, increment, s);
  if (!first.empty()) {
    body = endedBy(goesOn, std::move(first), body);
    goesOn = nullptr;
  }
  if (before.size() <= 1) {
    ir::StmtPtr init = before.empty() ? nullptr : before.front();
    into.push_back(ir::forLoop(init, goesOn, increment, body, place));
    return;
  }
  // Several variables are declared in a block of their own around the loop.
  before.push_back(ir::forLoop(nullptr, goesOn, increment, body, place));
  into.push_back(ir::block(std::move(before), place));
}

void FunctionLowering::whileStatement(const clang::WhileStmt &s, Stmts &into) {
  if (s.getConditionVariable() != nullptr) {
    unsupported(s.getWhileLoc(), "declaration in the condition of a loop");
    return;
  }
  Stmts first;
  ir::ExprPtr goesOn = condition(s.getCond(), first);
  ir::StmtPtr body = substatement(s.getBody());
  if (!goesOn)
    return;
  into.push_back(first.empty()
                     ? ir::whileLoop(goesOn, body, at(s.getWhileLoc()))
                     : ir::forLoop(nullptr, nullptr, nullptr,
                                   endedBy(goesOn, std::move(first), body), at(s.getWhileLoc())));
}

void FunctionLowering::returnStatement(const clang::ReturnStmt &s, Stmts &into) {
  ir::SourceLocation place = at(s.getSourceRange());
  if (s.getRetValue() == nullptr) {
    into.push_back(ir::returns(nullptr, place));
    return;
  }
  if (s.getRetValue()->getType()->isVoidType()) {
    expressionStatement(s.getRetValue(), into);
    into.push_back(ir::returns(nullptr, place));
    return;
  }
  // What is done after the value is known is not seen any more.
  const Increments increments = incrementsIn(s.getRetValue());
  into.insert(into.end(), increments.before.begin(), increments.before.end());
  ir::ExprPtr value = expression(s.getRetValue());
  auto type = typeOf(file.ast, function.getReturnType());
  if (value && type)
    into.push_back(ir::returns(convert(value, type->scalar), place));
}

} // namespace tangram::frontend

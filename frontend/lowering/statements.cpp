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
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass:
    return "inline assembly";
  default:
    return std::string(s.getStmtClassName());
  }
}

/// Whether `s` has a continue of the loop around it.
bool continues(const ir::StmtPtr &s) {
  if (!s || ir::isLoop(*s))
    return false;
  return s->kind == ir::StmtKind::Continue ||
         std::any_of(s->children.begin(), s->children.end(), continues);
}

/// `s` with `statements` before each continue of the loop around it.
ir::StmtPtr beforeContinues(const ir::StmtPtr &s, const std::vector<ir::StmtPtr> &statements) {
  if (!continues(s))
    return s;
  if (s->kind == ir::StmtKind::Continue) {
    std::vector<ir::StmtPtr> all = statements;
    all.push_back(s);
    return ir::block(std::move(all), s->location);
  }
  std::vector<ir::StmtPtr> children;
  for (const ir::StmtPtr &child : s->children)
    children.push_back(beforeContinues(child, statements));
  return ir::withChildren(s, std::move(children));
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
    const clang::Stmt *const outer = std::exchange(braces, compound);
    ++depth;
    for (const clang::Stmt *child : compound->children())
      statement(child, children);
    --depth;
    braces = outer;
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
    doStatement(*doLoop, into);
  } else if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
    rangeStatement(*range, into);
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
  Stmts *const outer = std::exchange(before, &into);
  effect(e, into);
  before = outer;
}

/// An expression whose value nothing uses.
void FunctionLowering::effect(const clang::Expr *e, Stmts &into) {
  e = e->IgnoreParenImpCasts();
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(e))
    return effect(cleanups->getSubExpr(), into);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (operation->isAssignmentOp())
      return withIncrements(e, into, [&] { assignment(*operation, into); });
    if (operation->isCommaOp()) {
      effect(operation->getLHS(), into);
      return effect(operation->getRHS(), into);
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
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(operation->getCalleeDecl());
    if (operation->getOperator() == clang::OO_Equal && isRecord(operation->getArg(0)->getType()) &&
        method != nullptr && (method->isDefaulted() || isPair(operation->getArg(0)->getType())))
      return assignRecord(*operation, into);
  }
  if (const auto *called = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (const clang::FunctionDecl *callee = inlinedCallee(*called)) {
      withIncrements(e, into, [&] { inlinedCall(*called, *callee); });
      return;
    }
    if (exchangeValues(*called, into))
      return;
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
  ir::ExprPtr value =
      e.getOpcode() == clang::BO_Assign ? wholeValue(e.getRHS()) : expression(e.getRHS());
  // What the left side does, it does after the right one is known.
  Stmts ofTarget;
  Stmts *const outer = std::exchange(before, &ofTarget);
  ir::ExprPtr target = assignable(e.getLHS());
  before = outer;
  if (value && !ofTarget.empty() && value->kind != ir::ExprKind::Literal &&
      value->kind != ir::ExprKind::Atomic)
    value = named(value, "value", into);
  into.insert(into.end(), ofTarget.begin(), ofTarget.end());
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
  Stmts first;
  ir::ExprPtr decided = condition(s.getCond(), first);
  ir::StmtPtr then = substatement(s.getThen());
  ir::StmtPtr otherwise = s.getElse() != nullptr ? substatement(s.getElse()) : nullptr;
  if (!decided)
    return;
  ir::StmtPtr branch = ir::ifThen(decided, then, otherwise, at(s.getIfLoc()));
  if (!first.empty()) {
    first.push_back(branch);
    branch = ir::block(std::move(first), at(s.getIfLoc()));
  }
  into.push_back(branch);
}

/// The body of a loop with several increments: all but one, which `increment` becomes, are
/// done at the body's end, and where it goes on with the next round.
ir::StmtPtr FunctionLowering::withMoreIncrements(const ir::StmtPtr &body, Stmts increments,
                                                 ir::StmtPtr &increment) {
  // The one that is likely to count comes first; where the order matters, the last stays.
  bool isFree = std::all_of(increments.begin() + 1, increments.end(), [&](const auto &other) {
    return areIndependent(*increments.front(), *other);
  });
  if (!isFree)
    std::rotate(increments.begin(), std::prev(increments.end()), increments.end());
  increment = increments.front();
  const Stmts others(increments.begin() + 1, increments.end());
  increments.front() = beforeContinues(body, others);
  return ir::block(std::move(increments), body->location);
}

/// `do body while (c);` where c needs statements first: a loop whose rounds but the first begin with them.
void FunctionLowering::doStatement(const clang::DoStmt &s, Stmts &into) {
  const ir::SourceLocation place = at(s.getDoLoc());
  ir::StmtPtr body = substatement(s.getBody());
  Stmts first;
  const ir::ExprPtr goesOn = condition(s.getCond(), first);
  if (!goesOn)
    return;
  if (first.empty()) {
    into.push_back(ir::doWhile(body, goesOn, place));
    return;
  }
  if (!continues(body)) { // `holds` is declared outside of the body
    Stmts all{body};
    for (const ir::StmtPtr &each : first) {
      if (each->kind != ir::StmtKind::Decl) {
        all.push_back(each);
        continue;
      }
      into.push_back(ir::declare(each->var, nullptr, each->location));
      if (each->value)
        all.push_back(
            ir::assign(ir::varRef(each->var, each->location), "=", each->value, each->location));
    }
    into.push_back(ir::doWhile(ir::block(std::move(all), place), goesOn, place));
    return;
  }
  ir::Var var;
  var.name = "again";
  var.kind = ir::VarKind::Local;
  var.type = ir::scalarType(ir::Scalar::Bool);
  var.location = place;
  const auto again = std::make_shared<const ir::Var>(std::move(var));
  auto is = [&](std::int64_t value) { return integerAt(value, ir::Scalar::Bool, place); };
  first.push_back(ir::ifThen(ir::unary("!", goesOn, place), ir::jump(ir::StmtKind::Break, place),
                             nullptr, place));
  into.push_back(ir::declare(again, is(0), place));
  into.push_back(ir::forLoop(
      nullptr, nullptr, nullptr,
      ir::block(
          {ir::ifThen(ir::varRef(again, place), ir::block(std::move(first), place), nullptr, place),
           ir::assign(ir::varRef(again, place), "=", is(1), place), body},
          place),
      place));
}

void FunctionLowering::forStatement(const clang::ForStmt &s, Stmts &into) {
  if (s.getConditionVariable() != nullptr) {
    unsupported(s.getForLoc(), "declaration in the condition of a loop");
    return;
  }
  Stmts init;
  if (s.getInit() != nullptr)
    statement(s.getInit(), init);
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
    body = withMoreIncrements(body, after, increment);
  if (!first.empty()) {
    body = endedBy(goesOn, std::move(first), body);
    goesOn = nullptr;
  }
  if (init.size() <= 1) {
    ir::StmtPtr only = init.empty() ? nullptr : init.front();
    into.push_back(ir::forLoop(only, goesOn, increment, body, place));
    return;
  }
  // Several variables are declared in a block of their own around the loop.
  init.push_back(ir::forLoop(nullptr, goesOn, increment, body, place));
  into.push_back(ir::block(std::move(init), place));
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
  if (!inlined.empty() && inlined.back().givesSelf) {
    into.push_back(ir::returns(nullptr, place));
    return;
  }
  if (s.getRetValue()->getType()->isVoidType()) {
    expressionStatement(s.getRetValue(), into);
    into.push_back(ir::returns(nullptr, place));
    return;
  }
  Stmts *const outer = std::exchange(before, &into);
  returnedValue(s, into);
  before = outer;
}

void FunctionLowering::returnedValue(const clang::ReturnStmt &s, Stmts &into) {
  const ir::SourceLocation place = at(s.getSourceRange());
  if (!inlined.empty() && inlined.back().record != nullptr) {
    const Record &result = *inlined.back().record;
    if (const auto value = recordOf(s.getRetValue())) {
      recordAssignment(result, *value, place, into);
      into.push_back(ir::returns(nullptr, place));
    }
    return;
  }
  // What is done after the value is known is not seen any more.
  const Increments increments = incrementsIn(s.getRetValue());
  into.insert(into.end(), increments.before.begin(), increments.before.end());
  ir::ExprPtr value = expression(s.getRetValue());
  if (!value)
    return;
  if (!inlined.empty()) {
    const ir::VarPtr &result = inlined.back().result;
    into.push_back(
        ir::assign(ir::varRef(result, place), "=", convert(value, result->type.scalar), place));
    into.insert(into.end(), increments.after.begin(), increments.after.end());
    into.push_back(ir::returns(nullptr, place));
    return;
  }
  auto type = typeOf(file.ast, function.getReturnType().getNonReferenceType());
  if (type)
    into.push_back(ir::returns(convert(value, type->scalar), place));
}

} // namespace tangram::frontend

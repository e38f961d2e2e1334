// Increments whose values are used: `out[n++] = x;` is `out[n] = x; n += 1;`, where nothing else in the expression
// uses n, and n++ is evaluated whatever the rest of it is.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

/// sizeof and its like, of whose operand only the type counts.
bool isUnevaluated(const clang::Stmt *s) { return llvm::isa<clang::UnaryExprOrTypeTraitExpr>(s); }

struct Increment {
  const clang::UnaryOperator *written;
  const clang::Stmt *operand; ///< of &&, || or ?:, which may not be evaluated; null: of none
};

/// The increments in `s`, lambdas aside. False: one of them is evaluated under a condition alone.
bool collectIncrements(const clang::Stmt *s, const clang::Stmt *operand,
                       std::vector<Increment> &found) {
  if (s == nullptr || isUnevaluated(s) || llvm::isa<clang::LambdaExpr>(s))
    return true;
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
      operation != nullptr && operation->isIncrementDecrementOp()) {
    found.push_back({operation, operand});
    return operand == nullptr;
  }
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(s);
  const bool chooses =
      llvm::isa<clang::ConditionalOperator>(s) || (binary != nullptr && binary->isLogicalOp());
  bool first = true;
  bool all = true;
  for (const clang::Stmt *child : s->children()) {
    all &= collectIncrements(child, chooses && !first ? child : operand, found);
    first = false;
  }
  return all;
}

unsigned usesOf(const clang::ValueDecl *variable, const clang::Stmt *s) {
  if (s == nullptr || isUnevaluated(s))
    return 0;
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(s);
  unsigned uses = named != nullptr && named->getDecl() == variable ? 1 : 0;
  for (const clang::Stmt *child : s->children())
    uses += usesOf(variable, child);
  return uses;
}

} // namespace

FunctionLowering::Increments FunctionLowering::incrementsIn(const clang::Expr *e) {
  std::vector<Increment> found;
  Increments result;
  const bool isUnconditional = collectIncrements(e, nullptr, found);
  for (const auto &[each, operand] : found) {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(each->getSubExpr()->IgnoreParens());
    const auto *variable =
        named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
    const auto known = variable != nullptr ? variables.find(variable) : variables.end();
    if (known == variables.end() || known->second->kind == ir::VarKind::Shared ||
        usesOf(variable, operand != nullptr ? operand : e) != 1)
      continue;             // reported where it is used
    if (!isUnconditional) { // what stands before the operand is evaluated before it
      conditionalIncrements.insert(each);
      continue;
    }
    increment(*each, each->isPrefix() ? result.before : result.after);
    usedIncrements.insert(each);
  }
  return result;
}

void FunctionLowering::withIncrements(const clang::Expr *e, Stmts &into,
                                      const std::function<void()> &lower) {
  Increments increments = incrementsIn(e);
  into.insert(into.end(), increments.before.begin(), increments.before.end());
  lower();
  into.insert(into.end(), increments.after.begin(), increments.after.end());
}

ir::ExprPtr FunctionLowering::condition(const clang::Expr *e, Stmts &first) {
  Increments increments = incrementsIn(e);
  first = std::move(increments.before);
  ir::ExprPtr value = hoisted(&first, e);
  if (!value || increments.after.empty())
    return value;
  ir::Var var;
  var.name = "holds";
  var.kind = ir::VarKind::Local;
  var.type = ir::scalarType(ir::Scalar::Bool);
  var.location = at(e->getSourceRange());
  const auto holds = std::make_shared<const ir::Var>(var);
  first.push_back(ir::declare(holds, convert(value, ir::Scalar::Bool), var.location));
  first.insert(first.end(), increments.after.begin(), increments.after.end());
  return ir::varRef(holds, var.location);
}

/// The body of an endless loop that the condition ends.
ir::StmtPtr FunctionLowering::endedBy(const ir::ExprPtr &condition, Stmts first,
                                      const ir::StmtPtr &body) {
  const ir::SourceLocation &place = condition->location;
  first.push_back(ir::ifThen(ir::unary("!", condition, place), ir::jump(ir::StmtKind::Break, place),
                             nullptr, place));
  first.push_back(body);
  return ir::block(std::move(first), body->location);
}

} // namespace tangram::frontend

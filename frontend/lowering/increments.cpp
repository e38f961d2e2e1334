// Increments whose values are used: `out[n++] = x;` is `out[n] = x; n += 1;`, where nothing else in the expression
// uses n, and n++ is evaluated whatever the rest of it is. An increment of an element, `out[i] = --n[key[i]];`, becomes a statement
// of its own before the expression, if nothing else in the expression uses the container.
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

bool contains(const Record &record, const ir::VarPtr &variable) {
  return std::ranges::any_of(record.numbers,
                             [&](const auto &member) {
                               const ir::ExprPtr &e = member.second;
                               return e->kind == ir::ExprKind::Var && e->var == variable;
                             }) ||
         std::ranges::any_of(record.records,
                             [&](const auto &inner) { return contains(*inner.second, variable); });
}

} // namespace

bool hasIncrements(const clang::Stmt &s) {
  std::vector<Increment> found;
  collectIncrements(&s, nullptr, found);
  return !found.empty();
}

/// The struct that a name, `this` or a member is; null for all else, without a word.
std::shared_ptr<const Record> FunctionLowering::namedStruct(const clang::Expr *e) const {
  e = e->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(e))
    return self;
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto known = records.find(name->getDecl());
    return known != records.end() ? known->second : nullptr;
  }
  const auto *inner = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto *field =
      inner != nullptr ? llvm::dyn_cast<clang::FieldDecl>(inner->getMemberDecl()) : nullptr;
  const auto outer = field != nullptr ? namedStruct(inner->getBase()) : nullptr;
  const bool isKnown = outer && outer->records.count(field) != 0;
  return isKnown ? outer->records.at(field) : nullptr;
}

/// The variable of a number that a name, a reference or a member of a struct is; null for all else.
ir::VarPtr FunctionLowering::namedNumber(const clang::Expr *e) const {
  e = e->IgnoreParens();
  ir::ExprPtr number;
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (const auto known = variables.find(variable); known != variables.end())
      return known->second;
    const auto known = aliases.find(name->getDecl());
    number = known != aliases.end() ? known->second : nullptr;
  } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto record = namedStruct(member->getBase());
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (record && field != nullptr && record->numbers.count(field) != 0)
      number = record->numbers.at(field);
  }
  return number && number->kind == ir::ExprKind::Var ? number->var : nullptr;
}

/// The container or private array, under its own name, whose element `e` is; null for all else.
ir::VarPtr FunctionLowering::containerOfElement(const clang::Expr *e) const {
  e = e->IgnoreParenImpCasts();
  const clang::Expr *inner = nullptr;
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    inner = element->getBase();
  else if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
           call != nullptr && call->getOperator() == clang::OO_Subscript)
    inner = call->getArg(0);
  if (inner == nullptr)
    return nullptr;
  const ir::VarPtr named = namedNumber(inner->IgnoreParenImpCasts());
  return named ? named : containerOfElement(inner);
}

/// How often `s` uses a variable, by whatever name, or a struct that it is a member of.
unsigned FunctionLowering::usesOf(const ir::VarPtr &variable, const clang::Stmt *s) const {
  if (s == nullptr || isUnevaluated(s))
    return 0;
  const auto *e = llvm::dyn_cast<clang::Expr>(s);
  const bool isName = llvm::isa<clang::DeclRefExpr>(s) || llvm::isa<clang::CXXThisExpr>(s) ||
                      llvm::isa<clang::MemberExpr>(s);
  if (isName && namedNumber(e) != nullptr)
    return namedNumber(e) == variable ? 1 : 0;
  const auto record = isName ? namedStruct(e) : nullptr;
  if (record)
    return contains(*record, variable) ? 1 : 0;
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(s);
  if (member != nullptr && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
      namedStruct(member->getBase()))
    return 0; // an array
  unsigned uses = 0;
  for (const clang::Stmt *child : s->children())
    uses += usesOf(variable, child);
  return uses;
}

FunctionLowering::Increments FunctionLowering::incrementsIn(const clang::Expr *e) {
  std::vector<Increment> found;
  Increments result;
  const bool isUnconditional = collectIncrements(e, nullptr, found);
  for (const auto &[each, operand] : found) {
    const ir::VarPtr number = namedNumber(each->getSubExpr());
    const ir::VarPtr variable = number ? number : containerOfElement(each->getSubExpr());
    if (!variable || variable->kind == ir::VarKind::Shared ||
        usesOf(variable, operand != nullptr ? operand : e) != 1)
      continue; // reported where it is used
    // An increment under a condition, or of an element, is hoisted where it stands: the operands to its left are evaluated first.
    if (!isUnconditional || !number) {
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

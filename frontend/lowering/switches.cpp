// switch statements, as the chains of if that they are when no case falls through.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

namespace tangram::frontend {

namespace {

/// The break, continue or return that `s` ends by, or null.
const clang::Stmt *endOf(const clang::Stmt *s) {
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(s))
    return compound->body_empty() ? nullptr : endOf(compound->body_back());
  bool isEnd = llvm::isa<clang::BreakStmt>(s) || llvm::isa<clang::ContinueStmt>(s) ||
               llvm::isa<clang::ReturnStmt>(s);
  return isEnd ? s : nullptr;
}

/// A break of the switch around `s` other than `end`, or null.
const clang::Stmt *strayBreak(const clang::Stmt *s, const clang::Stmt *end) {
  if (s == nullptr || s == end || llvm::isa<clang::Expr>(s))
    return nullptr;
  if (llvm::isa<clang::BreakStmt>(s))
    return s;
  bool hasBreaksOfItsOwn = llvm::isa<clang::ForStmt>(s) || llvm::isa<clang::WhileStmt>(s) ||
                           llvm::isa<clang::DoStmt>(s) || llvm::isa<clang::SwitchStmt>(s);
  if (hasBreaksOfItsOwn)
    return nullptr;
  for (const clang::Stmt *child : s->children()) {
    if (const clang::Stmt *found = strayBreak(child, end))
      return found;
  }
  return nullptr;
}

} // namespace

/// Divides a switch into its sections; false after an error.
bool FunctionLowering::switchSections(const clang::SwitchStmt &s,
                                      std::vector<SwitchSection> &sections) {
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(s.getBody());
  if (body == nullptr || s.getInit() != nullptr || s.getConditionVariable() != nullptr) {
    unsupported(s.getSwitchLoc(), body == nullptr ? "switch without braces"
                                                  : "declaration in the condition of a switch");
    return false;
  }
  for (const clang::Stmt *child : body->body()) {
    const auto *label = llvm::dyn_cast<clang::SwitchCase>(child);
    if (label != nullptr && !sections.empty() &&
        endOf(sections.back().statements.back()) == nullptr) {
      unsupported(label->getKeywordLoc(), "case that the one before falls through to");
      return false;
    }
    if (label != nullptr)
      sections.emplace_back();
    for (; label != nullptr; label = llvm::dyn_cast<clang::SwitchCase>(child)) {
      child = label->getSubStmt();
      if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
        sections.back().cases.push_back(value);
      else
        sections.back().isDefault = true;
    }
    if (sections.empty() || llvm::isa<clang::DeclStmt>(child)) {
      unsupported(child->getBeginLoc(), sections.empty()
                                            ? "statement before the first case of a switch"
                                            : "variable of a case without braces");
      return false;
    }
    sections.back().statements.push_back(child);
  }
  return true;
}

ir::ExprPtr FunctionLowering::caseCondition(const ir::ExprPtr &selected,
                                            const SwitchSection &section) {
  ir::ExprPtr condition;
  for (const clang::CaseStmt *each : section.cases) {
    auto value = integerConstant(file.ast, each->getLHS());
    if (!value || each->caseStmtIsGNURange())
      return unsupported(each->getSourceRange(), "range of cases");
    ir::SourceLocation place = at(each->getLHS()->getSourceRange());
    ir::ExprPtr is =
        ir::binary("==", selected, integerAt(*value, selected->type.scalar, place), place);
    condition = condition ? ir::binary("||", condition, is, place) : is;
  }
  return condition;
}

/// The statements of a section, without the break at its end.
ir::StmtPtr FunctionLowering::sectionBody(const SwitchSection &section) {
  const clang::Stmt *end = endOf(section.statements.back());
  const clang::Stmt *outer = impliedBreak;
  impliedBreak = end;
  Stmts body;
  ++depth;
  for (const clang::Stmt *each : section.statements) {
    if (const clang::Stmt *stray = strayBreak(each, end))
      unsupported(stray->getSourceRange(), "break in the middle of a case");
    statement(each, body);
  }
  --depth;
  impliedBreak = outer;
  return ir::block(std::move(body), at(section.statements.front()->getBeginLoc()));
}

void FunctionLowering::switchStatement(const clang::SwitchStmt &s, Stmts &into) {
  std::vector<SwitchSection> sections;
  ir::ExprPtr selected = expression(s.getCond());
  auto type = typeOf(file.ast, s.getCond()->getType());
  if (!switchSections(s, sections) || !selected || !type)
    return;
  ir::SourceLocation place = at(s.getSwitchLoc());
  if (selected->kind != ir::ExprKind::Var) {
    ir::Var var{"selected", *type, ir::VarKind::Local, place, {}, {}};
    auto kept = std::make_shared<const ir::Var>(std::move(var));
    into.push_back(ir::declare(kept, selected, place));
    selected = ir::varRef(kept, place);
  }
  ir::StmtPtr chain;
  for (const SwitchSection &section : sections) {
    if (section.isDefault)
      chain = sectionBody(section);
  }
  for (auto section = sections.rbegin(); section != sections.rend(); ++section) {
    if (section->isDefault)
      continue;
    ir::ExprPtr condition = caseCondition(selected, *section);
    ir::StmtPtr body = sectionBody(*section);
    if (condition)
      chain = ir::ifThen(condition, body, chain, place);
  }
  if (chain)
    into.push_back(chain);
}

} // namespace tangram::frontend

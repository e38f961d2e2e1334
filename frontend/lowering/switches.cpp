// switch statements, as chains of if. A case that falls through has the statements of the next one as well.
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

/// A break of the switch around `s` other than `end`, or null; a continue where `kind` says so.
const clang::Stmt *strayJump(const clang::Stmt *s, const clang::Stmt *end,
                             clang::Stmt::StmtClass kind) {
  if (s == nullptr || s == end || llvm::isa<clang::Expr>(s))
    return nullptr;
  if (s->getStmtClass() == kind)
    return s;
  const bool isLoop = llvm::isa<clang::ForStmt>(s) || llvm::isa<clang::WhileStmt>(s) ||
                      llvm::isa<clang::DoStmt>(s) || llvm::isa<clang::CXXForRangeStmt>(s);
  if (isLoop || (llvm::isa<clang::SwitchStmt>(s) && kind == clang::Stmt::BreakStmtClass))
    return nullptr;
  for (const clang::Stmt *child : s->children()) {
    if (const clang::Stmt *found = strayJump(child, end, kind))
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
    if (label != nullptr)
      sections.emplace_back();
    for (; label != nullptr; label = llvm::dyn_cast<clang::SwitchCase>(child)) {
      child = label->getSubStmt();
      if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
        sections.back().cases.push_back(value);
      else
        sections.back().isDefault = true;
    }
    if (sections.empty()) {
      unsupported(child->getBeginLoc(), "statement before the first case of a switch");
      return false;
    }
    sections.back().statements.push_back(child);
  }
  return joinFallThrough(sections);
}

/// Gives sections that fall through what they fall through to; false where the copies are more than a switch may have.
bool FunctionLowering::joinFallThrough(std::vector<SwitchSection> &sections) {
  constexpr std::size_t most = 2000;
  std::size_t count = 0;
  for (std::size_t k = sections.size(); k-- > 0;) {
    SwitchSection &section = sections[k];
    if (k + 1 < sections.size() && endOf(section.statements.back()) == nullptr)
      section.statements.insert(section.statements.end(), sections[k + 1].statements.begin(),
                                sections[k + 1].statements.end());
    count += section.statements.size();
    if (count > most) {
      unsupported(section.statements.front()->getSourceRange(),
                  "switch whose cases fall through to more than " + std::to_string(most) +
                      " statements");
      return false;
    }
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
  bool leaves = false; // in its middle
  const clang::Stmt *goesOn = nullptr;
  for (const clang::Stmt *each : section.statements) {
    leaves |= strayJump(each, end, clang::Stmt::BreakStmtClass) != nullptr;
    if (goesOn == nullptr)
      goesOn = strayJump(each, nullptr, clang::Stmt::ContinueStmtClass);
    statement(each, body);
  }
  --depth;
  impliedBreak = outer;
  const ir::SourceLocation place = at(section.statements.front()->getBeginLoc());
  if (!leaves)
    return ir::block(std::move(body), place);
  if (goesOn != nullptr)
    unsupported(goesOn->getSourceRange(),
                "continue in a case that has a break in its middle: use if instead of switch");
  // A loop of one round, which breaks leave.
  return ir::doWhile(ir::block(std::move(body), place), integerAt(0, ir::Scalar::Bool, place),
                     place);
}

void FunctionLowering::switchStatement(const clang::SwitchStmt &s, Stmts &into) {
  std::vector<SwitchSection> sections;
  ir::ExprPtr selected = hoisted(&into, s.getCond());
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

#include "codegen/form/statement_text.h"

namespace tangram::codegen {

using namespace ir;

SourceLocation locationOf(const Stmt &s) {
  SourceLocation found = s.location;
  forEachOwnExpr(s, [&](const ExprPtr &own) {
    forEach(own, [&](const Expr &e) {
      if (!found.valid() && e.location.valid())
        found = e.location;
    });
  });
  return found;
}

std::string statementText(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::If:
    return "if (" + toString(s.value) + ")";
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    return s.value ? "while (" + toString(s.value) + ")" : "loop";
  case StmtKind::Parallel:
    return "parallel " + (s.var ? s.var->name + " < " : "") + toString(s.value);
  case StmtKind::Barrier:
    return "barrier";
  default: {
    std::string text = toString(block({std::make_shared<Stmt>(s)}));
    const std::size_t from = text.find_first_not_of(" \n{");
    if (s.kind == StmtKind::Window) // without its body
      return text.substr(from, text.find('\n', from) - from);
    const std::size_t to = text.find_last_not_of(" \n}");
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
  }
  }
}

} // namespace tangram::codegen

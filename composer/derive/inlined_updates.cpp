#include "composer/derive/inlined_updates.h"

#include "composer/derive/statements.h"

#include <algorithm>
#include <vector>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

/// Functions that one call of a function leads to, at most.
constexpr int mostCalls = 4;

/// The value that the function returns, where returning it is all that the function does; else null.
ExprPtr valueOf(const ir::Function &function) {
  const ir::Stmt *only = function.body ? onlyStatement(function.body) : nullptr;
  return only != nullptr && only->kind == StmtKind::Return ? only->value : nullptr;
}

/// The value of a call, in the expression of its function; null where the function is more than one, or none.
ExprPtr writtenOut(const ir::Program &program, const ir::Expr &call) {
  const auto function = std::ranges::find(program.functions, call.callee, &ir::Function::name);
  const ExprPtr value = function == program.functions.end() ? nullptr : valueOf(*function);
  const bool fits =
      value && function->params.size() == call.args.size() &&
      std::ranges::none_of(function->params, [](const auto &p) { return p->type.isContainer(); });
  if (!fits)
    return nullptr;
  const ExprPtr made = ir::rewrite(value, [&](const ExprPtr &e) -> ExprPtr {
    const auto param = e->kind == ExprKind::Var ? std::ranges::find(function->params, e->var)
                                                : function->params.end();
    if (param == function->params.end())
      return e;
    const auto number = static_cast<std::size_t>(param - function->params.begin());
    return ir::cast((*param)->type.scalar, call.args[number]);
  });
  return ir::cast(function->result.scalar, made);
}

StmtPtr withUpdate(const ir::Program &program, const StmtPtr &s) {
  if (s->kind != StmtKind::Assign || s->op != "=")
    return s;
  ExprPtr value = s->value;
  const auto updates = [&] {
    return value->kind == ExprKind::Call &&
           std::ranges::any_of(value->args,
                               [&](const ExprPtr &arg) { return ir::sameExpr(arg, s->target); });
  };
  for (int calls = 0; calls < mostCalls && updates(); ++calls) {
    const ExprPtr written = writtenOut(program, *value);
    if (!written)
      break;
    value = written;
  }
  return value == s->value ? s : ir::assign(s->target, "=", value, s->location);
}

} // namespace

ir::Program withInlinedUpdates(ir::Program program) {
  const ir::Program &functions = program;
  for (ir::Spectrum &spectrum : program.spectrums) {
    for (ir::Codelet &codelet : spectrum.codelets)
      codelet.body =
          ir::rewrite(codelet.body, [&](const StmtPtr &s) { return withUpdate(functions, s); });
  }
  return program;
}

} // namespace tangram::composer

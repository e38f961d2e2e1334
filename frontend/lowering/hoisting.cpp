// What is done before the expression that it is part of: assignments, increments and calls that are inlined, where
// their values are used. `while ((x = in[n]) != 0)` assigns, then compares x. Where C++ evaluates an operand under a
// condition alone, that condition becomes an `if`.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <utility>

namespace tangram::frontend {

/// `e`, and before it, in `into`, what it needs. Null: there is no place for such statements.
ir::ExprPtr FunctionLowering::hoisted(Stmts *into, const clang::Expr *e) {
  Stmts *const outer = std::exchange(before, into);
  ir::ExprPtr value = expression(e);
  before = outer;
  return value;
}

/// Expressions of which each is evaluated before the next one; null after an error.
std::vector<ir::ExprPtr>
FunctionLowering::hoistedInOrder(const std::vector<const clang::Expr *> &all) {
  std::vector<ir::ExprPtr> values;
  for (const clang::Expr *each : all) {
    Stmts first;
    values.push_back(hoisted(before != nullptr ? &first : nullptr, each));
    if (first.empty())
      continue;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      if (values[i] && values[i]->kind != ir::ExprKind::Literal)
        values[i] = named(values[i], "value", *before);
    }
    before->insert(before->end(), first.begin(), first.end());
  }
  return values;
}

/// A variable that holds a number or vector.
ir::ExprPtr FunctionLowering::named(const ir::ExprPtr &value, const std::string &name,
                                    Stmts &into) {
  ir::Var var;
  var.name = name;
  var.kind = ir::VarKind::Local;
  var.type = value->type;
  var.location = value->location;
  const auto kept = std::make_shared<const ir::Var>(std::move(var));
  into.push_back(ir::declare(kept, value, value->location));
  return ir::varRef(kept, value->location);
}

/// `condition ? ifTrue : ifFalse`, as an `if` where one of them needs statements first.
ir::ExprPtr FunctionLowering::chosen(const ir::ExprPtr &condition, const ir::ExprPtr &ifTrue,
                                     Stmts whenTrue, const ir::ExprPtr &ifFalse, Stmts whenFalse,
                                     const clang::Expr &e) {
  const ir::SourceLocation place = at(e.getSourceRange());
  const auto type = typeOf(file.ast, e.getType());
  ir::Var var;
  var.name = "chosen";
  var.kind = ir::VarKind::Local;
  var.type = *type;
  var.location = place;
  const auto kept = std::make_shared<const ir::Var>(std::move(var));
  const ir::ExprPtr result = ir::varRef(kept, place);
  whenTrue.push_back(ir::assign(result, "=", convert(ifTrue, type->scalar), place));
  whenFalse.push_back(ir::assign(result, "=", convert(ifFalse, type->scalar), place));
  before->push_back(ir::declare(kept, nullptr, place));
  before->push_back(ir::ifThen(condition, ir::block(std::move(whenTrue), place),
                               ir::block(std::move(whenFalse), place), place));
  return result;
}

/// A variable or element whose subscripts have names.
ir::ExprPtr FunctionLowering::fixed(const ir::ExprPtr &place, Stmts &into) {
  std::vector<ir::ExprPtr> args = place->args;
  for (std::size_t i = 1; place->kind == ir::ExprKind::Index && i < args.size(); ++i) {
    if (args[i]->kind != ir::ExprKind::Literal)
      args[i] = named(args[i], "at", into);
  }
  return ir::withArgs(place, std::move(args));
}

/// `x = y`, `x += y` used as a value: that of x afterwards.
ir::ExprPtr FunctionLowering::assignmentValue(const clang::Expr &e) {
  if (before == nullptr)
    return unsupported(e.getSourceRange(), "assignment used as a value");
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&e);
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e);
  const std::size_t known = before->size();
  if (binary != nullptr)
    assignment(*binary, *before);
  else
    vectorAssignment(*operation, *before);
  if (before->size() == known || before->back()->kind != ir::StmtKind::Assign)
    return nullptr;
  const ir::StmtPtr made = before->back();
  before->pop_back();
  const ir::ExprPtr target = fixed(made->target, *before);
  before->push_back(ir::assign(target, made->op, made->value, made->location));
  return target;
}

/// `++x`, `x++` used as a value under a condition.
ir::ExprPtr FunctionLowering::incrementValue(const clang::UnaryOperator &e) {
  const ir::ExprPtr written = assignable(e.getSubExpr());
  if (!written)
    return nullptr;
  const ir::ExprPtr target = fixed(written, *before);
  const ir::SourceLocation place = at(e.getSourceRange());
  const ir::ExprPtr old = e.isPrefix() ? nullptr : named(target, "old", *before);
  const ir::ExprPtr one = convert(integerAt(1, ir::Scalar::I32, place), target->type.scalar);
  before->push_back(ir::assign(target, e.isIncrementOp() ? ir::Operator("+=") : "-=", one, place));
  return old ? old : target;
}

} // namespace tangram::frontend

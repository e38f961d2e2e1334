// Read-modify-write of an element that several workers share.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"
#include "frontend/vectors/components.h"

#include <map>

namespace tangram::frontend {

namespace {

/// The IR's operators.
const std::map<std::string, std::string> &atomics() {
  static const std::map<std::string, std::string> all{{"atomicAdd", "add"},
                                                      {"atomicMin", "min"},
                                                      {"atomicMax", "max"},
                                                      {"atomicExchange", "exchange"},
                                                      {"atomicCAS", "cas"}};
  return all;
}

bool isShared(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Shared;
}

/// An element of a container or of a shared array, a shared variable, or a component of one of these.
bool isAtomicTarget(const ir::Expr &e) {
  if (e.kind != ir::ExprKind::Index)
    return isShared(e);
  if (isComponent(e))
    return isAtomicTarget(*e.args[0]);
  return e.args[0]->type.isContainer() || isShared(*e.args[0]);
}

bool isAtomicType(ir::Scalar type, const std::string &name) {
  if (ir::isFloating(type))
    return name == "atomicAdd";
  return ir::isInteger(type) && type != ir::Scalar::Bool && ir::byteSize(type) >= 4;
}

} // namespace

bool isAtomicName(const std::string &name) { return atomics().count(name) != 0; }

ir::ExprPtr FunctionLowering::wholeValue(const clang::Expr *e) {
  std::string name = primitiveName(e);
  if (!isAtomicName(name) || !isCodelet())
    return expression(e);
  const auto &call = *llvm::cast<clang::CallExpr>(e->IgnoreUnlessSpelledInSource());
  auto type = typeOf(file.ast, e->getType());
  ir::ExprPtr value = atomic(call, name);
  if (!value || !type || ir::isFloating(type->scalar) == ir::isFloating(value->type.scalar))
    return value;
  file.error(value->location, "'" + name + "' gives '" + ir::spelling(value->type) +
                                  "': keep it in a variable of that type, and convert that");
  return nullptr;
}

ir::ExprPtr FunctionLowering::atomic(const clang::CallExpr &e, const std::string &name) {
  ir::ExprPtr target = expression(e.getArg(0));
  if (!target)
    return nullptr;
  ir::Scalar type = target->type.scalar;
  auto refuse = [&](const std::string &message) -> ir::ExprPtr {
    file.error(target->location, message);
    return nullptr;
  };
  if (target->type.isContainer() || !isAtomicTarget(*target))
    return refuse("'" + name +
                  "' works on an element of an output or of a '__shared' array, or "
                  "on a '__shared' scalar");
  if (!checkWritable(*target))
    return nullptr;
  if (target->type.lanes > 1)
    return refuse("'" + name + "' works on numbers, not on '" + ir::spelling(target->type) +
                  "': use it on the components, one by one");
  if (!isAtomicType(type, name))
    return refuse("'" + name + "' works on integers of 32 and 64 bits" +
                  (name == "atomicAdd" ? ", float and double" : "") + ", not on '" +
                  ir::spelling(ir::scalarType(type)) + "'");
  std::vector<ir::ExprPtr> args{target};
  for (unsigned i = 1; i < e.getNumArgs(); ++i) {
    ir::ExprPtr value = expression(e.getArg(i));
    if (!value)
      return nullptr;
    args.push_back(convert(value, type));
  }
  ir::Expr made = *ir::node(ir::ExprKind::Atomic, ir::scalarType(type), std::move(args),
                            at(e.getSourceRange()));
  made.op = *ir::Operator::named(atomics().at(name));
  return std::make_shared<const ir::Expr>(std::move(made));
}

} // namespace tangram::frontend

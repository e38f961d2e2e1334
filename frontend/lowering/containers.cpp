// Containers: their sizes and elements, local ones, and results put into them.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"
#include "frontend/lowering/views.h"
#include "ir/swap.h"

#include <algorithm>

namespace tangram::frontend {

/// The size of a view, said of the container it is a view of.
ir::ExprPtr sizeOf(ir::ExprPtr container, std::int64_t dimension, const ir::SourceLocation &place) {
  for (;;) {
    if (ir::ExprPtr size = sizeOfView(container, dimension, place))
      return size;
    if (container->kind == ir::ExprKind::Index)
      dimension += static_cast<std::int64_t>(container->args.size()) - 1;
    else if (container->kind == ir::ExprKind::Transpose)
      dimension = 1 - dimension;
    else if (container->kind == ir::ExprKind::Pad && container->integer == dimension)
      return ir::binary("+", sizeOf(container->args[0], dimension, place),
                        ir::binary("+", container->args[1], container->args[2], place), place);
    else if (container->kind != ir::ExprKind::Pad)
      break;
    container = container->args[0];
  }
  return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {container}, place, {},
                  dimension);
}

ir::ExprPtr FunctionLowering::memberCall(const clang::CXXMemberCallExpr &e) {
  const clang::Expr *object = e.getImplicitObjectArgument();
  LanguageClass objectClass = languageClass(object->getType());
  // What a primitive used wrongly, or in the wrong place, converts to: it is reported itself.
  if (objectClass == LanguageClass::Misused || objectClass == LanguageClass::Domain)
    return expression(object);
  const auto shape = arrayShape(file.ast, object->getType());
  if (shape && e.getMethodDecl()->getName() == "size")
    return integerAt(shape->size, ir::Scalar::U64, at(e.getSourceRange()));
  if (objectClass != LanguageClass::Array || e.getNumArgs() != 1)
    return unsupported(e.getSourceRange(), "member function of a class");
  ir::ExprPtr container = expression(object);
  const clang::Expr *argument = e.getArg(0);
  if (const auto *byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
    argument = byDefault->getExpr();
  auto dimension = integerConstant(file.ast, argument);
  if (!container)
    return nullptr;
  if (!dimension || *dimension < 0 || *dimension >= container->type.rank) {
    file.error(at(argument->getSourceRange()), "dimension of 'size' must be a constant below " +
                                                   std::to_string(container->type.rank));
    return nullptr;
  }
  return sizeOf(std::move(container), *dimension, at(e.getSourceRange()));
}

/// `a[i][j]`: a chain of operator calls becomes one Index.
ir::ExprPtr FunctionLowering::elementOf(const clang::CXXOperatorCallExpr &e) {
  std::vector<ir::ExprPtr> indexes;
  const clang::Expr *base = &e;
  for (;;) {
    base = base->IgnoreParenImpCasts();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(base)) {
      base = temporary->getSubExpr();
      continue;
    }
    const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base);
    if (operation == nullptr || operation->getOperator() != clang::OO_Subscript)
      break;
    indexes.insert(indexes.begin(), expression(operation->getArg(1)));
    base = operation->getArg(0);
  }
  if (languageClass(base->getType()) != LanguageClass::Array)
    return unsupported(e.getSourceRange(), "operator of a class");
  ir::ExprPtr container = expression(base);
  if (!container || std::count(indexes.begin(), indexes.end(), nullptr) != 0)
    return nullptr;
  return elementIn(container, std::move(indexes), at(e.getSourceRange()));
}

/// `Array<2, T> t(n, m);`: the value its declaration starts with.
ir::ExprPtr FunctionLowering::allocation(const clang::CXXConstructExpr &e) {
  ir::SourceLocation place = at(e.getParenOrBraceRange());
  auto type = typeOf(file.ast, e.getType().getUnqualifiedType());
  if (!type)
    return unsupported(e.getSourceRange(),
                       "value of type '" + spelling(file.ast, e.getType()) + "'");
  if (!isCodelet())
    return unsupported(e.getSourceRange(), "local container outside a codelet");
  if (e.getNumArgs() != type->rank) {
    file.error(place, "'" + ir::spelling(*type) + "' takes " + counted(type->rank, "extent") +
                          ", not " + std::to_string(e.getNumArgs()));
    return nullptr;
  }
  std::vector<ir::ExprPtr> extents;
  for (const clang::Expr *argument : e.arguments()) {
    ir::ExprPtr extent = expression(argument->IgnoreImpCasts());
    if (!extent)
      return nullptr;
    if (!isIntegerScalar(*extent)) {
      file.error(extent->location, "extent of a container must be an integer");
      return nullptr;
    }
    extents.push_back(extent->kind == ir::ExprKind::Literal ? convert(extent, ir::Scalar::Index)
                                                            : extent);
  }
  return ir::node(ir::ExprKind::Allocate, *type, std::move(extents), place);
}

/// `y = map(f, c...)`
void FunctionLowering::containerAssignment(const clang::CXXOperatorCallExpr &e, Stmts &into) {
  ir::ExprPtr target = expression(e.getArg(0));
  ir::ExprPtr value = expression(e.getArg(1));
  if (!target || !value)
    return;
  bool isResults = value->kind == ir::ExprKind::Map && value->op.empty();
  if (target->type.nest > 0 || !isResults) {
    unsupported(e.getSourceRange(), "assignment to a container of anything but a map's results");
    return;
  }
  if (target->kind != ir::ExprKind::Var) {
    unsupported(e.getArg(0)->getSourceRange(),
                "assignment to a view without a name; declare a container for it first");
    return;
  }
  if (checkWritable(*target))
    into.push_back(ir::assign(target, "=", value, at(e.getSourceRange())));
}

/// `swap(a, b);` of two containers by name; which they may be is checked when the codelet is known.
void FunctionLowering::exchange(const clang::CallExpr &e, Stmts &into) {
  std::vector<ir::ExprPtr> both;
  for (const clang::Expr *argument : e.arguments()) {
    both.push_back(expression(argument));
    if (!both.back())
      return;
    for (const auto &[name, view] : aliases) {
      const bool isOfIt = both.back()->var && view->kind != ir::ExprKind::Var &&
                          view->type.isContainer() && ir::contains(view, [&](const ir::Expr &each) {
                            return each.kind == ir::ExprKind::Var && each.var == both.back()->var;
                          });
      if (isOfIt)
        file.error(file.places.token(name->getLocation()),
                   "'" + name->getNameAsString() + "' is a view of '" + both.back()->var->name +
                       "', which is swapped: use the view without a name");
    }
    if (both.back()->kind != ir::ExprKind::Var) {
      file.error(both.back()->location, "'swap' exchanges local containers by their names");
      return;
    }
  }
  into.push_back(ir::swapOf(both[0], both[1], at(e.getSourceRange())));
}

/// Reports a container, or an element of one, that is a view of an input.
bool FunctionLowering::checkWritable(const ir::Expr &target) {
  const ir::Expr *base = &target;
  bool isConst = target.type.isContainer() && target.type.isConst;
  while (base->kind == ir::ExprKind::Index || base->kind == ir::ExprKind::Transpose ||
         base->kind == ir::ExprKind::Pad || base->kind == ir::ExprKind::Partition ||
         isIndexFunction(*base)) {
    base = base->args[0].get();
    isConst |= base->type.isContainer() && base->type.isConst;
  }
  if (!isConst)
    return true;
  std::string named = base->kind == ir::ExprKind::Var ? "'" + base->var->name + "'" : "this";
  file.error(target.location, named + " is a view of an input and cannot be written");
  return false;
}

} // namespace tangram::frontend

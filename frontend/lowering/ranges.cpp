// for (T x : c): a loop over the elements of a container of one dimension, the rows of others, an array, or a list.
//
// before: for (float &x : c) x *= 2;
// after:  for (size_t i = 0; i < c.size(); ++i) c[i] *= 2;
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"
#include "frontend/lowering/types.h"
#include "frontend/lowering/views.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

/// An array that holds the values of a list in braces.
std::optional<ArrayPart> FunctionLowering::listOf(const clang::InitListExpr &list, Stmts &into) {
  std::vector<const clang::Expr *> written(list.inits().begin(), list.inits().end());
  const std::vector<ir::ExprPtr> values = hoistedInOrder(written);
  if (values.empty() || std::count(values.begin(), values.end(), nullptr) != 0)
    return std::nullopt;
  const ir::SourceLocation place = at(list.getSourceRange());
  const auto element = typeOf(file.ast, list.getInit(0)->getType());
  if (!element)
    return std::nullopt;
  ArrayPart part;
  part.dimensions = {integerAt(static_cast<std::int64_t>(values.size()), ir::Scalar::Index, place)};
  ir::Var var;
  var.name = "values";
  var.kind = ir::VarKind::Local;
  var.type = *element;
  var.type.isConst = false;
  var.location = place;
  var.extent = part.dimensions.front();
  part.array = std::make_shared<const ir::Var>(std::move(var));
  into.push_back(ir::declare(part.array, nullptr, place));
  for (std::size_t i = 0; i < values.size(); ++i)
    into.push_back(ir::assign(
        ir::index(ir::varRef(part.array, place),
                  {integerAt(static_cast<std::int64_t>(i), ir::Scalar::Index, place)}, place),
        "=", convert(values[i], element->scalar), place));
  return part;
}

/// The container that a loop with this body goes over. The subscripts of a row are evaluated before the loop.
ir::ExprPtr FunctionLowering::rangeOf(const clang::Expr &range, const clang::Stmt *body,
                                      Stmts &into) {
  const ir::ExprPtr container = expression(&range);
  return container && isRow(container) && !composes()
             ? stableRow(container, range, {body, nullptr, nullptr}, into)
             : container;
}

void FunctionLowering::rangeStatement(const clang::CXXForRangeStmt &s, Stmts &into) {
  if (s.getInit() != nullptr)
    statement(s.getInit(), into);
  const ir::SourceLocation place = at(s.getForLoc());
  const clang::Expr *range = s.getRangeInit();
  Stmts *const outer = std::exchange(before, &into);
  ir::ExprPtr container;
  std::optional<ArrayPart> array;
  std::shared_ptr<const RecordArray> items;
  if (languageClass(range->getType()) == LanguageClass::Array)
    container = rangeOf(*range, s.getBody(), into);
  else if (const clang::InitListExpr *list = listIn(range))
    array = listOf(*list, into);
  else if (isRecordArray(range->getType()))
    items = recordArrayOf(*range);
  else
    array = arrayPartOf(*range);
  before = outer;
  if (!container && !array && !items)
    return;
  if (container && container->kind != ir::ExprKind::Var && !isSeenThrough(container) &&
      (!isRow(container) || composes())) {
    ir::Var var;
    var.name = "range";
    var.kind = ir::VarKind::Local;
    var.type = container->type;
    var.location = place;
    const auto kept = std::make_shared<const ir::Var>(std::move(var));
    into.push_back(ir::declare(kept, container, place));
    container = ir::varRef(kept, place);
  }
  ir::Var counter{"i", ir::scalarType(ir::Scalar::Index), ir::VarKind::Local, place, {}, {}};
  const auto i = std::make_shared<const ir::Var>(std::move(counter));
  const ir::ExprPtr number = ir::varRef(i, place);
  const ir::ExprPtr end = container ? sizeOf(container, 0, place)
                          : items   ? items->dimensions.front()
                                    : array->dimensions.front();
  Stmts body;
  const clang::VarDecl &variable = *s.getLoopVariable();
  ++depth;
  bool isDeclared = true;
  if (container)
    isDeclared = elementVariable(variable, elementIn(container, {number}, place), body);
  else if (items)
    itemVariable(variable, *items, number, body);
  else
    isDeclared = rowVariable(variable, *array, number, body);
  if (isDeclared)
    statement(s.getBody(), body);
  --depth;
  if (isDeclared)
    into.push_back(
        ir::forLoop(ir::declare(i, integerAt(0, ir::Scalar::Index, place), place),
                    ir::binary("<", number, end, place),
                    ir::assign(number, "+=", integerAt(1, ir::Scalar::Index, place), place),
                    ir::block(std::move(body), place), place));
}

/// The variable of a loop over an array: an element of it, or a row of an array of arrays.
bool FunctionLowering::rowVariable(const clang::VarDecl &declaration, const ArrayPart &array,
                                   const ir::ExprPtr &number, Stmts &into) {
  const ir::SourceLocation place = number->location;
  if (array.dimensions.size() == 1)
    return elementVariable(
        declaration,
        ir::index(ir::varRef(array.array, place), {numberIn(array, number, place)}, place), into);
  arrayParts[&declaration] = rowOf(array, number, place);
  return true;
}

/// A variable that is, or begins as, an element of a container or array.
bool FunctionLowering::elementVariable(const clang::VarDecl &declaration,
                                       const ir::ExprPtr &element, Stmts &into) {
  const clang::QualType type = declaration.getType();
  const auto wanted = typeOf(file.ast, type.getNonReferenceType());
  if (!wanted) {
    unsupported(declaration.getLocation(), "variable '" + declaration.getNameAsString() +
                                               "' of type '" + spelling(file.ast, type) + "'");
    return false;
  }
  const bool isWritten = type->isReferenceType() && !type->getPointeeType().isConstQualified();
  if (isWritten && !wanted->isContainer()) {
    aliases[&declaration] = element;
    return true;
  }
  bindValue(declaration, wanted->isContainer() ? element : convert(element, wanted->scalar), into);
  return true;
}

} // namespace tangram::frontend

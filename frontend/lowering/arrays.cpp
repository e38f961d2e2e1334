// Arrays of constant size, and `__shared` ones: their elements, rows and values. An array of arrays is one array, row by
// row.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

namespace tangram::frontend {

namespace {

bool isArray(clang::QualType type) {
  return type.getNonReferenceType()->isArrayType() || isStandardArray(type);
}

} // namespace

ir::ExprPtr numberIn(const ArrayPart &part, const ir::ExprPtr &index,
                     const ir::SourceLocation &place) {
  return part.first ? ir::binary("+", part.first, convert(index, ir::Scalar::Index), place) : index;
}

ArrayPart rowOf(const ArrayPart &part, const ir::ExprPtr &index, const ir::SourceLocation &place) {
  ArrayPart row = part;
  row.dimensions.erase(row.dimensions.begin());
  row.first = product(numberIn(part, index, place), row.dimensions.front(), place);
  return row;
}

ir::ExprPtr elementNumbered(const ArrayPart &part, const ir::ExprPtr &number,
                            const ir::SourceLocation &place) {
  ir::ExprPtr first = part.first; // counts items of the first dimension
  for (std::size_t d = 1; first && d < part.dimensions.size(); ++d)
    first = product(first, part.dimensions[d], place);
  const ir::ExprPtr where = first ? ir::binary("+", first, number, place) : number;
  return ir::index(ir::varRef(part.array, place), {where}, place);
}

const clang::InitListExpr *listIn(const clang::Expr *e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(e))
    e = list->getSubExpr()->IgnoreUnlessSpelledInSource();
  return llvm::dyn_cast<clang::InitListExpr>(e);
}

/// The text that `e` is, or null.
const clang::StringLiteral *textIn(const clang::Expr *e) {
  const auto *list = e == nullptr ? nullptr : llvm::dyn_cast<clang::InitListExpr>(e);
  if (list != nullptr && list->isStringLiteralInit()) // {"text"}
    e = list->getInit(0);
  return e == nullptr ? nullptr : llvm::dyn_cast<clang::StringLiteral>(e->IgnoreParenImpCasts());
}

/// A table of the characters of a text.
std::optional<ArrayPart> FunctionLowering::tableOf(const clang::StringLiteral &text) {
  if (const auto known = texts.find(&text); known != texts.end())
    return known->second;
  const auto part = newArray(text.getType(), {"text", at(text.getSourceRange())}, tables);
  if (!part)
    return std::nullopt;
  arrayValues(part->array, &text, tables);
  return texts[&text] = *part;
}

/// The text that a pointer points to for good, or null.
const clang::StringLiteral *FunctionLowering::textOf(const clang::VarDecl &pointer) const {
  const bool isPointer =
      pointer.getType()->isPointerType() && pointer.getType()->getPointeeType().isConstQualified();
  const bool stays =
      pointer.getType().isConstQualified() || (pointer.hasLocalStorage() && !mayChange(pointer));
  return isPointer && stays ? textIn(pointer.getAnyInitializer()) : nullptr;
}

/// Whether `declaration` is a global array of constants; it becomes a local one then.
bool FunctionLowering::isConstantTable(const clang::VarDecl &declaration) {
  const clang::VarDecl *defined = declaration.getInitializingDeclaration();
  bool isTable = defined != nullptr && defined->getType().isConstQualified() &&
                 defined->getInit() != nullptr && arrayShape(file.ast, defined->getType());
  if (!isTable)
    return false;
  if (variables.count(&declaration) == 0) {
    arrayVariable(*defined, ir::VarKind::Local, tables);
    if (auto known = variables.find(defined); known != variables.end()) {
      variables[&declaration] = known->second;
      dimensions[&declaration] = dimensions[defined];
    }
  }
  return true;
}

/// What has a name as an array; nothing after an error.
std::optional<ArrayPart> FunctionLowering::namedArray(const clang::DeclRefExpr &e) {
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(e.getDecl()))
    return arrayPartOf(*binding->getBinding());
  if (const auto known = arrayParts.find(e.getDecl()); known != arrayParts.end())
    return known->second;
  const auto *declaration = llvm::dyn_cast<clang::VarDecl>(e.getDecl());
  if (const auto *text = declaration != nullptr ? textOf(*declaration) : nullptr)
    return tableOf(*text);
  if (declaration == nullptr || !isArray(declaration->getType())) {
    unsupported(e.getSourceRange(), "pointer");
    return std::nullopt;
  }
  if (!declaration->isLocalVarDeclOrParm() && !isConstantTable(*declaration)) {
    unsupported(e.getSourceRange(),
                "global array '" + declaration->getNameAsString() + "' that is not a constant");
    return std::nullopt;
  }
  const auto known = variables.find(declaration);
  if (known == variables.end() || dimensions.count(declaration) == 0)
    return std::nullopt;
  return ArrayPart{known->second, dimensions.at(declaration), nullptr};
}

/// An array, a row of one, or the elements from one on; nothing after an error.
std::optional<ArrayPart> FunctionLowering::arrayPartOf(const clang::Expr &written) {
  const clang::Expr *e = written.IgnoreParenImpCasts();
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return arrayPartOf(*temporary->getSubExpr());
  if (const auto *copied = llvm::dyn_cast<clang::CXXConstructExpr>(e);
      copied != nullptr && copied->getNumArgs() == 1)
    return arrayPartOf(*copied->getArg(0));
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e))
    return namedArray(*name);
  if (const clang::StringLiteral *text = textIn(e))
    return tableOf(*text);
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto record = recordOf(member->getBase());
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (record && field != nullptr && record->arrays.count(field) != 0)
      return record->arrays.at(field);
    return std::nullopt;
  }
  const clang::Expr *base = nullptr;
  const clang::Expr *index = nullptr;
  const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(e);
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(e);
  if (isElement(e, base, index)) {
    const auto part = arrayPartOf(*base);
    const ir::ExprPtr number = part ? expression(index) : nullptr;
    if (!number)
      return std::nullopt;
    if (part->dimensions.size() > 1)
      return rowOf(*part, number, at(e->getSourceRange()));
  } else if (address != nullptr && address->getOpcode() == clang::UO_AddrOf &&
             isElement(address->getSubExpr()->IgnoreParens(), base, index)) { // &v[2]
    return movedBy(*base, *index);
  } else if (sum != nullptr && sum->getOpcode() == clang::BO_Add &&
             sum->getType()->isPointerType()) { // v + 2
    return movedBy(*sum->getLHS(), *sum->getRHS());
  }
  unsupported(written.getSourceRange(), "pointer");
  return std::nullopt;
}

/// The items of an array from number `by` on.
std::optional<ArrayPart> FunctionLowering::movedBy(const clang::Expr &base, const clang::Expr &by) {
  auto part = arrayPartOf(base);
  const ir::ExprPtr number = part ? expression(&by) : nullptr;
  if (!number)
    return std::nullopt;
  part->first = numberIn(*part, number, at(by.getSourceRange()));
  return part;
}

/// Whether `e` is `base[index]` of an array.
bool FunctionLowering::isElement(const clang::Expr *e, const clang::Expr *&base,
                                 const clang::Expr *&index) {
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    base = subscript->getBase();
    index = subscript->getIdx();
    return true;
  }
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  const bool isIt = operation != nullptr && operation->getOperator() == clang::OO_Subscript &&
                    isStandardArray(operation->getArg(0)->getType());
  if (isIt) {
    base = operation->getArg(0);
    index = operation->getArg(1);
  }
  return isIt;
}

/// Whether `base` is a global array, or a row of one.
bool FunctionLowering::isOfTable(const clang::Expr &base) {
  const clang::Expr *e = base.IgnoreParenImpCasts();
  const clang::Expr *outer = nullptr;
  const clang::Expr *index = nullptr;
  while (isElement(e, outer, index))
    e = outer->IgnoreParenImpCasts();
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *declaration =
      named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  return declaration != nullptr && !declaration->isLocalVarDeclOrParm();
}

/// An element of a local or shared array, or of a table of constants (a container's is an operator call).
ir::ExprPtr FunctionLowering::arrayElement(const clang::Expr &e, const clang::Expr &base,
                                           const clang::Expr &index) {
  if (isArray(e.getType()))
    return unsupported(e.getSourceRange(), "row of an array of arrays by itself");
  // An element of a constant table folds where the subscript is a constant too.
  if (isOfTable(base)) {
    if (ir::ExprPtr folded = foldConstant(file.ast, &e, at(e.getSourceRange())))
      return folded;
  }
  const auto part = arrayPartOf(base);
  const ir::ExprPtr number = part ? expression(&index) : nullptr;
  if (!number)
    return nullptr;
  if (part->dimensions.size() != 1)
    return unsupported(e.getSourceRange(), "row of an array of arrays by itself");
  const ir::SourceLocation place = at(e.getSourceRange());
  return ir::index(ir::varRef(part->array, at(base.getSourceRange())),
                   {numberIn(*part, number, place)}, place);
}

/// An array without values.
std::optional<ArrayPart> FunctionLowering::newArray(clang::QualType type, const NewArray &array,
                                                    Stmts &into) {
  const ir::SourceLocation &place = array.place;
  ArrayPart part;
  const auto [element, sizes] = frontend::dimensionsOf(file.ast, type);
  ir::Var var;
  for (const ir::ExprPtr &each : array.dimensions) {
    part.dimensions.push_back(each);
    var.extent = var.extent ? product(var.extent, each, place) : each;
  }
  for (const std::int64_t size : sizes) {
    part.dimensions.push_back(integerAt(size, ir::Scalar::Index, place));
    var.extent =
        var.extent ? product(var.extent, part.dimensions.back(), place) : part.dimensions.back();
  }
  const auto of = typeOf(file.ast, element);
  if (!of || of->isContainer() || !var.extent)
    return std::nullopt;
  var.name = array.name;
  var.kind = array.kind;
  var.type = *of;
  var.location = place;
  var.inner.assign(part.dimensions.begin() + 1, part.dimensions.end());
  part.array = std::make_shared<const ir::Var>(std::move(var));
  into.push_back(ir::declare(part.array, nullptr, place));
  return part;
}

/// The values of a list, and of lists in it, by their places in the array; false: said why not.
bool FunctionLowering::collectValues(const clang::InitListExpr &list, std::int64_t first,
                                     std::map<std::int64_t, ir::ExprPtr> &values) {
  if (isStandardArray(list.getType())) // {{1, 2}}: the list of the array in it
    return list.getNumInits() == 0 || listIn(list.getInit(0)) == nullptr ||
           collectValues(*listIn(list.getInit(0)), first, values);
  const auto array = arrayShape(file.ast, list.getType());
  std::int64_t stride = 1; // elements of what each entry is for
  if (array) {
    for (const std::int64_t size : frontend::dimensionsOf(file.ast, array->element).sizes)
      stride *= size;
  }
  for (unsigned i = 0; i < list.getNumInits(); ++i) {
    const clang::Expr *init = list.getInit(i);
    const std::int64_t at = first + i * stride;
    if (llvm::isa<clang::ImplicitValueInitExpr>(init))
      continue;
    if (const clang::StringLiteral *text = textIn(init);
        text != nullptr && isArray(init->getType())) {
      collectText(*text, at, values);
      continue;
    }
    if (const auto *part = llvm::dyn_cast<clang::InitListExpr>(init)) {
      if (!collectValues(*part, at, values))
        return false;
      continue;
    }
    ir::ExprPtr value = expression(init);
    if (!value)
      return false;
    values[at] = value;
  }
  return true;
}

/// The characters of a text, and the 0 at its end where the array has room for it.
void FunctionLowering::collectText(const clang::StringLiteral &text, std::int64_t first,
                                   std::map<std::int64_t, ir::ExprPtr> &values) {
  const auto shape = arrayShape(file.ast, text.getType());
  const auto type = shape ? typeOf(file.ast, shape->element) : std::nullopt;
  for (std::int64_t i = 0; type && i < shape->size; ++i) {
    const auto unit = static_cast<unsigned>(i);
    const std::int64_t code = unit < text.getLength() ? text.getCodeUnit(unit) : 0;
    values[first + i] =
        convert(integerAt(code, ir::Scalar::I64, at(text.getSourceRange())), type->scalar);
  }
}

/// The IR declares arrays without values: `int t[4] = {1, 2}` becomes assignments, and
/// a loop for the zeros.
void FunctionLowering::arrayValues(const ir::VarPtr &array, const clang::Expr *init, Stmts &into) {
  const clang::InitListExpr *list = listIn(init);
  const clang::StringLiteral *text = textIn(init);
  if (list == nullptr && text == nullptr) {
    unsupported(init->getSourceRange(), "initial value of an array");
    return;
  }
  ir::SourceLocation place = at(init->getSourceRange());
  std::map<std::int64_t, ir::ExprPtr> values;
  if (text != nullptr)
    collectText(*text, 0, values);
  else if (!collectValues(*list, 0, values))
    return;
  // As far as there is a value for each; where some lack in between, zeros come first.
  std::int64_t given = 0;
  while (values.contains(given))
    ++given;
  const bool isWhole = given == static_cast<std::int64_t>(values.size());
  auto extent = ir::literalValue(array->extent);
  if (!isWhole)
    zeros(array, 0, place, into);
  for (const auto &[i, value] : values) {
    ir::ExprPtr element =
        ir::index(ir::varRef(array, place), {integerAt(i, ir::Scalar::Index, place)}, place);
    into.push_back(ir::assign(element, "=", convert(value, array->type.scalar), value->location));
  }
  if (isWhole && extent && given < *extent)
    zeros(array, given, place, into);
}

/// A loop over the elements of all dimensions of an array, which are numbered row by row.
void FunctionLowering::forElements(
    const ArrayPart &part, const ir::SourceLocation &place, Stmts &into,
    const std::function<void(const ir::ExprPtr &number, Stmts &body)> &lower) {
  ir::Var counter{"i", ir::scalarType(ir::Scalar::Index), ir::VarKind::Local, place, {}, {}};
  const auto i = std::make_shared<const ir::Var>(std::move(counter));
  const ir::ExprPtr number = ir::varRef(i, place);
  ir::ExprPtr extent = part.dimensions.front();
  for (std::size_t d = 1; d < part.dimensions.size(); ++d)
    extent = product(extent, part.dimensions[d], place);
  Stmts body;
  lower(number, body);
  into.push_back(
      ir::forLoop(ir::declare(i, integerAt(0, ir::Scalar::Index, place), place),
                  ir::binary("<", number, extent, place),
                  ir::assign(number, "+=", integerAt(1, ir::Scalar::Index, place), place),
                  ir::block(std::move(body), place), place));
}

void FunctionLowering::zeroArray(const ArrayPart &array, const ir::SourceLocation &place,
                                 Stmts &into) {
  forElements(array, place, into, [&](const ir::ExprPtr &number, Stmts &body) {
    body.push_back(
        ir::assign(elementNumbered(array, number, place), "=",
                   convert(integerAt(0, ir::Scalar::I32, place), array.array->type.scalar), place));
  });
}

/// The elements from number `first` on become 0.
void FunctionLowering::zeros(const ir::VarPtr &array, std::int64_t first,
                             const ir::SourceLocation &place, Stmts &into) {
  ir::Var counter{"i", ir::scalarType(ir::Scalar::Index), ir::VarKind::Local, place, {}, {}};
  auto i = std::make_shared<const ir::Var>(std::move(counter));
  ir::ExprPtr at = ir::varRef(i, place);
  ir::ExprPtr zero = convert(integerAt(0, ir::Scalar::I32, place), array->type.scalar);
  into.push_back(ir::forLoop(
      ir::declare(i, integerAt(first, ir::Scalar::Index, place), place),
      ir::binary("<", at, array->extent, place),
      ir::assign(at, "+=", integerAt(1, ir::Scalar::Index, place), place),
      ir::assign(ir::index(ir::varRef(array, place), {at}, place), "=", zero, place), place));
}

} // namespace tangram::frontend

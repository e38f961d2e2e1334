// Arrays of structs: an array for each member, so that kernels have none.
//
// before: Near best[3] = {};  best[i] = {d, k};
// after:  float best_d[3]; int best_at[3]; ...  best_d[i] = d; best_at[i] = k;
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

bool FunctionLowering::isRecordArray(clang::QualType type) const {
  type = type.getNonReferenceType();
  clang::QualType element = type->isPointerType() ? type->getPointeeType() : type;
  while (const clang::ArrayType *array = file.ast.getAsArrayType(element))
    element = array->getElementType();
  element = frontend::dimensionsOf(file.ast, element).element;
  return element != type && isRecord(element);
}

/// An array for each member, without values; null after an error.
std::shared_ptr<const RecordArray> FunctionLowering::newRecordArray(const clang::RecordDecl &type,
                                                                    const NewArray &array,
                                                                    Stmts &into) {
  if (!checkIsPlain(type, array.place))
    return nullptr;
  auto made = std::make_shared<RecordArray>();
  made->type = &type;
  made->dimensions = array.dimensions;
  for (const clang::FieldDecl *field : type.fields()) {
    NewArray member = array;
    member.name += "_" + field->getNameAsString();
    const auto [element, sizes] = frontend::dimensionsOf(file.ast, field->getType());
    for (const std::int64_t size : sizes)
      member.dimensions.push_back(integerAt(size, ir::Scalar::Index, array.place));
    if (isRecord(element)) {
      const auto inner = newRecordArray(*element->getAsRecordDecl(), member, into);
      if (!inner)
        return nullptr;
      made->records[field] = inner;
      continue;
    }
    const auto part = field->isBitField() ? std::nullopt : newArray(element, member, into);
    if (!part) {
      unsupportedMember(*field, array.place);
      return nullptr;
    }
    made->members[field] = *part;
  }
  return made;
}

std::shared_ptr<const RecordArray> rowIn(const RecordArray &array, const ir::ExprPtr &number,
                                         const ir::SourceLocation &place) {
  auto row = std::make_shared<RecordArray>();
  row->type = array.type;
  row->dimensions.assign(array.dimensions.begin() + 1, array.dimensions.end());
  for (const auto &[field, part] : array.members)
    row->members[field] = rowOf(part, number, place);
  for (const auto &[field, inner] : array.records)
    row->records[field] = rowIn(*inner, number, place);
  return row;
}

std::shared_ptr<const Record> recordIn(const RecordArray &array, const ir::ExprPtr &number,
                                       const ir::SourceLocation &place) {
  auto record = std::make_shared<Record>();
  record->type = array.type;
  for (const auto &[field, part] : array.members) {
    if (part.dimensions.size() == 1)
      record->numbers[field] =
          ir::index(ir::varRef(part.array, place), {numberIn(part, number, place)}, place);
    else
      record->arrays[field] = rowOf(part, number, place);
  }
  for (const auto &[field, inner] : array.records) {
    if (inner->dimensions.size() == 1)
      record->records[field] = recordIn(*inner, number, place);
    else
      record->tables[field] = rowIn(*inner, number, place);
  }
  return record;
}

/// An array of structs that is a member, without values.
std::shared_ptr<const RecordArray> FunctionLowering::newTable(const clang::FieldDecl &field,
                                                              const std::string &name,
                                                              const ir::SourceLocation &place,
                                                              Stmts &into) {
  NewArray array{name, place};
  const auto [element, sizes] = frontend::dimensionsOf(file.ast, field.getType());
  for (const std::int64_t size : sizes)
    array.dimensions.push_back(integerAt(size, ir::Scalar::Index, place));
  return newRecordArray(*element->getAsRecordDecl(), array, into);
}

/// The same with the values of a list.
std::shared_ptr<const RecordArray> FunctionLowering::listedTable(const clang::FieldDecl &field,
                                                                 const clang::Expr &value) {
  const ir::SourceLocation place = at(value.getSourceRange());
  if (before == nullptr) {
    unsupported(value.getSourceRange(), "initial value of an array here");
    return nullptr;
  }
  const auto table = newTable(field, field.getNameAsString(), place, *before);
  if (table)
    recordItems(value, *table, place, *before);
  return table;
}

/// The arrays of the members of the array of structs that an expression names; null after an error.
std::shared_ptr<const RecordArray> FunctionLowering::recordArrayOf(const clang::Expr &written) {
  const clang::Expr *e = written.IgnoreParenImpCasts();
  const clang::Expr *base = nullptr;
  const clang::Expr *index = nullptr;
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl()))
      return recordArrayOf(*binding->getBinding());
    const auto *declaration = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const clang::VarDecl *table = // of constants; it becomes a local one
        declaration != nullptr && !declaration->isLocalVarDeclOrParm() &&
                declaration->getType().isConstQualified()
            ? declaration->getInitializingDeclaration()
            : nullptr;
    if (table != nullptr && recordArrays.count(table) == 0)
      recordArrayVariable(*table, ir::VarKind::Local, tables);
    const auto known = recordArrays.find(table != nullptr ? table : name->getDecl());
    if (known != recordArrays.end())
      return known->second;
  } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto record = recordOf(member->getBase());
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!record)
      return nullptr;
    if (field != nullptr && record->tables.count(field) != 0)
      return record->tables.at(field);
  } else if (isElement(e, base, index)) {
    const auto array = recordArrayOf(*base);
    const ir::ExprPtr number = array ? itemNumber(*index) : nullptr;
    return number && array->dimensions.size() > 1 ? rowIn(*array, number, number->location)
                                                  : nullptr;
  }
  unsupported(written.getSourceRange(),
              "value of type '" + spelling(file.ast, written.getType()) + "'");
  return nullptr;
}

/// `base[index]`
std::shared_ptr<const Record> FunctionLowering::recordItem(const clang::Expr &base,
                                                           const clang::Expr &index) {
  const auto array = recordArrayOf(base);
  const ir::ExprPtr number = array ? itemNumber(index) : nullptr;
  return number && array->dimensions.size() == 1 ? recordIn(*array, number, number->location)
                                                 : nullptr;
}

/// A subscript; where a name is given to the item, one that may change is evaluated once.
ir::ExprPtr FunctionLowering::itemNumber(const clang::Expr &index) {
  const ir::ExprPtr number = expression(&index);
  const bool isKept = number && number->kind != ir::ExprKind::Literal && namedIn != nullptr &&
                      before != nullptr && mayChange(index, *namedIn);
  return isKept ? named(number, "at", *before) : number;
}

/// The struct that a reference names, in the scope of the reference.
std::shared_ptr<const Record> FunctionLowering::namedRecord(const clang::Expr &e, const Scope &in) {
  const Scope *const outer = std::exchange(namedIn, &in);
  auto record = recordOf(&e);
  namedIn = outer;
  return record;
}

void FunctionLowering::recordArrayVariable(const clang::VarDecl &declaration, ir::VarKind kind,
                                           Stmts &into) {
  NewArray array;
  array.name = declaration.getNameAsString();
  if (array.name.empty()) // auto [a, b] = v;
    array.name = "items";
  array.place = file.places.token(declaration.getLocation());
  array.kind = kind;
  array.dimensions = dimensionsOf(declaration, kind);
  const clang::QualType element =
      file.ast.getBaseElementType(frontend::dimensionsOf(file.ast, declaration.getType()).element);
  if (array.dimensions.empty() ||
      std::count(array.dimensions.begin(), array.dimensions.end(), nullptr) != 0)
    return;
  const auto made = newRecordArray(*element->getAsRecordDecl(), array, into);
  if (!made)
    return;
  recordArrays[&declaration] = made;
  if (kind == ir::VarKind::Shared || declaration.getInit() == nullptr)
    return;
  Stmts *const outer = std::exchange(before, &into);
  recordItems(*declaration.getInit(), *made, array.place, into);
  before = outer;
}

/// Loop over the items of an array along its first dimension.
void FunctionLowering::forItems(std::int64_t from, const RecordArray &array,
                                const ir::SourceLocation &place, Stmts &into,
                                const std::function<void(const ir::ExprPtr &, Stmts &)> &lower) {
  ir::Var counter{"i", ir::scalarType(ir::Scalar::Index), ir::VarKind::Local, place, {}, {}};
  const auto i = std::make_shared<const ir::Var>(std::move(counter));
  const ir::ExprPtr number = ir::varRef(i, place);
  Stmts body;
  Stmts *const outer = std::exchange(before, &body);
  lower(number, body);
  before = outer;
  if (!body.empty())
    into.push_back(
        ir::forLoop(ir::declare(i, integerAt(from, ir::Scalar::Index, place), place),
                    ir::binary("<", number, array.dimensions.front(), place),
                    ir::assign(number, "+=", integerAt(1, ir::Scalar::Index, place), place),
                    ir::block(std::move(body), place), place));
}

/// The items get what `init` says: a list, another array, or what the struct says.
void FunctionLowering::recordItems(const clang::Expr &init, const RecordArray &array,
                                   const ir::SourceLocation &place, Stmts &into) {
  auto item = [&](const clang::Expr &value, const ir::ExprPtr &number, Stmts &body) {
    if (array.dimensions.size() > 1)
      recordItems(value, *rowIn(array, number, place), place, body);
    else
      recordValue(value, *recordIn(array, number, place), place, body);
  };
  const clang::InitListExpr *list = listIn(&init);
  if (list != nullptr &&
      isStandardArray(list->getType())) { // {{a, b}}: the list of the array in it
    if (list->getNumInits() > 0)
      recordItems(*list->getInit(0), array, place, into);
    return;
  }
  const clang::Expr *bare = init.IgnoreImpCasts();
  if (const auto *elements = llvm::dyn_cast<clang::ArrayInitLoopExpr>(bare))
    bare = elements->getCommonExpr()->getSourceExpr()->IgnoreImpCasts();
  const bool isMade = llvm::isa<clang::ImplicitValueInitExpr>(bare) ||
                      (llvm::isa<clang::CXXConstructExpr>(bare) &&
                       llvm::cast<clang::CXXConstructExpr>(bare)->getNumArgs() == 0);
  if (isMade) {
    forItems(0, array, place, into,
             [&](const ir::ExprPtr &number, Stmts &body) { item(*bare, number, body); });
    return;
  }
  if (list == nullptr) {
    if (const auto of = recordArrayOf(*bare))
      copyRecords(array, *of, place, into);
    return;
  }
  for (unsigned i = 0; i < list->getNumInits(); ++i)
    item(*list->getInit(i), integerAt(i, ir::Scalar::Index, place), into);
  const auto size = ir::literalValue(array.dimensions.front());
  if (list->hasArrayFiller() && (!size || list->getNumInits() < *size))
    forItems(list->getNumInits(), array, place, into, [&](const ir::ExprPtr &number, Stmts &body) {
      item(*list->getArrayFiller(), number, body);
    });
}

/// A struct becomes what `init` says.
void FunctionLowering::recordValue(const clang::Expr &init, const Record &target,
                                   const ir::SourceLocation &place, Stmts &into) {
  if (llvm::isa<clang::ImplicitValueInitExpr>(init))
    return zeroRecord(target, place, into);
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&init);
  const auto value =
      made != nullptr && made->getNumArgs() == 0 ? defaultRecord(*target.type) : recordOf(&init);
  if (value)
    recordAssignment(target, *value, place, into);
}

void FunctionLowering::zeroRecord(const Record &target, const ir::SourceLocation &place,
                                  Stmts &into) {
  const ir::ExprPtr zero = integerAt(0, ir::Scalar::I32, place);
  for (const auto &[field, number] : target.numbers)
    into.push_back(ir::assign(number, "=", convert(zero, number->type.scalar), place));
  for (const auto &[field, part] : target.arrays)
    zeroArray(part, place, into);
  for (const auto &[field, inner] : target.records)
    zeroRecord(*inner, place, into);
  for (const auto &[field, table] : target.tables)
    zeroRecords(*table, place, into);
}

void FunctionLowering::zeroRecords(const RecordArray &target, const ir::SourceLocation &place,
                                   Stmts &into) {
  for (const auto &[field, part] : target.members)
    zeroArray(part, place, into);
  for (const auto &[field, inner] : target.records)
    zeroRecords(*inner, place, into);
}

void FunctionLowering::copyRecords(const RecordArray &target, const RecordArray &value,
                                   const ir::SourceLocation &place, Stmts &into) {
  for (const auto &[field, part] : target.members)
    copyArray(part, value.members.at(field), place, into);
  for (const auto &[field, inner] : target.records)
    copyRecords(*inner, *value.records.at(field), place, into);
}

/// The variable of a loop over an array of structs.
void FunctionLowering::itemVariable(const clang::VarDecl &declaration, const RecordArray &array,
                                    const ir::ExprPtr &number, Stmts &into) {
  const ir::SourceLocation place = number->location;
  if (array.dimensions.size() > 1) {
    recordArrays[&declaration] = rowIn(array, number, place);
    return;
  }
  auto item = recordIn(array, number, place);
  if (!declaration.getType()->isReferenceType()) {
    const std::string name = declaration.getNameAsString();
    const auto own = newRecord(*array.type, name.empty() ? "item" : name, place, into);
    if (own)
      recordAssignment(*own, *item, place, into);
    item = own;
  }
  records[&declaration] = item;
}

} // namespace tangram::frontend

// Structs of numbers, vectors, arrays and structs: a variable of one is a variable for each of its members, so that
// kernels have none.
//
// before: Pair best{in[0], 0};  best = {in[i], i};
// after:  float best_value = in[0]; int best_at = 0;  best_value = in[i]; best_at = i;
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

const clang::Expr *bare(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreUnlessSpelledInSource();
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner)) // Pair{a, b}
      inner = cast->getSubExpr();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
    if (made != nullptr && made->getNumArgs() == 1 &&
        made->getConstructor()->isCopyOrMoveConstructor())
      inner = made->getArg(0);
    if (inner == e)
      return e;
    e = inner;
  }
}

} // namespace

/// What a struct is made of: variables, elements or values. Null after an error.
std::shared_ptr<const Record> FunctionLowering::recordOf(const clang::Expr *written) {
  const clang::Expr *e = bare(written);
  if (isPair(written->getType()) && isPair(e->getType()) &&
      written->getType()->getAsRecordDecl() != e->getType()->getAsRecordDecl())
    return convertedPair(*e, *written->getType()->getAsRecordDecl());
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl())) {
      if (binding->getHoldingVar() == nullptr)
        return recordOf(binding->getBinding());
      unsupported(written->getSourceRange(), "structured binding of a struct in a pair");
      return nullptr;
    }
    if (const auto known = records.find(name->getDecl()); known != records.end())
      return known->second;
    const auto *constant = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool isConstant = constant != nullptr && constant->getType().isConstQualified() &&
                            constant->getAnyInitializer() != nullptr &&
                            !constant->isLocalVarDeclOrParm();
    if (isConstant)
      return recordOf(constant->getAnyInitializer());
    unsupported(written->getSourceRange(),
                "struct '" + name->getDecl()->getNameAsString() + "' here");
    return nullptr;
  }
  if (llvm::isa<clang::CXXThisExpr>(e))
    return self;
  if (const auto *whole = llvm::dyn_cast<clang::UnaryOperator>(e);
      whole != nullptr && whole->getOpcode() == clang::UO_Deref)
    return recordOf(whole->getSubExpr()); // *this
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e))
    return listedRecord(*list);
  const clang::Expr *base = nullptr;
  const clang::Expr *index = nullptr;
  if (isElement(e, base, index))
    return recordItem(*base, *index);
  if (const auto *inner = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto outer = recordOf(inner->getBase());
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(inner->getMemberDecl());
    const bool isKnown = outer && field != nullptr && outer->records.count(field) != 0;
    return isKnown ? outer->records.at(field) : nullptr;
  }
  if (makesPair(*e))
    return pairOf(*e);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (const clang::FunctionDecl *callee = inlinedCallee(*call)) {
      const auto value = inlinedCall(*call, *callee);
      return value ? value->record : nullptr;
    }
  }
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(e);
      choice != nullptr && before != nullptr)
    return chosenRecord(*choice);
  unsupported(written->getSourceRange(), "value of type '" +
                                             spelling(file.ast, written->getType()) +
                                             "': name it, or list its members, T{a, b}");
  return nullptr;
}

/// `c ? a : b` of structs.
std::shared_ptr<const Record> FunctionLowering::chosenRecord(const clang::ConditionalOperator &e) {
  const ir::SourceLocation place = at(e.getSourceRange());
  const ir::ExprPtr condition = expression(e.getCond());
  const auto result = newRecord(*e.getType()->getAsRecordDecl(), "chosen", place, *before);
  if (!condition || !result)
    return nullptr;
  Stmts branches[2];
  Stmts *const outer = before;
  for (unsigned i : {0U, 1U}) {
    before = &branches[i];
    const auto value = recordOf(i == 0 ? e.getTrueExpr() : e.getFalseExpr());
    if (value)
      recordAssignment(*result, *value, place, branches[i]);
    before = outer;
    if (!value)
      return nullptr;
  }
  before->push_back(ir::ifThen(condition, ir::block(std::move(branches[0]), place),
                               ir::block(std::move(branches[1]), place), place));
  return result;
}

/// `{a, b}`; members that the list leaves out are 0, or what the struct says.
std::shared_ptr<const Record> FunctionLowering::listedRecord(const clang::InitListExpr &list) {
  const clang::RecordDecl *type = list.getType()->getAsRecordDecl();
  if (type == nullptr)
    return nullptr;
  auto record = std::make_shared<Record>();
  record->type = type;
  std::vector<const clang::Expr *> written;
  std::vector<const clang::FieldDecl *> numbers;
  unsigned i = 0;
  for (const clang::FieldDecl *field : type->fields()) {
    const clang::Expr *value = i < list.getNumInits() ? list.getInit(i) : nullptr;
    ++i;
    if (value == nullptr)
      return nullptr;
    if (const auto *byDefault = llvm::dyn_cast<clang::CXXDefaultInitExpr>(value))
      value = byDefault->getExpr();
    if (isRecord(field->getType())) {
      const auto inner = recordOf(value);
      if (!inner)
        return nullptr;
      record->records[field] = inner;
    } else if (isRecordArray(field->getType())) {
      const auto table = listedTable(*field, *value);
      if (!table)
        return nullptr;
      record->tables[field] = table;
    } else if (arrayShape(file.ast, field->getType())) {
      const auto array = listedArray(*field, *value);
      if (!array)
        return nullptr;
      record->arrays[field] = *array;
    } else {
      written.push_back(value);
      numbers.push_back(field);
    }
  }
  const std::vector<ir::ExprPtr> values = hoistedInOrder(written);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto wanted = typeOf(file.ast, numbers[k]->getType());
    if (!values[k] || !wanted)
      return nullptr;
    record->numbers[numbers[k]] = convert(values[k], wanted->scalar);
  }
  return record;
}

/// An array that is a member, with the values of a list.
std::optional<ArrayPart> FunctionLowering::listedArray(const clang::FieldDecl &field,
                                                       const clang::Expr &value) {
  if (before == nullptr) {
    unsupported(value.getSourceRange(), "initial value of an array here");
    return std::nullopt;
  }
  const auto part =
      newArray(field.getType(), {field.getNameAsString(), at(value.getSourceRange())}, *before);
  if (!part)
    return std::nullopt;
  if (llvm::isa<clang::ImplicitValueInitExpr>(value.IgnoreParens()))
    zeros(part->array, 0, at(value.getSourceRange()), *before);
  else
    arrayValues(part->array, &value, *before);
  return part;
}

/// Whether a struct has members alone; said where not.
bool FunctionLowering::checkIsPlain(const clang::RecordDecl &type,
                                    const ir::SourceLocation &place) {
  const auto *ofClass = llvm::dyn_cast<clang::CXXRecordDecl>(&type);
  const bool isPlain = !type.isUnion() && (ofClass == nullptr || ofClass->getNumBases() == 0 ||
                                           isPair(clang::QualType(type.getTypeForDecl(), 0)));
  if (!isPlain)
    file.error(place, "unsupported construct: " +
                          std::string(type.isUnion() ? "union" : "struct with a base") + " '" +
                          type.getNameAsString() + "'");
  return isPlain;
}

void FunctionLowering::unsupportedMember(const clang::FieldDecl &field,
                                         const ir::SourceLocation &place) {
  file.error(place, "unsupported construct: member '" + field.getNameAsString() + "' of type '" +
                        spelling(file.ast, field.getType()) + "' in '" +
                        field.getParent()->getNameAsString() + "'");
}

/// Variables for the members of a struct; null after an error.
std::shared_ptr<const Record> FunctionLowering::newRecord(const clang::RecordDecl &type,
                                                          const std::string &name,
                                                          const ir::SourceLocation &place,
                                                          Stmts &into) {
  auto record = std::make_shared<Record>();
  record->type = &type;
  if (!checkIsPlain(type, place))
    return nullptr;
  for (const clang::FieldDecl *field : type.fields()) {
    const std::string of = name + "_" + field->getNameAsString();
    if (isRecord(field->getType())) {
      const auto inner = newRecord(*field->getType()->getAsRecordDecl(), of, place, into);
      if (!inner)
        return nullptr;
      record->records[field] = inner;
      continue;
    }
    if (isRecordArray(field->getType())) {
      const auto table = newTable(*field, of, place, into);
      if (!table)
        return nullptr;
      record->tables[field] = table;
      continue;
    }
    if (const auto array = newArray(field->getType(), {of, place}, into)) {
      record->arrays[field] = *array;
      continue;
    }
    const auto member = typeOf(file.ast, field->getType());
    if (!member || member->isContainer() || field->isBitField()) {
      unsupportedMember(*field, place);
      return nullptr;
    }
    ir::Var var;
    var.name = of;
    var.kind = ir::VarKind::Local;
    var.type = *member;
    var.location = place;
    const auto made = std::make_shared<const ir::Var>(std::move(var));
    into.push_back(ir::declare(made, nullptr, place));
    record->numbers[field] = ir::varRef(made, place);
  }
  return record;
}

/// Whether `declaration` is a variable of a struct; it is declared, or has said why not.
bool FunctionLowering::recordVariable(const clang::VarDecl &declaration, Stmts &into) {
  const clang::QualType type = declaration.getType();
  if (!isRecord(type))
    return false;
  const ir::SourceLocation place = file.places.token(declaration.getLocation());
  const clang::Expr *init = declaration.getInit();
  std::shared_ptr<const Record> value;
  const auto *made =
      init != nullptr ? llvm::dyn_cast<clang::CXXConstructExpr>(bare(init)) : nullptr;
  const bool isOpen =
      made != nullptr && made->getNumArgs() == 0 && made->getConstructor()->isDefaultConstructor();
  if (init != nullptr && !isOpen) {
    if (type->isReferenceType() && isExtreme(*bare(init))) {
      unsupported(init->getSourceRange(),
                  "reference to the least or greatest pair (a copy is fine)");
      return true;
    }
    value =
        type->isReferenceType() ? namedRecord(*init, {braces, nullptr, nullptr}) : recordOf(init);
    if (!value)
      return true;
  }
  const auto isReference = [](const clang::FieldDecl *f) {
    return f->getType()->isReferenceType();
  };
  const bool hasReferences = value && std::ranges::any_of(value->type->fields(), isReference);
  if (type->isReferenceType() || hasReferences) { // std::minmax(a, b) gives such a pair
    records[&declaration] = value;
    return true;
  }
  std::string name = declaration.getNameAsString();
  const auto own = newRecord(*type->getAsRecordDecl(), name.empty() ? "value" : name, place, into);
  if (!own)
    return true;
  if (isOpen)
    value = defaultRecord(*type->getAsRecordDecl());
  if (value)
    recordAssignment(*own, *value, place, into);
  records[&declaration] = own;
  return true;
}

/// The values that the members of a struct say they begin with; the others stay without one.
std::shared_ptr<const Record> FunctionLowering::defaultRecord(const clang::RecordDecl &type) {
  if (isPair(clang::QualType(type.getTypeForDecl(), 0)))
    return zeroPair(type, at(type.getSourceRange()));
  auto record = std::make_shared<Record>();
  record->type = &type;
  for (const clang::FieldDecl *field : type.fields()) {
    const auto wanted = typeOf(file.ast, field->getType());
    const clang::Expr *init = field->getInClassInitializer();
    if (isRecord(field->getType())) {
      record->records[field] =
          init != nullptr ? recordOf(init) : defaultRecord(*field->getType()->getAsRecordDecl());
      if (!record->records[field])
        return nullptr;
    } else if (init != nullptr && isRecordArray(field->getType())) {
      if (const auto table = listedTable(*field, *init))
        record->tables[field] = table;
    } else if (init != nullptr && arrayShape(file.ast, field->getType())) {
      if (const auto array = listedArray(*field, *init))
        record->arrays[field] = *array;
    } else if (init != nullptr && wanted) {
      if (const ir::ExprPtr value = expression(init))
        record->numbers[field] = convert(value, wanted->scalar);
    }
  }
  return record;
}

/// `a = b` of structs.
void FunctionLowering::assignRecord(const clang::CXXOperatorCallExpr &e, Stmts &into) {
  const auto value = recordOf(e.getArg(1));
  const auto target = recordOf(e.getArg(0));
  if (target && value)
    recordAssignment(*target, *value, at(e.getSourceRange()), into);
}

/// All values are known before the first member changes: `p = {p.y, p.x};`
void FunctionLowering::recordAssignment(const Record &target, const Record &value,
                                        const ir::SourceLocation &place, Stmts &into) {
  std::map<const clang::FieldDecl *, ir::ExprPtr> values = value.numbers;
  for (auto &[field, number] : values) {
    const bool isPlain = number->kind == ir::ExprKind::Literal || values.size() == 1;
    const bool reads = ir::contains(number, [&](const ir::Expr &e) {
      if (e.kind != ir::ExprKind::Var)
        return false;
      return std::any_of(target.numbers.begin(), target.numbers.end(), [&](const auto &of) {
        const ir::Expr &place =
            of.second->kind == ir::ExprKind::Index ? *of.second->args[0] : *of.second;
        return of.first != field && place.kind == ir::ExprKind::Var && place.var == e.var;
      });
    });
    if (!isPlain && reads)
      number = named(number, field->getNameAsString(), into);
  }
  for (const clang::FieldDecl *field : target.type->fields()) {
    const auto number = values.find(field);
    if (number != values.end() && target.numbers.count(field) != 0)
      into.push_back(ir::assign(target.numbers.at(field), "=", number->second, place));
    const auto inner = value.records.find(field);
    if (inner != value.records.end() && target.records.count(field) != 0)
      recordAssignment(*target.records.at(field), *inner->second, place, into);
    const auto array = value.arrays.find(field);
    if (array != value.arrays.end() && target.arrays.count(field) != 0)
      copyArray(target.arrays.at(field), array->second, place, into);
    const auto table = value.tables.find(field);
    if (table != value.tables.end() && target.tables.count(field) != 0)
      copyRecords(*target.tables.at(field), *table->second, place, into);
  }
}

void FunctionLowering::copyArray(const ArrayPart &target, const ArrayPart &value,
                                 const ir::SourceLocation &place, Stmts &into) {
  forElements(target, place, into, [&](const ir::ExprPtr &number, Stmts &body) {
    body.push_back(ir::assign(elementNumbered(target, number, place), "=",
                              elementNumbered(value, number, place), place));
  });
}

/// `a.x`, `this->x`
ir::ExprPtr FunctionLowering::member(const clang::MemberExpr &e) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(e.getMemberDecl());
  if (field == nullptr)
    return unsupported(e.getSourceRange(), "member of a struct or class");
  const auto record = recordOf(e.getBase());
  if (!record)
    return nullptr;
  const auto known = record->numbers.find(field);
  if (known != record->numbers.end())
    return known->second;
  return unsupported(e.getSourceRange(), "member of a struct or class");
}

} // namespace tangram::frontend

// Declarations of locals: scalars, private and shared arrays, tunables.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "ir/reserved_names.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

namespace {

bool isPowerOfTwo(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

/// Whether a declaration says what the variable starts with; vectors have an initialiser anyway, that of a class.
bool hasValue(const clang::VarDecl &declaration) {
  const auto *made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(declaration.getInit());
  const bool isLeftOpen = made != nullptr && made->getNumArgs() == 0 &&
                          declaration.getInitStyle() == clang::VarDecl::CallInit &&
                          made->getConstructor()->isDefaultConstructor() &&
                          made->getParenOrBraceRange().isInvalid();
  return declaration.getInit() != nullptr && !isLeftOpen;
}

std::string quoted(const clang::NamedDecl &declaration) {
  return "'" + declaration.getNameAsString() + "'";
}

} // namespace

ir::VarPtr FunctionLowering::define(const clang::VarDecl &declaration, ir::Var var) {
  checkIsAscii(declaration);
  var.name = ir::variableName(var.name);
  auto defined = std::make_shared<const ir::Var>(std::move(var));
  variables[&declaration] = defined;
  return defined;
}

/// Whether `declaration` has the qualifier, which is then accounted for.
bool FunctionLowering::claim(const clang::VarDecl &declaration, QualifierKind kind) {
  const clang::AnnotateAttr *attribute = attributeOf(declaration, kind);
  if (attribute != nullptr)
    file.qualifiers.variables.erase(
        file.ast.getSourceManager().getFileLoc(attribute->getLocation()));
  return attribute != nullptr;
}

void FunctionLowering::declarations(const clang::DeclStmt &s, Stmts &into) {
  for (const clang::Decl *each : s.decls()) {
    if (const auto *declared = llvm::dyn_cast<clang::VarDecl>(each))
      variable(*declared, into);
    else if (llvm::isa<clang::FunctionDecl>(each))
      unsupported(each->getSourceRange(), "function declared in a function");
  }
}

void FunctionLowering::variable(const clang::VarDecl &declaration, Stmts &into) {
  bool shared = claim(declaration, QualifierKind::Shared);
  bool tuned = isCodelet() && claim(declaration, QualifierKind::Tunable);
  const bool isConstant = declaration.getType().isConstQualified() &&
                          declaration.getInit() != nullptr &&
                          declaration.hasConstantInitialization();
  if (!declaration.hasLocalStorage() && !isConstant) {
    unsupported(declaration.getLocation(),
                "static or extern local variable that is not a constant");
    return;
  }
  if (tuned) {
    tunable(declaration, into);
    return;
  }
  if (shared && role != FunctionRole::Cooperative) {
    file.error(file.places.token(declaration.getLocation()),
               "'__shared' variable " + quoted(declaration) + " outside a '__coop' codelet");
    return;
  }
  ir::VarKind kind = shared ? ir::VarKind::Shared : ir::VarKind::Local;
  Stmts *const outer = std::exchange(before, &into);
  const bool isDone = namedOtherwise(declaration, into);
  before = outer;
  if (isDone)
    return;
  if (declaration.getType()->isArrayType() || isStandardArray(declaration.getType())) {
    arrayVariable(declaration, kind, into);
    return;
  }
  auto type = typeOf(file.ast, declaration.getType().getNonReferenceType());
  if (!type || type->scalar == ir::Scalar::Void) {
    unsupported(declaration.getLocation(), "variable " + quoted(declaration) + " of type '" +
                                               spelling(file.ast, declaration.getType()) + "'");
    return;
  }
  withIncrements(hasValue(declaration) ? declaration.getInit() : nullptr, into,
                 [&] { scalarVariable(declaration, *type, kind, into); });
}

/// Whether it is a lambda, a struct, or a reference to something: names that stand for others.
bool FunctionLowering::namedOtherwise(const clang::VarDecl &declaration, Stmts &into) {
  const clang::QualType type = declaration.getType();
  const clang::Expr *init = declaration.getInit();
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record != nullptr && record->isLambda() && init != nullptr) {
    closure(declaration, *init, into);
    return true;
  }
  if (isRecord(type))
    return recordVariable(declaration, into);
  if (textOf(declaration) != nullptr)
    return true; // a table where it is used
  if (!type->isReferenceType() || init == nullptr)
    return false;
  const clang::Expr *whole = init->IgnoreParenImpCasts();
  if (isRecordArray(type)) {
    if (const auto array = recordArrayOf(*whole))
      recordArrays[&declaration] = array;
    return true;
  }
  if (type.getNonReferenceType()->isArrayType() || isStandardArray(type)) {
    if (const auto part = arrayPartOf(*whole))
      arrayParts[&declaration] = *part;
    return true;
  }
  const bool isContainer = languageClass(type) == LanguageClass::Array;
  const bool isNumber = !isContainer && typeOf(file.ast, type.getNonReferenceType());
  const bool isPlace =
      whole->isLValue() && !llvm::isa<clang::MaterializeTemporaryExpr>(whole) &&
      file.ast.hasSameUnqualifiedType(whole->getType(), type.getNonReferenceType());
  const bool isWritten = !type.getNonReferenceType().isConstQualified();
  if (!isNumber || !isPlace)
    return false; // a value of its own
  if (isWritten)
    bindReference(declaration, *whole, {braces, nullptr, nullptr});
  else if (const ir::ExprPtr place = expression(whole)) {
    if (const ir::ExprPtr one = settled(place, *whole, {braces, nullptr, nullptr}, into))
      aliases[&declaration] = one;
  }
  return true;
}

void FunctionLowering::scalarVariable(const clang::VarDecl &declaration, ir::Type type,
                                      ir::VarKind kind, Stmts &into) {
  ir::Var var;
  var.name = declaration.getNameAsString();
  var.kind = kind;
  var.type = type;
  var.location = file.places.token(declaration.getLocation());
  ir::ExprPtr value;
  if (hasValue(declaration)) {
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(declaration.getInit());
    bool isNew = made != nullptr && languageClass(made->getType()) == LanguageClass::Array &&
                 !made->getConstructor()->isCopyOrMoveConstructor();
    Stmts *const outer = std::exchange(before, &into);
    value = isNew ? allocation(*made) : wholeValue(declaration.getInit());
    const bool isOther =
        value && value->type.isContainer() &&
        nameView(declaration, value, *declaration.getInit(), {braces, nullptr, nullptr});
    before = outer;
    if (isOther)
      return;
    if (value)
      var.type.isConst |= value->type.isContainer() && value->type.isConst;
    if (value && !value->type.isContainer() && value->kind == ir::ExprKind::Literal)
      value = convert(value, type.scalar);
  }
  ir::SourceLocation place = var.location;
  into.push_back(ir::declare(define(declaration, std::move(var)), value, place));
}

/// How many elements each dimension has, outermost first; empty where one is not to be had, which is said.
std::vector<ir::ExprPtr> FunctionLowering::dimensionsOf(const clang::VarDecl &declaration,
                                                        ir::VarKind kind) {
  std::vector<ir::ExprPtr> sizes;
  ir::SourceLocation place = file.places.token(declaration.getLocation());
  clang::QualType type = declaration.getType();
  for (;;) {
    const clang::ArrayType *array = file.ast.getAsArrayType(type);
    if (const auto shape = arrayShape(file.ast, type)) {
      sizes.push_back(integerAt(shape->size, ir::Scalar::Index, place));
      type = shape->element;
      continue;
    }
    if (array == nullptr)
      return sizes;
    type = array->getElementType();
    if (const auto *variable = llvm::dyn_cast<clang::VariableArrayType>(array)) {
      if (kind != ir::VarKind::Shared) {
        unsupported(declaration.getLocation(),
                    "array " + quoted(declaration) + " of variable size that is not '__shared'");
        return {};
      }
      sizes.push_back(expression(variable->getSizeExpr()));
    }
  }
}

void FunctionLowering::arrayVariable(const clang::VarDecl &declaration, ir::VarKind kind,
                                     Stmts &into) {
  if (isRecordArray(declaration.getType())) {
    recordArrayVariable(declaration, kind, into);
    return;
  }
  auto element = typeOf(
      file.ast,
      file.ast.getBaseElementType(frontend::dimensionsOf(file.ast, declaration.getType()).element));
  if (!element || element->isContainer()) {
    unsupported(declaration.getLocation(), "variable " + quoted(declaration) + " of type '" +
                                               spelling(file.ast, declaration.getType()) + "'");
    return;
  }
  std::vector<ir::ExprPtr> sizes = dimensionsOf(declaration, kind);
  if (sizes.empty() || std::ranges::find(sizes, nullptr) != sizes.end())
    return;
  ir::Var var;
  var.name = declaration.getNameAsString();
  if (var.name.empty()) // auto [a, b] = v;
    var.name = "values";
  var.kind = kind;
  var.type = *element;
  var.location = file.places.token(declaration.getLocation());
  var.extent = sizes.front();
  for (std::size_t d = 1; d < sizes.size(); ++d)
    var.extent = product(var.extent, sizes[d], var.location);
  var.inner.assign(sizes.begin() + 1, sizes.end());
  if (kind == ir::VarKind::Shared && hasValue(declaration))
    unsupported(declaration.getInit()->getSourceRange(), "initial values of a '__shared' array");
  ir::SourceLocation place = var.location;
  ir::VarPtr defined = define(declaration, std::move(var));
  dimensions[&declaration] = std::move(sizes);
  into.push_back(ir::declare(defined, nullptr, place));
  if (kind == ir::VarKind::Shared || !hasValue(declaration))
    return;
  Stmts *const outer = std::exchange(before, &into);
  const clang::Expr *init = declaration.getInit()->IgnoreImpCasts();
  const auto *elements = llvm::dyn_cast<clang::ArrayInitLoopExpr>(init); // auto [a, b] = v;
  if (elements != nullptr)
    init = elements->getCommonExpr()->getSourceExpr()->IgnoreImpCasts();
  if (elements != nullptr ||
      (isStandardArray(declaration.getType()) && listIn(init) == nullptr)) { // a copy
    if (const auto of = arrayPartOf(*init))
      copyArray({defined, dimensions[&declaration], nullptr}, *of, place, into);
  } else {
    arrayValues(defined, declaration.getInit(), into);
  }
  before = outer;
}

void FunctionLowering::tunable(const clang::VarDecl &declaration, Stmts &into) {
  auto type = typeOf(file.ast, declaration.getType());
  bool isInteger = type && !type->isContainer() && type->lanes == 1 &&
                   ir::isInteger(type->scalar) && type->scalar != ir::Scalar::Bool &&
                   !declaration.getType()->isReferenceType();
  ir::Var var;
  var.name = declaration.getNameAsString();
  var.kind = ir::VarKind::Tunable;
  var.location = file.places.token(declaration.getLocation());
  if (!isInteger) {
    file.error(var.location, "'__tunable' must qualify an integer local variable, " +
                                 quoted(declaration) + " has type '" +
                                 spelling(file.ast, declaration.getType()) + "'");
    return;
  }
  var.type = *type;
  if (declaration.getInit() != nullptr)
    var.domain = domain(declaration, type->scalar);
  tunables.push_back(&declaration);
  ir::SourceLocation place = var.location;
  into.push_back(ir::declare(define(declaration, std::move(var)), nullptr, place));
}

/// What `= pow2(...)`, `= range(...)` or `= choice(...)` says; Any after an error.
ir::TunableDomain FunctionLowering::domain(const clang::VarDecl &declaration, ir::Scalar type) {
  using Kind = ir::TunableDomain::Kind;
  const clang::Expr *init = declaration.getInit()->IgnoreUnlessSpelledInSource();
  const auto *call = llvm::dyn_cast<clang::CallExpr>(init);
  if (call == nullptr || languageClass(call->getType()) != LanguageClass::Domain) {
    file.error(at(init->getSourceRange()),
               "tunable " + quoted(declaration) +
                   " takes a domain: pow2(lo, hi), range(lo, hi, step) or choice(values...)");
    return {};
  }
  ir::TunableDomain result;
  std::string name = call->getDirectCallee()->getNameAsString();
  result.kind = name == "pow2" ? Kind::Pow2 : name == "range" ? Kind::Range : Kind::Choice;
  for (const clang::Expr *argument : call->arguments()) {
    if (const auto *byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      argument = byDefault->getExpr();
    auto value = integerConstant(file.ast, argument);
    if (!value) {
      file.error(at(argument->getSourceRange()),
                 "argument of '" + name + "' must be an integer constant");
      return {};
    }
    result.values.push_back(*value);
  }
  return checkDomain(*call, result, type) ? result : ir::TunableDomain{};
}

bool FunctionLowering::checkDomain(const clang::CallExpr &call, const ir::TunableDomain &domain,
                                   ir::Scalar type) {
  using Kind = ir::TunableDomain::Kind;
  auto refuse = [&](const clang::Expr *where, std::string message) {
    file.error(at(where->getSourceRange()), std::move(message));
    return false;
  };
  const std::vector<std::int64_t> &values = domain.values;
  if (domain.kind == Kind::Choice && values.empty())
    return refuse(&call, "domain is empty: 'choice' needs at least one value");
  for (unsigned i = 0; i < values.size(); ++i) {
    bool isBound = domain.kind == Kind::Choice || i < 2;
    if (domain.kind == Kind::Pow2 && !isPowerOfTwo(values[i]))
      return refuse(call.getArg(i), "bound of 'pow2' must be a power of two, " +
                                        std::to_string(values[i]) + " is not");
    auto fitting = integerAt(values[i], ir::Scalar::I64, {});
    if (isBound &&
        (convert(fitting, type)->integer != values[i] || (values[i] < 0 && !ir::isSigned(type))))
      return refuse(call.getArg(i), "value " + std::to_string(values[i]) +
                                        " does not fit the tunable's type '" +
                                        ir::spelling(ir::scalarType(type)) + "'");
  }
  if (domain.kind == Kind::Range && values[2] <= 0)
    return refuse(call.getArg(2),
                  "step of 'range' must be positive, " + std::to_string(values[2]) + " is not");
  if (domain.kind != Kind::Choice && values[0] > values[1])
    return refuse(&call, "domain is empty: lower bound " + std::to_string(values[0]) +
                             " is above upper bound " + std::to_string(values[1]));
  return true;
}

} // namespace tangram::frontend

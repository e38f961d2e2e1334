// Declarations of locals: scalars, private and shared arrays, tunables.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "ir/reserved_names.h"

#include <algorithm>

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
  llvm::StringRef name = kind == QualifierKind::Shared ? "tangram shared" : "tangram tunable";
  for (const auto *attribute : declaration.specific_attrs<clang::AnnotateAttr>()) {
    if (attribute->getAnnotation() == name) {
      file.qualifiers.variables.erase(
          file.ast.getSourceManager().getFileLoc(attribute->getLocation()));
      return true;
    }
  }
  return false;
}

void FunctionLowering::declarations(const clang::DeclStmt &s, Stmts &into) {
  for (const clang::Decl *each : s.decls()) {
    if (const auto *declared = llvm::dyn_cast<clang::VarDecl>(each))
      variable(*declared, into);
    else if (llvm::isa<clang::RecordDecl>(each))
      unsupported(each->getSourceRange(), "struct or class");
    else if (llvm::isa<clang::FunctionDecl>(each))
      unsupported(each->getSourceRange(), "function declared in a function");
  }
}

void FunctionLowering::variable(const clang::VarDecl &declaration, Stmts &into) {
  bool shared = claim(declaration, QualifierKind::Shared);
  bool tuned = isCodelet() && claim(declaration, QualifierKind::Tunable);
  if (!declaration.hasLocalStorage()) {
    unsupported(declaration.getLocation(), "static or extern local variable");
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
  if (declaration.getType()->isArrayType()) {
    arrayVariable(declaration, kind, into);
    return;
  }
  auto type = typeOf(file.ast, declaration.getType());
  if (!type || type->scalar == ir::Scalar::Void || declaration.getType()->isReferenceType()) {
    unsupported(declaration.getLocation(), "variable " + quoted(declaration) + " of type '" +
                                               spelling(file.ast, declaration.getType()) + "'");
    return;
  }
  withIncrements(hasValue(declaration) ? declaration.getInit() : nullptr, into,
                 [&] { scalarVariable(declaration, *type, kind, into); });
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
    value = isNew ? allocation(*made) : wholeValue(declaration.getInit());
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
  for (const clang::ArrayType *array = file.ast.getAsArrayType(declaration.getType()); array;
       array = file.ast.getAsArrayType(array->getElementType())) {
    if (const auto *fixed = llvm::dyn_cast<clang::ConstantArrayType>(array)) {
      sizes.push_back(integerAt(static_cast<std::int64_t>(fixed->getSize().getZExtValue()),
                                ir::Scalar::Index, place));
    } else if (const auto *variable = llvm::dyn_cast<clang::VariableArrayType>(array)) {
      if (kind != ir::VarKind::Shared) {
        unsupported(declaration.getLocation(),
                    "array " + quoted(declaration) + " of variable size that is not '__shared'");
        return {};
      }
      sizes.push_back(expression(variable->getSizeExpr()));
    }
  }
  return sizes;
}

void FunctionLowering::arrayVariable(const clang::VarDecl &declaration, ir::VarKind kind,
                                     Stmts &into) {
  auto element = typeOf(file.ast, file.ast.getBaseElementType(declaration.getType()));
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
  if (kind != ir::VarKind::Shared && hasValue(declaration))
    arrayValues(defined, declaration.getInit(), into);
}

/// The values of a list, and of lists in it, by their places in the array; false: said why not.
bool FunctionLowering::collectValues(const clang::InitListExpr &list, std::int64_t first,
                                     std::map<std::int64_t, ir::ExprPtr> &values) {
  const auto *array = file.ast.getAsConstantArrayType(list.getType());
  std::int64_t stride = 1; // elements of what each entry is for
  for (const auto *inner = array ? file.ast.getAsConstantArrayType(array->getElementType())
                                 : nullptr;
       inner; inner = file.ast.getAsConstantArrayType(inner->getElementType()))
    stride *= static_cast<std::int64_t>(inner->getSize().getZExtValue());
  for (unsigned i = 0; i < list.getNumInits(); ++i) {
    const clang::Expr *init = list.getInit(i);
    const std::int64_t at = first + i * stride;
    if (llvm::isa<clang::ImplicitValueInitExpr>(init))
      continue;
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

/// The IR declares arrays without values: `int t[4] = {1, 2}` becomes assignments, and
/// a loop for the zeros.
void FunctionLowering::arrayValues(const ir::VarPtr &array, const clang::Expr *init, Stmts &into) {
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreParens());
  if (list == nullptr) {
    bool isText = llvm::isa<clang::StringLiteral>(init->IgnoreParens());
    unsupported(init->getSourceRange(), isText ? "string" : "initial value of an array");
    return;
  }
  ir::SourceLocation place = at(init->getSourceRange());
  std::map<std::int64_t, ir::ExprPtr> values;
  if (!collectValues(*list, 0, values))
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

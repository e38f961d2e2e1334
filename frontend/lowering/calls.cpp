// Calls: of spectrums, math functions and helper functions.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>
#include <array>

namespace tangram::frontend {

namespace {

struct MathFunction {
  const char *name;
  unsigned arity;
};

/// By the names the IR knows them under; C's `f` forms go by their argument's type.
constexpr std::array<MathFunction, 40> mathFunctions{
    {{"min", 2},   {"max", 2},  {"abs", 1},   {"fabs", 1},    {"sqrt", 1},  {"cbrt", 1},
     {"exp", 1},   {"exp2", 1}, {"expm1", 1}, {"log", 1},     {"log2", 1},  {"log10", 1},
     {"log1p", 1}, {"sin", 1},  {"cos", 1},   {"tan", 1},     {"asin", 1},  {"acos", 1},
     {"atan", 1},  {"sinh", 1}, {"cosh", 1},  {"tanh", 1},    {"asinh", 1}, {"acosh", 1},
     {"atanh", 1}, {"erf", 1},  {"erfc", 1},  {"floor", 1},   {"ceil", 1},  {"trunc", 1},
     {"round", 1}, {"rint", 1}, {"pow", 2},   {"atan2", 2},   {"hypot", 2}, {"fmod", 2},
     {"fmin", 2},  {"fmax", 2}, {"fma", 3},   {"copysign", 2}}};

const MathFunction *mathNamed(llvm::StringRef name) {
  const auto *found = std::find_if(mathFunctions.begin(), mathFunctions.end(),
                                   [&](const MathFunction &f) { return name == f.name; });
  return found == mathFunctions.end() ? nullptr : found;
}

/// The IR's name of a library function: `sqrtf`, `std::sqrt` and `__builtin_sqrt` are
/// all sqrt. Empty for every other function.
std::string mathName(const clang::ASTContext &ast, const clang::FunctionDecl &callee) {
  bool isWritten = callee.isDefined() && !inLanguage(&callee) &&
                   !ast.getSourceManager().isInSystemHeader(callee.getLocation());
  if (isWritten || !callee.getDeclName().isIdentifier())
    return {};
  llvm::StringRef name = callee.getName();
  name.consume_front("__builtin_");
  const MathFunction *found = mathNamed(name);
  if (found == nullptr && name.ends_with("f"))
    found = mathNamed(name.drop_back());
  if (found == nullptr && (name == "labs" || name == "llabs"))
    found = mathNamed("abs");
  // Nobody can tell them apart where there are no floating-point exceptions; OpenCL has one of them.
  if (found == nullptr && (name == "nearbyint" || name == "nearbyintf"))
    found = mathNamed("rint");
  return found != nullptr && found->arity == callee.getNumParams() ? found->name : "";
}

} // namespace

ir::ExprPtr FunctionLowering::call(const clang::CallExpr &e) {
  if (const clang::FunctionDecl *inlinedOne = inlinedCallee(e)) {
    const auto value = inlinedCall(e, *inlinedOne);
    if (value && !value->number)
      return unsupported(e.getSourceRange(),
                         "value of type '" + spelling(file.ast, e.getType()) + "'");
    return value ? value->number : nullptr;
  }
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e))
    return memberCall(*member);
  if (const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e)) {
    if (operation->getOperator() == clang::OO_Subscript &&
        isStandardArray(operation->getArg(0)->getType()))
      return arrayElement(e, *operation->getArg(0), *operation->getArg(1));
    if (operation->getOperator() == clang::OO_Subscript)
      return elementOf(*operation);
    if (isVectorOperation(*operation) && operation->isAssignmentOp())
      return assignmentValue(e);
    if (isVectorOperation(*operation))
      return vectorOperation(*operation);
    if (isPairComparison(*operation))
      return comparedPairs(*operation);
    if (operation->isAssignmentOp() && languageClass(e.getArg(0)->getType()) != LanguageClass::None)
      return unsupported(e.getSourceRange(), "assignment used as a value");
    return unsupported(e.getSourceRange(), "operator of a class");
  }
  const clang::FunctionDecl *callee = e.getDirectCallee();
  if (callee == nullptr)
    return unsupported(e.getSourceRange(), "call through a pointer");
  if (auto spectrum = file.spectrumOf(callee))
    return spectrumCall(e, *spectrum);
  if (isVectorFunction(*callee))
    return vectorCall(e, callee->getNameAsString());
  std::string math = mathName(file.ast, *callee);
  if (!math.empty())
    return mathCall(e, math);
  if (isLibraryCall(*callee))
    return libraryCall(e, *callee);
  if (inLanguage(callee))
    return primitive(e, callee->getNameAsString());
  if (callee->getBuiltinID() != 0 || callee->isConstexpr()) {
    if (ir::ExprPtr folded = foldConstant(file.ast, &e, at(e.getSourceRange())))
      return folded; // INFINITY, numeric_limits<int>::max()
  }
  return helperCall(e, *callee);
}

/// Lowers the arguments of a call, each converted to its parameter's type. A const
/// container does not go where the callee may write.
bool FunctionLowering::arguments(const clang::CallExpr &e, const clang::FunctionDecl &callee,
                                 std::vector<ir::ExprPtr> &into) {
  bool complete = true;
  for (unsigned i = 0; i < e.getNumArgs(); ++i) {
    const clang::Expr *argument = e.getArg(i);
    if (const auto *byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      argument = byDefault->getExpr();
    const clang::ParmVarDecl *parameter =
        i < callee.getNumParams() ? callee.getParamDecl(i) : nullptr;
    ir::ExprPtr value = expression(argument);
    auto type = parameter != nullptr ? typeOf(file.ast, parameter->getType().getNonReferenceType())
                                     : std::nullopt;
    if (parameter != nullptr && file.spectrums.calledBy(&callee) != nullptr &&
        isElementReference(file.ast, *parameter)) {
      file.error(at(argument->getSourceRange()),
                 "'" + callee.getNameAsString() + "' writes its parameter '" +
                     parameter->getNameAsString() + "', an element: a map gives it one")
          .notes = {ir::noteAt(file.places.token(parameter->getLocation()),
                               "the parameter is declared here")};
      complete = false;
      continue;
    }
    complete &= value && type;
    if (!value || !type)
      continue;
    if (type->isContainer() && value->type.isConst && !type->isConst) {
      file.error(value->location, "argument " + std::to_string(i + 1) + " of '" +
                                      callee.getNameAsString() + "' is const, its parameter '" +
                                      parameter->getNameAsString() + "' is not")
          .notes = {ir::noteAt(file.places.token(parameter->getLocation()),
                               "the parameter is declared here")};
      complete = false;
    }
    into.push_back(convert(value, type->scalar));
  }
  return complete;
}

ir::ExprPtr FunctionLowering::spectrumCall(const clang::CallExpr &e, const UsedSpectrum &spectrum) {
  if (!isCodelet())
    return unsupported(e.getSourceRange(),
                       "spectrum '" + spectrum.name + "' called in a function that is no codelet");
  std::vector<ir::ExprPtr> args;
  auto result = typeOf(file.ast, e.getType());
  if (!arguments(e, *e.getDirectCallee(), args) || !result)
    return nullptr;
  return ir::node(ir::ExprKind::SpectrumCall, *result, std::move(args), at(e.getSourceRange()),
                  spectrum.name);
}

ir::ExprPtr FunctionLowering::mathCall(const clang::CallExpr &e, const std::string &name) {
  auto result = typeOf(file.ast, e.getType());
  if (!result || result->isContainer())
    return unsupported(e.getSourceRange(),
                       "value of type '" + spelling(file.ast, e.getType()) + "'");
  if (result->lanes > 1)
    return unsupported(e.getSourceRange(),
                       "'" + name + "' of vectors; it works on their components");
  std::vector<ir::ExprPtr> args;
  for (const clang::Expr *argument : e.arguments()) {
    ir::ExprPtr value = expression(argument);
    if (!value)
      return nullptr;
    args.push_back(convert(value, result->scalar));
  }
  if (name == "abs" && !ir::isFloating(result->scalar) && !ir::isSigned(result->scalar))
    return args[0];
  const bool ofFloats = name == "abs" && ir::isFloating(result->scalar);
  return ir::call(ofFloats ? "fabs" : name, *result, std::move(args), at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::helperCall(const clang::CallExpr &e,
                                         const clang::FunctionDecl &callee) {
  auto name = file.helpers.nameOf(file, callee, e.getSourceRange());
  std::vector<ir::ExprPtr> args;
  auto result = typeOf(file.ast, e.getType());
  if (!name || !arguments(e, *callee.getDefinition(), args) || !result)
    return nullptr;
  return ir::call(*name, *result, std::move(args), at(e.getSourceRange()));
}

} // namespace tangram::frontend

// map, fold and chain: a spectrum on corresponding elements of containers.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

/// Type of what a map hands to its spectrum for an argument of this value.
ir::Type elementType(const ir::Expr &argument) {
  if (argument.kind == ir::ExprKind::All)
    return argument.args[0]->type;
  ir::Type type = argument.type;
  if (type.nest > 0)
    --type.nest;
  else if (type.rank > 1)
    --type.rank;
  else if (type.rank > 0)
    type = ir::vectorType(type.scalar, type.lanes);
  return type;
}

/// Whether a map has as many elements as this argument: a container, or a sequence with an end.
bool hasElements(const ir::ExprPtr &argument) {
  const ir::Expr &bare = argument->kind == ir::ExprKind::Cast ? *argument->args[0] : *argument;
  if (isSequence(bare))
    return bare.args.size() > 1;
  return argument->type.isContainer() && argument->kind != ir::ExprKind::All;
}

} // namespace

/// The spectrum that a map's first argument names; an error and nothing otherwise.
std::optional<UsedSpectrum> FunctionLowering::appliedSpectrum(const clang::CallExpr &e,
                                                              const std::string &name) {
  if (e.getNumArgs() == 0) {
    file.error(at(e.getSourceRange()), "'" + name + "' applies a spectrum, none is given");
    return std::nullopt;
  }
  const clang::Expr *applied = e.getArg(0)->IgnoreParenImpCasts();
  // A spectrum that is a template's argument comes as its address.
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(applied))
    applied = address->getSubExpr()->IgnoreParenImpCasts();
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(applied);
  const auto *function =
      named != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr;
  if (auto spectrum = file.spectrumOf(function))
    return spectrum;
  const bool isLambda = llvm::isa<clang::LambdaExpr>(e.getArg(0)->IgnoreUnlessSpelledInSource()) ||
                        (named != nullptr && closures.count(named->getDecl()) != 0);
  std::string what = named != nullptr ? "'" + named->getDecl()->getNameAsString() + "' is not one"
                                      : "this is not one";
  if (isLambda)
    what = "a lambda is not one: write it as a '__codelet' function";
  else if (function != nullptr)
    what += ": write '__codelet' before it";
  file.error(at(applied->getSourceRange()), "'" + name + "' applies a spectrum, " + what);
  return std::nullopt;
}

ir::ExprPtr FunctionLowering::map(const clang::CallExpr &e, const std::string &name) {
  auto spectrum = appliedSpectrum(e, name);
  std::vector<ir::ExprPtr> args;
  if (!spectrum || !primitiveArguments(e, 1, args))
    return nullptr;
  ir::SourceLocation place = at(e.getSourceRange());
  const clang::FunctionDecl &reference = *spectrum->signature;
  auto result = typeOf(file.ast, reference.getReturnType());
  if (!result || !checkMapCount(name, place, args.size(), *spectrum) ||
      (name == "fold" && !checkFold(e, *result, *spectrum)) ||
      (name == "chain" && !checkCarry(e, *args.front(), *result, *spectrum)))
    return nullptr;
  bool fits = true;
  for (unsigned i = 0; i < args.size(); ++i) {
    auto parameter = parameterType(file.ast, *reference.getParamDecl(i));
    fits &=
        checkMapArgument(name, e.getArg(i + 1), *args[i], *reference.getParamDecl(i), *spectrum);
    if (fits && parameter && !args[i]->type.isContainer())
      args[i] = convert(args[i], parameter->scalar);
    if (fits && isElementReference(file.ast, *reference.getParamDecl(i)))
      args[i] = elementsOf(args[i], at(e.getArg(i + 1)->getSourceRange()));
  }
  if (fits && std::none_of(args.begin(), args.end(), hasElements)) {
    file.error(place,
               "'" + name +
                   "' needs a container that is not in 'all', or a sequence with an end, among "
                   "its arguments");
    return nullptr;
  }
  if (!fits)
    return nullptr;
  ir::Type type = *result;
  type.rank = name == "map" && type.scalar != ir::Scalar::Void ? 1 : 0;
  ir::Expr made = *ir::node(ir::ExprKind::Map, type, std::move(args), place, spectrum->name);
  made.op = ir::Operator::named(name).value_or(ir::Operator());
  return std::make_shared<const ir::Expr>(std::move(made));
}

bool FunctionLowering::checkMapCount(const std::string &name, const ir::SourceLocation &place,
                                     std::size_t given, const UsedSpectrum &spectrum) {
  const clang::FunctionDecl &reference = *spectrum.signature;
  if (given == reference.getNumParams())
    return true;
  file.error(place, "'" + name + "' gives '" + spectrum.name + "' " + counted(given, "argument") +
                        ", it takes " + std::to_string(reference.getNumParams()))
      .notes = {ir::noteAt(file.places.token(reference.getLocation()),
                           "spectrum '" + spectrum.name + "' is declared here")};
  return false;
}

bool FunctionLowering::checkFold(const clang::CallExpr &e, const ir::Type &result,
                                 const UsedSpectrum &spectrum) {
  if (result.scalar == ir::Scalar::Void)
    return true;
  file.error(at(e.getArg(0)->getSourceRange()),
             "'fold' applies a spectrum that returns nothing, '" + spectrum.name + "' returns '" +
                 ir::spelling(result) + "'");
  return false;
}

/// The first parameter of a chain's spectrum is a scalar of the type it returns.
bool FunctionLowering::checkCarry(const clang::CallExpr &e, const ir::Expr &carry,
                                  const ir::Type &result, const UsedSpectrum &spectrum) {
  const clang::ParmVarDecl &parameter = *spectrum.signature->getParamDecl(0);
  auto type = typeOf(file.ast, parameter.getType());
  bool isCarry = type && !type->isContainer() && type->scalar == result.scalar &&
                 type->lanes == 1 && result.lanes == 1;
  if (!isCarry || result.scalar == ir::Scalar::Void) {
    std::string is = "'" + spectrum.name + "' takes '" +
                     (type ? ir::spelling(*type) : spelling(file.ast, parameter.getType())) +
                     "' and returns '" + ir::spelling(result) + "'";
    file.error(at(e.getArg(0)->getSourceRange()),
               "'chain' applies a spectrum that returns a scalar of its first parameter's type, " +
                   is +
                   (result.lanes > 1 ? ": a chain for each component, or a loop, does it" : ""));
    return false;
  }
  if (carry.type.isContainer() || isSequence(carry)) {
    file.error(at(e.getArg(1)->getSourceRange()), "the carry of 'chain' must be a scalar");
    return false;
  }
  return true;
}

bool FunctionLowering::checkMapArgument(const std::string &name, const clang::Expr *argument,
                                        const ir::Expr &value, const clang::ParmVarDecl &parameter,
                                        const UsedSpectrum &spectrum) {
  auto expected = parameterType(file.ast, parameter);
  if (!expected)
    return false;
  if (isElementReference(file.ast, parameter)) {
    const ir::Type &given = value.type;
    if (!isSequence(value) && value.kind != ir::ExprKind::All && given.rank == 1 &&
        given.nest == 0 && given.scalar == expected->scalar && given.lanes == expected->lanes &&
        !given.isConst)
      return true;
    file.error(at(argument->getSourceRange()),
               "'" + name + "' gives " +
                   (isSequence(value)                 ? "a sequence"
                    : value.kind == ir::ExprKind::All ? "all of an '" + ir::spelling(given) + "'"
                                                      : "'" + ir::spelling(given) + "'") +
                   " to parameter '" + parameter.getNameAsString() + "' of '" + spectrum.name +
                   "', which is '" + spelling(file.ast, parameter.getType()) +
                   "': its elements are those of a container that is written, '" +
                   ir::spelling(*expected) + "'")
        .notes = {
        ir::noteAt(file.places.token(parameter.getLocation()), "the parameter is declared here")};
    return false;
  }
  ir::Type given = elementType(value);
  bool isScalar = !isSequence(value) && !given.isContainer() && !expected->isContainer() &&
                  given.lanes == 1 && expected->lanes == 1;
  bool sameShape = given.scalar == expected->scalar && given.rank == expected->rank &&
                   given.nest == expected->nest && given.lanes == expected->lanes;
  bool writable = expected->isConst || !given.isConst;
  // A sequence hands each element its number; a constant is one as it is.
  bool isNumber = isSequence(value) && value.args.size() > 1 && !expected->isContainer() &&
                  ir::isInteger(expected->scalar) && expected->lanes == 1;
  if (isNumber || isScalar || (!isSequence(value) && sameShape && writable))
    return true;
  const bool isConstant = isSequence(value) && value.args.size() == 1;
  std::string what = isConstant          ? "a sequence without an end"
                     : isSequence(value) ? "a sequence"
                                         : "'" + ir::spelling(given) + "'";
  std::vector<ir::Diagnostic> notes{
      ir::noteAt(file.places.token(parameter.getLocation()), "the parameter is declared here")};
  if (value.kind == ir::ExprKind::Partition && given.rank == expected->rank + 1)
    notes.push_back(ir::noteAt(at(argument->getSourceRange()),
                               "a part has as many dimensions as the whole; single rows are the "
                               "elements of the container itself"));
  if (isConstant && !expected->isContainer())
    notes.push_back(ir::noteAt(at(argument->getSourceRange()),
                               "a number that is the same for every element is given as it is"));
  file.error(at(argument->getSourceRange()),
             "'" + name + "' gives " + what + " to parameter '" + parameter.getNameAsString() +
                 "' of '" + spectrum.name + "', which is '" + ir::spelling(*expected) + "'")
      .notes = std::move(notes);
  return false;
}

} // namespace tangram::frontend

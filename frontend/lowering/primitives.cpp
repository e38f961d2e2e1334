// The primitives of dissertation table 4.2. tangram.h takes any arguments for most of
// them; what is right is decided here, so that the messages can be precise.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

std::string count(unsigned n, const std::string &what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// Type of what a map hands to its spectrum for an argument of this value.
ir::Type elementType(const ir::Expr &argument) {
  if (argument.kind == ir::ExprKind::All)
    return argument.args[0]->type;
  ir::Type type = argument.type;
  if (type.nest > 0)
    --type.nest;
  else if (type.rank > 0)
    type = ir::scalarType(type.scalar);
  return type;
}

bool isSequence(const ir::Expr &e) { return e.kind == ir::ExprKind::Sequence; }

bool isIntegerScalar(const ir::Expr &e) {
  return !isSequence(e) && !e.type.isContainer() && ir::isInteger(e.type.scalar);
}

} // namespace

ir::ExprPtr FunctionLowering::primitive(const clang::CallExpr &e, const std::string &name) {
  if (!isCodelet())
    return unsupported(e.getSourceRange(), "'" + name + "' outside a codelet");
  if (name == "coopIdx" || name == "coopDim")
    return lane(e, name);
  if (name == "map")
    return map(e);
  if (name == "partition")
    return partition(e);
  if (name == "sequence")
    return sequence(e);
  if (name == "require")
    return unsupported(e.getSourceRange(), "'require' used as a value");
  if (name == "all") {
    file.error(at(e.getSourceRange()), "'all' must be an argument of 'map'");
    return nullptr;
  }
  file.error(at(e.getSourceRange()), "'" + name + "' must be the domain of a '__tunable' variable");
  return nullptr;
}

ir::ExprPtr FunctionLowering::lane(const clang::CallExpr &e, const std::string &name) {
  if (role != FunctionRole::Cooperative) {
    file.error(at(e.getSourceRange()), "'" + name + "()' outside a '__coop' codelet");
    return nullptr;
  }
  return ir::node(name == "coopIdx" ? ir::ExprKind::CoopIdx : ir::ExprKind::CoopDim,
                  ir::scalarType(ir::Scalar::U32), {}, at(e.getSourceRange()));
}

bool FunctionLowering::primitiveArguments(const clang::CallExpr &e, unsigned from,
                                          std::vector<ir::ExprPtr> &into) {
  for (unsigned i = from; i < e.getNumArgs(); ++i) {
    const auto *called =
        llvm::dyn_cast<clang::CallExpr>(e.getArg(i)->IgnoreUnlessSpelledInSource());
    bool isAll = called != nullptr && languageClass(called->getType()) == LanguageClass::Whole;
    into.push_back(isAll ? all(*called) : expression(e.getArg(i)));
  }
  return std::count(into.begin(), into.end(), nullptr) == 0;
}

ir::ExprPtr FunctionLowering::all(const clang::CallExpr &e) {
  ir::ExprPtr container = expression(e.getArg(0));
  if (!container)
    return nullptr;
  if (!container->type.isContainer()) {
    file.error(container->location, "argument of 'all' must be a container, not '" +
                                        ir::spelling(container->type) + "'");
    return nullptr;
  }
  return ir::node(ir::ExprKind::All, container->type, {container}, at(e.getSourceRange()));
}

ir::ExprPtr FunctionLowering::map(const clang::CallExpr &e) {
  const clang::Expr *applied = e.getArg(0)->IgnoreParenImpCasts();
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(applied);
  const auto *function =
      named != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr;
  const SpectrumSource *spectrum = file.spectrums.calledBy(function);
  if (spectrum == nullptr) {
    std::string what = named != nullptr ? "'" + named->getDecl()->getNameAsString() + "' is not one"
                                        : "this is not one";
    file.error(at(applied->getSourceRange()), "'map' applies a spectrum, " + what);
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 1, args))
    return nullptr;
  ir::SourceLocation place = at(e.getSourceRange());
  const clang::FunctionDecl &reference = *spectrum->reference.function;
  std::string note = "spectrum '" + spectrum->name + "' is declared here";
  if (args.size() != reference.getNumParams()) {
    file.error(place, "'map' gives '" + spectrum->name + "' " +
                          count(static_cast<unsigned>(args.size()), "argument") + ", it takes " +
                          std::to_string(reference.getNumParams()))
        .notes = {ir::noteAt(file.places.token(reference.getLocation()), note)};
    return nullptr;
  }
  bool fits = true;
  for (unsigned i = 0; i < args.size(); ++i)
    fits &= checkMapArgument(e.getArg(i + 1), *args[i], *reference.getParamDecl(i), *spectrum);
  auto hasElements = [](const ir::ExprPtr &arg) {
    return arg->type.isContainer() && arg->kind != ir::ExprKind::All;
  };
  if (fits && std::none_of(args.begin(), args.end(), hasElements)) {
    file.error(place, "'map' needs a container that is not in 'all' among its arguments");
    return nullptr;
  }
  auto result = typeOf(file.ast, reference.getReturnType());
  if (!fits || !result)
    return nullptr;
  ir::Type type = *result;
  type.rank = type.scalar == ir::Scalar::Void ? 0 : 1;
  return ir::node(ir::ExprKind::Map, type, std::move(args), place, spectrum->name);
}

bool FunctionLowering::checkMapArgument(const clang::Expr *argument, const ir::Expr &value,
                                        const clang::ParmVarDecl &parameter,
                                        const SpectrumSource &spectrum) {
  auto expected = typeOf(file.ast, parameter.getType());
  if (!expected)
    return false;
  ir::Type given = elementType(value);
  bool isScalar = !isSequence(value) && !given.isContainer() && !expected->isContainer();
  bool sameShape = given.scalar == expected->scalar && given.rank == expected->rank &&
                   given.nest == expected->nest;
  bool writable = expected->isConst || !given.isConst;
  if (isScalar || (!isSequence(value) && sameShape && writable))
    return true;
  std::string what = isSequence(value) ? "a sequence" : "'" + ir::spelling(given) + "'";
  file.error(at(argument->getSourceRange()),
             "'map' gives " + what + " to parameter '" + parameter.getNameAsString() + "' of '" +
                 spectrum.name + "', which is '" + ir::spelling(*expected) + "'")
      .notes = {
      ir::noteAt(file.places.token(parameter.getLocation()), "the parameter is declared here")};
  return false;
}

ir::ExprPtr FunctionLowering::partition(const clang::CallExpr &e) {
  static const std::string names[] = {"container", "n", "start", "inc", "end"};
  ir::SourceLocation place = at(e.getSourceRange());
  if (e.getNumArgs() != 5) {
    file.error(place, "'partition' takes 5 arguments (container, n, start, inc, end), not " +
                          std::to_string(e.getNumArgs()));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  bool fits = true;
  for (unsigned i = 0; i < args.size(); ++i) {
    const ir::Expr &arg = *args[i];
    bool isContainer = arg.type.isContainer() && arg.kind != ir::ExprKind::All;
    bool right = i == 0 ? isContainer : i == 1 ? isIntegerScalar(arg) : isSequence(arg);
    if (right)
      continue;
    fits = false;
    std::string kind = i == 0 ? "a container" : i == 1 ? "an integer" : "a sequence";
    ir::Diagnostic &error =
        file.error(arg.location, "argument '" + names[i] + "' of 'partition' must be " + kind);
    if (i > 1 && isIntegerScalar(arg))
      error.suggestion = "sequence(" + ir::toString(args[i]) + ")";
  }
  if (!fits)
    return nullptr;
  ir::Type type = args[0]->type;
  ++type.nest;
  return ir::node(ir::ExprKind::Partition, type, std::move(args), place);
}

ir::ExprPtr FunctionLowering::sequence(const clang::CallExpr &e) {
  ir::SourceLocation place = at(e.getSourceRange());
  unsigned given = e.getNumArgs();
  if (given != 1 && given != 3 && given != 4) {
    file.error(place, "'sequence' takes (a), (start, inc, end) or (container, start, inc, end), "
                      "not " +
                          count(given, "argument"));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  bool fits = true;
  for (unsigned i = 0; i < given; ++i) {
    bool wantsContainer = given == 4 && i == 0;
    const ir::Expr &arg = *args[i];
    bool isIntegers = arg.type.rank == 1 && arg.type.nest == 0 && ir::isInteger(arg.type.scalar) &&
                      arg.kind != ir::ExprKind::All;
    if (wantsContainer ? isIntegers : isIntegerScalar(arg))
      continue;
    fits = false;
    file.error(arg.location, "argument " + std::to_string(i + 1) + " of 'sequence' must be " +
                                 (wantsContainer ? "a container of integers" : "an integer"));
  }
  if (!fits)
    return nullptr;
  return ir::node(ir::ExprKind::Sequence, ir::scalarType(ir::Scalar::Index), std::move(args),
                  place);
}

} // namespace tangram::frontend

// What a codelet requires of sizes, and of data, and what it says of them.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"

namespace tangram::frontend {

namespace {

bool isParameter(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Param;
}

/// Whether a bound is known before a kernel runs: integers made of literals, sizes of
/// parameters and scalar parameters.
bool isKnownBefore(const ir::ExprPtr &e) {
  if (e->kind == ir::ExprKind::Size)
    return isParameter(*e->args[0]);
  bool isArithmetic = e->kind == ir::ExprKind::Literal || e->kind == ir::ExprKind::Unary ||
                      e->kind == ir::ExprKind::Binary || e->kind == ir::ExprKind::Cast ||
                      isParameter(*e);
  if (!isArithmetic || e->type.isContainer() || !ir::isInteger(e->type.scalar))
    return false;
  for (const ir::ExprPtr &arg : e->args) {
    if (!isKnownBefore(arg))
      return false;
  }
  return true;
}

bool isAboutFloatingPoint(const ir::ExprPtr &e) {
  bool found = false;
  ir::forEach(e, [&](const ir::Expr &part) {
    found |= !part.type.isContainer() && ir::isFloating(part.type.scalar);
  });
  return found;
}

} // namespace

void FunctionLowering::requirement(const clang::CallExpr &e, Stmts &into) {
  if (!isCodelet()) {
    unsupported(e.getSourceRange(), "'require' outside a codelet");
    return;
  }
  requirement(*e.getArg(0), at(e.getSourceRange()), into);
}

void FunctionLowering::requirement(const clang::Expr &whole, const ir::SourceLocation &place,
                                   Stmts &into) {
  const auto *both = llvm::dyn_cast<clang::BinaryOperator>(whole.IgnoreParenImpCasts());
  if (both && both->getOpcode() == clang::BO_LAnd) {
    // Two requirements, each of which may be about sizes, or data.
    for (const clang::Expr *one : {both->getLHS(), both->getRHS()})
      requirement(*one, at(one->getSourceRange()), into);
    return;
  }
  const clang::Expr *condition = &whole;
  std::string name = primitiveName(condition);
  bool isContract = (name == "within" || name == "ascending") && depth == 0;
  ir::ExprPtr value =
      isContract
          ? contract(*llvm::cast<clang::CallExpr>(condition->IgnoreUnlessSpelledInSource()), name)
          : expression(condition);
  if (!value)
    return;
  if (!isContract && isAboutFloatingPoint(value)) {
    file.diagnostics.push_back(ir::warningAt(
        value->location, "no library checks what is required of floating-point values: a plan "
                         "that does not prove it is refused"));
    file.diagnostics.back().notes = {
        ir::noteAt({}, "what the caller guarantees without a check is said in a comment")};
  }
  into.push_back(ir::require(value, place));
}

/// within(c, lo, hi) and ascending(c, lo, hi).
ir::ExprPtr FunctionLowering::contract(const clang::CallExpr &e, const std::string &name) {
  ir::SourceLocation place = at(e.getSourceRange());
  if (e.getNumArgs() != 3) {
    file.error(place, "'" + name + "' takes 3 arguments (container, low, high), not " +
                          std::to_string(e.getNumArgs()));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  const ir::Expr &container = *args[0];
  unsigned highestRank = name == "ascending" ? 1 : 4;
  // A codelet may also promise that a container of its own has become ascending.
  bool own = name == "ascending" && container.kind == ir::ExprKind::Var;
  bool fits = (isParameter(container) || own) && container.type.rank >= 1 &&
              container.type.rank <= highestRank && ir::isInteger(container.type.scalar) &&
              (container.type.lanes == 1 || name == "within");
  if (!fits)
    file.error(container.location,
               "'" + name + "' is about a " + (name == "ascending" ? "" : "parameter that is a ") +
                   "container of integers" + (name == "ascending" ? " with one dimension" : ""));
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (isKnownBefore(args[i]))
      continue;
    fits = false;
    file.error(args[i]->location, "bound of '" + name +
                                      "' must be an integer made of literals, sizes of "
                                      "parameters and scalar parameters");
  }
  return fits ? ir::call(name, ir::scalarType(ir::Scalar::Bool), std::move(args), place) : nullptr;
}

/// typical(c.size(d), n) and typical(parameter, n).
void FunctionLowering::typical(const clang::CallExpr &e) {
  if (!isCodelet() || depth > 0) {
    file.error(at(e.getSourceRange()), "'typical' must stand at the top of a codelet's body");
    return;
  }
  const ir::ExprPtr what = expression(e.getArg(0));
  if (!what)
    return;
  const bool isSize = what->kind == ir::ExprKind::Size && isParameter(*what->args[0]);
  if (!isSize && !(isParameter(*what) && isIntegerScalar(*what))) {
    file.error(what->location, "'typical' is about a size of a parameter, or an integer parameter");
    return;
  }
  const auto value = integerConstant(file.ast, e.getArg(1));
  if (!value || *value < 1) {
    file.error(at(e.getArg(1)->getSourceRange()), "'typical' takes a constant of at least 1");
    return;
  }
  saidOfSizes.push_back({what, static_cast<std::uint64_t>(*value)});
}

} // namespace tangram::frontend

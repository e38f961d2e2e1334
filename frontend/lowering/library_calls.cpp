// Functions of <algorithm>, <cmath> and <utility> that are made of others.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"

#include <algorithm>
#include <limits>
#include <set>

namespace tangram::frontend {

namespace {

std::string libraryName(const clang::FunctionDecl &callee) {
  if (!callee.getDeclName().isIdentifier())
    return {};
  llvm::StringRef name = callee.getName();
  if (!callee.isInStdNamespace() && callee.getBuiltinID() == 0)
    return {};
  name.consume_front("__builtin_");
  return name.str();
}

} // namespace

bool FunctionLowering::isLibraryCall(const clang::FunctionDecl &callee) const {
  static const std::set<std::string> classes{"isnan", "isinf", "isfinite", "signbit"};
  const std::string name = libraryName(callee);
  if (classes.count(name) != 0)
    return callee.getNumParams() == 1 && callee.getParamDecl(0)->getType()->isFloatingType();
  if (name == "clamp")
    return callee.getNumParams() == 3;
  if (name == "exchange")
    return callee.getNumParams() == 2;
  return (name == "min" || name == "max") && callee.getNumParams() == 1;
}

/// clamp(x, lo, hi), min({a, b, c}), isnan(x) and its like.
ir::ExprPtr FunctionLowering::libraryCall(const clang::CallExpr &e,
                                          const clang::FunctionDecl &callee) {
  const std::string name = libraryName(callee);
  const ir::SourceLocation place = at(e.getSourceRange());
  const auto result = typeOf(file.ast, e.getType().getNonReferenceType().getUnqualifiedType());
  if (!result || result->isContainer() || result->lanes > 1)
    return unsupported(e.getSourceRange(),
                       "'" + name + "' of type '" + spelling(file.ast, e.getType()) + "'");
  if (name == "exchange")
    return exchangedValue(e);
  std::vector<ir::ExprPtr> args;
  const clang::InitListExpr *list = name == "min" || name == "max" ? listIn(e.getArg(0)) : nullptr;
  if (list != nullptr) {
    for (const clang::Expr *each : list->inits())
      args.push_back(expression(each));
  } else {
    for (const clang::Expr *each : e.arguments())
      args.push_back(expression(each));
  }
  if (args.empty() || std::count(args.begin(), args.end(), nullptr) != 0)
    return args.empty() ? unsupported(e.getSourceRange(), "'" + name + "' of nothing") : nullptr;
  auto of = [&](const std::string &function, const ir::ExprPtr &a, const ir::ExprPtr &b) {
    return ir::call(function, *result, {convert(a, result->scalar), convert(b, result->scalar)},
                    place);
  };
  if (list != nullptr) {
    ir::ExprPtr best = convert(args[0], result->scalar);
    for (std::size_t i = 1; i < args.size(); ++i)
      best = of(name, best, args[i]);
    return best;
  }
  if (name == "clamp")
    return of("min", of("max", args[0], args[1]), args[2]);
  const ir::ExprPtr &x = args[0];
  const ir::Type type = ir::scalarType(x->type.scalar);
  if (name == "signbit")
    return ir::binary("<", ir::call("copysign", type, {realAt(1, type.scalar, place), x}, place),
                      realAt(0, type.scalar, place), place);
  const ir::ExprPtr magnitude = ir::call("fabs", type, {x}, place);
  const ir::ExprPtr infinity = realAt(std::numeric_limits<double>::infinity(), type.scalar, place);
  if (name == "isnan")
    return ir::unary("!", ir::binary("<=", magnitude, infinity, place), place);
  return name == "isinf" ? ir::binary("==", magnitude, infinity, place)
                         : ir::binary("<", magnitude, infinity, place);
}

/// Whether it is `std::swap(a, b);` or `std::exchange(a, b);`, which is done then.
bool FunctionLowering::exchangeValues(const clang::CallExpr &e, Stmts &into) {
  const clang::FunctionDecl *callee = e.getDirectCallee();
  const std::string name = callee != nullptr && e.getNumArgs() == 2 ? libraryName(*callee) : "";
  if (name != "swap" && name != "exchange")
    return false;
  const clang::QualType type = e.getArg(0)->getType();
  const ir::SourceLocation place = at(e.getSourceRange());
  if (isRecord(type)) {
    const auto a = recordOf(e.getArg(0));
    const auto b = recordOf(e.getArg(1));
    const auto old = a && b && name == "swap"
                         ? newRecord(*type->getAsRecordDecl(), "old", place, into)
                         : nullptr;
    if (old)
      recordAssignment(*old, *a, place, into);
    if (a && b)
      recordAssignment(*a, *b, place, into);
    if (old)
      recordAssignment(*b, *old, place, into);
    return true;
  }
  if (arrayShape(file.ast, type)) {
    const auto a = arrayPartOf(*e.getArg(0));
    const auto b = arrayPartOf(*e.getArg(1));
    if (a && b && name == "swap")
      forElements(*a, place, into, [&](const ir::ExprPtr &number, Stmts &body) {
        exchangeNumbers(elementNumbered(*a, number, place), elementNumbered(*b, number, place),
                        body);
      });
    else if (a && b)
      copyArray(*a, *b, place, into);
    return true;
  }
  const ir::ExprPtr a = assignable(e.getArg(0));
  const ir::ExprPtr b = name == "swap" ? assignable(e.getArg(1)) : expression(e.getArg(1));
  if (a && b && name == "swap")
    exchangeNumbers(a, b, into);
  else if (a && b)
    into.push_back(ir::assign(a, "=", convert(b, a->type.scalar), place));
  return true;
}

void FunctionLowering::exchangeNumbers(const ir::ExprPtr &a, const ir::ExprPtr &b, Stmts &into) {
  const ir::ExprPtr old = named(a, "old", into);
  into.push_back(ir::assign(a, "=", b, a->location));
  into.push_back(ir::assign(b, "=", old, b->location));
}

/// `std::exchange(a, b)` used as a value: that of a, which is b from now on.
ir::ExprPtr FunctionLowering::exchangedValue(const clang::CallExpr &e) {
  if (before == nullptr)
    return unsupported(e.getSourceRange(),
                       "'exchange' here: give its value a name in a statement of its own");
  const ir::ExprPtr written = assignable(e.getArg(0));
  const ir::ExprPtr value = written ? expression(e.getArg(1)) : nullptr;
  if (!value)
    return nullptr;
  const ir::ExprPtr target = fixed(written, *before);
  const ir::ExprPtr old = named(target, "old", *before);
  before->push_back(
      ir::assign(target, "=", convert(value, target->type.scalar), at(e.getSourceRange())));
  return old;
}

} // namespace tangram::frontend

// What a codelet requires of sizes, and of data, and what it says of them.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/primitives.h"
#include "ir/assigned_variables.h"
#include "ir/expression_length.h"

#include <map>
#include <optional>

namespace tangram::frontend {

namespace {

bool isParameter(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Param;
}

/// Whether a bound is known before a kernel runs: integers made of literals, sizes of
/// parameters and scalar parameters, by arithmetic, `std::min` and `std::max`.
bool isKnownBefore(const ir::ExprPtr &e) {
  if (e->kind == ir::ExprKind::Size)
    return isParameter(*e->args[0]);
  const bool isExtreme =
      e->kind == ir::ExprKind::Call && (e->callee == "min" || e->callee == "max");
  const bool isArithmetic = e->kind == ir::ExprKind::Literal || e->kind == ir::ExprKind::Unary ||
                            e->kind == ir::ExprKind::Binary || e->kind == ir::ExprKind::Cast ||
                            isExtreme || isParameter(*e);
  if (!isArithmetic || e->type.isContainer() || !ir::isInteger(e->type.scalar))
    return false;
  for (const ir::ExprPtr &arg : e->args) {
    if (!isKnownBefore(arg))
      return false;
  }
  return true;
}

/// A condition in which names of numbers that are known before stand for their values, since callers and hosts know sizes and
/// parameters, but no variables of a kernel:
///   const int n = in.size(); ... require(out.size() == n);     // require(out.size() == (int)in.size());
/// Names that stand for long expressions stay: a name that is made of two names doubles the expression, and ten of them would have
/// 1,000 times its length.
class ValuesOfNames {
public:
  explicit ValuesOfNames(const std::vector<ir::StmtPtr> &before) {
    const std::set<const ir::Var *> assigned = ir::assignedIn(ir::block(before));
    const auto keepsItsValue = [&](const ir::ExprPtr &e) {
      return !ir::contains(e, [&](const ir::Expr &each) {
        return each.kind == ir::ExprKind::Var && assigned.count(each.var.get()) != 0;
      });
    };
    for (const ir::StmtPtr &s : before) {
      const bool isConstant = s->kind == ir::StmtKind::Decl && s->value &&
                              !s->var->type.isContainer() && assigned.count(s->var.get()) == 0;
      if (!isConstant)
        continue;
      const ir::ExprPtr value = converted(in(s->value), s->var->type.scalar);
      if (isKnownBefore(value) && keepsItsValue(value) && !ir::isLongerThan(value, mostNodes))
        values_.emplace(s->var.get(), value);
    }
  }

  ir::ExprPtr in(const ir::ExprPtr &e) const {
    return ir::rewrite(e, [&](const ir::ExprPtr &each) {
      const auto known =
          each->kind == ir::ExprKind::Var ? values_.find(each->var.get()) : values_.end();
      return known != values_.end() ? known->second : each;
    });
  }

private:
  /// `value` as a declaration of this type converts it. Sums and products of sizes are numbers of 64 bits already.
  static ir::ExprPtr converted(const ir::ExprPtr &value, ir::Scalar type) {
    const bool isWide =
        type == ir::Scalar::Index || type == ir::Scalar::U64 || type == ir::Scalar::I64;
    const bool mayBeBelowZero = ir::contains(value, [](const ir::Expr &e) { return e.op == "-"; });
    const bool isKept = value->type.scalar == type ||
                        (value->type.scalar == ir::Scalar::Index && isWide && !mayBeBelowZero);
    return isKept ? value : ir::cast(type, value);
  }

  static constexpr std::size_t mostNodes = 64;
  std::map<const ir::Var *, ir::ExprPtr> values_;
};

/// The value of a number that is written as one, with a sign or without.
std::optional<double> constantOf(const ir::Expr &e) {
  switch (e.kind) {
  case ir::ExprKind::Literal:
    return ir::isFloating(e.type.scalar) ? e.real : static_cast<double>(e.integer);
  case ir::ExprKind::Cast:
    return constantOf(*e.args[0]);
  case ir::ExprKind::Unary: {
    const std::optional<double> value = constantOf(*e.args[0]);
    return value && e.op == "-" ? std::optional(-*value) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// A local variable in an equation about the size of a parameter, which callers cannot evaluate; null if there is none.
const ir::Expr *unknownBefore(const ir::Expr &condition) {
  const auto isSize = [](const ir::ExprPtr &e) {
    const ir::Expr &bare = e->kind == ir::ExprKind::Cast ? *e->args[0] : *e;
    return bare.kind == ir::ExprKind::Size && isParameter(*bare.args[0]);
  };
  if (condition.kind != ir::ExprKind::Binary || condition.op != "==" ||
      (!isSize(condition.args[0]) && !isSize(condition.args[1])))
    return nullptr;
  const ir::Expr *found = nullptr;
  for (const ir::ExprPtr &side : condition.args) {
    ir::forEach(side, [&](const ir::Expr &e) {
      if (e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Local &&
          !e.type.isContainer() && found == nullptr)
        found = &e;
    });
  }
  return found;
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
      isContract ? contract(*llvm::cast<clang::CallExpr>(condition->IgnoreUnlessSpelledInSource()),
                            name, into)
                 : expression(condition);
  if (!value)
    return;
  if (!isContract && depth == 0)
    value = ValuesOfNames(into).in(value);
  if (const ir::Expr *unknown = depth == 0 ? unknownBefore(*value) : nullptr) {
    file.error(unknown->location, "the caller does not know '" + unknown->var->name +
                                      "': what is required of a size is made of literals, sizes "
                                      "of parameters, scalar parameters and constants made of "
                                      "these");
    return;
  }
  if (!isContract && isAboutFloatingPoint(value)) {
    file.diagnostics.push_back(ir::warningAt(
        value->location, "no library checks what is required of floating-point values: a plan "
                         "that does not prove it is refused"));
    file.diagnostics.back().notes = {ir::noteAt(
        {}, "that a parameter is in a range is said by 'within(parameter, low, high)', what else "
            "the caller guarantees in a comment")};
  }
  into.push_back(ir::require(value, place));
}

/// within(c, lo, hi) and ascending(c, lo, hi).
ir::ExprPtr FunctionLowering::contract(const clang::CallExpr &e, const std::string &name,
                                       const Stmts &into) {
  ir::SourceLocation place = at(e.getSourceRange());
  if (e.getNumArgs() != 3) {
    file.error(place, "'" + name + "' takes 3 arguments (container, low, high), not " +
                          std::to_string(e.getNumArgs()));
    return nullptr;
  }
  std::vector<ir::ExprPtr> args;
  if (!primitiveArguments(e, 0, args))
    return nullptr;
  bool fits = isOfContract(*args[0], name);
  const ValuesOfNames values(into);
  for (std::size_t i = 1; i < args.size(); ++i) {
    args[i] = values.in(args[i]);
    if (ir::isFloating(args[0]->type.scalar)) {
      const std::optional<double> bound = constantOf(*args[i]);
      if (bound)
        args[i] = ir::realLiteral(*bound);
      else
        file.error(args[i]->location,
                   "bound of '" + name +
                       "' must be a constant, since it is about floating-point numbers");
      fits &= bound.has_value();
    } else if (!isKnownBefore(args[i])) {
      fits = false;
      file.error(args[i]->location, "bound of '" + name +
                                        "' must be an integer made of literals, sizes of "
                                        "parameters and scalar parameters");
    }
  }
  return fits ? ir::call(name, ir::scalarType(ir::Scalar::Bool), std::move(args), place) : nullptr;
}

/// Whether 'within' or 'ascending' can be about it; reports why not.
bool FunctionLowering::isOfContract(const ir::Expr &what, const std::string &name) {
  const bool ascending = name == "ascending";
  const ir::Type &type = what.type;
  // A codelet may also promise that a container of its own has become ascending.
  const bool isNamed = isParameter(what) || (ascending && what.kind == ir::ExprKind::Var);
  const bool isRanked = type.rank >= 1 && type.rank <= (ascending ? 1U : 5U);
  const bool ofIntegers = isRanked && ir::isInteger(type.scalar);
  const bool ofReals = ir::isFloating(type.scalar) && (isRanked || type.rank == 0);
  if (isNamed && (ascending ? ofIntegers && type.lanes == 1 : ofIntegers || ofReals))
    return true;
  file.error(what.location,
             ascending ? "'ascending' is about a container of integers with one dimension"
                       : "'within' is about a parameter that is a container of numbers, or a "
                         "floating-point number");
  return false;
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

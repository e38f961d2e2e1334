#include "ir/expr.h"

#include "ir/large_literal.h"

#include <algorithm>
#include <utility>

namespace tangram::ir {

namespace {

std::shared_ptr<Expr> make(ExprKind kind, Type type, std::vector<ExprPtr> args, SourceLocation at) {
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->type = type;
  e->args = std::move(args);
  e->location = std::move(at);
  return e;
}

int rank(Scalar s) {
  switch (s) {
  case Scalar::F128:
    return 12;
  case Scalar::F64:
    return 11;
  case Scalar::F32:
    return 10;
  case Scalar::F16:
    return 9;
  case Scalar::Index:
    return 8;
  case Scalar::U64:
    return 7;
  case Scalar::I64:
    return 6;
  case Scalar::U32:
    return 5;
  default:
    return 4;
  }
}

} // namespace

ExprPtr intLiteral(std::int64_t value, Scalar type) {
  auto e = make(ExprKind::Literal, scalarType(type), {}, {});
  e->integer = value;
  return e;
}

ExprPtr realLiteral(double value, Scalar type) {
  auto e = make(ExprKind::Literal, scalarType(type), {}, {});
  e->real = value;
  return e;
}

ExprPtr zeroOf(Scalar type) {
  return isFloating(type) ? realLiteral(0, type) : intLiteral(0, type);
}

ExprPtr varRef(const VarPtr &var, SourceLocation at) {
  auto e = make(ExprKind::Var, var->type, {}, std::move(at));
  e->var = var;
  return e;
}

ExprPtr unary(Operator op, ExprPtr a, SourceLocation at) {
  Type type = op == "!" ? scalarType(Scalar::Bool)
                        : vectorType(commonScalar(a->type.scalar, a->type.scalar), a->type.lanes);
  auto e = make(ExprKind::Unary, type, {std::move(a)}, std::move(at));
  e->op = op;
  return e;
}

ExprPtr binary(Operator op, ExprPtr a, ExprPtr b, SourceLocation at) {
  Type type = scalarType(Scalar::Bool);
  if (op.isShift())
    type = scalarType(commonScalar(a->type.scalar, a->type.scalar));
  else if (!op.isComparison() && !op.isLogic())
    type = vectorType(commonScalar(a->type.scalar, b->type.scalar),
                      std::max(a->type.lanes, b->type.lanes));
  auto e = make(ExprKind::Binary, type, {std::move(a), std::move(b)}, std::move(at));
  e->op = op;
  return e;
}

ExprPtr select(ExprPtr condition, ExprPtr ifTrue, ExprPtr ifFalse, SourceLocation at) {
  Scalar type = ifTrue->type.scalar == ifFalse->type.scalar
                    ? ifTrue->type.scalar
                    : commonScalar(ifTrue->type.scalar, ifFalse->type.scalar);
  const Type common = vectorType(type, std::max(ifTrue->type.lanes, ifFalse->type.lanes));
  return make(ExprKind::Select, common,
              {std::move(condition), std::move(ifTrue), std::move(ifFalse)}, std::move(at));
}

ExprPtr cast(Scalar type, ExprPtr a, SourceLocation at) {
  if (a->type.scalar == type)
    return a;
  return make(ExprKind::Cast, scalarType(type), {std::move(a)}, std::move(at));
}

ExprPtr call(std::string callee, Type type, std::vector<ExprPtr> args, SourceLocation at) {
  auto e = make(ExprKind::Call, type, std::move(args), std::move(at));
  e->callee = std::move(callee);
  return e;
}

ExprPtr index(ExprPtr array, std::vector<ExprPtr> indexes, SourceLocation at) {
  Type type = array->type;
  bool isView = type.rank > indexes.size();
  if (isView)
    type.rank -= static_cast<unsigned>(indexes.size());
  else
    type = vectorType(type.scalar, type.lanes);
  std::vector<ExprPtr> args{std::move(array)};
  for (ExprPtr &each : indexes)
    args.push_back(std::move(each));
  return make(ExprKind::Index, type, std::move(args), std::move(at));
}

ExprPtr node(ExprKind kind, Type type, std::vector<ExprPtr> args, SourceLocation at,
             std::string callee, std::int64_t integer) {
  auto e = make(kind, type, std::move(args), std::move(at));
  e->callee = std::move(callee);
  e->integer = integer;
  return e;
}

Scalar commonScalar(Scalar a, Scalar b) {
  Scalar wider = rank(a) >= rank(b) ? a : b;
  return rank(wider) > 4 ? wider : Scalar::I32;
}

std::optional<std::int64_t> literalValue(const ExprPtr &e) {
  if (!e || e->kind != ExprKind::Literal || isFloating(e->type.scalar) || isAboveSigned(*e))
    return std::nullopt;
  return e->integer;
}

bool isLiteral(const ExprPtr &e, std::int64_t value) {
  auto found = literalValue(e);
  return found && *found == value;
}

bool sameExpr(const ExprPtr &a, const ExprPtr &b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || a->var != b->var || a->op != b->op ||
      a->callee != b->callee || a->integer != b->integer || a->real != b->real ||
      a->args.size() != b->args.size())
    return false;
  if (a->kind == ExprKind::Cast && a->type != b->type)
    return false;
  for (std::size_t i = 0; i < a->args.size(); ++i) {
    if (!sameExpr(a->args[i], b->args[i]))
      return false;
  }
  return true;
}

ExprPtr withArgs(const ExprPtr &e, std::vector<ExprPtr> args) {
  if (args == e->args)
    return e;
  auto copy = std::make_shared<Expr>(*e);
  copy->args = std::move(args);
  return copy;
}

ExprPtr rewrite(const ExprPtr &e, const std::function<ExprPtr(const ExprPtr &)> &f) {
  if (!e)
    return e;
  std::vector<ExprPtr> args; // from the first on that changes
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    ExprPtr arg = rewrite(e->args[i], f);
    if (args.empty() && arg == e->args[i])
      continue;
    if (args.empty()) {
      args.reserve(e->args.size());
      args.assign(e->args.begin(), e->args.begin() + static_cast<std::ptrdiff_t>(i));
    }
    args.push_back(std::move(arg));
  }
  return f(args.empty() ? e : withArgs(e, std::move(args)));
}

void forEach(const ExprPtr &e, const std::function<void(const Expr &)> &f) {
  if (!e)
    return;
  f(*e);
  for (const ExprPtr &arg : e->args)
    forEach(arg, f);
}

bool contains(const ExprPtr &e, const std::function<bool(const Expr &)> &predicate) {
  if (!e)
    return false;
  if (predicate(*e))
    return true;
  for (const ExprPtr &arg : e->args) {
    if (contains(arg, predicate))
      return true;
  }
  return false;
}

} // namespace tangram::ir

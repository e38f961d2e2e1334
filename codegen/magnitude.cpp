#include "codegen/magnitude.h"

#include <cmath>

namespace tangram::codegen {

using namespace ir;

namespace {

ExprPtr absolute(const ExprPtr &e) { return call("fabs", scalarType(e->type.scalar), {e}); }

ExprPtr sum(const ExprPtr &a, const ExprPtr &b) { return binary("+", a, b); }
ExprPtr product(const ExprPtr &a, const ExprPtr &b) { return binary("*", a, b); }
ExprPtr quotient(const ExprPtr &a, const ExprPtr &b) { return binary("/", a, b); }

ExprPtr larger(const ExprPtr &a, const ExprPtr &b) {
  return call("max", scalarType(commonScalar(a->type.scalar, b->type.scalar)), {a, b});
}

bool comparesFloatingPoint(const ExprPtr &condition) {
  return contains(condition, [](const Expr &e) {
    return e.kind == ExprKind::Binary && e.type.scalar == Scalar::Bool &&
           (isFloating(e.args[0]->type.scalar) || isFloating(e.args[1]->type.scalar));
  });
}

/// Whether `e` can be evaluated where `condition` was, whichever way it went: it reads no other
/// elements, and divides by nothing.
bool isSafe(const ExprPtr &e, const ExprPtr &condition) {
  return !contains(e, [&](const Expr &part) {
    if (part.kind == ExprKind::Index)
      return !contains(condition, [&](const Expr &read) {
        return sameExpr(std::make_shared<const Expr>(read), std::make_shared<const Expr>(part));
      });
    return part.kind == ExprKind::Call ||
           (part.kind == ExprKind::Binary && (part.op == "/" || part.op == "%"));
  });
}

/// For f(x) with M(x) = m: what is added to |f(x)|, a bound of |f'(x)| * m; null: unknown.
ExprPtr throughDerivative(const Expr &f, const ExprPtr &m) {
  const std::string &name = f.callee;
  const ExprPtr &x = f.args[0];
  auto apply = [&](const char *function) { return call(function, f.type, {x}); };
  if (name == "exp" || name == "exp2" || name == "expm1")
    return product(apply(name == "exp2" ? "exp2" : "exp"), m);
  if (name == "sinh" || name == "cosh")
    return product(apply("cosh"), m);
  if (name == "log" || name == "log10")
    return quotient(m, absolute(x));
  if (name == "log2") // 1 / ln 2 is below 2
    return quotient(product(realLiteral(2, f.type.scalar), m), absolute(x));
  if (name == "log1p")
    return quotient(m, absolute(sum(realLiteral(1, f.type.scalar), x)));
  if (name == "erf") // 2 / sqrt(pi) is below 2
    return product(realLiteral(2, f.type.scalar), m);
  return nullptr;
}

} // namespace

VarPtr Magnitudes::twinOf(const VarPtr &var) {
  auto twin = std::make_shared<Var>(*var);
  twin->name = var->name + "_magnitude";
  twin->type.isConst = false;
  return twin;
}

ExprPtr Magnitudes::as(Scalar type, const ExprPtr &e) const {
  return isFloating(e->type.scalar) ? of(e) : absolute(cast(type, e));
}

ExprPtr Magnitudes::of(const ExprPtr &e) const {
  switch (e->kind) {
  case ExprKind::Literal:
    return realLiteral(std::fabs(e->real), e->type.scalar);
  case ExprKind::Var:
  case ExprKind::Index: {
    const Var *var = e->kind == ExprKind::Var ? e->var.get() : e->args[0]->var.get();
    return twins_.contains(var) ? place(e) : absolute(e);
  }
  case ExprKind::Unary:
    return of(e->args[0]);
  case ExprKind::Cast:
    return cast(e->type.scalar, as(e->type.scalar, e->args[0]));
  case ExprKind::Binary:
    return ofBinary(*e);
  case ExprKind::Select:
    return ofSelect(*e);
  case ExprKind::Call:
    return ofCall(e);
  default:
    return absolute(e);
  }
}

ExprPtr Magnitudes::ofBinary(const Expr &e) const {
  ExprPtr a = as(e.type.scalar, e.args[0]);
  ExprPtr b = as(e.type.scalar, e.args[1]);
  if (e.op == "*")
    return product(a, b);
  if (e.op != "/")
    return sum(a, b);
  // An exact divisor is its own magnitude: the second factor is 1.
  ExprPtr divisor = absolute(cast(e.type.scalar, e.args[1]));
  if (b->kind == ExprKind::Literal || sameExpr(b, divisor))
    return quotient(a, b);
  return product(quotient(a, divisor), quotient(b, divisor));
}

ExprPtr Magnitudes::ofSelect(const Expr &e) const {
  ExprPtr yes = as(e.type.scalar, e.args[1]);
  ExprPtr no = as(e.type.scalar, e.args[2]);
  bool both = comparesFloatingPoint(e.args[0]) && isSafe(e.args[1], e.args[0]) &&
              isSafe(e.args[2], e.args[0]);
  return both ? larger(yes, no) : select(e.args[0], yes, no);
}

ExprPtr Magnitudes::ofCall(const ExprPtr &e) const {
  std::vector<ExprPtr> m;
  for (const ExprPtr &arg : e->args)
    m.push_back(as(e->type.scalar, arg));
  if (functions_.contains(e->callee)) {
    std::vector<ExprPtr> args = e->args;
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (isFloating(e->args[i]->type.scalar))
        args.push_back(m[i]);
    }
    return call(nameOf(e->callee), e->type, std::move(args));
  }
  const std::string &name = e->callee;
  if (name == "fabs" || name == "abs" || name == "copysign")
    return m[0];
  if (name == "min" || name == "max" || name == "fmin" || name == "fmax")
    return larger(m[0], m[1]);
  if (name == "fma")
    return sum(product(m[0], m[1]), m[2]);
  if (name == "sqrt" || name == "cbrt") {
    // |f(x)| * M(x) / |x|; at 0 that is not defined, and the root of M(x) is what is left.
    ExprPtr x = absolute(e->args[0]);
    return select(binary(">", x, realLiteral(0, e->type.scalar)),
                  product(absolute(e), quotient(m[0], x)), call(name, e->type, {m[0]}));
  }
  if (ExprPtr moved = e->args.size() == 1 ? throughDerivative(*e, m[0]) : nullptr)
    return sum(absolute(e), moved);
  ExprPtr total = absolute(e);
  for (const ExprPtr &each : m)
    total = sum(total, each);
  return total;
}

ExprPtr Magnitudes::place(const ExprPtr &target) const {
  if (target->kind == ExprKind::Var)
    return varRef(twins_.at(target->var.get()));
  std::vector<ExprPtr> args = target->args;
  args[0] = varRef(twins_.at(args[0]->var.get()));
  return withArgs(target, std::move(args));
}

StmtPtr Magnitudes::statement(const StmtPtr &s, Scalar result) {
  switch (s->kind) {
  case StmtKind::Decl:
    if (!twins_.contains(s->var.get()))
      return s;
    return block(
        {declare(twins_.at(s->var.get()), s->value ? as(s->var->type.scalar, s->value) : nullptr),
         s});
  case StmtKind::Assign: {
    Scalar type = s->target->type.scalar;
    if (!isFloating(type))
      return s;
    // The magnitude first: it may be made of the value that is assigned over.
    ExprPtr value =
        s->op == "=" ? s->value : binary(s->op.substr(0, s->op.size() - 1), s->target, s->value);
    return block({assign(place(s->target), "=", as(type, value)), s});
  }
  case StmtKind::Return:
    return s->value && isFloating(result) ? returns(as(result, s->value), s->location) : s;
  case StmtKind::For:
    return loop(s);
  default:
    return s;
  }
}

/// The head of a for loop has no room for two statements:
///   for (x = 0; c; x += h) B   ->   x = 0; for (again = false; true; again = true) {
///                                     if (again) x += h;  if (!c) break;  B }
StmtPtr Magnitudes::loop(const StmtPtr &s) {
  auto isPair = [](const StmtPtr &part) { return part && part->kind == StmtKind::Block; };
  if (!isPair(s->children[0]) && !isPair(s->children[1]))
    return s;
  StmtPtr init = s->children[0];
  if (!isPair(s->children[1]))
    return block({init, forLoop(nullptr, s->value, s->children[1], s->children[2])});
  auto again = std::make_shared<Var>();
  again->name = "again";
  again->type = scalarType(Scalar::Bool);
  std::vector<StmtPtr> body{ifThen(varRef(again), s->children[1])};
  if (s->value)
    body.push_back(ifThen(unary("!", s->value), jump(StmtKind::Break)));
  body.push_back(s->children[2]);
  StmtPtr turns =
      forLoop(declare(again, intLiteral(0, Scalar::Bool)), nullptr,
              assign(varRef(again), "=", intLiteral(1, Scalar::Bool)), block(std::move(body)));
  return init ? block({init, turns}) : turns;
}

StmtPtr Magnitudes::body(const StmtPtr &body, const std::vector<VarPtr> &params, Scalar result) {
  std::vector<StmtPtr> whole;
  for (const VarPtr &param : params) {
    if (param->type.rank != 0 || !isFloating(param->type.scalar) || twins_.contains(param.get()))
      continue;
    VarPtr twin = twinOf(param);
    pair(param, twin);
    whole.push_back(declare(twin, absolute(varRef(param))));
  }
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && isFloating(s.var->type.scalar))
      pair(s.var, twinOf(s.var));
  });
  whole.push_back(rewrite(body, [&](const StmtPtr &s) { return statement(s, result); }));
  return block(std::move(whole));
}

} // namespace tangram::codegen

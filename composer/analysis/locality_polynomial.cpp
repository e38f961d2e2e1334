#include "composer/analysis/locality_polynomial.h"

#include "ir/large_literal.h"

#include <algorithm>

namespace tangram::composer {

using algebra::Polynomial;

namespace {

bool isInteger(const ir::ExprPtr &e) {
  return !e->type.isContainer() && ir::isInteger(e->type.scalar);
}

} // namespace

algebra::Atom PolynomialBuilder::find(IndexTerm::Kind kind, const Loop *loop,
                                      const ir::ExprPtr &e) {
  auto same = [&](const IndexTerm &a) {
    return a.kind == kind && a.loop == loop && (!e || ir::sameExpr(a.expr, e));
  };
  auto found = std::find_if(atoms_.begin(), atoms_.end(), same);
  if (found == atoms_.end())
    found = atoms_.insert(atoms_.end(), {kind, loop, e});
  return static_cast<algebra::Atom>(found - atoms_.begin());
}

algebra::Atom PolynomialBuilder::lane() { return find(IndexTerm::Kind::Lane, nullptr, nullptr); }

algebra::Atom PolynomialBuilder::iteration(const Loop *loop) {
  return find(IndexTerm::Kind::Iteration, loop, nullptr);
}

Polynomial PolynomialBuilder::opaque(const ir::ExprPtr &e) {
  return Polynomial::of(find(IndexTerm::Kind::Opaque, nullptr, e));
}

Polynomial PolynomialBuilder::build(const ir::ExprPtr &e, const Loop *at) {
  if (!isInteger(e))
    return opaque(e);
  switch (e->kind) {
  case ir::ExprKind::Literal:
    return ir::isAboveSigned(*e) ? opaque(e) : Polynomial(e->integer);
  case ir::ExprKind::Var:
    return ofVariable(e, at);
  case ir::ExprKind::CoopIdx:
    return Polynomial::of(lane());
  case ir::ExprKind::Cast:
    return isInteger(e->args[0]) && ir::byteSize(e->type.scalar) >= 4 ? build(e->args[0], at)
                                                                      : opaque(e);
  case ir::ExprKind::Unary:
    if (e->op == "+")
      return build(e->args[0], at);
    if (e->op == "-")
      return -build(e->args[0], at);
    return opaque(e);
  case ir::ExprKind::Binary:
    return ofBinary(e, at);
  default:
    return opaque(e);
  }
}

Polynomial PolynomialBuilder::ofBinary(const ir::ExprPtr &e, const Loop *at) {
  if (e->op != "+" && e->op != "-" && e->op != "*" && e->op != "<<")
    return opaque(e);
  Polynomial a = build(e->args[0], at);
  Polynomial b = build(e->args[1], at);
  if (e->op == "+")
    return a + b;
  if (e->op == "-")
    return a - b;
  if (e->op == "*")
    return a * b;
  std::optional<std::int64_t> shift = b.literal();
  if (!shift || *shift < 0 || *shift > 40)
    return opaque(e);
  return a * Polynomial(std::int64_t{1} << *shift);
}

Polynomial PolynomialBuilder::ofVariable(const ir::ExprPtr &e, const Loop *at) {
  const ir::Var &var = *e->var;
  if (ir::ExprPtr value = variables_.definition(var); value && isInteger(value)) {
    Polynomial p = build(value, variables_.definedIn(var));
    bool keepName = style_ == Style::Named && isInvariant(p) && !p.literal();
    return keepName ? opaque(e) : p;
  }
  Induction induction = variables_.induction(var, at);
  if (!induction.loop)
    return opaque(e);
  Polynomial step = build(induction.step, induction.loop);
  algebra::Atom count = iteration(induction.loop);
  Polynomial initial = induction.initial
                           ? build(induction.initial, induction.loop->parent)
                           : Polynomial::of(find(IndexTerm::Kind::Entry, induction.loop, e));
  if (initial.isZero() && step == Polynomial(1) && !atoms_[count].expr)
    atoms_[count].expr = e;
  return initial + step * Polynomial::of(count);
}

bool PolynomialBuilder::isInvariant(const Polynomial &p) const {
  return std::all_of(p.terms().begin(), p.terms().end(), [&](const auto &term) {
    return std::all_of(term.first.begin(), term.first.end(), [&](algebra::Atom index) {
      const IndexTerm &atom = atoms_[index];
      return atom.kind == IndexTerm::Kind::Opaque && !variables_.varies(atom.expr);
    });
  });
}

ir::ExprPtr PolynomialBuilder::expression(const Polynomial &polynomial) const {
  return algebra::expressionOf(polynomial, [&](algebra::Atom index) {
    const IndexTerm &atom = atoms_[index];
    return atom.kind == IndexTerm::Kind::Lane
               ? ir::node(ir::ExprKind::CoopIdx, ir::scalarType(ir::Scalar::Index), {})
               : atom.expr;
  });
}

} // namespace tangram::composer

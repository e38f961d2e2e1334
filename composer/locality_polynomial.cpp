#include "composer/locality_polynomial.h"

#include <algorithm>

namespace tangram::composer {

namespace {

Polynomial atomPolynomial(unsigned atom) { return {{{Monomial{atom}, 1}}}; }

void add(Polynomial &to, const Monomial &monomial, std::int64_t coefficient) {
  std::int64_t sum = 0;
  std::int64_t &stored = to.terms[monomial];
  // Coefficients come from literals; one too large to add is no stride anybody wrote.
  if (!__builtin_add_overflow(stored, coefficient, &sum))
    stored = sum;
  if (stored == 0)
    to.terms.erase(monomial);
}

bool isInteger(const ir::ExprPtr &e) {
  return !e->type.isContainer() && ir::isInteger(e->type.scalar);
}

} // namespace

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

Polynomial constantPolynomial(std::int64_t value) {
  Polynomial result;
  add(result, {}, value);
  return result;
}

Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  Polynomial result = a;
  for (const auto &[monomial, coefficient] : b.terms)
    add(result, monomial, coefficient);
  return result;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  return a + constantPolynomial(-1) * b;
}

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  for (const auto &[left, x] : a.terms) {
    for (const auto &[right, y] : b.terms) {
      Monomial product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      std::int64_t coefficient = 0;
      if (!__builtin_mul_overflow(x, y, &coefficient))
        add(result, product, coefficient);
    }
  }
  return result;
}

Split splitBy(const Polynomial &polynomial, unsigned atom) {
  Split result;
  for (const auto &[monomial, coefficient] : polynomial.terms) {
    auto power = std::count(monomial.begin(), monomial.end(), atom);
    if (power == 0) {
      add(result.rest, monomial, coefficient);
      continue;
    }
    result.linear &= power == 1;
    Monomial without = monomial;
    without.erase(std::find(without.begin(), without.end(), atom));
    add(result.coefficient, without, coefficient);
  }
  return result;
}

unsigned PolynomialBuilder::find(Atom::Kind kind, const Loop *loop, const ir::ExprPtr &e) {
  auto same = [&](const Atom &a) {
    return a.kind == kind && a.loop == loop && (!e || ir::sameExpr(a.expr, e));
  };
  auto found = std::find_if(atoms_.begin(), atoms_.end(), same);
  if (found == atoms_.end())
    found = atoms_.insert(atoms_.end(), {kind, loop, e});
  return static_cast<unsigned>(found - atoms_.begin());
}

unsigned PolynomialBuilder::lane() { return find(Atom::Kind::Lane, nullptr, nullptr); }

unsigned PolynomialBuilder::iteration(const Loop *loop) {
  return find(Atom::Kind::Iteration, loop, nullptr);
}

Polynomial PolynomialBuilder::opaque(const ir::ExprPtr &e) {
  return atomPolynomial(find(Atom::Kind::Opaque, nullptr, e));
}

Polynomial PolynomialBuilder::build(const ir::ExprPtr &e, const Loop *at) {
  if (!isInteger(e))
    return opaque(e);
  switch (e->kind) {
  case ir::ExprKind::Literal:
    return constantPolynomial(e->integer);
  case ir::ExprKind::Var:
    return ofVariable(e, at);
  case ir::ExprKind::CoopIdx:
    return atomPolynomial(lane());
  case ir::ExprKind::Cast:
    return isInteger(e->args[0]) && ir::byteSize(e->type.scalar) >= 4 ? build(e->args[0], at)
                                                                      : opaque(e);
  case ir::ExprKind::Unary:
    if (e->op == "+")
      return build(e->args[0], at);
    if (e->op == "-")
      return constantPolynomial(-1) * build(e->args[0], at);
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
  std::optional<std::int64_t> shift = b.constant();
  if (!shift || *shift < 0 || *shift > 40)
    return opaque(e);
  return a * constantPolynomial(std::int64_t{1} << *shift);
}

Polynomial PolynomialBuilder::ofVariable(const ir::ExprPtr &e, const Loop *at) {
  const ir::Var &var = *e->var;
  if (ir::ExprPtr value = variables_.definition(var); value && isInteger(value)) {
    Polynomial p = build(value, variables_.definedIn(var));
    bool keepName = style_ == Style::Named && isInvariant(p) && !p.constant();
    return keepName ? opaque(e) : p;
  }
  Induction induction = variables_.induction(var, at);
  if (!induction.loop)
    return opaque(e);
  Polynomial step = build(induction.step, induction.loop);
  unsigned count = iteration(induction.loop);
  Polynomial initial = induction.initial
                           ? build(induction.initial, induction.loop->parent)
                           : atomPolynomial(find(Atom::Kind::Entry, induction.loop, e));
  if (initial.isZero() && step == constantPolynomial(1) && !atoms_[count].expr)
    atoms_[count].expr = e;
  return initial + step * atomPolynomial(count);
}

bool PolynomialBuilder::isInvariant(const Polynomial &p) const {
  return std::all_of(p.terms.begin(), p.terms.end(), [&](const auto &term) {
    return std::all_of(term.first.begin(), term.first.end(), [&](unsigned index) {
      const Atom &atom = atoms_[index];
      return atom.kind == Atom::Kind::Opaque && !variables_.varies(atom.expr);
    });
  });
}

ir::ExprPtr PolynomialBuilder::expression(const Polynomial &polynomial) const {
  ir::ExprPtr sum;
  for (const auto &[monomial, coefficient] : polynomial.terms) {
    std::int64_t magnitude = coefficient < 0 && sum ? -coefficient : coefficient;
    ir::ExprPtr product;
    if (monomial.empty() || magnitude != 1)
      product = ir::intLiteral(magnitude);
    for (unsigned index : monomial) {
      const Atom &atom = atoms_[index];
      ir::ExprPtr factor = atom.expr;
      if (atom.kind == Atom::Kind::Lane)
        factor = ir::node(ir::ExprKind::CoopIdx, ir::scalarType(ir::Scalar::Index), {});
      if (!factor)
        return nullptr;
      product = product ? ir::binary("*", product, factor) : factor;
    }
    sum = sum ? ir::binary(coefficient < 0 ? "-" : "+", sum, product) : product;
  }
  return sum ? sum : ir::intLiteral(0);
}

} // namespace tangram::composer

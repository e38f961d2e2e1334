#include "algebra/connected_facts.h"

#include <algorithm>
#include <set>

namespace tangram::algebra {

using namespace ir;

namespace {

constexpr unsigned mostBounds = 3; // facts that say what an unknown is at most, after each other

bool isLinked(Operator op) { return op == "+" || op == "-" || op == "*"; }

Polynomial linked(Operator op, const Polynomial &a, const Polynomial &b) {
  return op == "+" ? a + b : op == "-" ? a - b : a * b;
}

bool isOfWholeNumbers(Scalar type) {
  return type == Scalar::Index || (isInteger(type) && isSigned(type));
}

} // namespace

Atom Inequalities::unknown(bool natural, ExprPtr expr) {
  unknowns_.push_back({std::move(expr), natural});
  const auto atom = static_cast<Atom>(unknowns_.size() - 1);
  component_.push_back(atom);
  return atom;
}

Polynomial Inequalities::opaque(const ExprPtr &e, bool &isNew) {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    if (unknowns_[i].expr && sameExpr(unknowns_[i].expr, e)) {
      isNew = false;
      return Polynomial::of(static_cast<Atom>(i));
    }
  }
  isNew = true;
  bool natural = e->type.scalar == Scalar::Index || !isSigned(e->type.scalar);
  const Atom atom = unknown(natural, e);
  unknowns_[atom].wraps = mayWrapByForm(e);
  return Polynomial::of(atom);
}

Polynomial Inequalities::of(const ExprPtr &e) {
  if (e->args.empty())
    return made(e);
  const auto known = written_.all.find(e.get());
  if (known != written_.all.end() && known->second.facts == facts_.size() &&
      known->second.definitions == definitions_.size())
    return known->second.value;
  const std::size_t before = facts_.size();
  Polynomial value = made(e);
  if (facts_.size() == before)
    written_.all[e.get()] = {e, value, before, definitions_.size()};
  return value;
}

Polynomial Inequalities::made(const ExprPtr &e) {
  bool isNew = false;
  if (auto value = literalValue(e); value && (*value >= 0 || isSigned(e->type.scalar)))
    return {*value}; // what is above 2^63 - 1 looks negative
  if (e->kind == ExprKind::Var) {
    for (const auto &[var, value] : definitions_) {
      if (var == e->var)
        return value;
    }
  }
  if (e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index &&
      isInteger(e->args[0]->type.scalar)) {
    Polynomial number = of(e->args[0]);
    return isSigned(e->args[0]->type.scalar) ? wrapping(e) : number;
  }
  if (e->kind == ExprKind::Binary && isOfWholeNumbers(e->type.scalar)) {
    if (isLinked(e->op)) {
      const Polynomial a = of(e->args[0]);
      const Polynomial b = of(e->args[1]);
      const Polynomial value = linked(e->op, a, b);
      const bool isExactly = e->type.scalar != Scalar::Index ||
                             (e->op == "-" ? isNonNegative(value) : !mayWrap(a) && !mayWrap(b));
      return isExactly ? value : wrapping(e);
    }
    if (e->op == "/")
      return quotientOf(e);
    if (e->op == "%")
      return remainderOf(e);
  }
  if (e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max") &&
      e->args.size() == 2 && isInteger(e->type.scalar))
    return extremeOf(e);
  return opaque(e, isNew);
}

ExprPtr Inequalities::expression(const Polynomial &p) const {
  return expressionOf(p, [&](Atom atom) { return unknowns_[atom].expr; });
}

Polynomial Inequalities::unwrapped(const ExprPtr &e) {
  if (e->type.scalar != Scalar::Index)
    return of(e);
  if (e->kind == ExprKind::Cast && isInteger(e->args[0]->type.scalar))
    return of(e->args[0]);
  if (e->kind == ExprKind::Binary && isLinked(e->op)) {
    // One after the other: unknowns are numbered as they are met, and products are printed in that order.
    const Polynomial second = unwrapped(e->args[1]);
    return linked(e->op, unwrapped(e->args[0]), second);
  }
  return of(e);
}

bool Inequalities::mayWrap(const Polynomial &p) const {
  return std::ranges::any_of(p.terms(), [&](const auto &term) {
    return std::ranges::any_of(term.first, [&](Atom atom) { return mayWrap(atom, mostBounds); });
  });
}

/// An unknown is exact that is at most what is exact, as far as so many facts after each other say.
bool Inequalities::mayWrap(Atom atom, unsigned depth) const {
  if (!unknowns_[atom].wraps)
    return false;
  return depth == 0 || std::ranges::none_of(facts_, [&](const Polynomial &fact) {
           return isBoundedBy(fact, atom, depth - 1);
         });
}

/// Whether fact >= 0 says that the unknown is at most what has not wrapped around.
bool Inequalities::isBoundedBy(const Polynomial &fact, Atom atom, unsigned depth) const {
  bool bounds = false;
  for (const auto &[monomial, coefficient] : fact.terms()) {
    if (coefficient < 0) {
      bounds |= monomial == Monomial{atom};
      if (!isNatural(monomial))
        return false;
    }
  }
  return bounds && std::ranges::all_of(fact.terms(), [&](const auto &term) {
           return term.second < 0 ||
                  std::ranges::none_of(
                      term.first,
                      [&](Atom other) { return other == atom || mayWrap(other, depth); });
         });
}

bool Inequalities::mayWrapByForm(const ExprPtr &e) const {
  const auto variable = [&](const Expr &leaf) {
    const auto found =
        wrapping_ ? wrapping_->find(leaf.var.get()) : WrappingVariables::const_iterator();
    return wrapping_ && found != wrapping_->end() ? found->second : leaf.var->wraps;
  };
  const auto converts = [](const Expr &cast) {
    return isSigned(cast.args[0]->type.scalar) && literalValue(cast.args[0]).value_or(-1) < 0;
  };
  return byteSize(e->type.scalar) == 8 && !isSigned(e->type.scalar) && isInteger(e->type.scalar) &&
         algebra::mayWrap(e, {variable, [](const Expr &) { return true; }, converts});
}

/// Index values wrap around below 0, where nothing tells that they do not.
Polynomial Inequalities::wrapping(const ExprPtr &e) {
  Polynomial value = unwrapped(e);
  if (isExact(value))
    return value;
  bool isNew = false;
  Polynomial unknown = opaque(e, isNew);
  unknowns_[unknown.atom()].wraps = true;
  return unknown;
}

/// Of a division of what is not negative, which nobody does by 0.
Polynomial Inequalities::quotientOf(const ExprPtr &e) {
  bool isNew = false;
  if (e->type.scalar != Scalar::Index)
    return opaque(e, isNew);
  Polynomial d = of(e->args[1]);
  if (divisors_ == Divisors::Executed)
    assume(d - 1);
  else if (!isPositive(d))
    return opaque(e, isNew);
  Polynomial a = of(e->args[0]);
  if (d == Polynomial(1))
    return a;
  for (const Quotient &each : quotients_) {
    if (each.dividend == a && each.divisor == d)
      return Polynomial::of(each.atom);
  }
  Polynomial q = opaque(e, isNew);
  if (isNew) {
    quotients_.push_back({q.atom(), a, d});
    unknowns_[quotients_.back().atom].wraps = mayWrap(a) && !isAboveByLeast(unwrapped(e->args[0]));
    connect(quotients_.back());
    assume(a - q * d);
    assume(q * d + d - 1 - a);
  }
  return q;
}

/// a - a / d * d; of an a that may have wrapped around an unknown below d.
Polynomial Inequalities::remainderOf(const ExprPtr &e) {
  const Polynomial a = of(e->args[0]);
  const Polynomial q = quotientOf(binary("/", e->args[0], e->args[1]));
  const Polynomial d = of(e->args[1]);
  if (e->type.scalar != Scalar::Index || !mayWrap(a))
    return a - q * d;
  bool isNew = false;
  Polynomial rest = opaque(e, isNew);
  if (isNew && isPositive(d)) {
    unknowns_[rest.atom()].wraps = mayWrap(d);
    assume(d - 1 - rest);
  }
  return rest;
}

Polynomial Inequalities::extremeOf(const ExprPtr &e) {
  bool isNew = false;
  Polynomial a = of(e->args[0]);
  Polynomial b = of(e->args[1]);
  Polynomial extreme = opaque(e, isNew);
  if (isNew) {
    bool isMin = e->callee == "min";
    choices_.push_back({extreme.atom(), a, b, isMin ? b - a : a - b});
    unknowns_[choices_.back().atom].wraps =
        isMin ? mayWrap(a) && mayWrap(b) : mayWrap(a) || mayWrap(b);
    connect(choices_.back());
    assume(isMin ? a - extreme : extreme - a);
    assume(isMin ? b - extreme : extreme - b);
  }
  return extreme;
}

void Inequalities::define(const VarPtr &var, const Polynomial &value) {
  if (!value.overflowed())
    definitions_.emplace_back(var, value);
}

void Inequalities::assume(Polynomial p) {
  p = reduced(p);
  bool says = !p.overflowed() && std::any_of(p.terms().begin(), p.terms().end(), [&](auto &term) {
    return isBad(term.first, term.second);
  });
  if (!says || std::find(facts_.begin(), facts_.end(), p) != facts_.end())
    return;
  connect({&p});
  facts_.push_back(std::move(p));
}

void Inequalities::assumeCondition(const ExprPtr &condition, bool holds) {
  if (condition->kind == ExprKind::Unary && condition->op == "!")
    return assumeCondition(condition->args[0], !holds);
  if (condition->kind != ExprKind::Binary)
    return;
  if (condition->op == (holds ? Operator("&&") : Operator("||"))) {
    assumeCondition(condition->args[0], holds);
    assumeCondition(condition->args[1], holds);
    return;
  }
  Scalar type = commonScalar(condition->args[0]->type.scalar, condition->args[1]->type.scalar);
  if (!isOfWholeNumbers(type))
    return;
  const Operator op = condition->op;
  const bool known = op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
  if (!known)
    return;
  const Polynomial first = of(condition->args[0]);
  const Polynomial difference = of(condition->args[1]) - first;
  if ((op == "==") == holds && (op == "==" || op == "!=")) {
    assume(difference);
    assume(-difference);
  } else if (op == "==" || op == "!=") {
    if (isNonNegative(difference))
      assume(difference - 1);
    if (isNonNegative(-difference))
      assume(-difference - 1);
  } else if (op == (holds ? Operator("<") : Operator(">="))) {
    assume(difference - 1);
  } else if (op == (holds ? Operator(">") : Operator("<="))) {
    assume(-difference - 1);
  } else {
    assume(op == (holds ? Operator("<=") : Operator(">")) ? difference : -difference);
  }
}

Inequalities Inequalities::with(const Choice &choice, bool first) const {
  const Choice chosen = choice;
  const Polynomial &value = first ? chosen.first : chosen.second;
  Inequalities result(divisors_, effort_, proofs_);
  result.wrapping_ = wrapping_;
  for (const Unknown &each : unknowns_)
    result.unknowns_[result.unknown(each.natural, each.expr)].wraps = each.wraps;
  for (const auto &[var, each] : definitions_)
    result.define(var, each.with(chosen.atom, value));
  for (const Polynomial &fact : facts_)
    result.assume(fact.with(chosen.atom, value));
  if (unknowns_[chosen.atom].natural)
    result.assume(value);
  result.assume(first ? chosen.ifFirst : -chosen.ifFirst);
  for (const Quotient &each : quotients_) {
    result.quotients_.push_back(
        {each.atom, each.dividend.with(chosen.atom, value), each.divisor.with(chosen.atom, value)});
    result.connect(result.quotients_.back());
  }
  for (const Choice &other : choices_) {
    if (other.atom == chosen.atom)
      continue;
    result.choices_.push_back({other.atom, other.first.with(chosen.atom, value),
                               other.second.with(chosen.atom, value),
                               other.ifFirst.with(chosen.atom, value)});
    result.connect(result.choices_.back());
  }
  return result;
}

bool Inequalities::isNatural(const Monomial &m) const {
  return std::all_of(m.begin(), m.end(), [&](Atom atom) { return unknowns_[atom].natural; });
}

/// The unknowns in p, and those that these are made of.
std::set<Atom> Inequalities::madeOf(const Polynomial &p) const {
  std::set<Atom> found;
  std::vector<Atom> open;
  const auto add = [&](const Polynomial &each) {
    for (const auto &[monomial, coefficient] : each.terms()) {
      for (Atom atom : monomial) {
        if (found.insert(atom).second)
          open.push_back(atom);
      }
    }
  };
  add(p);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    for (const Choice &each : choices_) {
      if (each.atom == atom) {
        add(each.first);
        add(each.second);
      }
    }
    for (const Quotient &each : quotients_) {
      if (each.atom == atom) {
        add(each.dividend);
        add(each.divisor);
      }
    }
  }
  return found;
}

void Inequalities::assumeDeciding(const Polynomial &p) {
  assume(p);
  const std::set<Atom> made = madeOf(p);
  const std::vector<Choice> choices = choices_;
  for (const Choice &choice : choices) {
    if (!made.contains(choice.atom))
      continue;
    for (const bool first : {true, false}) {
      const Polynomial &value = first ? choice.first : choice.second;
      if (!contradicts(p, choice, !first))
        continue;
      assume(value - Polynomial::of(choice.atom));
      assume(Polynomial::of(choice.atom) - value);
      assume(first ? choice.ifFirst : -choice.ifFirst);
      break;
    }
  }
}

bool Inequalities::contradicts(const Polynomial &p, const Choice &choice, bool first) const {
  // Of what is too large to be written down terms are missing, by which proofs are found again.
  for (const Polynomial *each : {&p, &choice.first, &choice.second, &choice.ifFirst}) {
    if (each->overflowed())
      return false;
  }
  Part &part = partOf(p);
  const Polynomial goal = part.of(p);
  const Choice own = part.of(choice);
  Proofs::List asked = proofs_->with(part.list, Polynomial::of(own.atom));
  for (const Polynomial *each : {&own.first, &own.second, &own.ifFirst})
    asked = proofs_->with(asked, *each);
  const auto question = first ? Proofs::Question::FailsIfFirst : Proofs::Question::FailsIfSecond;
  const Proofs::Number number = proofs_->numberOf(goal);
  if (const auto answer = proofs_->answer(asked, number, effort_, question))
    return *answer;
  const bool proved = alone(part).provesContradiction(goal, own, first);
  proofs_->keep(asked, number, effort_, question, proved);
  return proved;
}

bool Inequalities::provesContradiction(const Polynomial &p, const Choice &choice,
                                       bool first) const {
  const Polynomial never = first ? -choice.ifFirst : choice.ifFirst;
  if (hasExample(choice, first) || walksBelowZero(never - 1, Extremes::OneOfTwo))
    return false; // it may have this one
  const Polynomial given = p.with(choice.atom, first ? choice.first : choice.second);
  Inequalities other = with(choice, first);
  other.known_ = other.listed().back();
  return !given.overflowed() && other.proves(-given - 1, effort_);
}

/// Whether the term may be negative.
bool Inequalities::isBad(const Monomial &m, std::int64_t coefficient) const {
  return coefficient < 0 || !isNatural(m);
}

/// Whether p is exact and at least 0 because the least values that single facts give the unknowns add up to that. A proof
/// takes away the whole of a number by one fact, and does not find that it takes two.
bool Inequalities::isAboveByLeast(const Polynomial &p) const {
  if (mayWrap(p))
    return false;
  std::int64_t sum = 0;
  for (const auto &[monomial, coefficient] : p.terms()) {
    if (!monomial.empty() && (coefficient < 0 || !isNatural(monomial)))
      return false;
    std::int64_t least = coefficient;
    if (monomial.size() == 1 &&
        __builtin_mul_overflow(leastOf(monomial.front()), coefficient, &least))
      return false;
    if (monomial.size() < 2 && __builtin_add_overflow(sum, least, &sum))
      return false;
  }
  return sum >= 0;
}

/// Of a number that is not below 0, as far as a fact about it alone says.
std::int64_t Inequalities::leastOf(Atom atom) const {
  std::int64_t least = 0;
  for (const Polynomial &fact : facts_) {
    const auto &terms = fact.terms();
    const bool isAlone = terms.size() == 2 && terms.front().first.empty() &&
                         terms.back().first == Monomial{atom} && terms.back().second == 1;
    if (isAlone)
      least = std::max(least, terms.front().second == INT64_MIN ? 0 : -terms.front().second);
  }
  return least;
}

bool Inequalities::isNonNegative(const Polynomial &p, unsigned effort) const {
  if (p.overflowed())
    return false;
  const bool isPlain = std::none_of(p.terms().begin(), p.terms().end(), [&](const auto &term) {
    return isBad(term.first, term.second);
  });
  if (isPlain)
    return true;
  if (p.isConstant())
    return false;
  const Proofs::Number goal = proofs_->numberOf(p);
  Verdict &verdict = verdicts_.all[goal];
  if (verdict.holds || (verdict.facts == facts_.size() && verdict.effort >= effort))
    return verdict.holds;
  verdict = {false, facts_.size(), effort};
  Part &part = partOf(p);
  const Polynomial own = part.of(p);
  const Proofs::Number number = proofs_->numberOf(own);
  const auto answer = proofs_->answer(part.list, number, effort, Proofs::Question::Holds);
  verdict.holds = answer ? *answer : alone(part).proves(own, effort);
  if (!answer)
    proofs_->keep(part.list, number, effort, Proofs::Question::Holds, verdict.holds);
  return verdict.holds;
}

} // namespace tangram::algebra

#include "algebra/inequalities.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>
#include <set>

namespace tangram::algebra {

using namespace ir;

namespace {

constexpr unsigned deepest = 12;       // facts used, one after the other
constexpr std::size_t mostFactors = 6; // degree of a goal

std::int64_t floorOf(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The same statement about integers, p >= 0, in least terms.
Polynomial reduced(const Polynomial &p) {
  std::int64_t divisor = p.content();
  if (divisor <= 1 || p.overflowed())
    return p;
  Polynomial least;
  for (const auto &[monomial, coefficient] : p.terms())
    least.addTerm(monomial,
                  monomial.empty() ? floorOf(coefficient, divisor) : coefficient / divisor);
  return least;
}

bool isExact(Scalar type) { return type == Scalar::Index || (isInteger(type) && isSigned(type)); }

} // namespace

Atom Inequalities::unknown(bool natural, ExprPtr expr) {
  if (examples_) {
    std::int64_t value = 0; // several, so that nothing is taken for their being equal
    for (auto &values : *examples_)
      values.push_back(value++ % 5);
  }
  unknowns_.push_back({std::move(expr), natural});
  return static_cast<Atom>(unknowns_.size() - 1);
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
  return Polynomial::of(unknown(natural, e));
}

Polynomial Inequalities::of(const ExprPtr &e) {
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
    // A negative number becomes a very large one.
    Polynomial number = of(e->args[0]);
    bool same = !isSigned(e->args[0]->type.scalar) || isNonNegative(number);
    return same ? number : opaque(e, isNew);
  }
  if (e->kind == ExprKind::Binary && isExact(e->type.scalar)) {
    if (e->op == "+")
      return of(e->args[0]) + of(e->args[1]);
    if (e->op == "-")
      return differenceOf(e);
    if (e->op == "*")
      return of(e->args[0]) * of(e->args[1]);
    if (e->op == "/")
      return quotientOf(e);
    if (e->op == "%")
      return of(e->args[0]) - quotientOf(binary("/", e->args[0], e->args[1])) * of(e->args[1]);
  }
  if (e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max") &&
      e->args.size() == 2 && isExact(e->type.scalar))
    return extremeOf(e);
  return opaque(e, isNew);
}

ExprPtr Inequalities::expression(const Polynomial &p) const {
  return expressionOf(p, [&](Atom atom) { return unknowns_[atom].expr; });
}

/// Index values wrap around below 0, where nothing tells that they do not.
Polynomial Inequalities::differenceOf(const ExprPtr &e) {
  Polynomial difference = of(e->args[0]) - of(e->args[1]);
  bool isNew = false;
  return e->type.scalar != Scalar::Index || isNonNegative(difference) ? difference
                                                                      : opaque(e, isNew);
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
    quotients_.push_back({q.terms().begin()->first.front(), a, d});
    complete(quotients_.back());
    assume(a - q * d);
    assume(q * d + d - 1 - a);
  }
  return q;
}

Polynomial Inequalities::extremeOf(const ExprPtr &e) {
  bool isNew = false;
  Polynomial a = of(e->args[0]);
  Polynomial b = of(e->args[1]);
  Polynomial extreme = opaque(e, isNew);
  if (isNew) {
    bool isMin = e->callee == "min";
    choices_.push_back({extreme.terms().begin()->first.front(), a, b, isMin ? b - a : a - b});
    complete(choices_.back());
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
  if (examples_) {
    if (!examples_->empty())
      former_ = {examples_->front()};
    std::erase_if(*examples_, [&](const auto &values) { return p.at(values) < 0; });
    if (examples_->empty())
      examples_.reset();
  }
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
  if (!isExact(type))
    return;
  const Operator op = condition->op;
  const bool known = op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
  if (!known)
    return;
  const Polynomial difference = of(condition->args[1]) - of(condition->args[0]);
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
  Inequalities result(divisors_, effort_);
  result.unknowns_ = unknowns_;
  for (const auto &[var, each] : definitions_)
    result.define(var, each.with(chosen.atom, value));
  for (const Polynomial &fact : facts_)
    result.assume(fact.with(chosen.atom, value));
  if (unknowns_[chosen.atom].natural)
    result.assume(value);
  result.assume(first ? chosen.ifFirst : -chosen.ifFirst);
  for (const Quotient &each : quotients_)
    result.quotients_.push_back(
        {each.atom, each.dividend.with(chosen.atom, value), each.divisor.with(chosen.atom, value)});
  for (const Choice &other : choices_) {
    if (other.atom != chosen.atom)
      result.choices_.push_back({other.atom, other.first.with(chosen.atom, value),
                                 other.second.with(chosen.atom, value),
                                 other.ifFirst.with(chosen.atom, value)});
  }
  return result;
}

bool Inequalities::isNatural(const Monomial &m) const {
  return std::all_of(m.begin(), m.end(), [&](Atom atom) { return unknowns_[atom].natural; });
}

void Inequalities::assumeDeciding(const Polynomial &p) {
  assume(p);
  const std::vector<Choice> choices = choices_;
  for (const Choice &choice : choices) {
    for (const bool first : {true, false}) {
      const Polynomial &value = first ? choice.first : choice.second;
      if (hasExample(choice, !first))
        continue; // it may have the other one
      const Inequalities other = with(choice, !first);
      if (!other.search(-p.with(choice.atom, first ? choice.second : choice.first) - 1, effort_))
        continue;
      assume(value - Polynomial::of(choice.atom));
      assume(Polynomial::of(choice.atom) - value);
      assume(first ? choice.ifFirst : -choice.ifFirst);
      break;
    }
  }
}

/// Whether the term may be negative.
bool Inequalities::isBad(const Monomial &m, std::int64_t coefficient) const {
  return coefficient < 0 || !isNatural(m);
}

/// What is left to show, easiest first: few terms that may be negative, of low degree, after few
/// steps.
struct Inequalities::Goal {
  Polynomial p;
  unsigned depth = 0;
  std::size_t cost = 0;
  bool operator<(const Goal &other) const { return cost > other.cost; }
};

void Inequalities::complete(const Quotient &quotient) const {
  if (!examples_)
    return;
  for (auto &values : *examples_) {
    const double divisor = quotient.divisor.at(values);
    if (divisor >= 1)
      values[quotient.atom] =
          static_cast<std::int64_t>(std::max(0.0, quotient.dividend.at(values)) / divisor);
  }
}

void Inequalities::complete(const Choice &choice) const {
  if (!examples_)
    return;
  for (auto &values : *examples_)
    values[choice.atom] = static_cast<std::int64_t>(
        (choice.ifFirst.at(values) >= 0 ? choice.first : choice.second).at(values));
}

/// Unknowns are made of those before them.
void Inequalities::completeExamples() const {
  auto quotient = quotients_.begin();
  for (const Choice &choice : choices_) {
    for (; quotient != quotients_.end() && quotient->atom < choice.atom; ++quotient)
      complete(*quotient);
    complete(choice);
  }
  for (; quotient != quotients_.end(); ++quotient)
    complete(*quotient);
}

/// Facts that do not hold for these values.
std::size_t Inequalities::broken(const std::vector<std::int64_t> &values) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(facts_, [&](const Polynomial &fact) { return fact.at(values) < 0; }));
}

/// Random values, of which one after the other is changed as long as that breaks no more facts.
void Inequalities::findExamples() const {
  constexpr unsigned mostTried = 300;
  constexpr std::size_t enough = 12;
  constexpr unsigned perStart = 40;
  std::vector<std::vector<std::int64_t>> found;
  std::minstd_rand random; // the same numbers every time
  const auto draw = [&](unsigned tried) {
    return static_cast<std::int64_t>(random() % (tried % 2 == 0 ? 4 : 20));
  };
  std::vector<std::int64_t> best;
  std::size_t fewest = 0;
  for (unsigned tried = 0; tried < mostTried && found.size() < enough; ++tried) {
    std::vector<std::int64_t> values;
    const bool starts = best.empty() || tried % perStart == 0;
    if (!starts) {
      values = best;
      values[random() % values.size()] = draw(tried);
    } else if (tried == 0 && !former_.empty()) {
      values = former_.front();
      values.resize(unknowns_.size());
    } else {
      values.resize(unknowns_.size());
      for (std::int64_t &value : values)
        value = draw(tried / perStart);
    }
    examples_ = {std::move(values)};
    completeExamples();
    const std::size_t count = broken(examples_->front());
    if (count == 0)
      found.push_back(examples_->front());
    if (starts || count <= fewest) {
      best = std::move(examples_->front());
      fewest = count;
    }
  }
  examples_ = std::move(found);
}

bool Inequalities::allows(const std::vector<std::int64_t> &values) const {
  return std::all_of(facts_.begin(), facts_.end(),
                     [&](const Polynomial &fact) { return fact.at(values) >= 0; });
}

bool Inequalities::hasExample(const Choice &choice, bool first) const {
  if (!examples_)
    findExamples();
  return std::any_of(examples_->begin(), examples_->end(), [&](const auto &values) {
    const double decides = choice.ifFirst.at(values);
    const Polynomial &value = first ? choice.first : choice.second;
    return (first ? decides >= 0 : decides <= 0) && allows(values) &&
           value.at(values) == static_cast<double>(values[choice.atom]);
  });
}

bool Inequalities::hasCounterexample(const Polynomial &p) const {
  if (!examples_)
    findExamples();
  return std::any_of(examples_->begin(), examples_->end(),
                     [&](const auto &values) { return p.at(values) < 0; });
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
  const auto known = verdicts_.all.find(p.terms());
  if (known != verdicts_.all.end() &&
      (known->second.holds ||
       (known->second.facts == facts_.size() && known->second.effort >= effort)))
    return known->second.holds;
  const bool holds = !hasCounterexample(p) && search(p, effort);
  verdicts_.all[p.terms()] = {holds, facts_.size(), effort};
  return holds;
}

bool Inequalities::search(const Polynomial &p, unsigned effort) const {
  std::priority_queue<Goal> goals;
  std::set<Polynomial::Terms> seen;
  goals.push({reduced(p)});
  for (unsigned steps = 0; steps < effort && !goals.empty(); ++steps) {
    const Goal goal = goals.top();
    goals.pop();
    if (goal.p.overflowed())
      continue;
    auto bad = std::find_if(goal.p.terms().rbegin(), goal.p.terms().rend(),
                            [&](const auto &term) { return isBad(term.first, term.second); });
    if (bad == goal.p.terms().rend())
      return true;
    if (goal.depth == deepest || !seen.insert(goal.p.terms()).second)
      continue;
    for (const Polynomial &fact : facts_)
      reduce(goal, bad->first, bad->second, fact, [&](Goal next) { goals.push(std::move(next)); });
  }
  return false;
}

/// A fact in which a factor of the term has the term's sign takes the term away:
/// p >= 0 follows from f * p - c * rest * fact >= 0.
void Inequalities::reduce(const Goal &goal, const Monomial &term, std::int64_t c,
                          const Polynomial &fact, const std::function<void(Goal)> &found) const {
  for (const auto &[monomial, f] : fact.terms()) {
    Monomial rest;
    if ((f < 0) != (c < 0) || !divides(monomial, term, rest) || !isNatural(rest))
      continue;
    std::int64_t common = std::gcd(f, c);
    Goal next{
        reduced(goal.p.times({}, std::abs(f / common)) - fact.times(rest, std::abs(c / common))),
        goal.depth + 1};
    std::size_t degree = next.p.terms().empty() ? 0 : next.p.terms().rbegin()->first.size();
    if (degree > mostFactors)
      continue;
    next.cost = 2 * next.depth + degree;
    for (const auto &[left, coefficient] : next.p.terms())
      next.cost += isBad(left, coefficient) ? 2 : 0;
    found(std::move(next));
  }
}

} // namespace tangram::algebra

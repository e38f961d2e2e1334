#include "algebra/simplify_places.h"

#include "algebra/simplify_steps.h"

namespace tangram::algebra {

using namespace ir;

namespace {

/// A rule may make an expression that another one applies to.
constexpr unsigned mostRounds = 4;

/// Bottom-up, once. What definitions were put into has the same parts in several places: each is simplified
/// where it is met first.
class Round {
public:
  Round(const Facts &facts, Ranges &ranges) : facts_(facts), ranges_(ranges) {}

  ExprPtr run(const ExprPtr &e) {
    if (!e || e->args.empty())
      return e ? simpler(e) : e;
    const auto [known, isNew] = known_.try_emplace(e.get());
    if (!isNew)
      return known->second;
    std::vector<ExprPtr> args;
    args.reserve(e->args.size());
    for (const ExprPtr &arg : e->args)
      args.push_back(run(arg));
    ExprPtr result = simpler(withArgs(e, std::move(args)));
    known_[e.get()] = result;
    return result;
  }

private:
  ExprPtr simpler(const ExprPtr &e) { return ranges_.simplified(step(e, facts_, &ranges_)); }

  const Facts &facts_;
  Ranges &ranges_;
  std::unordered_map<const Expr *, ExprPtr>
      known_; ///< of parts of the expression that is simplified
};

ExprPtr inRounds(ExprPtr e, const Facts &facts, Ranges &ranges) {
  for (unsigned round = 0; round < mostRounds; ++round) {
    ExprPtr next = Round(facts, ranges).run(e);
    if (next == e || sameExpr(next, e))
      return next;
    e = std::move(next);
  }
  return e;
}

/// From now on the fact holds.
void apply(Inequalities &known, const PlaceSimplifier::Fact &fact) {
  using Kind = PlaceSimplifier::Fact::Kind;
  switch (fact.kind) {
  case Kind::Below:
    known.assume(known.of(fact.e) - known.of(varRef(fact.var)) - 1);
    return;
  case Kind::IsBelow:
    return;
  case Kind::Holds:
  case Kind::Fails:
    known.assumeCondition(fact.e, fact.kind == Kind::Holds);
    return;
  case Kind::GoesRound:
    known.assumeCondition(fact.e);
    if (fact.e->kind == ExprKind::Binary && fact.e->op == "<" &&
        fact.e->args[0]->type.scalar == Scalar::Index) {
      const Polynomial counter = known.of(fact.e->args[0]);
      known.assumeDeciding(known.of(fact.e->args[1]) - counter - 1);
    }
    return;
  }
}

} // namespace

PlaceSimplifier::PlaceSimplifier(const Facts &facts,
                                 std::shared_ptr<const WrappingVariables> wrapping)
    : facts_{{}, facts.positive, facts.proofs} {
  known_.wrapping = std::move(wrapping);
  for (const VarPtr &var : facts.positive)
    known_.positive.insert(var.get());
  for (const auto &[var, bound] : facts.below)
    enter(outermost_, {Fact::Kind::Below, var, bound});
}

/// The fact holds at the place, too, with whose facts the form ends.
void PlaceSimplifier::enter(Place &place, const Fact &fact) {
  const std::size_t before = form_.inOrder().size();
  form_.add(static_cast<std::uint64_t>(fact.kind) << 8);
  if (fact.var)
    form_.add(fact.var);
  form_.add(fact.e);
  for (std::size_t i = before; i < form_.inOrder().size(); ++i)
    place.met.push_back(form_.numbered()[form_.inOrder()[i]]);
  place.facts.push_back(fact);
  place.form = form_.mark();
  if (fact.kind == Fact::Kind::Below || fact.kind == Fact::Kind::IsBelow)
    facts_.below.emplace_back(fact.var, fact.e);
  place.below = facts_.below.size();
}

PlaceSimplifier::Place PlaceSimplifier::inside(Place &outer, const Fact &fact) {
  form_.backTo(outer.form);
  facts_.below.resize(outer.below);
  Place place{&outer, outer.form, outer.below};
  enter(place, fact);
  return place;
}

void PlaceSimplifier::define(const VarPtr &var, const ExprPtr &value) {
  if (known_.definitions.try_emplace(var.get(), value).second)
    defined_.push_back(var.get());
}

void PlaceSimplifier::forget(std::size_t count) {
  for (; defined_.size() > count; defined_.pop_back())
    known_.definitions.erase(defined_.back());
}

void PlaceSimplifier::learn(Inequalities &known, const ExpressionForm::Numbered &met) const {
  if (known_.positive.contains(met.var.get()))
    known.assume(known.of(varRef(met.var)) - 1);
  if (met.definition)
    known.define(met.var, known.of(met.definition));
}

const Inequalities &PlaceSimplifier::knownAt(Place &place) const {
  if (place.known)
    return *place.known;
  auto known = std::make_shared<Inequalities>(place.outer ? knownAt(*place.outer)
                                                          : Ranges::nothing(facts_.proofs));
  if (!place.outer)
    known->noteWrapping(known_.wrapping);
  for (const ExpressionForm::Numbered &each : place.met)
    learn(*known, each);
  for (const Fact &fact : place.facts)
    apply(*known, fact);
  place.known = std::move(known);
  return *place.known;
}

ExprPtr PlaceSimplifier::simplified(const ExprPtr &e, Place &place) {
  if (e->args.empty())
    return step(e, facts_);
  form_.backTo(place.form);
  facts_.below.resize(place.below);
  form_.add(e);
  SimplifiedForms *forms =
      facts_.proofs && form_.isComplete() ? &facts_.proofs->simplifiedForms() : nullptr;
  if (ExprPtr found = forms ? forms->find(e, form_) : nullptr)
    return found;
  const auto known = [&] {
    Inequalities all = knownAt(place);
    for (std::size_t i = place.form.inOrder; i < form_.inOrder().size(); ++i)
      learn(all, form_.numbered()[form_.inOrder()[i]]);
    return all;
  };
  Ranges ranges(known, known_.definitions);
  ExprPtr result = inRounds(e, facts_, ranges);
  if (forms)
    forms->keep(e, form_, result);
  return result;
}

} // namespace tangram::algebra

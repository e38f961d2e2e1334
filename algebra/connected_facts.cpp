#include "algebra/connected_facts.h"

#include <algorithm>

namespace tangram::algebra {

void Inequalities::connect(std::initializer_list<const Polynomial *> polynomials) {
  std::vector<Atom> joined;
  for (const Polynomial *p : polynomials) {
    for (const auto &[monomial, coefficient] : p->terms()) {
      for (Atom atom : monomial) {
        if (std::ranges::find(joined, component_[atom]) == joined.end())
          joined.push_back(component_[atom]);
      }
    }
  }
  const auto isJoined = [&](Atom component) {
    return std::ranges::find(joined, component) != joined.end();
  };
  // What is said of no unknown at all is said in every part.
  std::erase_if(parts_, [&](const auto &part) {
    return joined.empty() || std::ranges::any_of(part->components, isJoined);
  });
  if (joined.size() > 1)
    std::ranges::replace_if(component_, isJoined, joined.front());
}

void Inequalities::connect(const Choice &choice) {
  const Polynomial atom = Polynomial::of(choice.atom);
  connect({&atom, &choice.first, &choice.second, &choice.ifFirst});
}

void Inequalities::connect(const Quotient &quotient) {
  const Polynomial atom = Polynomial::of(quotient.atom);
  connect({&atom, &quotient.dividend, &quotient.divisor});
}

const Inequalities::Part &Inequalities::partOf(const Polynomial &p) const {
  std::vector<Atom> components;
  for (const auto &[monomial, coefficient] : p.terms()) {
    for (Atom atom : monomial) {
      const auto at = std::ranges::lower_bound(components, component_[atom]);
      if (at == components.end() || *at != component_[atom])
        components.insert(at, component_[atom]);
    }
  }
  const auto known = std::ranges::find_if(
      parts_, [&](const auto &part) { return part->components == components; });
  if (known != parts_.end())
    return **known;
  parts_.push_back(made(components));
  return *parts_.back();
}

std::shared_ptr<const Inequalities::Part>
Inequalities::made(const std::vector<Atom> &components) const {
  auto part = std::make_shared<Part>();
  Inequalities &known = part->known = Inequalities(divisors_, effort_, proofs_);
  part->components = components;
  part->numbers.resize(unknowns_.size());
  const auto isIn = [&](Atom atom) {
    return std::ranges::binary_search(components, component_[atom]);
  };
  for (Atom atom = 0; atom < unknowns_.size(); ++atom) {
    if (!isIn(atom))
      continue;
    part->numbers[atom] = known.unknown(unknowns_[atom].natural);
    if (!unknowns_[atom].natural)
      known.known_ = proofs_->withSigned(known.known_, part->numbers[atom]);
  }
  for (const Polynomial &fact : facts_) {
    if (!fact.isConstant() && !isIn(fact.terms().back().first.front()))
      continue;
    known.facts_.push_back(part->of(fact));
    known.known_ = proofs_->with(known.known_, known.facts_.back());
  }
  for (const Quotient &each : quotients_) {
    if (isIn(each.atom))
      known.quotients_.push_back(
          {part->numbers[each.atom], part->of(each.dividend), part->of(each.divisor)});
  }
  for (const Choice &each : choices_) {
    if (isIn(each.atom))
      known.choices_.push_back(part->of(each));
  }
  return part;
}

} // namespace tangram::algebra

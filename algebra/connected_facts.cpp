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
  if (joined.size() < 2)
    return;
  const Atom first = std::ranges::min(joined);
  std::ranges::replace_if(
      component_,
      [&](Atom component) { return std::ranges::find(joined, component) != joined.end(); }, first);
}

void Inequalities::connect(const Choice &choice) {
  const Polynomial atom = Polynomial::of(choice.atom);
  connect({&atom, &choice.first, &choice.second, &choice.ifFirst});
}

void Inequalities::connect(const Quotient &quotient) {
  const Polynomial atom = Polynomial::of(quotient.atom);
  connect({&atom, &quotient.dividend, &quotient.divisor});
}

Inequalities::Part &Inequalities::partOf(const Polynomial &p) const {
  std::vector<Atom> components;
  for (const auto &[monomial, coefficient] : p.terms()) {
    for (Atom atom : monomial) {
      const auto at = std::ranges::lower_bound(components, component_[atom]);
      if (at == components.end() || *at != component_[atom])
        components.insert(at, component_[atom]);
    }
  }
  auto known = std::ranges::find_if(
      parts_, [&](const AskedPart &asked) { return asked.part->components == components; });
  if (known == parts_.end()) {
    auto part = std::make_shared<Part>();
    part->components = std::move(components);
    known = parts_.insert(known, {std::move(part)});
  }
  bring(*known);
  return *known->part;
}

/// Up to date. What is new follows what the part had, unless the part is another one now.
void Inequalities::bring(AskedPart &asked) const {
  if (asked.facts == facts_.size() && asked.unknowns == unknowns_.size() &&
      asked.links == quotients_.size() + choices_.size())
    return;
  const auto before = asked.part;
  const auto isIn = [&](Atom atom) {
    return std::ranges::binary_search(before->components, component_[atom]);
  };
  bool grows = true;
  for (Atom atom = 0; atom < asked.unknowns && grows; ++atom)
    grows = isIn(atom) == before->isIn[atom];
  for (Atom atom = asked.unknowns; atom < unknowns_.size() && grows; ++atom)
    grows = unknowns_[atom].natural || !isIn(atom);
  auto part = std::make_shared<Part>();
  if (grows) {
    part = std::make_shared<Part>(*before);
  } else {
    part->components = before->components;
    asked = {};
  }
  part->numbers.resize(unknowns_.size());
  part->isIn.resize(unknowns_.size());
  for (Atom atom = asked.unknowns; atom < unknowns_.size(); ++atom) {
    if (!isIn(atom))
      continue;
    part->isIn[atom] = true;
    part->numbers[atom] = part->count++;
    if (!unknowns_[atom].natural)
      part->list = proofs_->withSigned(part->list, part->numbers[atom]);
  }
  for (std::size_t i = asked.facts; i < facts_.size(); ++i) {
    if (facts_[i].isConstant() || isIn(facts_[i].terms().back().first.front()))
      part->list = proofs_->with(part->list, part->of(facts_[i]));
  }
  asked = {std::move(part), facts_.size(), static_cast<Atom>(unknowns_.size()),
           quotients_.size() + choices_.size()};
}

std::vector<Proofs::List> Inequalities::listed() const {
  Proofs::List list = 0;
  for (Atom atom = 0; atom < unknowns_.size(); ++atom) {
    if (!unknowns_[atom].natural)
      list = proofs_->withSigned(list, atom);
  }
  std::vector<Proofs::List> lists{list};
  for (const Polynomial &fact : facts_)
    lists.push_back(proofs_->with(lists.back(), fact));
  return lists;
}

const Inequalities &Inequalities::alone(Part &part) const {
  if (part.known)
    return *part.known;
  auto known = std::make_unique<Inequalities>(divisors_, effort_, proofs_);
  for (Atom atom = 0; atom < unknowns_.size(); ++atom) {
    if (part.isIn[atom])
      known->unknown(unknowns_[atom].natural);
  }
  for (const Polynomial &fact : facts_) {
    if (fact.isConstant() || part.isIn[fact.terms().back().first.front()])
      known->facts_.push_back(part.of(fact));
  }
  for (const Quotient &each : quotients_) {
    if (part.isIn[each.atom])
      known->quotients_.push_back(
          {part.numbers[each.atom], part.of(each.dividend), part.of(each.divisor)});
  }
  for (const Choice &each : choices_) {
    if (part.isIn[each.atom])
      known->choices_.push_back(part.of(each));
  }
  known->known_ = part.list;
  part.known = std::move(known);
  return *part.known;
}

} // namespace tangram::algebra

// What a proof can need of all that is known: the facts that have to do with its goal. Their unknowns are
// numbered from 0 on, so that the same facts are the same wherever they occur, and are proved from once.
#pragma once

#include "algebra/inequalities.h"

namespace tangram::algebra {

struct Inequalities::Part {
  std::vector<Atom> components; ///< of the whole, in order
  std::vector<Atom> numbers;    ///< by unknowns of the whole, of those that are in it
  std::vector<bool> isIn;       ///< by unknowns of the whole
  Atom count = 0;               ///< of unknowns
  Proofs::List list = 0;
  std::unique_ptr<const Inequalities> known = nullptr; ///< made when it is asked

  Part() = default;
  /// To be added to.
  Part(const Part &other)
      : components(other.components), numbers(other.numbers), isIn(other.isIn), count(other.count),
        list(other.list) {}

  Polynomial of(const Polynomial &p) const { return p.renamed(numbers); }
  Choice of(const Choice &choice) const {
    return {numbers[choice.atom], of(choice.first), of(choice.second), of(choice.ifFirst)};
  }
};

/// `p` divided by the greatest common divisor of its coefficients, its constant rounded down: over the integers it is at least 0
/// exactly where `p` is.
Polynomial reduced(const Polynomial &p);

} // namespace tangram::algebra

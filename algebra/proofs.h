// What the prover (algebra/inequalities.h) was asked before, wherever the same facts were known.
//
// Plans of one spectrum ask the same over and over: scopes are copied, and plans that a search compares
// differ in one place. A list of facts is a path in a tree, so that two of them are the same when they end at
// the same node; a polynomial is a number. An answer depends on nothing but the facts, the goal and the effort,
// so that what is found here is what would be found again.
#pragma once

#include "algebra/polynomial.h"
#include "algebra/simplified_forms.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tangram::algebra {

class Proofs {
public:
  /// A list of facts and of unknowns that may be negative, in order; 0: an empty one.
  using List = std::uint32_t;
  /// Of a polynomial.
  using Number = std::uint32_t;

  Proofs() : Proofs(std::make_shared<SimplifiedForms>()) {}
  /// `forms`: what others simplify, too.
  explicit Proofs(std::shared_ptr<SimplifiedForms> forms) : forms_(std::move(forms)) {}

  SimplifiedForms &simplifiedForms() { return *forms_; }

  Number numberOf(const Polynomial &p);

  /// The list with one more polynomial at its end.
  List with(List list, const Polynomial &p) { return after({list, numberOf(p), false}); }
  /// The list with one more unknown that may be negative.
  List withSigned(List list, Atom unknown) { return after({list, unknown, true}); }

  /// Of a goal p: whether p >= 0; whether p < 0 where a choice, at the end of the list, has one of its values.
  enum class Question : std::uint8_t { Holds, FailsIfFirst, FailsIfSecond };

  /// Whether a search with this effort found a proof; nothing where none was made.
  std::optional<bool> answer(List facts, Number goal, unsigned effort, Question question) const;
  void keep(List facts, Number goal, unsigned effort, Question question, bool proved);

  /// Of the unknowns, by number.
  using Values = std::vector<std::int64_t>;
  /// What was found that these facts allow: what is false for some of it has no proof. Null: nobody looked.
  std::shared_ptr<std::vector<Values>> examples(List facts) const;
  /// Which nobody changes any more.
  void keepExamples(List facts, std::shared_ptr<std::vector<Values>> examples);

private:
  struct Next {
    List list;
    std::uint32_t number;
    bool isSigned;
    bool operator==(const Next &) const = default;
  };
  struct Asked {
    List facts;
    Number goal;
    unsigned effort;
    Question question;
    bool operator==(const Asked &) const = default;
  };
  struct Hash {
    std::size_t operator()(const Next &next) const;
    std::size_t operator()(const Asked &asked) const;
    std::size_t operator()(const Polynomial::Terms &terms) const;
  };

  List after(const Next &next) {
    return lists_.try_emplace(next, static_cast<List>(lists_.size() + 1)).first->second;
  }

  std::shared_ptr<SimplifiedForms> forms_;
  std::unordered_map<Polynomial::Terms, Number, Hash> numbers_;
  std::unordered_map<Next, List, Hash> lists_;
  std::unordered_map<Asked, bool, Hash> answers_;
  std::unordered_map<List, std::shared_ptr<std::vector<Values>>> examples_;
};

} // namespace tangram::algebra

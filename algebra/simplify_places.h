// Simplification at places of a program, of which more is known the further inside they are (algebra/simplify.h).
//
// What an expression becomes depends on its form, on the facts of its place, in order, and on what is known of the
// variables in both: that they are at least 1, and what they are names of. So it is found once for all expressions of
// that form at such places (algebra/simplified_forms.h), and what is known is written down as facts for proofs only
// where it was not found before.
#pragma once

#include "algebra/expression_form.h"
#include "algebra/simplified_forms.h"
#include "algebra/simplify.h"
#include "algebra/simplify_ranges.h"

#include <memory>
#include <utility>
#include <vector>

namespace tangram::algebra {

class PlaceSimplifier {
public:
  explicit PlaceSimplifier(const Facts &facts,
                           std::shared_ptr<const WrappingVariables> wrapping = nullptr);
  PlaceSimplifier(const PlaceSimplifier &) = delete;
  PlaceSimplifier &operator=(const PlaceSimplifier &) = delete;

  /// What holds inside of a place.
  struct Fact {
    enum class Kind : std::uint8_t {
      Below,    ///< var < e, both of which keep their values
      IsBelow,  ///< var < e, where that is asked
      Holds,    ///< a condition
      Fails,    ///< one that does not hold
      GoesRound ///< the condition of a loop
    };
    Kind kind;
    ir::VarPtr var;
    ir::ExprPtr e;
  };
  struct Place {
    Place *outer = nullptr;
    ExpressionForm::Mark form;
    std::size_t below = 0; ///< facts that say what variables are below
    std::vector<Fact> facts = {};
    std::vector<ExpressionForm::Numbered> met = {};      ///< in `facts` first
    std::shared_ptr<const Inequalities> known = nullptr; ///< null: nobody asked
  };

  Place &outermost() { return outermost_; }
  /// A place inside of `outer`, where also `fact` holds. Nothing is asked of places beside it any more.
  Place inside(Place &outer, const Fact &fact);

  /// From now on `var` is another name of `value`.
  void define(const ir::VarPtr &var, const ir::ExprPtr &value);
  std::size_t definitions() const { return defined_.size(); }
  /// All but the first `count` definitions.
  void forget(std::size_t count);

  ir::ExprPtr simplified(const ir::ExprPtr &e, Place &place);

private:
  void enter(Place &place, const Fact &fact);
  const Inequalities &knownAt(Place &place) const;
  void learn(Inequalities &known, const ExpressionForm::Numbered &met) const;

  Facts facts_;
  KnownVariables known_;
  ExpressionForm form_{known_};
  std::vector<const ir::Var *> defined_;
  Place outermost_;
};

} // namespace tangram::algebra

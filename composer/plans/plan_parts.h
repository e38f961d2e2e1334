// A plan as what each level does in turn, one thing inside another: what notation writes in a row, for
// whoever tells or draws it.
#pragma once

#include "composer/plans/plan_rules.h"

namespace tangram::composer {

/// A step, and what is done inside it. Split says of the Distribute behind it that workers get several
/// parts each.
struct PlanPart {
  Term::Kind kind = Term::Kind::Compute; ///< of a step: Sync, ..., Split
  std::size_t step = 0;                  ///< its place in the notation (composer/plans/notation.h)
  int level = 0;                         ///< that does it
  const ir::Codelet *codelet =
      nullptr; ///< that it is from; null for devolve and an inner map of a split
  /// What is computed, applied or handed down.
  const ir::Spectrum *spectrum = nullptr;
  /// Regroup: the first partition; Distribute, Serialize: the map, where it stands in a codelet.
  const ir::Expr *expr = nullptr;
  int to = -1; ///< Devolve, Distribute, Serialize: the level of what is inside
  std::vector<PlanPart> inside = {}; ///< of those
};

/// The parts of a complete plan that the book has the rules of.
std::vector<PlanPart> partsOf(const ir::PlanPtr &plan, const RuleBook &book);

/// A plan in a few words: what tells it from others.
struct PlanOutline {
  std::string top;                      ///< the codelet at the top
  std::vector<std::string> distributed; ///< levels that maps are distributed to, each once
  std::vector<std::string> leaves;      ///< codelets that compute, each once
};
PlanOutline outlineOf(const ir::PlanPtr &plan, const RuleBook &book);

} // namespace tangram::composer

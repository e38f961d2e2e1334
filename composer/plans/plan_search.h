// Strategy `thesis`: the composition algorithm of dissertation figure 6.4.
//
//   candidates(0) := { compose(s, L) }
//   for iteration i from 1 to N
//     forall c in candidates(i-1)
//       complete: keep; else, for every open compose, the pruned rules;
//       c with all rules of b applied, for every combination b of them
//     candidates(i) := prune(candidates(i))
//
// Rules that cannot be completed in the iterations left are pruned, the others
// sorted (composer/plans/plan_order.h); of the candidates the best K are kept.
// Combinations are made best first and only as many as are kept, so that a
// candidate with many open calls costs no more than one with few.
#pragma once

#include "composer/plans/plan_build.h"
#include "composer/plans/plan_order.h"

#include <gmpxx.h>

namespace tangram::composer {

/// An iteration after which there were more candidates than are kept.
struct Pruning {
  unsigned iteration = 0; ///< from 1
  mpz_class candidates;
  std::size_t kept = 0;
};

struct SearchedPlans {
  std::vector<ir::PlanPtr> plans; ///< best first
  std::vector<Pruning> pruned;
};

/// The complete plans found within `iterations`, at most `keep`.
SearchedPlans searchPlans(const RuleOrder &order, unsigned iterations, unsigned keep,
                          const PlanInterner &interner);

} // namespace tangram::composer

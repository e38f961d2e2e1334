// Index-set splitting: a loop is cut in three, so that the rounds in the middle need not ask whether an element is past an
// end of a container (pad in the language).
//
//   before: for (j < n) out[j] = (1 <= j ? in[j - 1] : 0) + (j + 1 < n ? in[j + 1] : 0);
//   after:  for (j < inside) before;
//           for (j = inside; j < outside) out[j] = in[j - 1] + in[j + 1];
//           for (j = outside; j < n) before;
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tangram::codegen {

/// before: for (j < n) out[j] = in[min(max(j + s, 1) - 1, m)];
/// after:  for (j < first) ...;  for (j = first; j < last; j += 1) out[j] = in[j + s - 1];  for (j = last; j < n) ...
/// for loops of so many rounds as only a call says, the innermost such ones; loops of constant length
/// and lanes in them go with them.
LoweredPlan splitIndexSets(LoweredPlan plan);

/// The same where workers of a group are no loops: groups in which nothing past an end is asked for, apart
/// from the others (codegen/passes/kernel/index_set_splitting_of_groups.cpp).
LoweredPlan splitIndexSetsOfGroups(LoweredPlan plan);

/// Index-set splitting of rounds, for items that are loops: a loop along a row stands twice, with and without asking whether
/// there is the row (codegen/passes/kernel/index_set_splitting_of_rounds.cpp).
LoweredPlan splitIndexSetsOfRounds(LoweredPlan plan);

/// The loops that the loop is cut into, and the one of them that is inside, if it is by ones over as many rounds as a
/// call says, with no other such loop in it, and some of its rounds are known to be inside.
struct LoopParts {
  std::vector<ir::StmtPtr> all;
  std::size_t inside = 0;
};
std::optional<LoopParts> splitLoop(const LoweredPlan &plan, const ir::StmtPtr &s);
/// The same of lanes, as many as a call says.
std::optional<LoopParts> splitLanes(const LoweredPlan &plan, const ir::StmtPtr &s);

} // namespace tangram::codegen

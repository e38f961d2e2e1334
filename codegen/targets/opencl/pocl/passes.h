// Passes that only PoCL needs: what its compiler makes wrong code of is said in another way. They run on a copy of the plan
// that is printed for PoCL (printer.h); no other device sees what they do.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// before: while (c) { A; if (d) break; barrier; B }
/// after:  while (c) { A; if (d) break; barrier; B; barrier }
/// PoCL 3.1 computes wrong values where items leave a loop in the code between two barriers,
/// unless each round ends at one.
LoweredPlan addBarriersAfterRounds(LoweredPlan plan);

/// before: if (c) { A; barrier; B } else { C }
/// after:  if (c) { A; barrier; B } if (!c) { C }
/// PoCL 3.1 does not end where there is a barrier in one of two branches.
LoweredPlan separateBranches(LoweredPlan plan);

/// before: if (c) { barrier; A }
/// after:  barrier; if (c) { A }        (c: in no memory)
LoweredPlan moveBarriersBeforeBranches(LoweredPlan plan);

/// before: while (c) { A; if (d) { B; continue; } barrier; C }
/// after:  while (c) { A; if (d) { B } else { barrier; C } }
/// PoCL computes wrong values of what a group does together behind the end of a round in its middle.
LoweredPlan structureRounds(LoweredPlan plan);

/// All of them, in order. `plan` has been through all other passes.
LoweredPlan forPocl(LoweredPlan plan);

} // namespace tangram::codegen

// Passes for PoCL's compiler: each is one file with one public function. codegen/pipeline/pipeline.cpp lists them in order, and
// any optional one can be switched off by name to measure it.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// before: while (c) { A; if (d) { B; continue; } barrier; C }
/// after:  while (c) { A; if (d) { B } else { barrier; C } }
/// PoCL computes wrong values of what a group does together behind the end of a round in its middle.
LoweredPlan structureRounds(LoweredPlan plan);

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

} // namespace tangram::codegen

// A cooperative codelet as pieces of lanes between which they may meet.
#pragma once

#include "codegen/form/refusal.h"
#include "ir/stmt.h"

#include <variant>

namespace tangram::codegen {

/// A body that all lanes run together: a statement reads for all of them before it writes for any.
/// `coopIdx()` and `coopDim()` are their number and how many there are; every container has one
/// name (see resolveViews), and no two names are of the same memory.
struct LockstepRegion {
  int level = 0;   ///< the lanes are the workers of
  ir::VarPtr lane; ///< what they are called in the pieces
  ir::StmtPtr body;
};

/// before: tmp[id] = x;  if (id >= s) tmp[id] += tmp[id - s];  s *= 2;
/// after:  parallel lane { tmp[id] = x; }
///         parallel lane { T tmp_read = id >= s ? tmp[id - s] : 0; }
///         parallel lane { if (id >= s) tmp[id] += tmp_read; }
///         s *= 2;
/// No lane sees, within a Parallel, what another one writes there, so that they may run it in any
/// order; between two of them, what the first one writes is seen by all.
/// - What is the same for all lanes stays with the group, so that barriers never stand in flow
///   that only some lanes take.
/// - A condition that differs between lanes becomes a guard of each piece that cannot be run lane
///   by lane as a whole, together with all those around it, outermost first. One that its branches
///   may change is evaluated once, into a variable.
/// - A loop that needs all lanes, below such a condition, is run by all of them, its statements by
///   those that entered; if none did, it is not run.
std::variant<ir::StmtPtr, Refusal> splitLockstep(const LockstepRegion &region);

} // namespace tangram::codegen

// Whether lanes may run a statement one after the other, in any order.
#pragma once

#include "codegen/lockstep/constants.h"

#include <set>

namespace tangram::codegen {

/// Memory that all lanes see: `__shared` variables, containers, buffers.
bool isSeenByAllLanes(const ir::Var &v);

/// Whether no lane, in `s`, touches what another one writes there, so that each may run it from its
/// start to its end without waiting for the others. That is so where what is written
/// - is written by one statement, once, and not read;
/// - is updated by atomic operations alone: what order they come in is open;
/// - is accessed at elements that the lanes tell apart: by one subscript that is coopIdx(), or the
///   variable of a loop that starts there and advances by coopDim(), or by a multiple of both, or
///   goes over a block of the lane, or what such a one and the same for all lanes add up to; or by
///   the quotient and the remainder of one. What lies before all that such a loop goes over may be
///   read.
/// `varying`: the variables that may differ between lanes.
bool areIndependent(const ir::StmtPtr &s, const Constants &constants,
                    const std::set<const ir::Var *> &varying);

} // namespace tangram::codegen

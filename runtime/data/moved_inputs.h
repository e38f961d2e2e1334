// The inputs of a problem in wider numbers, and moved by an ulp: what verification runs a plan and its reference
// on once more (runtime/data/judge.h).
#pragma once

#include "runtime/data/inputs.h"
#include "runtime/data/judge.h"

namespace tangram::runtime {

/// Moves each floating-point number up or down by 1 to `move.ulps` ulps. The move's number and the number itself say
/// where to, so that equal numbers stay equal, and opposite ones opposite. Zeros, infinities and NaN stay as they
/// are, and so does what is no floating-point number.
void moveByUlps(ir::Scalar element, HostMemory &memory, const Move &move);

/// The same problem for the signature of the plan in wider numbers, which differs in element types alone. Each
/// number keeps its value; then those that became wider are moved by an ulp of theirs, where `move` says so.
/// Throws std::bad_alloc.
Problem widened(const Problem &problem, const Signature &wide, const Move &move);

/// The same problem, with inputs moved by an ulp of their own types. Throws std::bad_alloc.
Problem moved(const Problem &problem, const Move &move);

InputFacts factsOf(const Problem &problem);

} // namespace tangram::runtime

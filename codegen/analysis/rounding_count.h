// How many roundings one codelet may do one after the other, as far as its text says: what the error
// bound of a plan is made of (runtime/data/compare.h).
#pragma once

#include "ir/program.h"

#include <cstdint>

namespace tangram::codegen {

/// The longest chain of roundings has at most `fixed` + `perElement` * N of them, where no loop over
/// elements turns more than N times.
struct RoundingCount {
  std::int64_t fixed = 0;
  std::int64_t perElement = 0;
  /// Something goes on for a number of turns that the text does not say (a loop that is not over
  /// elements, or is inside of another one), updates what others update (an atomic operation), or
  /// mixes types.
  bool unknown = false;
};

/// Counts the body of a codelet or helper of `program`.
RoundingCount countRoundings(const ir::Program &program, const ir::StmtPtr &body);

/// Name that stands for an unknown number of roundings in a manifest's formulas.
inline constexpr const char *referenceRoundings = "reference_roundings";

} // namespace tangram::codegen

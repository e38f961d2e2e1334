// The reason that an analysis of a nest of loops gives where the answer is no.
#pragma once

#include "ir/source_location.h"

#include <string>

namespace tangram::algebra {

/// Why something does not hold, and the place in the source that shows it.
struct NestReason {
  std::string text; ///< "the rounds of loop i write c[j]: not apart"
  ir::SourceLocation location;
};

} // namespace tangram::algebra

// What a refused plan is told.
#pragma once

#include "ir/source_location.h"

#include <string>

namespace tangram::codegen {

/// Why a plan cannot be turned into code for a target.
struct Refusal {
  std::string reason;
  ir::SourceLocation location; ///< of the construct concerned, when there is one
};

} // namespace tangram::codegen

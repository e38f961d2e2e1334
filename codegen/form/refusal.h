// The reason why a plan is refused, with its place in the source.
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

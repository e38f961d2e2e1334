// What lowering a plan finds out that holds for other plans of the same program, too.
#pragma once

#include "algebra/proofs.h"
#include "codegen/analysis/rounding_count.h"
#include "composer/analysis/coverage.h"

#include <map>
#include <memory>

namespace tangram::codegen {

/// For one thread at a time, and as long as the program lasts.
struct Findings {
  std::shared_ptr<algebra::Proofs> proofs = std::make_shared<algebra::Proofs>();
  /// Of a cooperative codelet: the conditions that it needs and does not state.
  std::map<const ir::Codelet *, std::vector<composer::Requirement>> needs;
  std::map<const ir::Codelet *, RoundingCount> roundings;
};

} // namespace tangram::codegen

// The caches of one thread, from the machine's model.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstdint>

namespace tangram::codegen {

struct Caches {
  std::int64_t first =
      0; ///< bytes; what the model says of code where no level has a cache with a size
  std::int64_t second = 0; ///< bytes of the next one; 0: none is known
};

/// The caches that the worker that runs a group has.
Caches cachesOf(const LoweredPlan &plan);

} // namespace tangram::codegen

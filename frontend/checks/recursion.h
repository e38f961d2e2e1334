// A recursive spectrum needs a codelet that does without it.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

namespace tangram::frontend {

/// Reports each spectrum whose every codelet leads back to it, by itself or through
/// other spectrums: no plan for it could be complete. One error a cycle.
void checkRecursion(const ir::Program &program, ir::Diagnostics &diagnostics);

} // namespace tangram::frontend

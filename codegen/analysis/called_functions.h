// Helper functions of a program that are no spectrums.
#pragma once

#include "ir/program.h"

#include <vector>

namespace tangram::codegen {

/// The helper functions that `body` calls, directly or not, callees first.
std::vector<const ir::Function *> calledFunctions(const ir::Program &program,
                                                  const ir::StmtPtr &body);

} // namespace tangram::codegen

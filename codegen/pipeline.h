// The passes a target runs, in order.
#pragma once

#include "codegen/kernel_ir.h"

#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// Names of the passes that can be left out to measure what they are worth.
std::vector<std::string> optionalPasses();

/// `plan` ready for the printer of `target`. `without` names optional passes to leave out.
LoweredPlan optimize(LoweredPlan plan, const std::string &target,
                     const std::set<std::string> &without = {});

} // namespace tangram::codegen

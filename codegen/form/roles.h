// The role that each level of a machine plays for a target: host, group, warp, item, unrolled instructions.
#pragma once

#include "codegen/form/refusal.h"
#include "codegen/form/target_traits.h"
#include "composer/machine/machine.h"

#include <string>
#include <variant>
#include <vector>

namespace tangram::codegen {

/// Says that there is no code generator for the target, and for which ones there are.
Refusal noCodeGenerator(const std::string &target);

/// The role of each level of `machine` for `target` ("opencl", "openmp").
std::variant<std::vector<Role>, Refusal> rolesOf(const composer::Machine &machine,
                                                 const std::string &target);

} // namespace tangram::codegen

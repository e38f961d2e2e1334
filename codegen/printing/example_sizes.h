// Sizes that the example of a bundle calls its library with.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// The contracts that give extents, each behind those that give what it is made of.
std::vector<ShapeContract> contractsInOrder(const LoweredPlan &plan);

/// A size for each extent that no contract derives from others: what `sizes` has of it, else `usual`. Where the contracts and
/// requirements of the plan cannot hold for these (a kernel that is dilated is longer than what it goes over, channels come in
/// groups of three), some of those that are `usual` get a small number instead. Scalar parameters are `scalar`.
ir::VariableMap<std::uint64_t> exampleSizes(const LoweredPlan &plan, std::uint64_t usual,
                                            ir::VariableMap<std::uint64_t> sizes,
                                            std::uint64_t scalar);

} // namespace tangram::codegen

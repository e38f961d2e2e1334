// Atomic operations in C: a call of a function of our own around GCC's built-in ones.
#pragma once

#include "codegen/analysis/atomics.h"

#include <set>
#include <string>

namespace tangram::codegen {

/// What the name of a function says of a type: "f32"; a size has 64 bits.
std::string typeSuffix(ir::Scalar type);

/// Name of what is called with a pointer to the element and the operands.
std::string cAtomicName(const AtomicUse &use);

/// Definitions for these uses.
std::string cAtomics(const std::set<AtomicUse> &uses);

} // namespace tangram::codegen

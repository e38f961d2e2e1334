// Atomic operations in OpenCL C: a built-in function where there is one, else a function of our own around
// compare-and-exchange.
#pragma once

#include "codegen/analysis/atomics.h"

#include <set>
#include <string>

namespace tangram::codegen {

/// Name of what is called with a pointer to the element and the operands.
std::string openclAtomicName(const AtomicUse &use);

/// Extensions to enable and definitions for these uses; empty where OpenCL C has them all.
std::string openclAtomics(const std::set<AtomicUse> &uses);

} // namespace tangram::codegen

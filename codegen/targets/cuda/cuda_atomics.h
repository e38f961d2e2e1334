// Atomic operations as CUDA C++: one function for each that kernels use.
#pragma once

#include "codegen/printing/atomic_functions.h"

#include <set>
#include <string>

namespace tangram::codegen {

std::string cudaAtomics(const std::set<AtomicUse> &uses);

} // namespace tangram::codegen

// OpenMP bundles: source and entry.c become a shared object of the system compiler.
#pragma once

#include "runtime/backend.h"
#include "runtime/compiler.h"

namespace tangram::runtime {

/// The processors of this machine. Threads are the environment's choice:
/// OMP_NUM_THREADS, else the processors this process may use. `compiler` must outlive it.
std::unique_ptr<Backend> makeOpenMPBackend(Compiler &compiler);

} // namespace tangram::runtime

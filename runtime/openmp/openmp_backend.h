// OpenMP bundles: source and entry.c become a shared object of the system compiler.
#pragma once

#include "runtime/openmp/host_execution.h"

namespace tangram::runtime {

/// The processors of this machine. Threads are the environment's choice: OMP_NUM_THREADS, at most 64
/// for each processor this process may use (then device() says so), else those processors.
/// `compiler` and `bench` must outlive it. Bundles run in a Worker; one call may take `timeLimit` seconds.
std::unique_ptr<Backend> makeOpenMPBackend(Compiler &compiler, HostBench &bench, double timeLimit);

} // namespace tangram::runtime

// OpenCL bundles in processes of their own: a driver that crashes or a kernel that never ends
// takes one plan with it and leaves the command.
#pragma once

#include "runtime/opencl/opencl_devices.h"
#include "runtime/session/backend.h"

#include <functional>

namespace tangram::runtime {

/// A backend that never starts OpenCL in this process, because no driver survives a fork. Every
/// execution is in a worker that has opened the device, builds the bundle, and serves until the
/// execution goes; it then waits for the next one, unless it has failed. Between two runs that are timed together it does not talk to its owner.
/// `wanted`: see chooseOpenCLDevice, whose errors it has. `timeLimit` is in seconds, for building,
/// and for each run: "ended after 120 s without a result; it may loop for ever, --time-limit gives
/// it longer".
Result<std::unique_ptr<Backend>> makeOpenCLWorkerBackend(const std::string &wanted,
                                                         double timeLimit);

/// The same backend without workers.
Result<std::unique_ptr<Backend>> openOpenCLBackend(const std::string &wanted);

/// An execution that `make` makes in a worker and that stays there. What goes wrong is worded by
/// the execution, or by Worker if that ends: "while it was made ready: ended by signal 11
/// (Segmentation fault)".
using MakeExecution = std::function<Result<std::unique_ptr<Execution>>()>;
Result<std::unique_ptr<Execution>> makeWorkerExecution(const MakeExecution &make,
                                                       const Problem &problem, double timeLimit);

} // namespace tangram::runtime

// Bundles of kernels in processes of their own: a driver that crashes or a kernel that never ends
// takes one plan with it and leaves the command.
#pragma once

#include "runtime/bundle/requirements.h"
#include "runtime/session/backend.h"

#include <functional>

namespace tangram::runtime {

/// What the owner of workers has to know of a device.
struct DeviceDescription {
  std::string name;   ///< "NVIDIA CUDA/NVIDIA H200"
  std::string driver; ///< its version
  std::size_t index = 0;
  std::uint64_t computeUnits = 0;
  std::uint64_t maxGroupSize = 0;
  std::uint64_t localMemory = 0;   ///< bytes
  std::uint64_t globalMemory = 0;  ///< bytes
  std::uint64_t maxAllocation = 0; ///< bytes

  DeviceFacts facts() const;
};

/// How a worker comes by devices. `wanted`: an index, or part of a name; empty: the best device.
struct DeviceDriver {
  Result<DeviceDescription> (*describe)(const std::string &wanted);
  Result<std::unique_ptr<Backend>> (*open)(const std::string &wanted);
};

/// A backend that never starts a driver in this process, because no driver survives a fork. Every
/// execution is in a worker that has opened the device, builds the bundle, and serves until the
/// execution goes; it then waits for the next one, unless it has failed. Between two runs that are timed together it
/// does not talk to its owner. `timeLimit` is in seconds, for building, and for each run: "ended after 120 s without a
/// result; it may loop for ever, --time-limit gives it longer". Errors: those of the driver.
Result<std::unique_ptr<Backend>>
makeDeviceWorkerBackend(const DeviceDriver &driver, const std::string &wanted, double timeLimit);

/// An execution that `make` makes in a worker and that stays there. What goes wrong is worded by
/// the execution, or by Worker if that ends: "while it was made ready: ended by signal 11
/// (Segmentation fault)".
using MakeExecution = std::function<Result<std::unique_ptr<Execution>>()>;
Result<std::unique_ptr<Execution>> makeWorkerExecution(const MakeExecution &make,
                                                       const Problem &problem, double timeLimit);

} // namespace tangram::runtime

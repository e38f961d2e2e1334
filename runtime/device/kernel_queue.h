// A driver's queue on one device: memory, kernels of a built program, and launches in order. What runs bundles of
// kernels (kernel_execution.h) is written against it, once for all drivers.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/session/result.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Memory of a device, released with this object.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
};

/// A kernel of a program, with the arguments that it was given last.
class BuiltKernel {
public:
  virtual ~BuiltKernel() = default;
};

struct LaunchSizes {
  unsigned dimensions = 1;
  std::array<std::size_t, 2> groups{0, 1};
  std::array<std::size_t, 2> groupSize{0, 1};

  std::size_t itemsInGroup() const { return groupSize[0] * groupSize[1]; }
};

/// An argument of a kernel: memory, or the bytes of a number.
struct LaunchArgument {
  DeviceMemory *memory = nullptr;
  const void *number = nullptr;
  std::size_t bytes = 0;
};

/// Errors are Fault::Refused where a plan asks for more than the device has, and Fault::Failed otherwise.
class KernelQueue {
public:
  using Pattern = std::array<std::byte, 16>;

  virtual ~KernelQueue() = default;

  /// `name`, here and below: what messages call the memory. `bytes` is not 0.
  virtual Result<std::unique_ptr<DeviceMemory>> allocate(const std::string &name, std::size_t bytes,
                                                         bool isWritten) = 0;
  /// The most bytes that one piece of memory may have.
  virtual std::uint64_t largestMemory() const = 0;

  /// Transfers, done when they return.
  virtual Status write(const std::string &name, DeviceMemory &memory, const void *values,
                       std::size_t bytes) = 0;
  virtual Status read(const std::string &name, const DeviceMemory &memory, void *values,
                      std::size_t bytes) = 0;
  /// Repeats the pattern; done in order with launches.
  virtual Status fill(const std::string &name, DeviceMemory &memory, const Pattern &pattern,
                      std::size_t bytes) = 0;

  virtual Result<std::unique_ptr<BuiltKernel>> kernel(const std::string &name) = 0;
  /// Limits that only a compiler knows: registers bound the size of a group, and local memory is what it really takes.
  virtual Status checkBuilt(const std::string &name, BuiltKernel &kernel,
                            const LaunchSizes &sizes) = 0;
  virtual Status setArguments(const std::string &name, BuiltKernel &kernel,
                              const std::vector<LaunchArgument> &arguments) = 0;

  /// Enqueues the kernel. The first and the last launch since beginRun() say how long a run took.
  virtual Status launch(const std::string &name, BuiltKernel &kernel, const LaunchSizes &sizes) = 0;
  virtual void beginRun() = 0;
  /// Seconds from the start of the first launch to the end of the last one; 0: there was none.
  virtual Result<double> elapsed() = 0;

  /// Waits for all that is enqueued.
  virtual Status finish(const std::string &what) = 0;
};

} // namespace tangram::runtime

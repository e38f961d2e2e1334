// What a device can do, measured: the figures from which times of plans are predicted
// (docs/hardware-models.md, "What things cost"). Micro-benchmarks, each a few milliseconds; the best of several
// repetitions counts, since other work on the machine can only make them slower.
#pragma once

#include "runtime/session/result.h"

#include <cstdint>
#include <map>
#include <string>

namespace tangram::runtime {

struct DeviceFigures {
  std::string device; ///< "Platform/Name", or the compiler's name for what it compiles for
  std::string type;   ///< "processor" (through OpenMP), or OpenCL's "CPU", "GPU", "accelerator"
  std::string driver; ///< its version; of a processor the compiler's
  /// What it says of itself: compute_units, max_group_size, local_memory, global_memory, cache, line
  /// (bytes), group_multiple (items). Of a processor: threads alone.
  std::map<std::string, std::uint64_t> facts;
  /// By the names of a model's `costs`.
  std::map<std::string, double> costs;
  /// How far rounds differ on each, as a part of it (runtime/measure/rounds.h).
  std::map<std::string, double> spreads = {};
};

/// This machine's processor, through C with OpenMP as bundles are compiled. Errors (Fault::Failed): the
/// compiler's.
Result<DeviceFigures> measureProcessor();

/// An OpenCL device (chooseOpenCLDevice says which one is meant, and has its errors). The process uses
/// the driver from then on.
Result<DeviceFigures> measureOpenCLDevice(const std::string &wanted);

} // namespace tangram::runtime

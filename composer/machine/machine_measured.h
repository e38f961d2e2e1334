// Models with figures that were measured: what `tangram-run measure --format json` has printed, on this
// machine or another one.
#pragma once

#include "composer/machine/machine.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace tangram::composer {

struct MeasuredDevice {
  std::string device; ///< "Platform/Name"
  std::string
      type; ///< "processor": through OpenMP; "CPU", "GPU", "accelerator", "custom": OpenCL's
  std::string driver;
  std::map<std::string, std::uint64_t> facts; ///< that it tells of itself; 0: it does not
  std::map<std::string, double> costs;        ///< by the names of costFields()
};

/// `name`: of the file, for errors.
std::variant<MeasuredDevice, ModelErrors> parseMeasured(const std::string &text,
                                                        const std::string &name);

/// `machine`, a model of the processor that was measured, with the figures. `how`: where they come from.
Machine withMeasured(Machine machine, const MeasuredDevice &measured, const std::string &how);

/// Of an OpenCL device: grid, groups, items, chains, for the target opencl.
Machine modelOfDevice(const std::string &name, const MeasuredDevice &measured,
                      const std::string &how);

} // namespace tangram::composer

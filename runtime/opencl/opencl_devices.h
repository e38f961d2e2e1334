// Which OpenCL devices there are, and which one is meant.
#pragma once

#include "runtime/device/device_worker.h"
#include "runtime/opencl/opencl_api.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tangram::runtime {

struct OpenCLDevice {
  std::size_t index = 0; ///< over all platforms, in the loader's order
  std::string platform;
  std::string name;
  std::string type; ///< "CPU", "GPU", "accelerator", "custom"
  std::string version;
  std::string driver; ///< its version
  std::uint64_t computeUnits = 0;
  std::uint64_t maxGroupSize = 0;
  std::uint64_t localMemory = 0;   ///< bytes
  bool roundsDivisions = false;    ///< those of floats correctly, where that is asked for
  std::uint64_t globalMemory = 0;  ///< bytes
  std::uint64_t maxAllocation = 0; ///< bytes
  std::string error;               ///< why it cannot be used; empty when it can
  cl_platform_id platformId = nullptr;
  cl_device_id id = nullptr;

  std::string fullName() const { return platform + "/" + name; }
  DeviceDescription description() const;
  DeviceFacts facts() const { return description().facts(); }
};

/// Every device of every platform. A device or platform that answers with an
/// error is listed with it. Nothing there: an empty list.
std::vector<OpenCLDevice> listOpenCLDevices(const OpenCLApi &api);

/// `wanted` is an index, or part of "platform/device" in any case (the first
/// usable match); empty: the first usable GPU, else the first usable device.
/// Errors: Fault::Failed when there are no devices at all or none is usable,
/// Fault::Usage with the list when none is meant.
Result<OpenCLDevice> chooseOpenCLDevice(const std::vector<OpenCLDevice> &devices,
                                        const std::string &wanted);

/// One line a device: index, platform/device, type, units, memory, version or error.
std::string deviceLines(const std::vector<OpenCLDevice> &devices);
/// The same as objects.
nlohmann::ordered_json devicesJson(const std::vector<OpenCLDevice> &devices);

} // namespace tangram::runtime

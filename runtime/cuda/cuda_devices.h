// Which CUDA devices there are, and which one is meant.
#pragma once

#include "runtime/cuda/cuda_api.h"
#include "runtime/device/device_worker.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tangram::runtime {

struct CudaDevice {
  DeviceDescription description; ///< "CUDA/NVIDIA H200"
  int id = 0;                    ///< the driver's
  int capability = 0;            ///< 90: compute capability 9.0
  std::uint64_t clockKilohertz = 0;
};

/// In the driver's order. None: an empty list. Errors: the driver's.
Result<std::vector<CudaDevice>> listCudaDevices(const CudaDriver &driver);

/// `wanted` is an index, or part of the name in any case; empty: the first one. Errors: Fault::Failed where there is
/// none at all, Fault::Usage with the list where none is meant.
Result<CudaDevice> chooseCudaDevice(const std::vector<CudaDevice> &devices,
                                    const std::string &wanted);

/// One line a device: index, name, compute capability, multiprocessors, memory.
std::string deviceLines(const std::vector<CudaDevice> &devices);
/// The same as objects.
nlohmann::ordered_json devicesJson(const std::vector<CudaDevice> &devices);

} // namespace tangram::runtime

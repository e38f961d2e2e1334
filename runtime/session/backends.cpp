#include "runtime/session/backends.h"

#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_devices.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/openmp/openmp_backend.h"

namespace tangram::runtime {

namespace {

constexpr DeviceDriver opencl{describeOpenCLDevice, openOpenCLBackend};
constexpr DeviceDriver cuda{describeCudaDevice, openCudaBackend};

template <class Device> void add(DeviceList &list, const std::vector<Device> &devices) {
  if (!devices.empty())
    list.lines += (list.lines.empty() ? "" : "\n") + deviceLines(devices);
  for (const nlohmann::ordered_json &each : devicesJson(devices))
    list.array.push_back(each);
}

} // namespace

Result<std::unique_ptr<Backend>> openBackend(Target target, const BackendOptions &options) {
  const auto onDevice = [&](const DeviceDriver &driver) {
    return options.stays ? driver.open(options.device)
                         : makeDeviceWorkerBackend(driver, options.device, options.timeLimit);
  };
  switch (target) {
  case Target::OpenCL:
    return onDevice(opencl);
  case Target::CUDA:
    return onDevice(cuda);
  case Target::OpenMP:
  case Target::C:
    break;
  }
  return makeOpenMPBackend(options.compiler, options.bench, options.timeLimit);
}

DeviceList listAllDevices() {
  DeviceList list;
  if (Result<OpenCLApi> api = openOpenCL(); !api) {
    list.missing.push_back(api.error().message);
  } else if (const std::vector<OpenCLDevice> devices = listOpenCLDevices(*api); devices.empty()) {
    list.missing.emplace_back("no OpenCL device on this machine: the loader is there, but it knows "
                              "no platform with a device");
  } else {
    add(list, devices);
  }
  Result<CudaDriver> driver = openCudaDriver();
  if (!driver) {
    list.missing.push_back(driver.error().message);
    return list;
  }
  const Result<std::vector<CudaDevice>> devices = listCudaDevices(*driver);
  if (!devices)
    list.missing.push_back(devices.error().message);
  else
    add(list, *devices);
  return list;
}

} // namespace tangram::runtime

#include "runtime/cuda/cuda_devices.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace tangram::runtime {

namespace {

// Of CUdevice_attribute.
constexpr int threadsOfBlock = 1;
constexpr int clockRate = 13;
constexpr int multiprocessors = 16;
constexpr int capabilityMajor = 75;
constexpr int capabilityMinor = 76;
constexpr int sharedMemoryOfBlock = 97; ///< the most that a kernel may ask for

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Result<CudaDevice> describe(const CudaDriver &driver, int index) {
  CudaDevice device;
  std::string failed;
  const auto good = [&](const char *what, int code) {
    if (code != 0 && failed.empty())
      failed = std::string(what) + ": " + driver.errorText(code);
  };
  const auto attribute = [&](int which) {
    int value = 0;
    good("cuDeviceGetAttribute", driver.deviceAttribute(&value, which, device.id));
    return static_cast<std::uint64_t>(value);
  };
  good("cuDeviceGet", driver.deviceGet(&device.id, index));
  std::array<char, 256> name{};
  good("cuDeviceGetName", driver.deviceName(name.data(), name.size() - 1, device.id));
  std::size_t memory = 0;
  good("cuDeviceTotalMem", driver.deviceMemory(&memory, device.id));
  int version = 0;
  good("cuDriverGetVersion", driver.driverVersion(&version));
  device.capability =
      static_cast<int>(attribute(capabilityMajor) * 10 + attribute(capabilityMinor));
  device.clockKilohertz = attribute(clockRate);
  device.description = {"CUDA/" + std::string(name.data()),
                        "CUDA " + std::to_string(version / 1000) + "." +
                            std::to_string(version % 1000 / 10),
                        static_cast<std::size_t>(index),
                        attribute(multiprocessors),
                        attribute(threadsOfBlock),
                        attribute(sharedMemoryOfBlock),
                        memory,
                        memory};
  if (!failed.empty())
    return failure("CUDA device " + std::to_string(index) + ": " + failed);
  return device;
}

} // namespace

Result<std::vector<CudaDevice>> listCudaDevices(const CudaDriver &driver) {
  int count = 0;
  if (const int code = driver.deviceCount(&count); code != 0)
    return failure("cuDeviceGetCount: " + driver.errorText(code));
  std::vector<CudaDevice> devices;
  for (int i = 0; i < count; ++i) {
    Result<CudaDevice> device = describe(driver, i);
    if (!device)
      return device.error();
    devices.push_back(std::move(*device));
  }
  return devices;
}

Result<CudaDevice> chooseCudaDevice(const std::vector<CudaDevice> &devices,
                                    const std::string &wanted) {
  if (devices.empty())
    return failure("no CUDA device on this machine: the driver is there, but it knows none");
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  const bool isIndex = error == std::errc() && end == wanted.data() + wanted.size();
  std::string list;
  for (const CudaDevice &each : devices) {
    const DeviceDescription &said = each.description;
    if (isIndex ? said.index == index : lower(said.name).find(lower(wanted)) != std::string::npos)
      return each;
    list += (list.empty() ? "" : ", ") + std::to_string(said.index) + " (" + said.name + ")";
  }
  return usageError(
      "--device " + wanted +
      ": there is no such device; expected the index or part of the name of one: " + list);
}

std::string deviceLines(const std::vector<CudaDevice> &devices) {
  std::string text;
  for (const CudaDevice &each : devices) {
    const DeviceDescription &said = each.description;
    text += (text.empty() ? "" : "\n") + std::to_string(said.index) + "  " + said.name + "  GPU, " +
            std::to_string(said.computeUnits) + " multiprocessors, " +
            roundedBytes(said.globalMemory) + " memory, " + bytesText(said.localMemory) +
            " shared memory, blocks of up to " + std::to_string(said.maxGroupSize) +
            ", compute capability " + std::to_string(each.capability / 10) + "." +
            std::to_string(each.capability % 10);
  }
  return text;
}

nlohmann::ordered_json devicesJson(const std::vector<CudaDevice> &devices) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CudaDevice &each : devices) {
    const DeviceDescription &said = each.description;
    list.push_back({{"index", said.index},
                    {"platform", "CUDA"},
                    {"name", said.name.substr(said.name.find('/') + 1)},
                    {"type", "GPU"},
                    {"version", said.driver},
                    {"compute_units", said.computeUnits},
                    {"memory", said.globalMemory},
                    {"local_memory", said.localMemory},
                    {"max_allocation", said.maxAllocation},
                    {"max_group_size", said.maxGroupSize}});
  }
  return list;
}

} // namespace tangram::runtime

#include "runtime/opencl/opencl_devices.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tangram::runtime {

namespace {

/// Asks one device or platform; remembers the first error.
template <class Id, class Function> class Query {
public:
  Query(Function *function, Id id) : function(function), id(id) {}

  std::string text(cl_uint what, const char *name) {
    std::size_t bytes = 0;
    if (!good(function(id, what, 0, nullptr, &bytes), name))
      return {};
    std::string value(bytes, '\0');
    if (bytes == 0 || !good(function(id, what, bytes, value.data(), nullptr), name))
      return {};
    value.resize(value.find('\0') == std::string::npos ? bytes : value.find('\0'));
    // Some drivers pad names with blanks.
    while (value.ends_with(' '))
      value.pop_back();
    return value.substr(std::min(value.find_first_not_of(' '), value.size()));
  }

  template <class T> T number(cl_uint what, const char *name) {
    T value{};
    good(function(id, what, sizeof value, &value, nullptr), name);
    return value;
  }

  std::string error;

private:
  bool good(cl_int code, const char *name) {
    if (code != CL_SUCCESS && error.empty())
      error = std::string(name) + ": " + openclErrorText(code);
    return code == CL_SUCCESS;
  }

  Function *function;
  Id id;
};

std::string typeText(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU)
    return "GPU";
  if (type & CL_DEVICE_TYPE_CPU)
    return "CPU";
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

OpenCLDevice describeDevice(const OpenCLApi &api, cl_device_id id) {
  OpenCLDevice device;
  device.id = id;
  Query query(api.clGetDeviceInfo, id);
  auto ask = [&]<class T>(T, cl_uint what, const char *name) {
    return query.template number<T>(what, name);
  };
  device.name = query.text(CL_DEVICE_NAME, "CL_DEVICE_NAME");
  device.version = query.text(CL_DEVICE_VERSION, "CL_DEVICE_VERSION");
  device.driver = query.text(CL_DRIVER_VERSION, "CL_DRIVER_VERSION");
  device.type = typeText(ask(cl_device_type{}, CL_DEVICE_TYPE, "CL_DEVICE_TYPE"));
  device.computeUnits = ask(cl_uint{}, CL_DEVICE_MAX_COMPUTE_UNITS, "CL_DEVICE_MAX_COMPUTE_UNITS");
  device.maxGroupSize =
      ask(std::size_t{}, CL_DEVICE_MAX_WORK_GROUP_SIZE, "CL_DEVICE_MAX_WORK_GROUP_SIZE");
  device.localMemory = ask(cl_ulong{}, CL_DEVICE_LOCAL_MEM_SIZE, "CL_DEVICE_LOCAL_MEM_SIZE");
  device.globalMemory = ask(cl_ulong{}, CL_DEVICE_GLOBAL_MEM_SIZE, "CL_DEVICE_GLOBAL_MEM_SIZE");
  device.maxAllocation =
      ask(cl_ulong{}, CL_DEVICE_MAX_MEM_ALLOC_SIZE, "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  const auto floats =
      ask(cl_device_fp_config{}, CL_DEVICE_SINGLE_FP_CONFIG, "CL_DEVICE_SINGLE_FP_CONFIG");
  device.roundsDivisions = (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  device.error = query.error;
  if (device.error.empty() && !ask(cl_bool{}, CL_DEVICE_AVAILABLE, "CL_DEVICE_AVAILABLE"))
    device.error = "not available";
  if (device.error.empty() &&
      !ask(cl_bool{}, CL_DEVICE_COMPILER_AVAILABLE, "CL_DEVICE_COMPILER_AVAILABLE"))
    device.error = "it has no compiler";
  if (device.error.empty())
    device.error = query.error;
  return device;
}

std::vector<OpenCLDevice> devicesOf(const OpenCLApi &api, cl_platform_id platform) {
  cl_uint count = 0;
  cl_int code = api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND)
    return {};
  std::vector<cl_device_id> ids(count);
  if (code == CL_SUCCESS && count > 0)
    code = api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
  std::vector<OpenCLDevice> devices;
  if (code != CL_SUCCESS) {
    devices.emplace_back();
    devices.back().error = "clGetDeviceIDs: " + openclErrorText(code);
    return devices;
  }
  for (cl_device_id id : ids)
    devices.push_back(describeDevice(api, id));
  return devices;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Those `wanted` names; all of them when it is empty.
std::vector<const OpenCLDevice *> matching(const std::vector<OpenCLDevice> &devices,
                                           const std::string &wanted) {
  std::size_t index = 0;
  auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  bool isIndex = error == std::errc() && end == wanted.data() + wanted.size();
  std::vector<const OpenCLDevice *> found;
  for (const OpenCLDevice &device : devices) {
    if (isIndex ? device.index == index
                : lower(device.fullName()).find(lower(wanted)) != std::string::npos)
      found.push_back(&device);
  }
  return found;
}

} // namespace

DeviceDescription OpenCLDevice::description() const {
  return {fullName(),   driver,      index,        computeUnits,
          maxGroupSize, localMemory, globalMemory, maxAllocation};
}

std::vector<OpenCLDevice> listOpenCLDevices(const OpenCLApi &api) {
  std::vector<OpenCLDevice> all;
  cl_uint count = 0;
  // Without any platform the loader answers with an error of its own (-1001).
  if (api.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return all;
  std::vector<cl_platform_id> platforms(count);
  if (api.clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS)
    return all;
  for (cl_platform_id platform : platforms) {
    Query query(api.clGetPlatformInfo, platform);
    std::string name = query.text(CL_PLATFORM_NAME, "CL_PLATFORM_NAME");
    for (OpenCLDevice &device : devicesOf(api, platform)) {
      device.index = all.size();
      device.platform = name;
      device.platformId = platform;
      all.push_back(std::move(device));
    }
  }
  return all;
}

namespace {

/// `0 (platform/name), 1 (...)`
std::string indexedNames(const std::vector<OpenCLDevice> &devices) {
  std::string text;
  for (const OpenCLDevice &device : devices)
    text +=
        (text.empty() ? "" : ", ") + std::to_string(device.index) + " (" + device.fullName() + ")";
  return text;
}

} // namespace

Result<OpenCLDevice> chooseOpenCLDevice(const std::vector<OpenCLDevice> &devices,
                                        const std::string &wanted) {
  if (devices.empty())
    return failure("no OpenCL device on this machine: the loader is there, but it knows no "
                   "platform with a device");
  std::vector<const OpenCLDevice *> found = matching(devices, wanted);
  if (found.empty())
    return usageError("--device " + wanted +
                      ": there is no such device; expected the index or part of the name of one: " +
                      indexedNames(devices));
  const OpenCLDevice *chosen = nullptr;
  for (const OpenCLDevice *device : found) {
    bool better = !chosen || (wanted.empty() && chosen->type != "GPU" && device->type == "GPU");
    if (device->error.empty() && better)
      chosen = device;
  }
  if (!chosen)
    return failure("OpenCL device " + found.front()->fullName() +
                   " cannot be used: " + found.front()->error);
  return *chosen;
}

std::string deviceLines(const std::vector<OpenCLDevice> &devices) {
  std::string text;
  for (const OpenCLDevice &d : devices) {
    text += (text.empty() ? "" : "\n") + std::to_string(d.index) + "  " + d.fullName();
    if (!d.error.empty())
      text += "  error: " + d.error;
    else
      text += "  " + d.type + ", " + std::to_string(d.computeUnits) + " compute units, " +
              roundedBytes(d.globalMemory) + " memory, " + bytesText(d.localMemory) +
              " local memory, groups of up to " + std::to_string(d.maxGroupSize) + ", " + d.version;
  }
  return text;
}

nlohmann::ordered_json devicesJson(const std::vector<OpenCLDevice> &devices) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OpenCLDevice &d : devices) {
    nlohmann::ordered_json device{{"index", d.index}, {"platform", d.platform}, {"name", d.name}};
    if (!d.error.empty()) {
      device["error"] = d.error;
    } else {
      device["type"] = d.type;
      device["version"] = d.version;
      device["compute_units"] = d.computeUnits;
      device["memory"] = d.globalMemory;
      device["local_memory"] = d.localMemory;
      device["max_allocation"] = d.maxAllocation;
      device["max_group_size"] = d.maxGroupSize;
    }
    list.push_back(std::move(device));
  }
  return list;
}

} // namespace tangram::runtime

#include "runtime/measure/figures.h"

#include "embedded/runtime/measure/programs.h"
#include "runtime/opencl/opencl_devices.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

namespace tangram::runtime {

namespace {

constexpr int repeats = 5;

/// A program's kernels on one device, called and timed. The first thing that goes wrong is kept, and
/// nothing more is asked of the device.
class Bench {
public:
  Bench(const OpenCLApi &api, const OpenCLDevice &device) : api_(api), device_(device) {
    cl_int code = CL_SUCCESS;
    cl_context_properties platform[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platformId), 0};
    context_ = {api.clCreateContext(platform, 1, &device.id, nullptr, nullptr, &code),
                api.clReleaseContext};
    check(code, "clCreateContext");
    if (!error_.empty())
      return;
    queue_ = {api.clCreateCommandQueue(context_.get(), device.id, CL_QUEUE_PROFILING_ENABLE, &code),
              api.clReleaseCommandQueue};
    check(code, "clCreateCommandQueue");
    const char *text = deviceProgram;
    if (error_.empty()) {
      program_ = {api.clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code),
                  api.clReleaseProgram};
      check(code, "clCreateProgramWithSource");
    }
    if (error_.empty())
      check(api.clBuildProgram(program_.get(), 1, &device.id, "-cl-std=CL1.2", nullptr, nullptr),
            "clBuildProgram");
  }

  const std::string &error() const { return error_; }

  template <class T> T asked(cl_device_info what) {
    T value{};
    if (error_.empty())
      check(api_.clGetDeviceInfo(device_.id, what, sizeof value, &value, nullptr),
            "clGetDeviceInfo");
    return value;
  }

  /// Items that a device likes to have side by side.
  std::size_t groupMultiple() {
    std::size_t value = 1;
    if (const auto kernel = kernelOf("nothing"); error_.empty())
      check(api_.clGetKernelWorkGroupInfo(kernel.get(), device_.id,
                                          CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                          sizeof value, &value, nullptr),
            "clGetKernelWorkGroupInfo");
    return std::max<std::size_t>(value, 1);
  }

  using Buffer = OpenCLObject<cl_mem>;

  Buffer buffer(std::size_t bytes, const void *from = nullptr) {
    if (!error_.empty())
      return {};
    cl_int code = CL_SUCCESS;
    Buffer made{api_.clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                api_.clReleaseMemObject};
    check(code, "clCreateBuffer");
    const cl_uint zero = 0;
    if (error_.empty() && from)
      check(api_.clEnqueueWriteBuffer(queue_.get(), made.get(), CL_TRUE, 0, bytes, from, 0, nullptr,
                                      nullptr),
            "clEnqueueWriteBuffer");
    else if (error_.empty())
      check(api_.clEnqueueFillBuffer(queue_.get(), made.get(), &zero, sizeof zero, 0, bytes, 0,
                                     nullptr, nullptr),
            "clEnqueueFillBuffer");
    return made;
  }

  /// Seconds from the start of the first to the end of the last of `times` launches, the best of several.
  template <class... Arguments>
  double seconds(const char *name, std::size_t groups, std::size_t items, unsigned times,
                 const Arguments &...arguments) {
    const auto kernel = kernelOf(name);
    cl_uint at = 0;
    (set(kernel.get(), at++, arguments), ...);
    double best = 0;
    for (int r = 0; r <= repeats && error_.empty(); ++r) {
      const double took = launch(kernel.get(), groups * items, items, times);
      if (r > 0 && (best == 0 || took < best)) // the first may still be compiled
        best = took;
    }
    return best;
  }

private:
  OpenCLObject<cl_kernel> kernelOf(const char *name) {
    if (!error_.empty())
      return {};
    cl_int code = CL_SUCCESS;
    OpenCLObject<cl_kernel> kernel{api_.clCreateKernel(program_.get(), name, &code),
                                   api_.clReleaseKernel};
    check(code, name);
    return kernel;
  }

  void set(cl_kernel kernel, cl_uint at, const Buffer &buffer) {
    const cl_mem memory = buffer.get();
    set(kernel, at, memory);
  }
  template <class T> void set(cl_kernel kernel, cl_uint at, const T &value) {
    if (error_.empty())
      check(api_.clSetKernelArg(kernel, at, sizeof value, &value), "clSetKernelArg");
  }

  double launch(cl_kernel kernel, std::size_t all, std::size_t items, unsigned times) {
    std::array<OpenCLObject<cl_event>, 2> ends;
    for (unsigned i = 0; i < times && error_.empty(); ++i) {
      cl_event event = nullptr;
      check(api_.clEnqueueNDRangeKernel(queue_.get(), kernel, 1, nullptr, &all, &items, 0, nullptr,
                                        &event),
            "clEnqueueNDRangeKernel");
      if (event)
        ends.at(i == 0 ? 0 : 1) = {event, api_.clReleaseEvent};
    }
    if (error_.empty())
      check(api_.clFinish(queue_.get()), "clFinish");
    const cl_event last = ends[1] ? ends[1].get() : ends[0].get();
    return error_.empty() ? 1e-9 * (time(last, CL_PROFILING_COMMAND_END) -
                                    time(ends[0].get(), CL_PROFILING_COMMAND_START))
                          : 0;
  }

  double time(cl_event event, cl_profiling_info what) {
    cl_ulong nanoseconds = 0;
    check(api_.clGetEventProfilingInfo(event, what, sizeof nanoseconds, &nanoseconds, nullptr),
          "clGetEventProfilingInfo");
    return static_cast<double>(nanoseconds);
  }

  void check(cl_int code, const std::string &what) {
    if (code != CL_SUCCESS && error_.empty())
      error_ = device_.fullName() + ": " + what + ": " + openclErrorText(code);
  }

  const OpenCLApi &api_;
  const OpenCLDevice &device_;
  OpenCLObject<cl_context> context_;
  OpenCLObject<cl_command_queue> queue_;
  OpenCLObject<cl_program> program_;
  std::string error_;
};

/// A ring through all lines of `bytes`, 128 bytes apart, in an order that nobody foresees (Sattolo).
std::vector<cl_uint> ringOf(std::size_t bytes) {
  constexpr std::size_t apart = 32;
  const std::size_t lines = bytes / (apart * sizeof(cl_uint));
  std::vector<cl_uint> next(lines * apart);
  for (std::size_t i = 0; i < lines; ++i)
    next[i * apart] = static_cast<cl_uint>(i * apart);
  std::uint64_t state = 88172645463325252U;
  for (std::size_t i = lines - 1; i > 0; --i) {
    state ^= state << 13U, state ^= state >> 7U, state ^= state << 17U;
    std::swap(next[i * apart], next[state % i * apart]);
  }
  return next;
}

std::uint64_t powerOfTwoBelow(std::uint64_t most) {
  std::uint64_t power = 1;
  while (power <= most / 2)
    power *= 2;
  return power;
}

/// The figures of a device that take time to find, one kind after the other.
class Figures {
public:
  /// `large`: bytes of an array that no cache holds.
  Figures(Bench &bench, const OpenCLDevice &device, double clock, std::size_t large)
      : bench_(bench), clock_(clock), large_(large), isCpu_(device.type == "CPU"),
        units_(std::max<std::uint64_t>(device.computeUnits, 1)),
        group_(std::min<std::size_t>(device.maxGroupSize, 256)),
        full_(isCpu_ ? units_ : units_ * 16), items_(isCpu_ ? 1 : group_),
        out_(bench.buffer(full_ * group_ * sizeof(float))) {}

  std::map<std::string, double> costs() {
    costs_["cycles_per_second"] = clock_;
    costs_["lanes"] = static_cast<double>(bench_.groupMultiple());
    operations();
    waits();
    bytes();
    latency();
    atomics();
    return costs_;
  }

private:
  /// Seconds of a round, less what starting takes: twice the rounds, and the difference. More rounds while starting, and what
  /// else the machine does at the time, takes most of it.
  template <class... Before>
  double perRound(const char *name, std::size_t groups, std::size_t items, cl_uint n,
                  const Before &...before) {
    constexpr double enough = 0.1;
    constexpr cl_uint most = 1U << 30U;
    for (;; n *= 2) {
      const double once = bench_.seconds(name, groups, items, 1, before..., n);
      const double more = bench_.seconds(name, groups, items, 1, before..., 2 * n) - once;
      if (more > once / 4 || once > enough || n >= most || !bench_.error().empty())
        return more / n;
    }
  }

  void operations() {
    const float by = 1.0F;
    costs_["operation_cycles"] = perRound("one_sum", 1, 1, 20000, out_, by) / 8 * clock_;
    costs_["instructions_per_cycle"] = 8 / (perRound("eight_sums", 1, 1, 20000, out_, by) * clock_);
    const std::size_t many = full_ * 64;
    costs_["operations_per_cycle"] = 256.0 * static_cast<double>(many * group_) /
                                     (bench_.seconds("items_sums", 2 * many, group_, 1, out_, by) -
                                      bench_.seconds("items_sums", many, group_, 1, out_, by)) /
                                     clock_ / static_cast<double>(units_);
  }

  void waits() {
    costs_["local_cycles"] = perRound("chase_local", 1, 1, 20000, out_) * clock_;
    costs_["barrier_seconds"] = perRound("meet", 1, group_, 2000, out_);
    costs_["launch_seconds"] = bench_.seconds("nothing", units_, group_, 100, out_) / 100;
  }

  void bytes() {
    const auto memory = bench_.buffer(large_);
    const auto elements = static_cast<cl_uint>(large_ / (4 * sizeof(float)));
    const double side = static_cast<double>(full_ * items_);
    const auto once = static_cast<cl_uint>(elements / (full_ * items_));
    costs_["bytes_per_second"] =
        16.0 * side * once /
        bench_.seconds("read", full_, items_, 1, memory, out_, elements - 1, once);
    const cl_uint small = 256;
    costs_["access_bytes_per_cycle"] =
        16.0 * side /
        perRound("read", full_, items_, isCpu_ ? 20000 : 2000, memory, out_, small - 1) / clock_ /
        static_cast<double>(units_);
  }

  void latency() {
    const std::vector<cl_uint> ring = ringOf(large_);
    const auto next = bench_.buffer(large_, ring.data());
    costs_["memory_seconds"] = perRound("chase", 1, 1, 20000, next);
  }

  void atomics() {
    constexpr cl_uint places = 4096;
    const auto counters = bench_.buffer(places * 64 * sizeof(cl_uint));
    const double all = static_cast<double>(full_ * items_);
    const cl_uint rounds = isCpu_ ? 5000 : 50;
    const double together = perRound("count", full_, items_, rounds, counters, cl_uint{0}) / all;
    const double apart =
        perRound("count", full_, items_, rounds, counters, cl_uint{places - 1}) / all;
    costs_["atomic_seconds"] = together;
    if (apart > 0)
      costs_["atomics_at_once"] = std::max(together / apart, 1.0);
  }

  Bench &bench_;
  const double clock_; ///< cycles a second
  const std::size_t large_;
  const bool isCpu_;
  const std::size_t units_;
  const std::size_t group_;
  const std::size_t full_; ///< groups that keep all units at work
  /// A CPU goes through the items of a group one after the other: one a group, and a group a unit.
  const std::size_t items_;
  const OpenCLObject<cl_mem> out_;
  std::map<std::string, double> costs_;
};

} // namespace

Result<DeviceFigures> measureOpenCLDevice(const std::string &wanted) {
  const Result<OpenCLApi> api = openOpenCL();
  if (!api)
    return api.error();
  const std::vector<OpenCLDevice> devices = listOpenCLDevices(*api);
  const Result<OpenCLDevice> device = chooseOpenCLDevice(devices, wanted);
  if (!device)
    return device.error();
  Bench bench(*api, *device);
  DeviceFigures result;
  result.device = device->fullName();
  result.type = device->type;
  result.driver = device->driver;
  result.facts = {{"compute_units", std::max<std::uint64_t>(device->computeUnits, 1)},
                  {"max_group_size", device->maxGroupSize},
                  {"local_memory", device->localMemory},
                  {"global_memory", device->globalMemory},
                  {"cache", bench.asked<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)},
                  {"line", bench.asked<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)},
                  {"group_multiple", bench.groupMultiple()}};
  // The clock is what the device says: nothing tells cycles from seconds in OpenCL.
  const double clock = 1e6 * bench.asked<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  if (bench.error().empty() && clock == 0)
    return failure(result.device + ": it does not tell its clock");
  const std::size_t most = std::min<std::uint64_t>(device->maxAllocation, device->globalMemory / 8);
  if (bench.error().empty() && most < (std::size_t{1} << 20))
    return failure(result.device + ": it has less than a megabyte to measure with");
  const std::size_t large = powerOfTwoBelow(std::min<std::uint64_t>(most, std::uint64_t{1} << 30));
  result.costs = Figures(bench, *device, clock, large).costs();
  if (!bench.error().empty())
    return failure(bench.error());
  for (const auto &[name, value] : result.costs) {
    if (!(value > 0))
      return failure(result.device + ": " + name +
                     " could not be measured, its clock is too coarse");
  }
  return result;
}

} // namespace tangram::runtime

#include "runtime/opencl/opencl_queue.h"

#include "runtime/bundle/requirements.h"

#include <algorithm>
#include <limits>

namespace tangram::runtime {

namespace {

struct OpenCLMemory : DeviceMemory {
  OpenCLObject<cl_mem> object;
};

struct OpenCLKernel : BuiltKernel {
  OpenCLObject<cl_kernel> object;
};

cl_mem memoryOf(const DeviceMemory &memory) {
  return static_cast<const OpenCLMemory &>(memory).object.get();
}

cl_kernel kernelOf(const BuiltKernel &kernel) {
  return static_cast<const OpenCLKernel &>(kernel).object.get();
}

/// Out of memory is the plan's fault, not the driver's.
Error openclError(const std::string &what, cl_int code) {
  const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                      code == CL_INVALID_BUFFER_SIZE;
  return {memory ? Fault::Refused : Fault::Failed, what + ": " + openclErrorText(code)};
}

Status statusOf(const std::string &what, cl_int code) {
  return code == CL_SUCCESS ? ok() : Status(openclError(what, code));
}

class OpenCLQueue : public KernelQueue {
public:
  OpenCLQueue(const OpenCLPlace &place, cl_program program)
      : api(*place.api), place(place), program(program) {}

  Result<std::unique_ptr<DeviceMemory>> allocate(const std::string &name, std::size_t bytes,
                                                 bool isWritten) override {
    cl_int code = CL_SUCCESS;
    auto memory = std::make_unique<OpenCLMemory>();
    memory->object = {api.clCreateBuffer(place.context,
                                         isWritten ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, bytes,
                                         nullptr, &code),
                      api.clReleaseMemObject};
    if (code != CL_SUCCESS)
      return openclError("buffer " + name + " of " + std::to_string(bytes) + " bytes", code);
    return std::unique_ptr<DeviceMemory>(std::move(memory));
  }

  std::uint64_t largestMemory() const override {
    cl_ulong most = std::numeric_limits<cl_ulong>::max();
    api.clGetDeviceInfo(place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    return most;
  }

  Status write(const std::string &name, DeviceMemory &memory, const void *values,
               std::size_t bytes) override {
    return statusOf(name + ": clEnqueueWriteBuffer",
                    api.clEnqueueWriteBuffer(place.queue, memoryOf(memory), CL_TRUE, 0, bytes,
                                             values, 0, nullptr, nullptr));
  }

  Status read(const std::string &name, const DeviceMemory &memory, void *values,
              std::size_t bytes) override {
    return statusOf(name + ": clEnqueueReadBuffer",
                    api.clEnqueueReadBuffer(place.queue, memoryOf(memory), CL_TRUE, 0, bytes,
                                            values, 0, nullptr, nullptr));
  }

  /// A piece at a time: a fill of 4 GiB leaves NVIDIA's queue invalid, after a minute
  /// (CL_INVALID_COMMAND_QUEUE; driver 580). Patterns of 16 bytes are filled faster than of one.
  Status fill(const std::string &name, DeviceMemory &memory, const Pattern &pattern,
              std::size_t bytes) override {
    constexpr std::uint64_t piece = 1U << 28;
    for (std::size_t at = 0; at < bytes;) {
      const std::size_t left = std::min<std::size_t>(bytes - at, piece);
      const std::size_t width = left >= pattern.size() ? pattern.size() : 1;
      const std::size_t filled = left / width * width;
      const cl_int code = api.clEnqueueFillBuffer(place.queue, memoryOf(memory), pattern.data(),
                                                  width, at, filled, 0, nullptr, nullptr);
      if (code != CL_SUCCESS)
        return openclError(name + ": clEnqueueFillBuffer", code);
      at += filled;
    }
    return ok();
  }

  Result<std::unique_ptr<BuiltKernel>> kernel(const std::string &name) override {
    cl_int code = CL_SUCCESS;
    auto kernel = std::make_unique<OpenCLKernel>();
    kernel->object = {api.clCreateKernel(program, name.c_str(), &code), api.clReleaseKernel};
    if (code != CL_SUCCESS)
      return openclError("kernel " + name + ": clCreateKernel", code);
    return std::unique_ptr<BuiltKernel>(std::move(kernel));
  }

  /// A compiler that was told the group size has kept to it; NVIDIA's says 256 all the same, where groups of 1024 run.
  Status checkBuilt(const std::string &name, BuiltKernel &kernel,
                    const LaunchSizes &sizes) override {
    std::size_t largest = 0;
    cl_ulong local = 0, available = 0;
    if (api.clGetKernelWorkGroupInfo(kernelOf(kernel), place.device, CL_KERNEL_WORK_GROUP_SIZE,
                                     sizeof largest, &largest, nullptr) == CL_SUCCESS &&
        sizes.itemsInGroup() > largest && !isBuiltFor(kernel, sizes))
      return refusal("kernel " + name + " needs groups of " + std::to_string(sizes.itemsInGroup()) +
                     " work-items, as built it can run " + std::to_string(largest));
    if (api.clGetKernelWorkGroupInfo(kernelOf(kernel), place.device, CL_KERNEL_LOCAL_MEM_SIZE,
                                     sizeof local, &local, nullptr) == CL_SUCCESS &&
        api.clGetDeviceInfo(place.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof available, &available,
                            nullptr) == CL_SUCCESS &&
        local > available)
      return refusal("plan needs " + bytesText(local) + " of local memory, device has " +
                     bytesText(available));
    return ok();
  }

  Status setArguments(const std::string &name, BuiltKernel &kernel,
                      const std::vector<LaunchArgument> &arguments) override {
    cl_uint expected = 0;
    cl_int code = api.clGetKernelInfo(kernelOf(kernel), CL_KERNEL_NUM_ARGS, sizeof expected,
                                      &expected, nullptr);
    if (code == CL_SUCCESS && expected != arguments.size())
      return failure("kernel " + name + " takes " + std::to_string(expected) +
                     " arguments, its manifest gives " + std::to_string(arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const LaunchArgument &argument = arguments[i];
      cl_mem memory = argument.memory ? memoryOf(*argument.memory) : nullptr;
      code = api.clSetKernelArg(kernelOf(kernel), static_cast<cl_uint>(i),
                                argument.memory ? sizeof memory : argument.bytes,
                                argument.memory ? static_cast<const void *>(&memory)
                                                : argument.number);
      if (code != CL_SUCCESS)
        return openclError("kernel " + name + ", argument " + std::to_string(i), code);
    }
    return ok();
  }

  Status launch(const std::string &name, BuiltKernel &kernel, const LaunchSizes &sizes) override {
    const std::array<std::size_t, 2> items{sizes.groups[0] * sizes.groupSize[0],
                                           sizes.groups[1] * sizes.groupSize[1]};
    cl_event event = nullptr;
    const cl_int code =
        api.clEnqueueNDRangeKernel(place.queue, kernelOf(kernel), sizes.dimensions, nullptr,
                                   items.data(), sizes.groupSize.data(), 0, nullptr, &event);
    if (code != CL_SUCCESS)
      return openclError("launch of kernel " + name, code);
    (firstEvent ? lastEvent : firstEvent) = {event, api.clReleaseEvent};
    return ok();
  }

  void beginRun() override {
    firstEvent = OpenCLObject<cl_event>();
    lastEvent = OpenCLObject<cl_event>();
  }

  Result<double> elapsed() override {
    if (!firstEvent)
      return 0.0;
    const cl_event last = lastEvent ? lastEvent.get() : firstEvent.get();
    cl_ulong start = 0, end = 0;
    cl_int code = api.clGetEventProfilingInfo(firstEvent.get(), CL_PROFILING_COMMAND_START,
                                              sizeof start, &start, nullptr);
    if (code == CL_SUCCESS)
      code = api.clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    if (code != CL_SUCCESS)
      return openclError("clGetEventProfilingInfo", code);
    return static_cast<double>(end - start) * 1e-9;
  }

  Status finish(const std::string &what) override {
    return statusOf(what, api.clFinish(place.queue));
  }

private:
  /// Whether the kernel's source requires just this group size.
  bool isBuiltFor(const BuiltKernel &kernel, const LaunchSizes &sizes) const {
    std::array<std::size_t, 3> told{};
    return api.clGetKernelWorkGroupInfo(kernelOf(kernel), place.device,
                                        CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof told, told.data(),
                                        nullptr) == CL_SUCCESS &&
           told[0] * told[1] * told[2] == sizes.itemsInGroup() && told[0] == sizes.groupSize[0];
  }

  const OpenCLApi &api;
  OpenCLPlace place;
  cl_program program;
  OpenCLObject<cl_event> firstEvent, lastEvent; ///< of a run
};

} // namespace

std::unique_ptr<KernelQueue> makeOpenCLQueue(const OpenCLPlace &place, cl_program program) {
  return std::make_unique<OpenCLQueue>(place, program);
}

} // namespace tangram::runtime

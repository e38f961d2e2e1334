#include "runtime/opencl/opencl_execution.h"

#include "runtime/data/reference.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace tangram::runtime {

namespace {

struct DeviceBuffer {
  std::string name;
  ir::Scalar element;
  std::uint64_t bytes = 0; ///< as the plan means it; at least 1 is allocated
  OpenCLObject<cl_mem> memory;
  const HostArray *initial = nullptr; ///< what it holds at the start of a run
  bool written = false;               ///< a kernel may change it
  bool zeroed = false;                ///< holds zeros before each run, and the run leaves them
  bool exchanged = false;             ///< nothing but atomic exchanges writes it
};

struct Launch {
  const Kernel *described = nullptr;
  bool settled = true; ///< sizes and arguments are the same each time
  std::string name;
  OpenCLObject<cl_kernel> kernel;
  cl_uint dimensions = 1;
  std::array<std::size_t, 2> globalSize{0, 1};
  std::array<std::size_t, 2> groupSize{0, 1};

  std::size_t itemsInGroup() const { return groupSize[0] * groupSize[1]; }
};

/// Out of memory is the plan's fault, not the driver's.
Error openclError(const std::string &what, cl_int code) {
  bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                code == CL_INVALID_BUFFER_SIZE;
  return {memory ? Fault::Refused : Fault::Failed, what + ": " + openclErrorText(code)};
}

class OpenCLExecution : public Execution {
public:
  OpenCLExecution(const OpenCLPlace &place, const Manifest &manifest, const Problem &problem,
                  const Bindings &bindings)
      : api(*place.api), place(place), manifest(manifest), problem(problem), bindings(bindings) {}

  Status prepare(cl_program program) {
    if (Status status = createBuffers(); !status)
      return status;
    for (const Kernel &kernel : manifest.kernels) {
      if (Status status = createLaunch(program, kernel); !status)
        return status;
    }
    return ok();
  }

  Status reset(bool poisoned) override {
    for (const DeviceBuffer &buffer : buffers) {
      if (!buffer.written || buffer.bytes == 0)
        continue;
      if (buffer.initial) {
        if (Status status = upload(buffer); !status)
          return status;
      } else if (poisoned && !buffer.zeroed) {
        if (Status status = fill(buffer); !status)
          return status;
      } else if (buffer.exchanged) {
        // Oclgrind takes an exchange for a use of the value before: without one, all that is made of what
        // is stored this way would count as uninitialized. A store that is missing shows in the result.
        if (Status status = preset(buffer); !status)
          return status;
      }
    }
    return finish("clFinish");
  }

  /// Writes more than caches of today's devices hold (H200: 60 MB). Nobody waits for it: while it is done
  /// the kernels of a run are queued, as a library's are, and no time between them is the host's.
  Status emptyCaches() override {
    constexpr std::uint64_t wanted = std::uint64_t{256} << 20;
    if (!cacheFiller.memory) {
      cl_ulong most = wanted;
      api.clGetDeviceInfo(place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
      cacheFiller.name = "what empties the caches";
      cacheFiller.element = ir::Scalar::U8;
      cacheFiller.written = true;
      cacheFiller.bytes = std::min<std::uint64_t>(wanted, most);
      if (Status status = allocate(cacheFiller); !status)
        return status;
    }
    return fill(cacheFiller);
  }

  Result<double> run() override {
    firstEvent = OpenCLObject<cl_event>();
    lastEvent = OpenCLObject<cl_event>();
    Status status = ok();
    if (!manifest.schedule.empty()) {
      status = runSteps(manifest.schedule);
    } else {
      for (Launch &launch : launches) {
        if (status)
          status = enqueue(launch);
      }
    }
    if (!status)
      return status.error();
    if (Status done = finish("kernels of plan " + manifest.planId); !done)
      return done.error();
    if (!firstEvent)
      return 0.0;
    return elapsed(firstEvent.get(), lastEvent ? lastEvent.get() : firstEvent.get());
  }

  Result<std::vector<HostMemory>> outputs() override {
    std::vector<HostMemory> values;
    Result<std::vector<Output>> described = outputsOf(problem);
    if (!described)
      return described.error();
    for (const Output &output : *described) {
      const DeviceBuffer &buffer = *find(output.name);
      values.emplace_back(buffer.bytes);
      if (buffer.bytes == 0)
        continue;
      cl_int code =
          api.clEnqueueReadBuffer(place.queue, buffer.memory.get(), CL_TRUE, 0, buffer.bytes,
                                  values.back().data(), 0, nullptr, nullptr);
      if (code != CL_SUCCESS)
        return openclError(buffer.name + ": clEnqueueReadBuffer", code);
    }
    return values;
  }

private:
  // ---- what is enqueued

  Status enqueue(Launch &launch) {
    if (!launch.settled) {
      if (Status status = setSizes(*launch.described, launch); !status)
        return status;
      if (Status status = setArguments(*launch.described, launch); !status)
        return status;
    }
    if (launch.globalSize[0] == 0 || launch.globalSize[1] == 0)
      return ok();
    cl_event event = nullptr;
    cl_int code = api.clEnqueueNDRangeKernel(place.queue, launch.kernel.get(), launch.dimensions,
                                             nullptr, launch.globalSize.data(),
                                             launch.groupSize.data(), 0, nullptr, &event);
    if (code != CL_SUCCESS)
      return openclError("launch of kernel " + launch.name, code);
    // The first and the last one say how long all of them took.
    (firstEvent ? lastEvent : firstEvent) = {event, api.clReleaseEvent};
    return ok();
  }

  Status runSteps(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (Status status = runStep(step); !status)
        return status;
    }
    return ok();
  }

  Status runStep(const Step &step) {
    switch (step.kind) {
    case Step::Kind::Launch:
      return enqueue(launches[step.kernel]);
    case Step::Kind::For:
      return countRounds(step);
    case Step::Kind::Swap:
      std::swap(find(step.name)->memory, find(step.other)->memory);
      return ok();
    case Step::Kind::If: {
      const Result<bool> answer = ask(step);
      if (!answer)
        return answer.error();
      return runSteps(*answer ? step.steps : step.otherwise);
    }
    case Step::Kind::While:
    case Step::Kind::DoWhile:
      break;
    }
    for (bool first = step.kind == Step::Kind::DoWhile;; first = false) {
      if (!first) {
        const Result<bool> answer = ask(step);
        if (!answer || !*answer)
          return answer ? ok() : Status(answer.error());
      }
      if (Status status = runSteps(step.steps); !status)
        return status;
    }
  }

  /// Waits for what a kernel has decided.
  Result<bool> ask(const Step &step) {
    cl_uint answer = 0;
    cl_int code = api.clEnqueueReadBuffer(place.queue, find(step.name)->memory.get(), CL_TRUE, 0,
                                          sizeof answer, &answer, 0, nullptr, nullptr);
    if (code != CL_SUCCESS)
      return openclError(step.name + ": clEnqueueReadBuffer", code);
    return answer != 0;
  }

  Status countRounds(const Step &step) {
    std::array<__int128, 3> numbers{};
    const std::array<const Expression *, 3> said{&step.from, &step.below, &step.by};
    for (std::size_t i = 0; i < said.size(); ++i) {
      const Result<__int128> value = said[i]->evaluateSigned(bindings);
      if (!value)
        return refusal("rounds of " + step.name + ": " + value.error().message);
      numbers[i] = *value;
    }
    const auto &[from, below, by] = numbers;
    if (by <= 0)
      return refusal("rounds of " + step.name + ": its step '" + step.by.text() +
                     "' is not positive");
    if (step.multiplies && (from <= 0 || by == 1) && from < below)
      return refusal("rounds of " + step.name + " do not end: from '" + step.from.text() +
                     "', times '" + step.by.text() + "'");
    for (__int128 t = from; t < below; t = step.multiplies ? t * by : t + by) {
      bindCounter(step, t);
      if (Status status = runSteps(step.steps); !status)
        return status;
    }
    return ok();
  }

  void bindCounter(const Step &step, __int128 t) {
    counters[step.name] = {static_cast<std::uint64_t>(t), step.element};
    bindings.values[step.name] = t;
  }

  DeviceBuffer *find(const std::string &name) {
    auto found = std::find_if(buffers.begin(), buffers.end(),
                              [&](const DeviceBuffer &b) { return b.name == name; });
    return found == buffers.end() ? nullptr : &*found;
  }

  Status finish(const std::string &what) {
    cl_int code = api.clFinish(place.queue);
    if (code != CL_SUCCESS)
      return openclError(what, code);
    return ok();
  }

  Status upload(const DeviceBuffer &buffer) {
    cl_int code =
        api.clEnqueueWriteBuffer(place.queue, buffer.memory.get(), CL_TRUE, 0, buffer.bytes,
                                 buffer.initial->memory.data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS)
      return openclError(buffer.name + ": clEnqueueWriteBuffer", code);
    return ok();
  }

  Status write(const DeviceBuffer &buffer, const std::vector<std::byte> &values) {
    cl_int code = api.clEnqueueWriteBuffer(place.queue, buffer.memory.get(), CL_TRUE, 0,
                                           buffer.bytes, values.data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS)
      return openclError(buffer.name + ": clEnqueueWriteBuffer", code);
    return ok();
  }

  Status clear(const DeviceBuffer &buffer) {
    return write(buffer, std::vector<std::byte>(buffer.bytes));
  }

  /// As `fill`, by a transfer, which Oclgrind knows to initialize memory (21.10 does not know that fills do).
  Status preset(const DeviceBuffer &buffer) {
    std::vector<std::byte> pattern(buffer.bytes);
    poison(buffer.element, pattern.data(), pattern.size());
    return write(buffer, pattern);
  }

  /// A piece at a time: a fill of 4 GiB leaves NVIDIA's queue invalid, after a minute
  /// (CL_INVALID_COMMAND_QUEUE; driver 580). Patterns of 16 bytes are filled faster than of one.
  Status fill(const DeviceBuffer &buffer) {
    constexpr std::uint64_t piece = 1U << 28;
    std::array<std::byte, 16> pattern;
    poison(buffer.element, pattern.data(), pattern.size());
    for (std::uint64_t at = 0; at < buffer.bytes;) {
      std::uint64_t left = std::min(buffer.bytes - at, piece);
      std::size_t width = left >= pattern.size() ? pattern.size() : 1;
      std::size_t bytes = left / width * width;
      cl_int code = api.clEnqueueFillBuffer(place.queue, buffer.memory.get(), pattern.data(), width,
                                            at, bytes, 0, nullptr, nullptr);
      if (code != CL_SUCCESS)
        return openclError(buffer.name + ": clEnqueueFillBuffer", code);
      at += bytes;
    }
    return ok();
  }

  Status createBuffers() {
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      if (!p.container)
        continue;
      const HostArray &value = problem.arguments[i];
      Status status = createBuffer({p.name,
                                    p.element,
                                    value.count() * ir::byteSize(p.element),
                                    {},
                                    p.isInput() ? &value : nullptr,
                                    p.isOutput()});
      if (!status)
        return status;
    }
    if (const std::optional<ir::Scalar> &result = problem.signature.result) {
      Status status = createBuffer({"result", *result, ir::byteSize(*result), {}, nullptr, true});
      if (!status)
        return status;
    }
    for (const Buffer &b : manifest.buffers) {
      if (b.local)
        continue;
      Result<std::uint64_t> count = b.count.evaluate(bindings);
      if (!count)
        return refusal("buffer " + b.name + ": " + count.error().message);
      const std::uint64_t bytes = *count * ir::byteSize(b.element);
      Status status =
          createBuffer({b.name, b.element, bytes, {}, nullptr, true, b.zeroed, b.exchanged});
      if (!status)
        return status;
    }
    return finish("copying the inputs");
  }

  Status allocate(DeviceBuffer &buffer) {
    cl_int code = CL_SUCCESS;
    cl_mem_flags flags = buffer.written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    // OpenCL has no empty buffers.
    std::size_t bytes = std::max<std::uint64_t>(1, buffer.bytes);
    buffer.memory = {api.clCreateBuffer(place.context, flags, bytes, nullptr, &code),
                     api.clReleaseMemObject};
    if (code != CL_SUCCESS)
      return openclError("buffer " + buffer.name + " of " + std::to_string(bytes) + " bytes", code);
    return ok();
  }

  Status createBuffer(DeviceBuffer buffer) {
    if (Status status = allocate(buffer); !status)
      return status;
    if (buffer.initial && buffer.bytes > 0) {
      if (Status status = upload(buffer); !status)
        return status;
    }
    if (buffer.zeroed) {
      if (Status status = clear(buffer); !status)
        return status;
    }
    buffers.push_back(std::move(buffer));
    return ok();
  }

  Status createLaunch(cl_program program, const Kernel &kernel) {
    Launch launch;
    launch.name = kernel.name;
    launch.described = &kernel;
    // What stands in rounds may be about their number, and about buffers that are exchanged.
    launch.settled = manifest.schedule.empty();
    cl_int code = CL_SUCCESS;
    launch.kernel = {api.clCreateKernel(program, kernel.name.c_str(), &code), api.clReleaseKernel};
    if (code != CL_SUCCESS)
      return openclError("kernel " + kernel.name + ": clCreateKernel", code);
    if (Status status = setSizes(kernel, launch); !status && launch.settled)
      return status;
    if (Status status = checkBuilt(launch); !status)
      return status;
    if (Status status = launch.settled ? setArguments(kernel, launch) : ok(); !status)
      return status;
    launches.push_back(std::move(launch));
    return ok();
  }

  Status setSizes(const Kernel &kernel, Launch &launch) {
    Result<std::uint64_t> groups = kernel.groups.evaluate(bindings);
    Result<std::uint64_t> groupSize = kernel.groupSize.evaluate(bindings);
    if (groupSize)
      launch.groupSize[0] = *groupSize;
    for (const Result<std::uint64_t> *size : {&groups, &groupSize}) {
      if (!*size)
        return refusal("kernel " + kernel.name + ": " + size->error().message);
    }
    std::uint64_t rows = 1;
    for (const auto &[expression, value] :
         {std::pair(&kernel.groupsY, &rows), std::pair(&kernel.groupSizeY, &launch.groupSize[1])}) {
      if (!*expression)
        continue;
      Result<std::uint64_t> size = (*expression)->evaluate(bindings);
      if (!size)
        return refusal("kernel " + kernel.name + ": " + size.error().message);
      launch.dimensions = 2;
      *value = *size;
    }
    if (__builtin_mul_overflow(*groups, *groupSize, launch.globalSize.data()) ||
        __builtin_mul_overflow(rows, launch.groupSize[1], &launch.globalSize[1]))
      return refusal("kernel " + kernel.name + ": " + std::to_string(*groups) + " groups of " +
                     std::to_string(*groupSize) + " work-items do not fit in 64 bits");
    return ok();
  }

  /// The limits only the compiler knows: registers bound the group size of the
  /// built kernel, and local memory is what it really takes. A compiler that was told the group size has
  /// kept to it; NVIDIA's says 256 all the same, where groups of 1024 run.
  Status checkBuilt(const Launch &launch) {
    std::size_t largest = 0;
    cl_ulong local = 0, available = 0;
    cl_uint what = CL_KERNEL_WORK_GROUP_SIZE;
    if (api.clGetKernelWorkGroupInfo(launch.kernel.get(), place.device, what, sizeof largest,
                                     &largest, nullptr) == CL_SUCCESS &&
        launch.itemsInGroup() > largest && !isBuiltFor(launch))
      return refusal("kernel " + launch.name + " needs groups of " +
                     std::to_string(launch.itemsInGroup()) + " work-items, as built it can run " +
                     std::to_string(largest));
    if (api.clGetKernelWorkGroupInfo(launch.kernel.get(), place.device, CL_KERNEL_LOCAL_MEM_SIZE,
                                     sizeof local, &local, nullptr) == CL_SUCCESS &&
        api.clGetDeviceInfo(place.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof available, &available,
                            nullptr) == CL_SUCCESS &&
        local > available)
      return refusal("plan needs " + bytesText(local) + " of local memory, device has " +
                     bytesText(available));
    return ok();
  }

  /// Whether the kernel's source requires just this group size.
  bool isBuiltFor(const Launch &launch) const {
    std::array<std::size_t, 3> told{};
    return api.clGetKernelWorkGroupInfo(launch.kernel.get(), place.device,
                                        CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof told, told.data(),
                                        nullptr) == CL_SUCCESS &&
           told[0] * told[1] * told[2] == launch.itemsInGroup() && told[0] == launch.groupSize[0];
  }

  Status setArguments(const Kernel &kernel, const Launch &launch) {
    cl_uint expected = 0;
    cl_int code = api.clGetKernelInfo(launch.kernel.get(), CL_KERNEL_NUM_ARGS, sizeof expected,
                                      &expected, nullptr);
    if (code == CL_SUCCESS && expected != kernel.arguments.size())
      return failure("kernel " + kernel.name + " takes " + std::to_string(expected) +
                     " arguments, its manifest gives " + std::to_string(kernel.arguments.size()));
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (Status status = setArgument(kernel, launch, static_cast<cl_uint>(i)); !status)
        return status;
    }
    return ok();
  }

  Status setArgument(const Kernel &kernel, const Launch &launch, cl_uint i) {
    const KernelArgument &argument = kernel.arguments[i];
    cl_mem memory = nullptr;
    cl_ulong number = 0;
    cl_uint narrowed = 0;
    const void *value = &memory;
    std::size_t bytes = sizeof memory;
    if (argument.kind == KernelArgument::Kind::Buffer) {
      memory = find(argument.name)->memory.get();
    } else if (argument.kind == KernelArgument::Kind::Scalar) {
      Result<std::uint64_t> scalar = argument.scalar.evaluate(bindings);
      if (!scalar)
        return refusal("kernel " + kernel.name + ": " + scalar.error().message);
      number = *scalar;
      narrowed = static_cast<cl_uint>(number);
      value = place.narrowIndexes ? static_cast<const void *>(&narrowed) : &number;
      bytes = place.narrowIndexes ? sizeof narrowed : sizeof number;
    } else if (argument.kind == KernelArgument::Kind::Counter) {
      const auto &[counted, element] = counters.at(argument.name);
      number = counted;
      value = &number; // whose lowest bytes come first
      bytes = ir::byteSize(element);
    } else {
      const Parameter *p = problem.signature.parameter(argument.name);
      const HostArray &array =
          problem.arguments[static_cast<std::size_t>(p - problem.signature.parameters.data())];
      value = array.memory.data();
      bytes = array.memory.bytes();
    }
    cl_int code = api.clSetKernelArg(launch.kernel.get(), i, bytes, value);
    if (code != CL_SUCCESS)
      return openclError("kernel " + kernel.name + ", argument " + std::to_string(i), code);
    return ok();
  }

  Result<double> elapsed(cl_event first, cl_event last) {
    cl_ulong start = 0, end = 0;
    cl_int code = api.clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start,
                                              &start, nullptr);
    if (code == CL_SUCCESS)
      code = api.clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    if (code != CL_SUCCESS)
      return openclError("clGetEventProfilingInfo", code);
    return static_cast<double>(end - start) * 1e-9;
  }

  const OpenCLApi &api;
  OpenCLPlace place;
  const Manifest &manifest;
  const Problem &problem;
  Bindings bindings;
  std::vector<DeviceBuffer> buffers;
  DeviceBuffer cacheFiller; ///< made when it is first needed
  std::vector<Launch> launches;
  struct Counter {
    std::uint64_t value = 0;
    ir::Scalar element = ir::Scalar::U32;
  };
  std::map<std::string, Counter> counters;      ///< of the rounds at hand
  OpenCLObject<cl_event> firstEvent, lastEvent; ///< of a run
};

} // namespace

Result<std::unique_ptr<Execution>> makeOpenCLExecution(const OpenCLPlace &place, cl_program program,
                                                       const Manifest &manifest,
                                                       const Problem &problem,
                                                       const Bindings &bindings) {
  auto execution = std::make_unique<OpenCLExecution>(place, manifest, problem, bindings);
  if (Status status = execution->prepare(program); !status)
    return status.error();
  return std::unique_ptr<Execution>(std::move(execution));
}

} // namespace tangram::runtime

#include "runtime/device/kernel_execution.h"

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
  std::unique_ptr<DeviceMemory> memory;
  const HostArray *initial = nullptr; ///< what it holds at the start of a run
  bool written = false;               ///< a kernel may change it
  bool zeroed = false;                ///< holds zeros before each run, and the run leaves them
  bool exchanged = false;             ///< nothing but atomic exchanges writes it
};

struct Launch {
  const Kernel *described = nullptr;
  bool settled = true; ///< sizes and arguments are the same each time
  std::unique_ptr<BuiltKernel> kernel;
  LaunchSizes sizes;
};

class KernelExecution : public Execution {
public:
  KernelExecution(std::unique_ptr<KernelQueue> given, bool narrowIndexes, const Manifest &manifest,
                  const Problem &problem, const Bindings &bindings)
      : queue(std::move(given)), narrowIndexes(narrowIndexes), manifest(manifest), problem(problem),
        bindings(bindings) {}

  Status prepare() {
    if (Status status = createBuffers(); !status)
      return status;
    for (const Kernel &kernel : manifest.kernels) {
      if (Status status = createLaunch(kernel); !status)
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
    return queue->finish("waiting for the device");
  }

  /// Writes more than caches of today's devices hold (H200: 60 MB). Nobody waits for it: while it is done
  /// the kernels of a run are queued, as a library's are, and no time between them is the host's.
  Status emptyCaches() override {
    constexpr std::uint64_t wanted = std::uint64_t{256} << 20;
    if (!cacheFiller.memory) {
      cacheFiller.name = "what empties the caches";
      cacheFiller.element = ir::Scalar::U8;
      cacheFiller.written = true;
      cacheFiller.bytes = std::min(wanted, queue->largestMemory());
      if (Status status = allocate(cacheFiller); !status)
        return status;
    }
    return fill(cacheFiller);
  }

  Result<double> run() override {
    queue->beginRun();
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
    if (Status done = queue->finish("kernels of plan " + manifest.planId); !done)
      return done.error();
    return queue->elapsed();
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
      if (Status status =
              queue->read(buffer.name, *buffer.memory, values.back().data(), buffer.bytes);
          !status)
        return status.error();
    }
    return values;
  }

private:
  // ---- what is enqueued

  Status enqueue(Launch &launch) {
    if (!launch.settled) {
      if (Status status = setSizes(*launch.described, launch.sizes); !status)
        return status;
      if (Status status = setArguments(*launch.described, launch); !status)
        return status;
    }
    if (launch.sizes.groups[0] == 0 || launch.sizes.groups[1] == 0)
      return ok();
    return queue->launch(launch.described->name, *launch.kernel, launch.sizes);
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
    std::uint32_t answer = 0;
    if (Status status = queue->read(step.name, *find(step.name)->memory, &answer, sizeof answer);
        !status)
      return status.error();
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

  Status upload(const DeviceBuffer &buffer) {
    return queue->write(buffer.name, *buffer.memory, buffer.initial->memory.data(), buffer.bytes);
  }

  Status write(const DeviceBuffer &buffer, const std::vector<std::byte> &values) {
    return queue->write(buffer.name, *buffer.memory, values.data(), buffer.bytes);
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

  Status fill(const DeviceBuffer &buffer) {
    KernelQueue::Pattern pattern;
    poison(buffer.element, pattern.data(), pattern.size());
    return queue->fill(buffer.name, *buffer.memory, pattern, buffer.bytes);
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
    return queue->finish("copying the inputs");
  }

  /// No driver has empty buffers.
  Status allocate(DeviceBuffer &buffer) {
    Result<std::unique_ptr<DeviceMemory>> memory =
        queue->allocate(buffer.name, std::max<std::uint64_t>(1, buffer.bytes), buffer.written);
    if (!memory)
      return memory.error();
    buffer.memory = std::move(*memory);
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

  Status createLaunch(const Kernel &kernel) {
    Launch launch;
    launch.described = &kernel;
    // What stands in rounds may be about their number, and about buffers that are exchanged.
    launch.settled = manifest.schedule.empty();
    Result<std::unique_ptr<BuiltKernel>> built = queue->kernel(kernel.name);
    if (!built)
      return built.error();
    launch.kernel = std::move(*built);
    if (Status status = setSizes(kernel, launch.sizes); !status && launch.settled)
      return status;
    if (Status status = queue->checkBuilt(kernel.name, *launch.kernel, launch.sizes); !status)
      return status;
    if (Status status = launch.settled ? setArguments(kernel, launch) : ok(); !status)
      return status;
    launches.push_back(std::move(launch));
    return ok();
  }

  Status setSizes(const Kernel &kernel, LaunchSizes &sizes) {
    Result<std::uint64_t> groups = kernel.groups.evaluate(bindings);
    Result<std::uint64_t> groupSize = kernel.groupSize.evaluate(bindings);
    if (groupSize)
      sizes.groupSize[0] = *groupSize;
    for (const Result<std::uint64_t> *size : {&groups, &groupSize}) {
      if (!*size)
        return refusal("kernel " + kernel.name + ": " + size->error().message);
    }
    sizes.groups[0] = *groups;
    for (const auto &[expression, value] : {std::pair(&kernel.groupsY, &sizes.groups[1]),
                                            std::pair(&kernel.groupSizeY, &sizes.groupSize[1])}) {
      if (!*expression)
        continue;
      Result<std::uint64_t> size = (*expression)->evaluate(bindings);
      if (!size)
        return refusal("kernel " + kernel.name + ": " + size.error().message);
      sizes.dimensions = 2;
      *value = *size;
    }
    for (std::size_t d : {0, 1}) {
      std::size_t items = 0;
      if (__builtin_mul_overflow(sizes.groups[d], sizes.groupSize[d], &items))
        return refusal("kernel " + kernel.name + ": " + std::to_string(sizes.groups[d]) +
                       " groups of " + std::to_string(sizes.groupSize[d]) +
                       " work-items do not fit in 64 bits");
    }
    return ok();
  }

  Status setArguments(const Kernel &kernel, Launch &launch) {
    std::vector<LaunchArgument> arguments(kernel.arguments.size());
    std::vector<std::uint64_t> numbers(kernel.arguments.size());
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (Status status = setArgument(kernel, kernel.arguments[i], arguments[i], numbers[i]);
          !status)
        return status;
    }
    return queue->setArguments(kernel.name, *launch.kernel, arguments);
  }

  /// `number`: what the bytes of a number are kept in, the lowest ones first.
  Status setArgument(const Kernel &kernel, const KernelArgument &described,
                     LaunchArgument &argument, std::uint64_t &number) {
    if (described.kind == KernelArgument::Kind::Buffer) {
      argument.memory = find(described.name)->memory.get();
      return ok();
    }
    argument.number = &number;
    if (described.kind == KernelArgument::Kind::Scalar) {
      Result<std::uint64_t> scalar = described.scalar.evaluate(bindings);
      if (!scalar)
        return refusal("kernel " + kernel.name + ": " + scalar.error().message);
      number = *scalar;
      argument.bytes = narrowIndexes ? sizeof(std::uint32_t) : sizeof number;
    } else if (described.kind == KernelArgument::Kind::Counter) {
      const auto &[counted, element] = counters.at(described.name);
      number = counted;
      argument.bytes = ir::byteSize(element);
    } else {
      const Parameter *p = problem.signature.parameter(described.name);
      const HostArray &array =
          problem.arguments[static_cast<std::size_t>(p - problem.signature.parameters.data())];
      argument.number = array.memory.data();
      argument.bytes = array.memory.bytes();
    }
    return ok();
  }

  std::unique_ptr<KernelQueue> queue;
  bool narrowIndexes;
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
  std::map<std::string, Counter> counters; ///< of the rounds at hand
};

} // namespace

bool hasNarrowIndexes(const Manifest &manifest, const Bindings &bindings) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 31;
  if (!manifest.mostIndex)
    return false;
  const Result<std::uint64_t> most = manifest.mostIndex->evaluate(bindings);
  return most && *most < limit;
}

Result<std::unique_ptr<Execution>> makeKernelExecution(std::unique_ptr<KernelQueue> queue,
                                                       bool narrowIndexes, const Manifest &manifest,
                                                       const Problem &problem,
                                                       const Bindings &bindings) {
  auto execution = std::make_unique<KernelExecution>(std::move(queue), narrowIndexes, manifest,
                                                     problem, bindings);
  if (Status status = execution->prepare(); !status)
    return status.error();
  return std::unique_ptr<Execution>(std::move(execution));
}

} // namespace tangram::runtime

#include "runtime/cuda/cuda_queue.h"

#include <algorithm>
#include <cstring>

namespace tangram::runtime {

namespace {

constexpr int outOfMemory = 2;         // CUDA_ERROR_OUT_OF_MEMORY
constexpr int outOfResources = 701;    // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
constexpr int mostThreadsOfKernel = 0; // of CUfunction_attribute
constexpr int mostSharedOfLaunch = 8;
constexpr std::uint64_t sharedUnasked = 49152; // what a block has without asking for more
constexpr unsigned mappedToDevice = 2;         // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned atLeast = 0;                // CU_STREAM_WAIT_VALUE_GEQ

struct CudaMemory : DeviceMemory {
  const CudaDriver *driver = nullptr;
  CudaPointer address = 0;

  ~CudaMemory() override {
    if (address != 0)
      driver->release(address);
  }
};

CudaPointer addressOf(const DeviceMemory &memory) {
  return static_cast<const CudaMemory &>(memory).address;
}

struct CudaKernel : BuiltKernel {
  CudaObject function = nullptr;
  unsigned shared = 0;
  std::vector<std::uint64_t> values; ///< of arguments, the lowest bytes first
};

CudaKernel &kernelOf(BuiltKernel &kernel) { return static_cast<CudaKernel &>(kernel); }

/// An event, destroyed with this object.
class Event {
public:
  explicit Event(const CudaDriver &driver) : driver(driver) {}
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() {
    if (object)
      driver.destroyEvent(object);
  }
  int create() { return driver.createEvent(&object, 0); }
  CudaObject get() const { return object; }

private:
  const CudaDriver &driver;
  CudaObject object = nullptr;
};

/// Holds a stream back until all launches of a run are queued: otherwise the time between its two events would be that
/// of the host, which takes longer to launch a small kernel than the device to run it. Closed by a number in the host's
/// memory that the stream waits for; devices that cannot wait are not held.
class Gate {
public:
  Gate(const CudaDriver &driver, CudaObject stream) : driver(driver), stream(stream) {}

  void close() {
    if (!number && !make())
      return;
    ++wanted;
    isClosed = driver.waitForValue(stream, address, wanted, atLeast) == 0;
    if (!isClosed)
      number = nullptr;
  }

  void open() {
    if (isClosed)
      __atomic_store_n(number, wanted, __ATOMIC_RELEASE);
    isClosed = false;
  }

private:
  bool make() {
    void *memory = nullptr;
    if (isTried || driver.allocateOfHost(&memory, sizeof *number, mappedToDevice) != 0 ||
        driver.addressOfHost(&address, memory, 0) != 0)
      return isTried = true, false;
    isTried = true;
    number = static_cast<unsigned *>(memory);
    *number = 0;
    return true;
  }

  const CudaDriver &driver;
  CudaObject stream;
  unsigned *number = nullptr; ///< stays with the process
  CudaPointer address = 0;
  unsigned wanted = 0;
  bool isTried = false;
  bool isClosed = false;
};

class CudaQueue : public KernelQueue {
public:
  CudaQueue(const CudaPlace &place, const CudaProgram &program,
            std::map<std::string, std::uint64_t> shared)
      : cuda(*place.driver), place(place), program(program), shared(std::move(shared)), first(cuda),
        last(cuda), gate(cuda, place.stream) {}

  ~CudaQueue() override { gate.open(); }

  Status makeEvents() {
    for (Event *event : {&first, &last}) {
      if (const int code = event->create(); code != 0)
        return cudaError("cuEventCreate", code);
    }
    return ok();
  }

  Result<std::unique_ptr<DeviceMemory>> allocate(const std::string &name, std::size_t bytes,
                                                 bool) override {
    auto memory = std::make_unique<CudaMemory>();
    memory->driver = &cuda;
    if (const int code = cuda.allocate(&memory->address, bytes); code != 0)
      return cudaError("buffer " + name + " of " + std::to_string(bytes) + " bytes", code);
    return std::unique_ptr<DeviceMemory>(std::move(memory));
  }

  std::uint64_t largestMemory() const override { return place.memory; }

  Status write(const std::string &name, DeviceMemory &memory, const void *values,
               std::size_t bytes) override {
    const int code = cuda.copyToDevice(addressOf(memory), values, bytes, place.stream);
    return waited(name + ": cuMemcpyHtoDAsync", code);
  }

  Status read(const std::string &name, const DeviceMemory &memory, void *values,
              std::size_t bytes) override {
    gate.open();
    const int code = cuda.copyToHost(values, addressOf(memory), bytes, place.stream);
    return waited(name + ": cuMemcpyDtoHAsync", code);
  }

  Status fill(const std::string &name, DeviceMemory &memory, const Pattern &pattern,
              std::size_t bytes) override {
    std::array<unsigned, 4> words{};
    std::memcpy(words.data(), pattern.data(), pattern.size());
    const CudaPointer to = addressOf(memory);
    const std::size_t rows = bytes / pattern.size();
    int code = 0;
    if (std::ranges::count(words, words[0]) == 4)
      code = cuda.fillWords(to, words[0], 4 * rows, place.stream);
    else
      for (std::size_t i = 0; i < words.size() && code == 0 && rows > 0; ++i)
        code = cuda.fillRows(to + 4 * i, pattern.size(), words[i], 1, rows, place.stream);
    for (std::size_t at = rows * pattern.size(); at < bytes && code == 0; ++at)
      code = cuda.fillBytes(to + at, static_cast<unsigned char>(pattern[at % pattern.size()]), 1,
                            place.stream);
    return code == 0 ? ok() : Status(cudaError(name + ": filling", code));
  }

  Result<std::unique_ptr<BuiltKernel>> kernel(const std::string &name) override {
    auto kernel = std::make_unique<CudaKernel>();
    kernel->function = program.kernel(name);
    if (!kernel->function)
      return failure("kernel " + name + ": the source has no such kernel");
    if (const auto asked = shared.find(name); asked != shared.end())
      kernel->shared = static_cast<unsigned>(asked->second);
    if (kernel->shared > sharedUnasked) {
      const int code = cuda.setFunctionAttribute(kernel->function, mostSharedOfLaunch,
                                                 static_cast<int>(kernel->shared));
      if (code != 0)
        return refusal("kernel " + name + " asks for " + std::to_string(kernel->shared) +
                       " bytes of shared memory: " + cuda.errorText(code));
    }
    return std::unique_ptr<BuiltKernel>(std::move(kernel));
  }

  Status checkBuilt(const std::string &name, BuiltKernel &kernel,
                    const LaunchSizes &sizes) override {
    int largest = 0;
    if (cuda.functionAttribute(&largest, mostThreadsOfKernel, kernelOf(kernel).function) == 0 &&
        sizes.itemsInGroup() > static_cast<std::size_t>(largest))
      return refusal("kernel " + name + " needs blocks of " + std::to_string(sizes.itemsInGroup()) +
                     " threads, as built it can run " + std::to_string(largest));
    return ok();
  }

  Status setArguments(const std::string &, BuiltKernel &kernel,
                      const std::vector<LaunchArgument> &arguments) override {
    std::vector<std::uint64_t> &values = kernelOf(kernel).values;
    values.assign(arguments.size(), 0);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].memory)
        values[i] = addressOf(*arguments[i].memory);
      else
        std::memcpy(&values[i], arguments[i].number, arguments[i].bytes);
    }
    return ok();
  }

  Status launch(const std::string &name, BuiltKernel &kernel, const LaunchSizes &sizes) override {
    if (launches == 0) {
      gate.close();
      cuda.recordEvent(first.get(), place.stream);
    } else if (launches == launchesAhead) {
      gate.open();
    }
    CudaKernel &built = kernelOf(kernel);
    std::vector<void *> arguments;
    for (std::uint64_t &value : built.values)
      arguments.push_back(&value);
    const auto number = [](std::size_t n) { return static_cast<unsigned>(n); };
    const int code = cuda.launch(built.function, number(sizes.groups[0]), number(sizes.groups[1]),
                                 1, number(sizes.groupSize[0]), number(sizes.groupSize[1]), 1,
                                 built.shared, place.stream, arguments.data(), nullptr);
    ++launches;
    return code == 0 ? ok() : Status(cudaError("launch of kernel " + name, code));
  }

  void beginRun() override { launches = 0; }

  Result<double> elapsed() override {
    if (launches == 0)
      return 0.0;
    float milliseconds = 0;
    if (const int code = cuda.elapsed(&milliseconds, first.get(), last.get()); code != 0)
      return cudaError("cuEventElapsedTime", code);
    return static_cast<double>(milliseconds) * 1e-3;
  }

  Status finish(const std::string &what) override {
    if (launches > 0)
      cuda.recordEvent(last.get(), place.stream);
    return waited(what, 0);
  }

private:
  /// Out of memory is the plan's fault, not the driver's.
  Error cudaError(const std::string &what, int code) const {
    return {code == outOfMemory || code == outOfResources ? Fault::Refused : Fault::Failed,
            what + ": " + cuda.errorText(code)};
  }

  /// Waits where `code` is good.
  Status waited(const std::string &what, int code) {
    gate.open();
    if (code == 0)
      code = cuda.waitForStream(place.stream);
    return code == 0 ? ok() : Status(cudaError(what, code));
  }

  static constexpr unsigned launchesAhead = 64; ///< that surely fit into the queue of a stream

  const CudaDriver &cuda;
  CudaPlace place;
  const CudaProgram &program;
  std::map<std::string, std::uint64_t> shared;
  Event first, last; ///< of a run
  Gate gate;
  unsigned launches = 0; ///< of the run
};

} // namespace

Result<std::unique_ptr<KernelQueue>> makeCudaQueue(const CudaPlace &place,
                                                   const CudaProgram &program,
                                                   std::map<std::string, std::uint64_t> shared) {
  auto queue = std::make_unique<CudaQueue>(place, program, std::move(shared));
  if (Status status = queue->makeEvents(); !status)
    return status.error();
  return std::unique_ptr<KernelQueue>(std::move(queue));
}

} // namespace tangram::runtime

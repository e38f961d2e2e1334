#include "runtime/openmp_backend.h"

#include "runtime/call.h"
#include "runtime/reference.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace tangram::runtime {

namespace {

/// What omp_get_max_threads() will say in a compiled bundle: the first number of OMP_NUM_THREADS,
/// capped by OMP_THREAD_LIMIT, else the processors this process may use.
std::uint64_t availableThreads() {
  auto fromEnvironment = [](const char *name) {
    std::string text = std::getenv(name) ? std::getenv(name) : "";
    std::uint64_t number = 0;
    text.erase(0, text.find_first_not_of(' '));
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  std::uint64_t threads = fromEnvironment("OMP_NUM_THREADS");
  if (threads == 0) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    threads = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                  ? static_cast<std::uint64_t>(CPU_COUNT(&allowed))
                  : std::thread::hardware_concurrency();
  }
  std::uint64_t limit = fromEnvironment("OMP_THREAD_LIMIT");
  return std::max<std::uint64_t>(1, limit == 0 ? threads : std::min(threads, limit));
}

class OpenMPExecution : public Execution {
public:
  OpenMPExecution(EntryPoint *entry, const Problem &problem, std::vector<Output> outputs)
      : entry(entry), problem(problem), described(std::move(outputs)) {}

  Status allocate(const Manifest &manifest, const TunableValues &tunables) {
    try {
      for (const Output &output : described)
        cells.emplace_back(output.count * ir::byteSize(output.element));
    } catch (const std::bad_alloc &) {
      return refusal("the outputs do not fit in memory");
    }
    bindArguments(manifest, tunables);
    return reset(true);
  }

  Status reset(bool poisoned) override {
    for (std::size_t o = 0; o < cells.size(); ++o) {
      const HostArray *before = initial(described[o].name);
      if (before)
        std::memcpy(cells[o].data(), before->memory.data(), cells[o].bytes());
      else if (poisoned)
        poison(described[o].element, cells[o].data(), cells[o].bytes());
    }
    return ok();
  }

  Result<double> run() override {
    auto start = std::chrono::steady_clock::now();
    int status = arguments.call(entry);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (Status good = entryStatus(status, "tangram_call"); !good)
      return good.error();
    return elapsed.count();
  }

  Result<std::vector<HostMemory>> outputs() override {
    std::vector<HostMemory> copies;
    for (std::size_t o = 0; o < cells.size(); ++o) {
      if (!cells[o].guardIntact())
        return failure(described[o].name + ": written past its end");
      copies.emplace_back(cells[o].bytes());
      std::memcpy(copies.back().data(), cells[o].data(), cells[o].bytes());
    }
    return copies;
  }

private:
  /// The first values of a container that is read and written; null for other outputs.
  const HostArray *initial(const std::string &name) const {
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      if (p.name == name && p.container && p.access == Access::InOut)
        return &problem.arguments[i];
    }
    return nullptr;
  }

  void bindArguments(const Manifest &manifest, const TunableValues &tunables) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      const HostArray &value = problem.arguments[i];
      if (!p.container)
        arguments.addScalar(value.memory.data());
      else if (p.isOutput())
        arguments.addContainer(cells[next++].data(), value.shape);
      else
        arguments.addContainer(const_cast<std::byte *>(value.memory.data()), value.shape);
    }
    if (problem.signature.result)
      arguments.addResult(cells[next].data());
    for (const Tunable &t : manifest.tunables) {
      if (!t.compileTime)
        arguments.addTunable(tunables.at(t.name));
    }
  }

  EntryPoint *entry;
  const Problem &problem;
  std::vector<Output> described;
  std::vector<HostMemory> cells;
  CallArguments arguments;
};

class OpenMPBackend : public Backend {
public:
  explicit OpenMPBackend(Compiler &compiler) : compiler(compiler) {
    std::uint64_t threads = availableThreads();
    known.values = {{"threads", threads}, {"compute_units", threads}};
  }

  std::string device() const override {
    std::uint64_t threads = known.values.at("threads");
    return "host (" + std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
  }

  const DeviceFacts &facts() const override { return known; }

  Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest, const Problem &problem,
                                             const TunableValues &tunables,
                                             const Bindings &) override {
    Compilation compilation;
    compilation.sources = {manifest.path("source"), manifest.path("entry")};
    if (manifest.files.count("header") != 0)
      compilation.included = {manifest.path("header")};
    compilation.flags = manifest.flags;
    compilation.flags.emplace_back("-fopenmp");
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime)
        compilation.definitions[t.name] = tunables.at(t.name);
    }
    Result<SharedObject> object = compiler.compile(compilation);
    if (!object)
      return object.error();
    EntryPoint *entry = object->function<EntryPoint>("tangram_call");
    if (!entry)
      return failure(manifest.path("entry").string() +
                     ": expected a function tangram_call, found none");
    Result<std::vector<Output>> outputs = outputsOf(problem);
    if (!outputs)
      return outputs.error();
    auto execution = std::make_unique<OpenMPExecution>(entry, problem, std::move(*outputs));
    if (Status status = execution->allocate(manifest, tunables); !status)
      return status.error();
    return std::unique_ptr<Execution>(std::move(execution));
  }

private:
  Compiler &compiler;
  DeviceFacts known;
};

} // namespace

std::unique_ptr<Backend> makeOpenMPBackend(Compiler &compiler) {
  return std::make_unique<OpenMPBackend>(compiler);
}

} // namespace tangram::runtime

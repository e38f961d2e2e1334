#include "runtime/openmp/openmp_backend.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace tangram::runtime {

namespace {

std::uint64_t processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0
             ? static_cast<std::uint64_t>(CPU_COUNT(&allowed))
             : std::thread::hardware_concurrency();
}

/// Of the first one; the architecture where the system has no name for it.
std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown processor";
}

/// Threads that a processor is given at most: more are no use, and many thousands cannot be started.
constexpr std::uint64_t threadsOfProcessor = 64;

struct Threads {
  std::uint64_t asked = 1; ///< what omp_get_max_threads() would say in a compiled bundle
  std::uint64_t given = 1;
};

/// The first number of OMP_NUM_THREADS, capped by OMP_THREAD_LIMIT, else the processors this process
/// may use.
Threads availableThreads() {
  auto fromEnvironment = [](const char *name) {
    std::string text = std::getenv(name) ? std::getenv(name) : "";
    std::uint64_t number = 0;
    text.erase(0, text.find_first_not_of(' '));
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  std::uint64_t threads = fromEnvironment("OMP_NUM_THREADS");
  if (threads == 0)
    threads = processors();
  const std::uint64_t limit = fromEnvironment("OMP_THREAD_LIMIT");
  const std::uint64_t asked =
      std::max<std::uint64_t>(1, limit == 0 ? threads : std::min(threads, limit));
  const std::uint64_t most = threadsOfProcessor * std::max<std::uint64_t>(1, processors());
  return {asked, std::min(asked, most)};
}

class OpenMPBackend : public Backend {
public:
  OpenMPBackend(Compiler &compiler, HostBench &bench, double timeLimit)
      : compiler(compiler), bench(bench), timeLimit(timeLimit) {
    const Threads threads = availableThreads();
    asked = threads.asked;
    known.values = {{"threads", threads.given}, {"compute_units", threads.given}};
    // The runtime of OpenMP reads it when the first bundle is loaded.
    if (threads.given < threads.asked)
      setenv("OMP_NUM_THREADS", std::to_string(threads.given).c_str(), 1);
  }

  std::string device() const override {
    std::uint64_t threads = known.values.at("threads");
    return "host (" + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
           (asked > threads ? ", not the " + std::to_string(asked) + " of OMP_NUM_THREADS)" : ")");
  }

  const DeviceFacts &facts() const override { return known; }

  std::string hardware() const override {
    const std::uint64_t threads = known.values.at("threads");
    return processorName() + " (" + std::to_string(threads) +
           (threads == 1 ? " thread)" : " threads)");
  }

  std::string driver() const override { return compiler.version(); }

  Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest, const Problem &problem,
                                             const TunableValues &tunables,
                                             const Bindings &) override {
    Compilation compilation;
    compilation.sources = {manifest.path("source"), manifest.path("entry")};
    if (manifest.files.count("header") != 0)
      compilation.included = {manifest.path("header")};
    compilation.flags = manifest.flags;
    if (manifest.target == Target::OpenMP)
      compilation.flags.emplace_back("-fopenmp");
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime)
        compilation.definitions[t.name] = tunables.at(t.name);
    }
    Result<ObjectFile> object = compiler.compile(compilation);
    if (!object)
      return object.error();
    HostFunction function{
        *object, "tangram_call", manifest.path("entry").string(), manifest.file, {}};
    for (const Tunable &t : manifest.tunables) {
      if (!t.compileTime)
        function.tunables.push_back(t.name);
    }
    return startOnHost(function, problem, tunables, bench, timeLimit);
  }

private:
  Compiler &compiler;
  HostBench &bench;
  double timeLimit;
  DeviceFacts known;
  std::uint64_t asked = 1; ///< threads, by the environment
};

} // namespace

std::unique_ptr<Backend> makeOpenMPBackend(Compiler &compiler, HostBench &bench, double timeLimit) {
  return std::make_unique<OpenMPBackend>(compiler, bench, timeLimit);
}

} // namespace tangram::runtime

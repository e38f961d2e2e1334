#include "runtime/openmp/openmp_backend.h"

#include "runtime/bundle/call.h"
#include "runtime/data/reference.h"
#include "runtime/openmp/cold_caches.h"
#include "runtime/openmp/entry_point.h"

#include <malloc.h>
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
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

/// Memory that was freed stays with the process, and so with what asks next: a call that makes its temporaries anew
/// each time would be measured with the faults of their pages, which a caller with a workspace does not have.
void keepFreedMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
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

/// The owner's words to the worker. Each is answered by a Reply, and if that is good, Repeat by
/// the seconds of each run and Outputs by the bytes of each output.
enum class Errand : unsigned char { Reset, ResetPoisoned, EmptyCaches, Run, Repeat, Outputs };

struct Request {
  Errand errand = Errand::Reset;
  std::size_t count = 1; ///< of runs
  Caches caches = Caches::Warm;
};

struct Reply {
  int status = 0;            ///< of tangram_call
  double seconds = 0;        ///< that it took
  std::size_t pastEndOf = 0; ///< 1 + the index of an output written past its end; 0: none was
};

/// The bundle runs in a worker made for it, so that the runtime of OpenMP never starts in this
/// process: it would not survive the fork of the next worker. Outputs are memory of the
/// worker's own, like that of an application, and are copied here when somebody asks for them.
class OpenMPExecution : public Execution {
public:
  OpenMPExecution(ObjectFile object, const Problem &problem, std::vector<Output> outputs)
      : object(std::move(object)), problem(problem), described(std::move(outputs)) {}

  Status start(const Manifest &manifest, const TunableValues &tunables, double timeLimit) {
    try {
      // Not touched here: the worker pays for the pages it writes, and nobody twice.
      for (const Output &output : described)
        cells.emplace_back(output.count * ir::byteSize(output.element));
    } catch (const std::bad_alloc &) {
      return refusal("the outputs do not fit in memory");
    }
    bindArguments(manifest, tunables);
    const std::string file = manifest.path("entry").string();
    Result<Worker> made =
        Worker::start([&](Channel &owner) { loadAndServe(owner, file); }, timeLimit);
    if (!made)
      return made.error();
    worker.emplace(std::move(*made));
    if (Status loaded = receiveStatus(*worker, 0); !loaded)
      return loaded;
    return reset(true);
  }

  Status reset(bool poisoned) override {
    Result<Reply> reply = ask({poisoned ? Errand::ResetPoisoned : Errand::Reset});
    return reply ? ok() : Status(reply.error());
  }

  Status emptyCaches() override {
    Result<Reply> reply = ask({Errand::EmptyCaches});
    return reply ? ok() : Status(reply.error());
  }

  Result<double> run() override {
    Result<Reply> reply = ask({Errand::Run});
    if (!reply)
      return reply.error();
    if (Status good = entryStatus(reply->status, "tangram_call"); !good)
      return good.error();
    return reply->seconds;
  }

  /// Without a word between two runs: waking the owner would disturb the threads of OpenMP.
  Result<std::vector<double>> repeat(std::size_t count, Caches caches) override {
    Result<Reply> reply = ask({Errand::Repeat, count, caches});
    if (!reply)
      return reply.error();
    if (Status good = entryStatus(reply->status, "tangram_call"); !good)
      return good.error();
    std::vector<double> seconds(count);
    if (Status status = worker->receive(seconds.data(), count * sizeof(double)); !status)
      return status.error();
    return seconds;
  }

  Result<std::vector<HostMemory>> outputs() override {
    Result<Reply> reply = ask({Errand::Outputs});
    if (!reply)
      return reply.error();
    if (reply->pastEndOf != 0)
      return failure(described[reply->pastEndOf - 1].name + ": written past its end");
    std::vector<HostMemory> copies;
    for (const HostMemory &cell : cells) {
      copies.emplace_back(cell.bytes());
      if (Status status = worker->receive(copies.back().data(), cell.bytes()); !status)
        return status.error();
    }
    return copies;
  }

private:
  Result<Reply> ask(Request request) {
    worker->send(&request, sizeof request);
    Reply reply;
    if (Status status = worker->receive(&reply, sizeof reply, request.count); !status)
      return status.error();
    return reply;
  }

  // What follows up to the next comment runs in the worker.
  void loadAndServe(Channel &owner, const std::string &file) {
    keepFreedMemory();
    const Result<EntryPoint *> found = loadEntry(object, "tangram_call", file);
    sendStatus(owner, found ? ok() : Status(found.error()));
    if (!found)
      return;
    entry = *found;
    serve(owner);
  }

  void serve(Channel &owner) {
    for (Request request; owner.receive(&request, sizeof request);) {
      switch (request.errand) {
      case Errand::Reset:
      case Errand::ResetPoisoned:
        restore(request.errand == Errand::ResetPoisoned);
        answer(owner, Reply());
        break;
      case Errand::EmptyCaches:
        cacheFiller.walk();
        answer(owner, Reply());
        break;
      case Errand::Run:
        answer(owner, timedCall());
        break;
      case Errand::Repeat:
        answerRepeat(owner, request);
        break;
      case Errand::Outputs:
        answerOutputs(owner);
        break;
      }
    }
  }

  static void answer(Channel &owner, const Reply &reply) { owner.send(&reply, sizeof reply); }

  void answerRepeat(Channel &owner, const Request &request) {
    std::vector<double> seconds;
    Reply reply;
    for (; seconds.size() < request.count && reply.status == 0; seconds.push_back(reply.seconds)) {
      restore(false);
      if (request.caches == Caches::Cold)
        cacheFiller.walk();
      reply = timedCall();
    }
    answer(owner, reply);
    if (reply.status == 0)
      owner.send(seconds.data(), seconds.size() * sizeof(double));
  }

  void answerOutputs(Channel &owner) {
    Reply reply;
    reply.pastEndOf = firstOverrun();
    answer(owner, reply);
    if (reply.pastEndOf != 0)
      return;
    for (const HostMemory &cell : cells)
      owner.send(cell.data(), cell.bytes());
  }

  Reply timedCall() const {
    auto start = std::chrono::steady_clock::now();
    int status = arguments.call(entry);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {status, elapsed.count(), 0};
  }

  std::size_t firstOverrun() const {
    auto overrun = std::find_if(cells.begin(), cells.end(),
                                [](const HostMemory &cell) { return !cell.guardIntact(); });
    return overrun == cells.end() ? 0 : static_cast<std::size_t>(overrun - cells.begin()) + 1;
  }

  void restore(bool poisoned) {
    for (std::size_t o = 0; o < cells.size(); ++o) {
      const HostArray *before = initial(described[o].name);
      if (before)
        std::memcpy(cells[o].data(), before->memory.data(), cells[o].bytes());
      else if (poisoned)
        poison(described[o].element, cells[o].data(), cells[o].bytes());
    }
  }

  // Both sides.
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

  ObjectFile object;
  EntryPoint *entry = nullptr; ///< in the worker
  const Problem &problem;
  std::vector<Output> described;
  std::vector<HostMemory> cells;
  CallArguments arguments;
  CacheFiller cacheFiller;
  std::optional<Worker> worker;
};

class OpenMPBackend : public Backend {
public:
  OpenMPBackend(Compiler &compiler, double timeLimit) : compiler(compiler), timeLimit(timeLimit) {
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
    compilation.flags.emplace_back("-fopenmp");
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime)
        compilation.definitions[t.name] = tunables.at(t.name);
    }
    Result<ObjectFile> object = compiler.compile(compilation);
    if (!object)
      return object.error();
    Result<std::vector<Output>> outputs = outputsOf(problem);
    if (!outputs)
      return outputs.error();
    auto execution = std::make_unique<OpenMPExecution>(*object, problem, std::move(*outputs));
    if (Status status = execution->start(manifest, tunables, timeLimit); !status)
      return status.error();
    return std::unique_ptr<Execution>(std::move(execution));
  }

private:
  Compiler &compiler;
  double timeLimit;
  DeviceFacts known;
  std::uint64_t asked = 1; ///< threads, by the environment
};

} // namespace

std::unique_ptr<Backend> makeOpenMPBackend(Compiler &compiler, double timeLimit) {
  return std::make_unique<OpenMPBackend>(compiler, timeLimit);
}

} // namespace tangram::runtime

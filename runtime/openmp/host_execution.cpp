#include "runtime/openmp/host_execution.h"

#include "runtime/bundle/call.h"
#include "runtime/data/reference.h"
#include "runtime/openmp/cold_caches.h"
#include "runtime/openmp/entry_point.h"
#include "runtime/session/problem_message.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>

namespace tangram::runtime {

namespace {

/// Memory that was freed stays with the process, and so with what asks next: a call that makes its temporaries anew
/// each time would be measured with the faults of their pages, which a caller with a workspace does not have.
void keepFreedMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

/// The owner's words to the worker. Prepare, which is followed by a message, is answered by a status; Done, the end of an
/// execution, is not answered; the others are, by a Reply, and if that is good, Repeat by the seconds of each run and
/// Outputs by the bytes of each output.
enum class Errand : unsigned char {
  Reset,
  ResetPoisoned,
  EmptyCaches,
  Run,
  Repeat,
  Outputs,
  Prepare,
  Done
};

struct Request {
  Errand errand = Errand::Reset;
  std::size_t count = 1; ///< of runs; of the bytes of a message
  Caches caches = Caches::Warm;
};

struct Reply {
  int status = 0;            ///< of the function
  double seconds = 0;        ///< that it took
  std::size_t pastEndOf = 0; ///< 1 + the index of an output written past its end; 0: none was
};

/// The worker's side: the function's arguments for one problem.
class HostedProblem {
public:
  /// Throws std::bad_alloc. The problem must outlive it.
  HostedProblem(const HostFunction &function, const Problem &problem, const TunableValues &tunables,
                std::vector<Output> outputs)
      : problem(problem), described(std::move(outputs)) {
    for (const Output &output : described)
      cells.emplace_back(output.count * ir::byteSize(output.element));
    std::size_t next = 0;
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      const HostArray &value = problem.arguments[i];
      if (!p.container)
        arguments.addScalar(value.memory.data());
      else if (p.isOutput())
        arguments.addContainer(cells[next++].data(), value.shape);
      else // the entry point takes inputs through const pointers of their type
        arguments.addContainer(const_cast<std::byte *>(value.memory.data()), value.shape);
    }
    if (problem.signature.result)
      arguments.addResult(cells[next].data());
    for (const std::string &name : function.tunables)
      arguments.addTunable(tunables.at(name));
  }

  /// Until the owner is done with it. False: the owner is gone.
  bool serve(Channel &owner, EntryPoint *entry) {
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
        answer(owner, timedCall(entry));
        break;
      case Errand::Repeat:
        answerRepeat(owner, entry, request);
        break;
      case Errand::Outputs:
        answerOutputs(owner);
        break;
      case Errand::Prepare: // comes between executions
      case Errand::Done:
        return true;
      }
    }
    return false;
  }

private:
  static void answer(Channel &owner, const Reply &reply) { owner.send(&reply, sizeof reply); }

  void answerRepeat(Channel &owner, EntryPoint *entry, const Request &request) {
    std::vector<double> seconds;
    Reply reply;
    for (; seconds.size() < request.count && reply.status == 0; seconds.push_back(reply.seconds)) {
      restore(false);
      if (request.caches == Caches::Cold)
        cacheFiller.walk();
      reply = timedCall(entry);
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

  Reply timedCall(EntryPoint *entry) const {
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

  /// The first values of a container that is read and written; null for other outputs.
  const HostArray *initial(const std::string &name) const {
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      if (p.name == name && p.container && p.access == Access::InOut)
        return &problem.arguments[i];
    }
    return nullptr;
  }

  const Problem &problem;
  std::vector<Output> described;
  std::vector<HostMemory> cells;
  CallArguments arguments;
  CacheFiller cacheFiller;
};

/// Serves one problem. False: there is nobody left to serve.
bool host(Channel &owner, const HostFunction &function, EntryPoint *entry, const Problem &problem,
          const TunableValues &tunables) {
  std::optional<HostedProblem> hosted;
  Status status = ok();
  try {
    Result<std::vector<Output>> outputs = outputsOf(problem);
    if (outputs)
      hosted.emplace(function, problem, tunables, std::move(*outputs));
    else
      status = outputs.error();
  } catch (const std::bad_alloc &) {
    status = refusal("the outputs do not fit in memory");
  }
  sendStatus(owner, status);
  return hosted && hosted->serve(owner, entry);
}

/// The worker: the problem that it has from its owner's memory, then those that it is told.
void loadAndHost(Channel &owner, const HostFunction &function, const Problem &first,
                 const TunableValues &tunables) {
  keepFreedMemory();
  const Result<EntryPoint *> entry = loadEntry(function.object, function.name, function.file);
  if (!entry)
    return sendStatus(owner, entry.error());
  if (!host(owner, function, *entry, first, tunables))
    return;
  for (Request request; owner.receive(&request, sizeof request);) {
    std::vector<std::byte> message(request.count);
    if (!owner.receive(message.data(), message.size()))
      return;
    PreparedProblem given = problemOf(message);
    given.problem.signature = first.signature;
    if (!host(owner, function, *entry, given.problem, given.tunables))
      return;
  }
}

// The owner's side.

class HostExecution : public Execution {
public:
  /// `bench`: where the worker waits afterwards, as `key`; null: it ends.
  HostExecution(Worker worker, std::string who, std::vector<Output> outputs, HostBench *bench,
                std::string key, bool servedOthers)
      : worker(std::move(worker)), who(std::move(who)), described(std::move(outputs)), bench(bench),
        key(std::move(key)), hasServed(servedOthers) {}

  ~HostExecution() override {
    if (!bench || !worker.running())
      return;
    Request done{Errand::Done};
    worker.send(&done, sizeof done);
    bench->leave(key, std::move(worker));
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
    if (Status good = entryStatus(reply->status, who); !good)
      return good.error();
    return reply->seconds;
  }

  /// Without a word between two runs: waking the owner would disturb the threads of OpenMP.
  Result<std::vector<double>> repeat(std::size_t count, Caches caches) override {
    Result<Reply> reply = ask({Errand::Repeat, count, caches});
    if (!reply)
      return reply.error();
    if (Status good = entryStatus(reply->status, who); !good)
      return good.error();
    std::vector<double> seconds(count);
    if (Status status = worker.receive(seconds.data(), count * sizeof(double)); !status)
      return status.error();
    return seconds;
  }

  Result<std::vector<HostMemory>> outputs() override {
    Result<Reply> reply = ask({Errand::Outputs});
    if (!reply)
      return reply.error();
    if (reply->pastEndOf != 0)
      return failure(described[reply->pastEndOf - 1].name + ": written past its end");
    std::vector<HostMemory> values;
    for (const Output &output : described) {
      HostMemory &value = values.emplace_back(output.count * ir::byteSize(output.element));
      if (Status status = worker.receive(value.data(), value.bytes()); !status)
        return status.error();
    }
    return values;
  }

  void distrust() override { bench = nullptr; }
  bool servedOthers() const override { return hasServed; }

private:
  Result<Reply> ask(Request request) {
    worker.send(&request, sizeof request);
    Reply reply;
    if (Status status = worker.receive(&reply, sizeof reply, request.count); !status)
      return status.error();
    return reply;
  }

  Worker worker;
  std::string who;
  std::vector<Output> described;
  HostBench *bench;
  std::string key;
  bool hasServed;
};

/// Problems up to this size, outputs included, are sent to a worker that waits; larger ones are what a new worker sees of its
/// owner's memory without a copy.
constexpr std::size_t sentBytes = std::size_t{1} << 20;

bool isSmall(const Problem &problem, const std::vector<Output> &outputs) {
  std::size_t bytes = 0;
  for (const HostArray &array : problem.arguments)
    bytes += array.memory.bytes();
  for (const Output &output : outputs)
    bytes += output.count * ir::byteSize(output.element);
  return bytes <= sentBytes;
}

} // namespace

std::optional<Worker> HostBench::take(const std::string &function) {
  const auto found = std::ranges::find(waiting, function, &std::pair<std::string, Worker>::first);
  if (found == waiting.end())
    return std::nullopt;
  std::optional<Worker> worker(std::move(found->second));
  waiting.erase(found);
  return worker;
}

void HostBench::leave(const std::string &function, Worker worker) {
  waiting.emplace_front(function, std::move(worker));
  if (waiting.size() > most)
    waiting.pop_back();
}

Result<std::unique_ptr<Execution>> startOnHost(const HostFunction &function, const Problem &problem,
                                               const TunableValues &tunables, HostBench &bench,
                                               double timeLimit) {
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  const bool isShared = bench.isOpen() && isSmall(problem, *outputs);
  std::string key = function.object.path + '\n' + function.manifest;
  const auto executionOf = [&](Worker worker, bool servedOthers) {
    return std::unique_ptr<Execution>(
        std::make_unique<HostExecution>(std::move(worker), function.name, std::move(*outputs),
                                        isShared ? &bench : nullptr, std::move(key), servedOthers));
  };
  if (std::optional<Worker> waiting = isShared ? bench.take(key) : std::nullopt) {
    const std::vector<std::byte> message = messageOf(function.manifest, problem, tunables, {});
    Request request{Errand::Prepare, message.size()};
    waiting->send(&request, sizeof request);
    waiting->send(message.data(), message.size());
    // What ended it may be what those before have left behind.
    if (receiveStatus(*waiting, 0))
      return executionOf(std::move(*waiting), true);
  }
  Result<Worker> worker = Worker::start(
      [&](Channel &owner) { loadAndHost(owner, function, problem, tunables); }, timeLimit);
  if (!worker)
    return worker.error();
  if (Status loaded = receiveStatus(*worker, 0); !loaded)
    return loaded.error();
  return executionOf(std::move(*worker), false);
}

} // namespace tangram::runtime

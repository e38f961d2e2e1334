#include "runtime/device/device_worker.h"

#include "runtime/data/reference.h"
#include "runtime/session/problem_message.h"
#include "runtime/session/worker.h"

#include <new>
#include <optional>

namespace tangram::runtime {

namespace {

/// The owner's words to the worker. Each is answered by a status, and if that is good, Run and
/// Repeat by the seconds of each run and Outputs by the bytes of each output. Prepare is followed by
/// a message; Done, the end of an execution, is not answered.
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

// The worker's side.

template <class T> Status statusOf(const Result<T> &result) {
  return result ? ok() : Status(result.error());
}

void sendRuns(Channel &owner, const Result<std::vector<double>> &seconds) {
  sendStatus(owner, statusOf(seconds));
  if (seconds)
    owner.send(seconds->data(), seconds->size() * sizeof(double));
}

void sendOutputs(Channel &owner, Execution &execution) {
  Result<std::vector<HostMemory>> values = execution.outputs();
  sendStatus(owner, statusOf(values));
  if (!values)
    return;
  for (const HostMemory &value : *values)
    owner.send(value.data(), value.bytes());
}

Result<std::vector<double>> oneRun(Execution &execution) {
  Result<double> seconds = execution.run();
  if (!seconds)
    return seconds.error();
  return std::vector<double>{*seconds};
}

void serve(Channel &owner, Execution &execution) {
  for (Request request; owner.receive(&request, sizeof request);) {
    switch (request.errand) {
    case Errand::Reset:
    case Errand::ResetPoisoned:
      sendStatus(owner, execution.reset(request.errand == Errand::ResetPoisoned));
      break;
    case Errand::EmptyCaches:
      sendStatus(owner, execution.emptyCaches());
      break;
    case Errand::Run:
      sendRuns(owner, oneRun(execution));
      break;
    case Errand::Repeat:
      sendRuns(owner, execution.repeat(request.count, request.caches));
      break;
    case Errand::Outputs:
      sendOutputs(owner, execution);
      break;
    case Errand::Prepare: // comes between executions
    case Errand::Done:
      return;
    }
  }
}

/// Out of memory is an answer, not the end of the worker.
void makeAndServe(Channel &owner, const MakeExecution &make) {
  try {
    Result<std::unique_ptr<Execution>> execution = make();
    sendStatus(owner, statusOf(execution));
    if (execution)
      serve(owner, **execution);
  } catch (const std::bad_alloc &) {
    sendStatus(owner, refusal("the values of this problem do not fit in memory"));
  }
}

/// One execution of `backend` after the other.
void prepareAndServe(Channel &owner, Backend &backend) {
  for (Request request; owner.receive(&request, sizeof request);) {
    std::vector<std::byte> message(request.count);
    if (!owner.receive(message.data(), message.size()))
      return;
    PreparedProblem given = problemOf(message);
    Result<Manifest> manifest = readManifest(given.bundle);
    if (!manifest)
      return sendStatus(owner, manifest.error());
    given.problem.signature = manifest->signature;
    Result<std::unique_ptr<Execution>> execution =
        backend.prepare(*manifest, given.problem, given.tunables, given.bindings);
    sendStatus(owner, statusOf(execution));
    if (!execution)
      return;
    serve(owner, **execution);
  }
}

/// The first thing it says is whether there is a backend.
void openAndServe(Channel &owner, const DeviceDriver &driver, const std::string &device) {
  try {
    Result<std::unique_ptr<Backend>> backend = driver.open(device);
    sendStatus(owner, statusOf(backend));
    if (backend)
      prepareAndServe(owner, **backend);
  } catch (const std::bad_alloc &) {
    sendStatus(owner, refusal("the values of this problem do not fit in memory"));
  }
}

// The owner's side.

/// Where a worker waits that could serve another execution.
using Bench = std::shared_ptr<std::optional<Worker>>;

class WorkerExecution : public Execution {
public:
  /// With a `bench`: where to leave the worker that has done everything it was told.
  WorkerExecution(Worker worker, std::vector<Output> outputs, Bench bench = nullptr)
      : worker(std::move(worker)), described(std::move(outputs)), bench(std::move(bench)) {}

  ~WorkerExecution() override {
    if (!bench || *bench)
      return;
    Request done{Errand::Done};
    worker.send(&done, sizeof done);
    bench->emplace(std::move(worker));
  }

  Status reset(bool poisoned) override {
    return ask({poisoned ? Errand::ResetPoisoned : Errand::Reset});
  }

  Status emptyCaches() override { return ask({Errand::EmptyCaches}); }

  Result<double> run() override {
    Result<std::vector<double>> seconds = runs({Errand::Run});
    if (!seconds)
      return seconds.error();
    return seconds->front();
  }

  Result<std::vector<double>> repeat(std::size_t count, Caches caches) override {
    return runs({Errand::Repeat, count, caches});
  }

  Result<std::vector<HostMemory>> outputs() override {
    if (Status status = ask({Errand::Outputs}); !status)
      return status.error();
    std::vector<HostMemory> values;
    for (const Output &output : described) {
      HostMemory &value = values.emplace_back(output.count * ir::byteSize(output.element));
      if (Status status = judged(worker.receive(value.data(), value.bytes())); !status)
        return status.error();
    }
    return values;
  }

  void distrust() override { bench = nullptr; }

private:
  /// Nobody else gets a worker of whom an errand was too much.
  Status judged(Status status) {
    if (!status)
      bench = nullptr;
    return status;
  }

  Status ask(Request request) {
    worker.send(&request, sizeof request);
    return judged(receiveStatus(worker, request.count));
  }

  Result<std::vector<double>> runs(Request request) {
    if (Status status = ask(request); !status)
      return status.error();
    std::vector<double> seconds(request.count);
    if (Status status = judged(worker.receive(seconds.data(), request.count * sizeof(double)));
        !status)
      return status.error();
    return seconds;
  }

  Worker worker;
  std::vector<Output> described;
  Bench bench;
};

/// A description as it is sent: the lengths of its texts and its numbers, then the texts.
struct DeviceHeader {
  std::size_t nameBytes, driverBytes, index;
  std::uint64_t computeUnits, maxGroupSize, localMemory, globalMemory, maxAllocation;
};

void describeTo(Channel &owner, const DeviceDriver &driver, const std::string &wanted) {
  Result<DeviceDescription> device = driver.describe(wanted);
  sendStatus(owner, statusOf(device));
  if (!device)
    return;
  DeviceHeader header{device->name.size(),  device->driver.size(), device->index,
                      device->computeUnits, device->maxGroupSize,  device->localMemory,
                      device->globalMemory, device->maxAllocation};
  owner.send(&header, sizeof header);
  owner.send(device->name.data(), device->name.size());
  owner.send(device->driver.data(), device->driver.size());
}

Result<DeviceDescription> receiveDescription(Worker &worker) {
  if (Status status = receiveStatus(worker); !status)
    return status.error();
  DeviceHeader header{};
  if (Status status = worker.receive(&header, sizeof header); !status)
    return status.error();
  DeviceDescription chosen{std::string(header.nameBytes, ' '),
                           std::string(header.driverBytes, ' '),
                           header.index,
                           header.computeUnits,
                           header.maxGroupSize,
                           header.localMemory,
                           header.globalMemory,
                           header.maxAllocation};
  for (std::string *text : {&chosen.name, &chosen.driver}) {
    if (Status status = worker.receive(text->data(), text->size()); !status)
      return status.error();
  }
  return chosen;
}

/// An execution and, behind it, the backend it needs.
class OwningExecution : public Execution {
public:
  OwningExecution(std::unique_ptr<Backend> backend, std::unique_ptr<Execution> execution)
      : backend(std::move(backend)), execution(std::move(execution)) {}
  Status reset(bool poisoned) override { return execution->reset(poisoned); }
  Status emptyCaches() override { return execution->emptyCaches(); }
  Result<double> run() override { return execution->run(); }
  Result<std::vector<HostMemory>> outputs() override { return execution->outputs(); }

private:
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Execution> execution;
};

/// Problems up to this size are sent to a worker that has a backend already, which saves its
/// opening the device; larger ones are what a new worker sees of its owner's memory without a copy.
constexpr std::size_t sentBytes = std::size_t{64} << 20;

std::size_t bytesOf(const Problem &problem) {
  std::size_t bytes = 0;
  for (const HostArray &array : problem.arguments)
    bytes += array.memory.bytes();
  return bytes;
}

class DeviceWorkerBackend : public Backend {
public:
  DeviceWorkerBackend(const DeviceDriver &driver, DeviceDescription description, double timeLimit)
      : opens(driver), chosen(std::move(description)), known(chosen.facts()), timeLimit(timeLimit) {
  }

  std::string device() const override { return chosen.name; }
  const DeviceFacts &facts() const override { return known; }
  std::string driver() const override { return chosen.driver; }

  Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest, const Problem &problem,
                                             const TunableValues &tunables,
                                             const Bindings &bindings) override {
    if (bytesOf(problem) <= sentBytes)
      return send(manifest, problem, tunables, bindings);
    std::string index = std::to_string(chosen.index);
    auto make = [&]() -> Result<std::unique_ptr<Execution>> {
      Result<std::unique_ptr<Backend>> backend = opens.open(index);
      if (!backend)
        return backend.error();
      Result<std::unique_ptr<Execution>> execution =
          (*backend)->prepare(manifest, problem, tunables, bindings);
      if (!execution)
        return execution.error();
      return std::unique_ptr<Execution>(
          std::make_unique<OwningExecution>(std::move(*backend), std::move(*execution)));
    };
    return makeWorkerExecution(make, problem, timeLimit);
  }

private:
  Result<std::unique_ptr<Execution>> send(const Manifest &manifest, const Problem &problem,
                                          const TunableValues &tunables, const Bindings &bindings) {
    Result<std::vector<Output>> outputs = outputsOf(problem);
    if (!outputs)
      return outputs.error();
    const std::vector<std::byte> message = messageOf(manifest.file, problem, tunables, bindings);
    Request request{Errand::Prepare, message.size()};
    for (;;) {
      const bool waited = bench->has_value();
      Result<Worker> worker = takeWorker();
      if (!worker)
        return worker.error();
      worker->send(&request, sizeof request);
      worker->send(message.data(), message.size());
      Status status = receiveStatus(*worker, 0);
      if (status)
        return std::unique_ptr<Execution>(
            std::make_unique<WorkerExecution>(std::move(*worker), std::move(*outputs), bench));
      // What ended a worker that has served others may be what they left behind.
      if (!waited || worker->running())
        return status.error();
    }
  }

  /// The one that waits, or a new one, with a backend.
  Result<Worker> takeWorker() {
    if (*bench) {
      Worker waiting = std::move(**bench);
      bench->reset();
      return waiting;
    }
    std::string index = std::to_string(chosen.index);
    Result<Worker> worker = Worker::start(
        [&](Channel &owner) { openAndServe(owner, opens, index); }, timeLimit, WorkerOf::Device);
    if (!worker)
      return worker.error();
    if (Status status = receiveStatus(*worker, 0); !status)
      return status.error();
    return worker;
  }

  DeviceDriver opens;
  DeviceDescription chosen;
  DeviceFacts known;
  double timeLimit;
  Bench bench = std::make_shared<std::optional<Worker>>();
};

} // namespace

Result<std::unique_ptr<Execution>> makeWorkerExecution(const MakeExecution &make,
                                                       const Problem &problem, double timeLimit) {
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  Result<Worker> worker = Worker::start([&make](Channel &owner) { makeAndServe(owner, make); },
                                        timeLimit, WorkerOf::Device);
  if (!worker)
    return worker.error();
  if (Status status = receiveStatus(*worker, 0); !status)
    return status.error();
  return std::unique_ptr<Execution>(
      std::make_unique<WorkerExecution>(std::move(*worker), std::move(*outputs)));
}

DeviceFacts DeviceDescription::facts() const {
  DeviceFacts facts;
  facts.values = {{"compute_units", computeUnits},
                  {"threads", computeUnits},
                  {"max_group_size", maxGroupSize},
                  {"local_memory", localMemory}};
  facts.maxAllocation = maxAllocation;
  facts.globalMemory = globalMemory;
  return facts;
}

Result<std::unique_ptr<Backend>>
makeDeviceWorkerBackend(const DeviceDriver &driver, const std::string &wanted, double timeLimit) {
  Result<Worker> worker = Worker::start([&](Channel &owner) { describeTo(owner, driver, wanted); },
                                        timeLimit, WorkerOf::Device);
  if (!worker)
    return worker.error();
  Result<DeviceDescription> chosen = receiveDescription(*worker);
  if (!chosen)
    return chosen.error();
  return std::unique_ptr<Backend>(
      std::make_unique<DeviceWorkerBackend>(driver, std::move(*chosen), timeLimit));
}

} // namespace tangram::runtime

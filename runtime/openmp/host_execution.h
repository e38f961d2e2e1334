// Compiled functions of bundles, entry points and references, called in processes of their own.
#pragma once

#include "runtime/openmp/compiler.h"
#include "runtime/session/backend.h"
#include "runtime/session/worker.h"

#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tangram::runtime {

/// A function that takes arguments as docs/bundle.md says ("The C entry points").
struct HostFunction {
  ObjectFile object;
  std::string name;                  ///< tangram_call or tangram_reference
  std::string file;                  ///< that should have it, for messages
  std::string manifest;              ///< of its bundle
  std::vector<std::string> tunables; ///< those that it takes as arguments, in order
};

/// Workers that have loaded a function, and wait for another problem of it: a fork and a load are ten times as long as a
/// small problem. Where there are too many of them, those that have waited longest end.
class HostBench {
public:
  explicit HostBench(std::size_t most) : most(most) {}

  bool isOpen() const { return most > 0; }
  /// Nothing: none waits.
  std::optional<Worker> take(const std::string &function);
  void leave(const std::string &function, Worker worker);

private:
  std::size_t most;
  std::list<std::pair<std::string, Worker>> waiting; ///< the last to come first
};

/// The function, loaded and given the problem in a worker of `bench` or in a new one, which serves until the execution goes;
/// then it waits for others, unless it has failed, is not trusted or has had a large problem. Outputs are memory of the
/// worker's own, like that of an application. `timeLimit`: seconds for each call. `bench` must outlive the execution.
Result<std::unique_ptr<Execution>> startOnHost(const HostFunction &function, const Problem &problem,
                                               const TunableValues &tunables, HostBench &bench,
                                               double timeLimit);

} // namespace tangram::runtime

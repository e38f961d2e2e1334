// A device that runs bundles of one target. A new target is a new Backend.
#pragma once

#include "runtime/bundle/tunables.h"
#include "runtime/data/inputs.h"

#include <memory>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What the caches hold when a run that is timed begins: what the runs before it left there, or
/// nothing of it.
enum class Caches : unsigned char { Warm, Cold };

/// One bundle with its tunables fixed, ready to run on one problem. It refers to
/// the problem's arguments, which must outlive it.
class Execution {
public:
  virtual ~Execution() = default;

  /// Put containers that are read and written back to their first values; with
  /// `poisoned`, overwrite outputs and temporaries so that an element nobody writes shows.
  virtual Status reset(bool poisoned) = 0;

  /// Run once and wait. Seconds on the device.
  virtual Result<double> run() = 0;

  /// Replace what the caches of the device hold by something else.
  virtual Status emptyCaches() = 0;

  /// `count` times reset(false) and run(), back to back; with cold caches, emptyCaches() between the
  /// two. Seconds of each run.
  virtual Result<std::vector<double>> repeat(std::size_t count, Caches caches) {
    std::vector<double> seconds;
    while (seconds.size() < count) {
      if (Status status = reset(false); !status)
        return status.error();
      if (caches == Caches::Cold) {
        if (Status status = emptyCaches(); !status)
          return status.error();
      }
      Result<double> elapsed = run();
      if (!elapsed)
        return elapsed.error();
      seconds.push_back(*elapsed);
    }
    return seconds;
  }

  /// What the last run wrote, parallel to outputsOf(problem).
  virtual Result<std::vector<HostMemory>> outputs() = 0;

  /// What it computed is wrong: it may have written where it should not, and its process serves
  /// nobody else.
  virtual void distrust() {}

  /// Whether its process has served other problems, and may have kept what they did to it.
  virtual bool servedOthers() const { return false; }

  /// Whether what went wrong has to go wrong in a process of its own, too. What takes too long does so for itself.
  bool isOthersFault(const Error &error) const {
    return servedOthers() && error.ending != Ending::TimedOut;
  }
};

class Backend {
public:
  virtual ~Backend() = default;

  /// For reports: "host (16 threads)", "NVIDIA CUDA/NVIDIA H200".
  virtual std::string device() const = 0;
  virtual const DeviceFacts &facts() const = 0;

  /// For stores, which machines share: "AMD EPYC 7B13 (16 threads)", "NVIDIA CUDA/NVIDIA H200".
  virtual std::string hardware() const { return device(); }
  /// What turns the source into what runs, and its version.
  virtual std::string driver() const = 0;

  /// Compile, allocate and copy. `bindings` holds every name of the bundle's expressions.
  virtual Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest,
                                                     const Problem &problem,
                                                     const TunableValues &tunables,
                                                     const Bindings &bindings) = 0;
};

} // namespace tangram::runtime

// Runs one bundle at one choice of sizes and tunables: verified, timed or both. What it needs for that,
// devices, compiled objects, the problem and its reference, it keeps for the next one.
#pragma once

#include "runtime/bundle/library.h"
#include "runtime/openmp/host_execution.h"
#include "runtime/session/plan_runs.h"
#include "runtime/session/source_check.h"
#include "runtime/session/timing.h"
#include "runtime/session/worker.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

enum class Task { Verify, Time, VerifyAndTime };

enum class Outcome {
  Verified,   ///< the function of the reference; timed as well if that was asked for
  Timed,      ///< ran; nobody looked at the result
  Wrong,      ///< ran, and computes something else than the reference
  Inaccurate, ///< the function of the reference, less accurately; timed as well if that was asked for
  NotComparable, ///< ran, and nothing can be said of the result
  Refused,       ///< cannot serve this size, these tunables or this device
  Failed,        ///< could not be read, compiled, launched, ...
};
std::string name(Outcome outcome); ///< "verified", "timed", ..., "not comparable"

/// Whether a result is good enough to be measured: it is the reference's function.
bool mayBeTimed(Outcome outcome);

/// Values of tunables that are known to be good for a problem on a device.
using Suggestion = std::function<TunableValues(const Manifest &, const Problem &, Backend &)>;

struct RunnerOptions {
  Task task = Task::Verify;
  std::uint64_t seed = 1;
  std::string device; ///< see BackendOptions
  TimingOptions timing;
  std::map<std::string, std::string> outputs; ///< output -> .npy file to write
  /// Run under a checker that follows uninitialized memory, such as Oclgrind. Outputs and
  /// temporaries are otherwise overwritten before a run that is verified, which would hide them
  /// from it; and buffers are otherwise released after their run, but Oclgrind 21.10 keeps what
  /// it knew of a released buffer for the next one at that address. Devices stay in this process.
  bool memoryChecker = false;
  /// Seconds that building a bundle of kernels or one call of a bundle may take; a C compiler may take Compiler::leastSeconds
  /// at least.
  double timeLimit = defaultTimeLimit;
  double referenceTimeLimit = defaultTimeLimit; ///< seconds of one call of a reference
  /// Compare in wider numbers also where all bytes are those of the reference.
  bool verifyWidened = false;
  std::filesystem::path
      objects;               ///< where what is compiled is kept for later processes; empty: nowhere
  bool ownProcesses = false; ///< no two runs share one, not even after a run that was right
  Suggestion suggest; ///< for tunables that are not fixed, where it can be followed; may be empty
};

/// What became of one combination.
struct Record {
  std::string bundle; ///< what the session calls it: its folder, or its plan's id
  std::string spectrum, target, model, planId; ///< empty when the manifest cannot be read
  std::string device;
  std::map<std::string, std::uint64_t> extents;
  TunableValues tunables;
  Outcome outcome = Outcome::Failed;
  Fault fault = Fault::Failed; ///< of Refused and Failed
  std::string reason;          ///< why not Verified or Timed; may have several lines
  std::optional<Timing> timing;
  std::uint64_t bytes = 0;                ///< read and written, from the manifest's traffic
  bool bytesDependOnData = false;         ///< `bytes` is 0, and nothing is said of GB/s
  Ending ending = Ending::None;           ///< of Failed
  std::optional<MemoryNeeds> memory = {}; ///< of a call; of timed records
  std::string version = {};        ///< of a bundle of several plans: the id of the one that ran
  std::vector<DataKind> data = {}; ///< that were tried; of a mistake the one that shows it
  std::uint64_t seed = 1;          ///< of these data
  /// The findings about the result, where it was verified.
  std::optional<Verification> verification = {};
};

class Runner {
public:
  /// `given` must outlive it.
  Runner(const RunnerOptions &options, const GivenInputs &given);

  /// Whatever goes wrong stands in the record. Its `bundle` is left empty.
  Record run(const Manifest &manifest, const SizeChoice &sizes, const TunableValues &fixed) {
    return run(manifest, sizes, fixed, options.timing);
  }
  Record run(const Manifest &manifest, const SizeChoice &sizes, const TunableValues &fixed,
             const TimingOptions &timing);

  /// What of a record is known before anything runs: the bundle and, where they can be had, the sizes.
  void describe(const Manifest &manifest, const SizeChoice &sizes, Record &record);

  /// Where a bundle runs, and on what; valid until another problem is asked for.
  struct Place {
    Backend *backend;
    const Problem *problem; ///< its containers may have no values yet
  };
  Result<Place> placeOf(const Manifest &manifest, const SizeChoice &sizes);

  /// That applications can compile the files above the versions of a bundle; asked where results are verified.
  Status checkSources(const Library &library);

  /// How many times the system's compiler has run.
  std::size_t compilations() const { return compiler.runs(); }

  /// The number of the version that an emitted host would call.
  Result<std::size_t> versionFor(const Library &library, const SizeChoice &sizes);

  /// `sizes`, with a bound on default extents if the reference would take too long without one: its work may grow with the product
  /// of the lengths of containers. Times at small sizes tell this. Unchanged if `sizes.all` is given.
  SizeChoice affordable(const Manifest &manifest, SizeChoice sizes);

private:
  Result<double> secondsOfReference(const Manifest &manifest, const SizeChoice &sizes);
  std::uint64_t elementsAt(const Manifest &manifest, const SizeChoice &sizes);
  Result<Backend *> backendFor(const Manifest &manifest);
  Result<TunableValues> tunablesFor(const Manifest &m, const Place &place, const Bindings &bindings,
                                    const TunableValues &fixed) const;
  Status runOn(const Manifest &m, const SizeChoice &sizes, const TunableValues &fixed,
               const TimingOptions &timing, Record &record);
  Status execute(const Manifest &m, const Problem &problem, const Bindings &bindings,
                 const TimingOptions &timing, Execution &execution, Record &record);
  Status verify(const Manifest &m, const Problem &problem, const Bindings &bindings,
                Execution &execution, Record &record);
  Status judge(const Manifest &m, const Problem &problem, const Bindings &bindings,
               SharedValues results, SharedValues reference, Record &record);
  Result<Verification> judgeWide(const JudgedCase &asked, const Manifest &m, const Problem &problem,
                                 SharedValues results, Record &record);
  Status saveOutputs(const Problem &problem, Execution &execution);
  Status save(const std::vector<Output> &described, const std::vector<HostMemory> &values);

  RunnerOptions options;
  Compiler compiler;
  HostBench bench;
  SourceCheck sources;
  std::map<Target, Result<std::unique_ptr<Backend>>>
      backends; ///< opened when they are first needed
  ProblemCache problems;
  /// Executions whose buffers a memory checker must not see released.
  std::vector<std::unique_ptr<Execution>> kept;
  std::vector<PlanRuns::Kept> keptWithProblems;
};

} // namespace tangram::runtime

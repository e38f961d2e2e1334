// Bundles in, records out: every combination of size, bundle and tunable
// setting is verified, timed or both, and whatever goes wrong with one of them
// leaves the others alone.
#pragma once

#include "runtime/data/compare.h"
#include "runtime/session/timing.h"
#include "runtime/session/worker.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tangram::runtime {

enum class Task { Verify, Time, VerifyAndTime };

enum class Outcome {
  Verified, ///< equal to the reference; timed as well if that was asked for
  Timed,    ///< ran; nobody looked at the result
  Wrong,    ///< ran, and the result differs from the reference
  Refused,  ///< cannot serve this size, these tunables or this device
  Failed,   ///< could not be read, compiled, launched, ...
};
std::string name(Outcome outcome); ///< "verified", "timed", ...

struct SessionOptions {
  Task task = Task::Verify;
  std::vector<std::string> bundles;
  std::map<std::string, std::string> inputs; ///< see readInputs
  std::vector<SizeChoice> sizes{SizeChoice{}};
  /// What to fix, one record each; a tunable a bundle does not have does not concern it.
  std::vector<TunableValues> settings{TunableValues{}};
  std::uint64_t seed = 1;
  std::string device; ///< see chooseOpenCLDevice
  TimingOptions timing;
  std::map<std::string, std::string> outputs; ///< output -> .npy file to write
  /// Run under a checker that follows uninitialized memory, such as Oclgrind. Outputs and
  /// temporaries are otherwise overwritten before a run that is verified, which would hide them
  /// from it; and buffers are otherwise released after their run, but Oclgrind 21.10 keeps what
  /// it knew of a released buffer for the next one at that address. OpenCL stays in this process.
  bool memoryChecker = false;
  /// Seconds that building an OpenCL bundle, one call of a bundle or of a reference may take.
  double timeLimit = defaultTimeLimit;
  /// The bundles' folders go before anybody reads about them: call bundles by their plan's id.
  bool temporary = false;
};

/// What became of one combination.
struct Record {
  std::string bundle; ///< its folder, or with SessionOptions::temporary its plan's id
  std::string spectrum, target, model, planId; ///< empty when the manifest cannot be read
  std::string device;
  std::map<std::string, std::uint64_t> extents;
  TunableValues tunables;
  Outcome outcome = Outcome::Failed;
  Fault fault = Fault::Failed; ///< of Refused and Failed
  std::string reason;          ///< why not Verified or Timed; may have several lines
  std::optional<Timing> timing;
  std::uint64_t bytes = 0;        ///< read and written, from the manifest's traffic
  bool bytesDependOnData = false; ///< `bytes` is 0, and nothing is said of GB/s
};

/// Announces how many combinations there are and which one is next.
using Progress =
    std::function<void(std::size_t done, std::size_t total, const std::string &bundle)>;
using Sink = std::function<void(const Record &)>;

/// Run all combinations, sizes outermost, and give each record to `sink` as it
/// is made. Error: what makes the whole call pointless (Fault::Usage: a tunable no
/// bundle has, a value outside its domain, --output with several combinations;
/// Fault::Input: an input file that cannot be read).
Status runSession(const SessionOptions &options, const Sink &sink, const Progress &progress);

/// The exit status these records call for: 2 if some were Fault::Usage, 3 when something is wrong,
/// failed, or nothing at all could be verified or timed, 1 when a bundle or an input is wrong,
/// else 0.
int exitStatus(const std::vector<Record> &records);

} // namespace tangram::runtime

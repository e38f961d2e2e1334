// What was measured, and what was chosen from it: one SQLite file, the store of `tangram-run tune`.
//
// A measurement is of one plan with one setting of its tunables, on one device, at one problem. All
// that it depends on is its key; measuring the same again replaces it. A choice is what a finished
// tuning says of a plan on a device at a problem: the setting to take there, and it is the default
// wherever nothing else was really better.
//
// Each measurement is a transaction of its own that is on the disk when put() returns: whoever is
// killed loses the one being made. The file is a whole between any two of them, so that it can be
// copied, also while somebody writes; several processes may write at once.
//
// Whoever has a prediction and looks for what was measured of it: plan ids are those of
// `tangram plans`, targets its names, extents are named as in manifests ("in_size", "a_size0"). A
// prediction for default tunables belongs to the measurement with `standard`, of
// measurements({.plan = id, .target = "opencl"}) with the same extents, and of the device asked for.
// The best known time is that of the choice, or, of a tuning that is not finished, the smallest
// median.
#pragma once

#include "runtime/bundle/tunables.h"
#include "runtime/session/backend.h"
#include "runtime/tune/sqlite.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// The version of the file that this runtime reads and writes.
inline constexpr std::int64_t storeVersion = 1;

/// One plan on one device at one problem: what values of tunables are looked for.
struct TuningCase {
  std::string spectrum;
  std::string plan; ///< its id
  std::string target, model;
  std::string source; ///< hash of the codelets
  std::string code;   ///< hash of what was generated from them
  std::string device; ///< "NVIDIA CUDA/NVIDIA H200", "AMD EPYC 7B13 (16 threads)"
  std::string driver; ///< its version; of OpenMP the compiler's
  std::map<std::string, std::uint64_t> extents;
  std::string inputs; ///< values that were given, and the seed of the others: "seed=1"
  Caches caches = Caches::Warm;

  bool operator==(const TuningCase &) const = default;
};

enum class Verdict : unsigned char {
  Measured, ///< right, and timed; or inaccurate, with the reason
  Wrong,
  NotComparable, ///< nothing can be said of its result
  Refused,       ///< a constraint, or a limit of the device
  Crashed,       ///< its process did
  TimedOut,      ///< it took longer than the time limit
  Failed,        ///< anything else: a compiler, a launch
};
/// "measured", "wrong", "not comparable", "refused", "crashed", "timed out", "failed"
std::string name(Verdict verdict);

/// What a candidate took, in seconds.
struct TuningTimes {
  double median = 0, lowerQuartile = 0, upperQuartile = 0, min = 0;
  std::size_t repeat = 0; ///< runs that these are of
};

struct Measurement {
  TuningCase of;
  TunableValues tunables;
  bool standard = false; ///< these are the plan's defaults there
  Verdict verdict = Verdict::Failed;
  std::string reason;    ///< why not Measured, or what is inaccurate; one line
  TuningTimes times;     ///< of Measured
  std::int64_t when = 0; ///< seconds since 1970; 0: now
};

/// What a finished tuning chose.
struct Choice {
  TuningCase of;
  TunableValues tunables;
  double seconds = 0;         ///< median of the last comparison
  double standardSeconds = 0; ///< of the default in it; 0: the default cannot run there
  std::size_t candidates = 0; ///< measurements that it was chosen from
  bool exhaustive = false;    ///< all settings of the domains were among them
  std::int64_t when = 0;      ///< seconds since 1970; 0: now
};

/// What to look for; an empty text is any.
struct StoreQuery {
  std::string spectrum = {}, plan = {}, target = {}, device = {};
};

class Store {
public:
  /// The store in `file`, made where there is none. Errors (Fault::Input): "FILE: is no SQLite
  /// database: ...", "FILE: is a SQLite database, but no store of measurements", "FILE: is damaged:
  /// ...", "FILE: expected format version 1, found 2: this store was made by a newer tangram-run".
  static Result<Store> open(const std::filesystem::path &file);
  /// The same to read; there has to be one.
  static Result<Store> openToRead(const std::filesystem::path &file);

  /// Keep it, in place of what the store has under this key.
  Status put(const Measurement &measurement);
  Status put(const Choice &choice);

  /// Of exactly this case.
  Result<std::vector<Measurement>> measurementsOf(const TuningCase &of) const;

  /// In the order of spectrum, plan, device, extents, then by time, what has none last.
  Result<std::vector<Measurement>> measurements(const StoreQuery &query = {}) const;
  Result<std::vector<Choice>> choices(const StoreQuery &query = {}) const;

  struct Merged {
    std::size_t added = 0, replaced = 0, kept = 0; ///< measurements and choices
  };
  /// Take over what `other` has. Of what both have: a measurement that says that something is wrong
  /// stays, else the one of more runs, else the newer; of choices the newer. All of it or nothing.
  Result<Merged> merge(const Store &other);

private:
  Store(Database database, std::string file)
      : database(std::make_unique<Database>(std::move(database))), file(std::move(file)) {}

  Status prepareFile();
  Status checkVersion() const;
  Status checkWhole() const;
  /// `condition`: what follows WHERE; `bound`: its parameters.
  Result<std::vector<Measurement>> readMeasurements(const std::string &condition,
                                                    const std::vector<std::string> &bound) const;
  Result<std::vector<Choice>> readChoices(const std::string &condition,
                                          const std::vector<std::string> &bound) const;

  std::unique_ptr<Database> database; ///< statements point to it
  std::string file;
};

} // namespace tangram::runtime

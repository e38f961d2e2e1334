// Plans of one spectrum and their tunables, tried on the device that they are for: `tangram-run tune`.
//
// Every setting is verified, then timed, in a process of its own, and stands in the store before the
// next one begins; what the store has is not run again. At the end the fastest settings of the
// best plans and their defaults are run in turns, block by block, so that what drifts drifts for all;
// a setting is kept only where it was faster than the default in nearly every block, and the default
// otherwise.
#pragma once

#include "runtime/session/runner.h"
#include "runtime/tune/search.h"
#include "runtime/tune/store.h"

namespace tangram::runtime {

struct TuneOptions {
  std::vector<std::string> bundles; ///< folders, best first; see bundlesIn
  std::map<std::string, std::string> inputs;
  std::vector<SizeChoice> sizes{SizeChoice{}};
  TunableValues fixed; ///< tunables that are not varied
  RunnerOptions runner;
  SearchOptions search;
  double seconds = 0;       ///< after which no new setting is tried; 0: no limit
  bool fromNothing = false; ///< what the store has is measured again
};

/// What became of one bundle.
struct TunedPlan {
  std::string bundle;
  TuningCase of;
  std::string refusal;      ///< why it was not tried; the rest is empty then
  std::size_t settings = 0; ///< in its space, at most mostCounted
  std::map<Verdict, std::size_t> verdicts;
  std::size_t reused = 0; ///< of them, from the store
  struct Timed {
    TunableValues tunables;
    TuningTimes times;
  };
  std::optional<Timed> standard; ///< the default; nothing where it did not run
  std::optional<Timed> best;     ///< what is to be taken: the default, unless another is better
  bool compared = false;         ///< in the last comparison: `best` stands in the store as a choice
  std::string wrong;             ///< the first reason for Wrong, with the setting
  std::string notComparable;     ///< the same of NotComparable
  std::size_t inaccurate = 0;    ///< of those measured
  std::string inaccuracy;        ///< of `best`; empty: it is accurate
};
inline constexpr std::size_t mostCounted = 100000;

/// All plans of a spectrum at one choice of sizes.
struct TuneReport {
  std::string spectrum;
  std::map<std::string, std::uint64_t> extents;
  std::vector<TunedPlan> plans;
  std::optional<std::size_t> winner; ///< the plan to take; nothing when none could run
  bool exhaustive = false;
  /// What decided: the fastest of all beside the first bundle as it comes, in turns. Nothing: they were not compared.
  struct Decision {
    double fastest = 0, asItComes = 0; ///< seconds
    std::size_t faster = 0, turns = 0; ///< turns in which the first was faster, and all
  };
  std::optional<Decision> decision;
  std::size_t disturbed =
      0; ///< measurements that were made again because other work had disturbed them
};

struct TuneProgress {
  std::size_t done = 0, total = 0;
  std::optional<double> best, standard; ///< seconds so far; of the first bundle's default
  std::string plan;                     ///< what is tried now
  TunableValues tunables;
  bool comparing = false; ///< the last comparison
};

/// One report for each spectrum of the bundles and each size. Errors: of bundles that cannot be read,
/// inputs that do not fit, options that name what no bundle has; of the store.
Result<std::vector<TuneReport>> tune(const TuneOptions &options, Store &store,
                                     const std::function<void(const TuneProgress &)> &progress);

} // namespace tangram::runtime

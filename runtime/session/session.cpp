#include "runtime/session/session.h"

#include "runtime/bundle/collection.h"
#include "runtime/session/forecast.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

namespace tangram::runtime {

namespace {

/// Runs of a bundle that a budget does not leave out, as long as each is short: on a busy machine the clock says little.
constexpr std::size_t leastRuns = 60;

/// A bundle of the command line, read or not.
struct Bundle {
  std::string path;
  std::string label; ///< what messages call it
  Result<Library> library;

  std::vector<const Manifest *> versions() const {
    std::vector<const Manifest *> all;
    for (std::size_t i = 0; library && i < library->versions.size(); ++i)
      all.push_back(&library->versions[i]);
    return all;
  }
};

/// The settings without the tunables `manifest` does not have.
std::vector<TunableValues> settingsFor(const Manifest &manifest,
                                       const std::vector<TunableValues> &settings) {
  std::vector<TunableValues> own;
  for (const TunableValues &setting : settings) {
    TunableValues restricted;
    for (const auto &[name, value] : setting) {
      if (manifest.tunable(name))
        restricted[name] = value;
    }
    if (std::find(own.begin(), own.end(), restricted) == own.end())
      own.push_back(std::move(restricted));
  }
  return own;
}

/// A tunable that no bundle has is a slip of the pen; checkFixed words it.
Status checkSettings(const std::vector<Bundle> &bundles,
                     const std::vector<TunableValues> &settings) {
  const Manifest *some = nullptr;
  std::set<std::string> known;
  for (const Bundle &bundle : bundles) {
    for (const Manifest *manifest : bundle.versions()) {
      some = manifest;
      for (const Tunable &t : some->tunables)
        known.insert(t.name);
      for (const TunableValues &setting : settingsFor(*some, settings)) {
        if (Status status = checkFixed(*some, setting); !status)
          return usageError(bundle.label + ": " + status.error().message);
      }
    }
  }
  for (const TunableValues &setting : settings) {
    for (const auto &[name, value] : setting) {
      if (some && known.count(name) == 0)
        return checkFixed(*some, {{name, value}});
    }
  }
  return ok();
}

/// Reasons name files of the bundle; so do the compilers they quote.
void callByLabel(const Bundle &bundle, std::string &reason) {
  if (bundle.path.empty() || bundle.label == bundle.path)
    return;
  for (std::size_t at = reason.find(bundle.path); at != std::string::npos;
       at = reason.find(bundle.path, at + bundle.label.size()))
    reason.replace(at, bundle.path.size(), bundle.label);
}

Record failed(const Error &error) {
  Record record;
  record.outcome = error.fault == Fault::Refused ? Outcome::Refused : Outcome::Failed;
  record.fault = error.fault;
  record.reason = error.message;
  return record;
}

/// The rank of an outcome: of several records of one combination, the highest is reported. Mistakes come first, and
/// verified records before refused ones.
int weight(Outcome outcome) {
  switch (outcome) {
  case Outcome::Wrong:
    return 5;
  case Outcome::Failed:
    return 4;
  case Outcome::NotComparable:
    return 3;
  case Outcome::Inaccurate:
    return 2;
  case Outcome::Verified:
  case Outcome::Timed:
    return 1;
  case Outcome::Refused:
    break;
  }
  return 0;
}

/// The data are none that the computation is defined for: it divides by 0, or never ends.
bool isReferenceAtFault(const Record &record) {
  return record.outcome == Outcome::Failed && record.reason.starts_with("tangram_reference");
}

/// Whether no input is left to be made up.
bool isGiven(const GivenInputs &given, const Signature &signature) {
  return std::ranges::all_of(signature.parameters, [&](const Parameter &p) {
    return !p.isInput() || given.values.contains(p.name) ||
           std::ranges::any_of(given.sparse, [&](const GivenInputs::Sparse &each) {
             return std::ranges::count(each.names, p.name) != 0;
           });
  });
}

bool isMistake(const Record &record) {
  return record.outcome == Outcome::Wrong || record.outcome == Outcome::Failed;
}

/// One combination, over the kinds of data.
struct Combination {
  std::string key; ///< which one: bundle, version, tunables
  Record record;
  double seconds = 0;

  void add(Record next) {
    const int known = weight(record.outcome), now = weight(next.outcome);
    // Data of a kind that have no results say nothing of the others; the first are those that are timed.
    if (now < known || next.outcome == Outcome::NotComparable ||
        (now == known && isMistake(record)))
      return;
    if (now == known)
      next.data.insert(next.data.begin(), record.data.begin(), record.data.end());
    if (now == known && record.verification && next.verification)
      next.verification->include(*record.verification);
    record = std::move(next);
  }
};

/// Seconds since it was made.
class Clock {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

class Session {
public:
  Session(const SessionOptions &options, const Sink &sink, const Progress &progress)
      : options(options), sink(sink), progress(progress), kinds(options.kinds) {
    if (!options.outputs.empty())
      kinds.resize(1); // what is saved is of one run
  }

  Status run() {
    std::vector<std::string> paths;
    for (const std::string &each : options.bundles) {
      Result<std::vector<std::string>> all = bundlesOfAll(each);
      if (!all)
        return all.error();
      paths.insert(paths.end(), all->begin(), all->end());
    }
    for (const std::string &path : paths) {
      Bundle &bundle = bundles.emplace_back(Bundle{path, path, readLibrary(path)});
      if (bundle.library && options.temporary)
        bundle.label = bundle.library->versions.front().planId;
      total += options.cases.cases.empty()
                   ? combinationsOf(bundle) * options.sizes.size() * kinds.size()
                   : options.cases.cases.size();
    }
    if (Status status = checkSettings(bundles, options.settings); !status)
      return status;
    if (!options.outputs.empty() && total != 1)
      return usageError("--output: expected one bundle, size and setting of tunables, found " +
                        std::to_string(total) + " combinations");
    Result<GivenInputs> given = readInputs(options.inputs);
    if (!given)
      return given.error();
    RunnerOptions runs = options;
    if (options.cases.referenceTimeLimit > 0)
      runs.referenceTimeLimit = options.cases.referenceTimeLimit;
    Runner runner(runs, *given);
    if (!options.cases.cases.empty()) {
      for (const Bundle &bundle : bundles)
        runCases(runner, bundle);
      return ok();
    }
    for (const SizeChoice &sizes : options.sizes)
      runSizes(runner, *given, sizes);
    return ok();
  }

private:
  /// Whether data of this kind differ from those of the kinds before it.
  static bool differs(DataKind kind, const GivenInputs &given, const Signature &signature) {
    const bool isFull = kind == DataKind::Constants && signature.constants.empty();
    return !isFull && !isGiven(given, signature);
  }

  /// At one size; of several plans of which one is chosen later, as many as the first has.
  std::size_t combinationsOf(const Bundle &bundle) const {
    std::size_t count = 0;
    for (const Manifest *version : bundle.versions()) {
      if (count == 0 || options.allVersions)
        count += settingsFor(*version, options.settings).size();
    }
    return std::max<std::size_t>(count, 1);
  }

  /// Kinds of data outermost, so that bundles share the problem and its reference.
  void runSizes(Runner &runner, const GivenInputs &given, SizeChoice sizes) {
    combinations.clear();
    const auto readable =
        std::ranges::find_if(bundles, [](const Bundle &bundle) { return bool(bundle.library); });
    if (options.task != Task::Time && readable != bundles.end())
      sizes = runner.affordable(readable->library->versions.front(), std::move(sizes));
    for (const DataKind kind : kinds) {
      sizes.data = kind;
      for (const Bundle &bundle : bundles) {
        if (kind == kinds.front() || !bundle.library ||
            differs(kind, given, bundle.library->versions.front().signature))
          runBundle(runner, bundle, sizes);
      }
    }
    for (const Combination &each : combinations)
      sink(each.record);
  }

  void runBundle(Runner &runner, const Bundle &bundle, const SizeChoice &sizes) {
    if (!bundle.library) {
      tryKind(bundle, "", sizes, [&] { return failed(bundle.library.error()); });
      return;
    }
    if (Status status = runner.checkSources(*bundle.library); !status) {
      tryKind(bundle, "", sizes, [&] { return failed(status.error()); });
      return;
    }
    if (options.allVersions) {
      for (const Manifest *version : bundle.versions())
        runVersion(runner, bundle, *version, sizes);
      return;
    }
    const Result<std::size_t> chosen = runner.versionFor(*bundle.library, sizes);
    if (chosen) {
      runVersion(runner, bundle, bundle.library->versions[*chosen], sizes);
      return;
    }
    tryKind(bundle, "", sizes, [&] {
      Record record = failed(chosen.error());
      runner.describe(bundle.library->versions.front(), sizes, record);
      record.planId.clear(); // of none
      return record;
    });
  }

  void runVersion(Runner &runner, const Bundle &bundle, const Manifest &version,
                  const SizeChoice &sizes) {
    for (const TunableValues &setting : settingsFor(version, options.settings)) {
      std::string key = version.planId;
      for (const auto &[name, value] : setting)
        key += " " + name + "=" + std::to_string(value);
      tryKind(bundle, key, sizes, [&] { return run(runner, bundle, version, sizes, setting); });
    }
  }

  Record run(Runner &runner, const Bundle &bundle, const Manifest &version, const SizeChoice &sizes,
             const TunableValues &setting) const {
    Record record = runner.run(version, sizes, setting);
    if (bundle.library->isSeveral())
      record.version = version.planId;
    return record;
  }

  /// The combination of `key` with one more kind of data, unless that says nothing new.
  template <class Run>
  void tryKind(const Bundle &bundle, const std::string &key, const SizeChoice &sizes,
               const Run &run) {
    announce(bundle);
    const std::string whole = bundle.path + "\n" + key;
    auto known = std::ranges::find(combinations, whole, &Combination::key);
    const bool isNew = known == combinations.end();
    if (!isNew && (isMistake(known->record) || known->seconds > usualSeconds))
      return;
    const Clock clock;
    Record record = named(bundle, run(), sizes);
    if (kinds.size() == 1)
      sink(record);
    else if (isNew)
      combinations.push_back({whole, std::move(record), clock.seconds()});
    else {
      known->seconds += clock.seconds();
      if (!isReferenceAtFault(record))
        known->add(std::move(record));
    }
  }

  /// Cases of one bundle, as long as there is time. Where the reference takes too long, problems as large are left out, and
  /// of small ones those of this kind of data: a loop may not end with it.
  void runCases(Runner &runner, const Bundle &bundle) {
    if (!bundle.library) {
      announce(bundle);
      sink(named(bundle, failed(bundle.library.error()), {}));
      return;
    }
    for (const Manifest *version : bundle.versions()) {
      Forecast forecast;
      Limits limits;
      // Seconds of runs without and with a compilation; each sum has the whole budget.
      double ran = 0, compiled = 0;
      std::size_t runs = 0;
      std::set<TunableValues> tried;
      for (const Case &each : options.cases.cases) {
        announce(bundle);
        const std::uint64_t elements = elementsOf(runner, *version, each.sizes);
        const double expected = forecast.secondsFor(elements);
        const bool isOwed = runs < leastRuns && expected < 1;
        const bool fits = (isOwed || ran + expected <= options.cases.budget) &&
                          (tried.contains(each.setting) || compiled <= options.cases.budget);
        Record record;
        if (!fits || limits.exclude(elements, each.sizes.data)) {
          record = failed(refusal("left out: it would take too long"));
          runner.describe(*version, each.sizes, record);
        } else {
          const Clock own;
          const std::size_t compilations = runner.compilations();
          record = run(runner, bundle, *version, each.sizes, each.setting);
          tried.insert(each.setting);
          const bool isRun = runner.compilations() == compilations;
          (isRun ? ran : compiled) += own.seconds();
          ++runs;
          if (isRun)
            forecast.took(elements, own.seconds());
          limits.learn(record, elements, each.sizes.data);
        }
        sink(named(bundle, std::move(record), each.sizes));
      }
    }
  }

  /// Conditions under which later cases are left out, learnt from failures.
  struct Limits {
    std::uint64_t elements = UINT64_MAX;
    std::set<DataKind> kinds;
    unsigned mistakes = 0;

    bool exclude(std::uint64_t size, DataKind kind) const {
      constexpr unsigned enough = 4; // of them show what is wrong
      return mistakes >= enough || size >= elements || kinds.contains(kind);
    }

    void learn(const Record &record, std::uint64_t size, DataKind kind) {
      constexpr std::uint64_t small = 1024;
      if (isMistake(record) && !isReferenceAtFault(record))
        mistakes += record.ending == Ending::TimedOut ? 4 : 1;
      if (record.ending != Ending::TimedOut || !isReferenceAtFault(record))
        return;
      if (size > small)
        elements = std::min(elements, size);
      else
        kinds.insert(kind);
    }
  };

  static std::uint64_t elementsOf(Runner &runner, const Manifest &manifest,
                                  const SizeChoice &sizes) {
    const Result<Runner::Place> place = runner.placeOf(manifest, sizes);
    return place ? place->problem->elements() : 0;
  }

  void announce(const Bundle &bundle) { progress(done++, total, bundle.label); }

  Record named(const Bundle &bundle, Record record, const SizeChoice &sizes) const {
    callByLabel(bundle, record.reason);
    record.bundle = bundle.label;
    record.data = {sizes.data};
    record.seed = options.seed + sizes.seed;
    return record;
  }

  const SessionOptions &options;
  const Sink &sink;
  const Progress &progress;
  std::vector<DataKind> kinds;
  std::vector<Bundle> bundles;
  std::vector<Combination> combinations; ///< of the sizes that are run
  std::size_t total = 0, done = 0;
};

} // namespace

Status runSession(const SessionOptions &options, const Sink &sink, const Progress &progress) {
  return Session(options, sink, progress).run();
}

int exitStatus(const std::vector<Record> &records) {
  bool usage = false, failed = false, input = false, good = false;
  for (const Record &record : records) {
    good = good || mayBeTimed(record.outcome);
    failed = failed || record.outcome == Outcome::Wrong || record.outcome == Outcome::NotComparable;
    if (record.outcome == Outcome::Failed) {
      usage = usage || record.fault == Fault::Usage;
      input = input || record.fault == Fault::Input;
      failed = failed || record.fault == Fault::Failed;
    }
  }
  if (usage)
    return 2;
  if (failed || (!input && !good))
    return 3;
  return input ? 1 : 0;
}

} // namespace tangram::runtime

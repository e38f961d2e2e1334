#include "runtime/session/session.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::runtime {

namespace {

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

class Session {
public:
  Session(const SessionOptions &options, const Sink &sink, const Progress &progress)
      : options(options), sink(sink), progress(progress) {}

  Status run() {
    for (const std::string &path : options.bundles) {
      Bundle &bundle = bundles.emplace_back(Bundle{path, path, readLibrary(path)});
      if (bundle.library && options.temporary)
        bundle.label = bundle.library->versions.front().planId;
      total += combinationsOf(bundle) * options.sizes.size();
    }
    if (Status status = checkSettings(bundles, options.settings); !status)
      return status;
    if (!options.outputs.empty() && total != 1)
      return usageError("--output: expected one bundle, size and setting of tunables, found " +
                        std::to_string(total) + " combinations");
    Result<GivenInputs> given = readInputs(options.inputs);
    if (!given)
      return given.error();
    Runner runner(options, *given);
    for (const SizeChoice &sizes : options.sizes) {
      for (const Bundle &bundle : bundles)
        runBundle(runner, bundle, sizes);
    }
    return ok();
  }

private:
  /// At one size; of several plans of which one is chosen later, as many as the first has.
  std::size_t combinationsOf(const Bundle &bundle) const {
    std::size_t count = 0;
    for (const Manifest *version : bundle.versions()) {
      if (count == 0 || options.allVersions)
        count += settingsFor(*version, options.settings).size();
    }
    return std::max<std::size_t>(count, 1);
  }

  void runBundle(Runner &runner, const Bundle &bundle, const SizeChoice &sizes) {
    if (!bundle.library) {
      announce(bundle);
      take(bundle, failed(bundle.library.error()));
      return;
    }
    if (Status status = runner.checkSources(*bundle.library); !status) {
      announce(bundle);
      take(bundle, failed(status.error()));
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
    announce(bundle);
    Record record = failed(chosen.error());
    runner.describe(bundle.library->versions.front(), sizes, record);
    record.planId.clear(); // of none
    take(bundle, std::move(record));
  }

  void runVersion(Runner &runner, const Bundle &bundle, const Manifest &version,
                  const SizeChoice &sizes) {
    for (const TunableValues &setting : settingsFor(version, options.settings)) {
      announce(bundle);
      Record record = runner.run(version, sizes, setting);
      if (bundle.library->isSeveral())
        record.version = version.planId;
      take(bundle, std::move(record));
    }
  }

  void announce(const Bundle &bundle) { progress(done++, total, bundle.label); }

  void take(const Bundle &bundle, Record record) {
    callByLabel(bundle, record.reason);
    record.bundle = bundle.label;
    sink(record);
  }

  const SessionOptions &options;
  const Sink &sink;
  const Progress &progress;
  std::vector<Bundle> bundles;
  std::size_t total = 0, done = 0;
};

} // namespace

Status runSession(const SessionOptions &options, const Sink &sink, const Progress &progress) {
  return Session(options, sink, progress).run();
}

int exitStatus(const std::vector<Record> &records) {
  bool usage = false, failed = false, input = false, good = false;
  for (const Record &record : records) {
    good = good || record.outcome == Outcome::Verified || record.outcome == Outcome::Timed;
    failed = failed || record.outcome == Outcome::Wrong;
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

#include "runtime/session/session.h"

#include <algorithm>
#include <set>

namespace tangram::runtime {

namespace {

/// A bundle of the command line, read or not.
struct Bundle {
  std::string path;
  std::string label; ///< what messages call it
  Result<Manifest> manifest;
  std::vector<TunableValues> settings; ///< those that concern it, each once
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
    if (!bundle.manifest)
      continue;
    some = &*bundle.manifest;
    for (const Tunable &t : some->tunables)
      known.insert(t.name);
    for (const TunableValues &setting : bundle.settings) {
      if (Status status = checkFixed(*some, setting); !status)
        return usageError(bundle.label + ": " + status.error().message);
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

/// One combination.
Record recordOf(Runner &runner, const Bundle &bundle, const SizeChoice &sizes,
                const TunableValues &fixed) {
  Record record;
  if (bundle.manifest) {
    record = runner.run(*bundle.manifest, sizes, fixed);
    callByLabel(bundle, record.reason);
  } else {
    record.fault = bundle.manifest.error().fault;
    record.reason = bundle.manifest.error().message;
  }
  record.bundle = bundle.label;
  return record;
}

} // namespace

Status runSession(const SessionOptions &options, const Sink &sink, const Progress &progress) {
  std::vector<Bundle> bundles;
  std::size_t total = 0;
  for (const std::string &path : options.bundles) {
    Bundle &bundle =
        bundles.emplace_back(Bundle{path, path, readManifest(path), {TunableValues{}}});
    if (bundle.manifest) {
      bundle.settings = settingsFor(*bundle.manifest, options.settings);
      if (options.temporary)
        bundle.label = bundle.manifest->planId;
    }
    total += bundle.settings.size() * options.sizes.size();
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
  std::size_t done = 0;
  for (const SizeChoice &sizes : options.sizes) {
    for (const Bundle &bundle : bundles) {
      for (const TunableValues &setting : bundle.settings) {
        progress(done++, total, bundle.label);
        sink(recordOf(runner, bundle, sizes, setting));
      }
    }
  }
  return ok();
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

#include "runtime/session/session.h"

#include "runtime/data/npy.h"
#include "runtime/opencl/opencl_worker.h"
#include "runtime/openmp/openmp_backend.h"
#include "runtime/session/problem_cache.h"

#include <algorithm>
#include <set>

namespace tangram::runtime {

std::string name(Outcome outcome) {
  switch (outcome) {
  case Outcome::Verified:
    return "verified";
  case Outcome::Timed:
    return "timed";
  case Outcome::Wrong:
    return "wrong";
  case Outcome::Refused:
    return "refused";
  case Outcome::Failed:
    return "failed";
  }
  return "failed";
}

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

class Session {
public:
  Session(const SessionOptions &options, const GivenInputs &given)
      : options(options), openmp(makeOpenMPBackend(compiler, options.timeLimit)),
        problems(given, options.seed, compiler, options.timeLimit) {}

  Record run(const Bundle &bundle, const SizeChoice &sizes, const TunableValues &fixed) {
    Record record;
    record.bundle = bundle.label;
    if (!bundle.manifest) {
      fail(record, bundle.manifest.error());
      return record;
    }
    const Manifest &m = *bundle.manifest;
    record.spectrum = m.spectrum;
    record.target = runtime::name(m.target);
    record.model = m.model;
    record.planId = m.planId;
    // The runtime's own allocations are guarded where they may be large; what is left is ours to
    // turn into a value too.
    try {
      if (Status status = runOn(m, sizes, fixed, record); !status)
        fail(record, status.error());
    } catch (const std::bad_alloc &) {
      fail(record, refusal("the values of this problem do not fit in memory"));
    }
    callByLabel(bundle, record.reason);
    return record;
  }

private:
  /// Reasons name files of the bundle; so do the compilers they quote.
  static void callByLabel(const Bundle &bundle, std::string &reason) {
    if (bundle.path.empty() || bundle.label == bundle.path)
      return;
    for (std::size_t at = reason.find(bundle.path); at != std::string::npos;
         at = reason.find(bundle.path, at + bundle.label.size()))
      reason.replace(at, bundle.path.size(), bundle.label);
  }

  static void fail(Record &record, const Error &error) {
    record.outcome = error.fault == Fault::Refused ? Outcome::Refused : Outcome::Failed;
    record.fault = error.fault;
    record.reason = error.message;
    record.timing.reset();
  }

  Result<Backend *> backendFor(const Manifest &manifest) {
    if (manifest.target == Target::OpenMP)
      return openmp.get();
    // Oclgrind writes its log anew in every process.
    if (!opencl)
      opencl.emplace(options.memoryChecker
                         ? openOpenCLBackend(options.device)
                         : makeOpenCLWorkerBackend(options.device, options.timeLimit));
    if (!*opencl)
      return opencl->error();
    return (*opencl)->get();
  }

  Status runOn(const Manifest &m, const SizeChoice &sizes, const TunableValues &fixed,
               Record &record) {
    Result<Backend *> backend = backendFor(m);
    if (!backend)
      return backend.error();
    record.device = (*backend)->device();
    Result<const Problem *> problem = problems.problem(m.signature, sizes);
    if (!problem)
      return problem.error();
    record.extents = (*problem)->extents;
    Bindings bindings = (*problem)->bindings();
    (*backend)->facts().bind(bindings);
    Result<TunableValues> tunables =
        chooseTunables(m, bindings, requirementsOf(m, (*backend)->facts()), fixed);
    if (!tunables)
      return tunables.error();
    record.tunables = *tunables;
    // Only now: what is too large for the device need not be made first.
    if (Status status = problems.fill(); !status)
      return status;
    bindings.values.insert(tunables->begin(), tunables->end());
    if (Status status = readTraffic(m, bindings, record); !status)
      return status;
    Result<std::unique_ptr<Execution>> execution =
        (*backend)->prepare(m, **problem, *tunables, bindings);
    if (!execution)
      return execution.error();
    Status status = execute(m, **problem, bindings, **execution, record);
    if (!status || record.outcome == Outcome::Wrong)
      (*execution)->distrust();
    if (options.memoryChecker)
      kept.push_back(std::move(*execution));
    return status;
  }

  static Status readTraffic(const Manifest &m, const Bindings &bindings, Record &record) {
    record.bytesDependOnData = m.bytesDependOnData();
    if (record.bytesDependOnData)
      return ok();
    for (const Expression *bytes : {&m.bytesRead, &m.bytesWritten}) {
      Result<std::uint64_t> value = bytes->evaluate(bindings);
      if (!value)
        return refusal("traffic: " + value.error().message);
      record.bytes += *value;
    }
    return ok();
  }

  Status execute(const Manifest &m, const Problem &problem, const Bindings &bindings,
                 Execution &execution, Record &record) {
    record.outcome = Outcome::Timed;
    if (options.task != Task::Time) {
      if (Status status = verify(m, problem, bindings, execution, record); !status)
        return status;
    }
    if (options.task == Task::Verify || record.outcome == Outcome::Wrong)
      return ok();
    Result<Timing> timing = measure(execution, options.timing);
    if (!timing)
      return timing.error();
    record.timing = *timing;
    if (options.task == Task::Time)
      return saveOutputs(problem, execution);
    return ok();
  }

  Status verify(const Manifest &m, const Problem &problem, const Bindings &bindings,
                Execution &execution, Record &record) {
    std::map<std::string, std::uint64_t> definitions;
    for (const Tunable &t : m.tunables) {
      if (t.compileTime)
        definitions[t.name] = record.tunables.at(t.name);
    }
    Result<const ReferenceValues *> reference = problems.reference(m, definitions);
    if (!reference)
      return reference.error();
    std::uint64_t depth = 0;
    if (m.roundingDepth) {
      Bindings counted = bindings;
      counted.values[referenceRoundings] = (*reference)->roundings;
      Result<std::uint64_t> value = m.roundingDepth->evaluate(counted);
      if (!value)
        return refusal("rounding depth: " + value.error().message);
      depth = *value;
    }
    if (Status status = execution.reset(!options.memoryChecker); !status)
      return status;
    if (Result<double> elapsed = execution.run(); !elapsed)
      return elapsed.error();
    return judge(problem, execution, **reference, depth, record);
  }

  Status judge(const Problem &problem, Execution &execution, const ReferenceValues &reference,
               std::uint64_t depth, Record &record) {
    Result<std::vector<Output>> described = outputsOf(problem);
    Result<std::vector<HostMemory>> got = execution.outputs();
    if (!described || !got)
      return described ? got.error() : described.error();
    if (Status status = save(*described, *got); !status)
      return status;
    Result<std::vector<Mismatch>> wrong = compareOutputs(*described, *got, reference, depth);
    if (!wrong)
      return wrong.error();
    record.outcome = wrong->empty() ? Outcome::Verified : Outcome::Wrong;
    record.reason = text(*wrong);
    return ok();
  }

  Status saveOutputs(const Problem &problem, Execution &execution) {
    if (options.outputs.empty())
      return ok();
    Result<std::vector<Output>> described = outputsOf(problem);
    Result<std::vector<HostMemory>> got = execution.outputs();
    if (!described || !got)
      return described ? got.error() : described.error();
    return save(*described, *got);
  }

  Status save(const std::vector<Output> &described, const std::vector<HostMemory> &values) {
    for (const auto &[wanted, file] : options.outputs) {
      auto found = std::find_if(described.begin(), described.end(),
                                [&](const Output &o) { return o.name == wanted; });
      if (found == described.end()) {
        std::string list;
        for (const Output &o : described)
          list += (list.empty() ? "" : ", ") + o.name;
        return usageError("--output " + wanted + ": expected an output (" + list + ")");
      }
      const HostMemory &value = values[static_cast<std::size_t>(found - described.begin())];
      HostArray array{found->element, found->shape, HostMemory(value.bytes())};
      std::memcpy(array.memory.data(), value.data(), value.bytes());
      if (Status status = writeNpy(file, array); !status)
        return status;
    }
    return ok();
  }

  const SessionOptions &options;
  Compiler compiler;
  std::unique_ptr<Backend> openmp;
  std::optional<Result<std::unique_ptr<Backend>>> opencl;
  ProblemCache problems;
  /// Executions whose buffers a memory checker must not see released.
  std::vector<std::unique_ptr<Execution>> kept;
};

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
  Session session(options, *given);
  std::size_t done = 0;
  for (const SizeChoice &sizes : options.sizes) {
    for (const Bundle &bundle : bundles) {
      for (const TunableValues &setting : bundle.settings) {
        progress(done++, total, bundle.label);
        sink(session.run(bundle, sizes, setting));
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

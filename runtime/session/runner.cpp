#include "runtime/session/runner.h"

#include "runtime/data/compare.h"
#include "runtime/data/moved_inputs.h"
#include "runtime/data/npy.h"
#include "runtime/session/backends.h"
#include "runtime/session/forecast.h"
#include "runtime/session/judged_case.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace tangram::runtime {

std::string name(Outcome outcome) {
  switch (outcome) {
  case Outcome::Verified:
    return "verified";
  case Outcome::Timed:
    return "timed";
  case Outcome::Wrong:
    return "wrong";
  case Outcome::Inaccurate:
    return "inaccurate";
  case Outcome::NotComparable:
    return "not comparable";
  case Outcome::Refused:
    return "refused";
  case Outcome::Failed:
    return "failed";
  }
  return "failed";
}

bool mayBeTimed(Outcome outcome) {
  return outcome == Outcome::Verified || outcome == Outcome::Inaccurate ||
         outcome == Outcome::Timed;
}

namespace {

/// Workers of verified bundles and references.
constexpr std::size_t mostWaiting = 160;

void fail(Record &record, const Error &error) {
  record.outcome = error.fault == Fault::Refused ? Outcome::Refused : Outcome::Failed;
  record.fault = error.fault;
  record.ending = error.ending;
  record.reason = error.message;
  record.timing.reset();
}

void nameBundle(const Manifest &m, Record &record) {
  record.spectrum = m.spectrum;
  record.target = runtime::name(m.target);
  record.model = m.model;
  record.planId = m.planId;
}

Status readTraffic(const Manifest &m, const Bindings &bindings, Record &record) {
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

/// Bounds of default extents: those at which the reference is timed first, and those to choose from if it would take too long.
constexpr std::array<std::uint64_t, 9> triedExtents{16,   64,    256,   512,   1024,
                                                    4096, 16384, 65536, 262144};
constexpr std::array<std::uint64_t, 9> smallerExtents{250007, 62501, 15629, 3907, 977,
                                                      499,    251,   127,   61};

/// The most seconds that the reference may take at default sizes. `verify` allows less, as it also runs the reference in wider
/// numbers, which software computes if they are wider than double; the other commands time at sizes as large as the limit allows.
double longestReference(const RunnerOptions &options, const Manifest &manifest) {
  if (options.task != Task::Verify)
    return options.referenceTimeLimit / 8;
  const bool hasDoubles =
      std::ranges::any_of(manifest.signature.parameters,
                          [](const Parameter &p) { return p.element == ir::Scalar::F64; });
  return std::min(hasDoubles ? 0.2 : 1, options.referenceTimeLimit / 8);
}

std::map<std::string, std::uint64_t> compileTimeDefinitions(const Manifest &m,
                                                            const TunableValues &tunables) {
  std::map<std::string, std::uint64_t> definitions;
  for (const Tunable &t : m.tunables) {
    if (t.compileTime)
      definitions[t.name] = tunables.at(t.name);
  }
  return definitions;
}

} // namespace

Runner::Runner(const RunnerOptions &options, const GivenInputs &given)
    : options(options),
      compiler(std::max(options.timeLimit, Compiler::leastSeconds), ObjectFolder(options.objects)),
      bench(options.task == Task::Verify && !options.ownProcesses ? mostWaiting : 0),
      sources(compiler.words(), ObjectFolder(options.objects)),
      problems(given, options.seed, {compiler, bench, options.referenceTimeLimit}) {}

Record Runner::run(const Manifest &m, const SizeChoice &sizes, const TunableValues &fixed,
                   const TimingOptions &timing) {
  Record record;
  nameBundle(m, record);
  // The runtime's own allocations are guarded where they may be large; what is left is ours to
  // turn into a value too.
  try {
    if (Status status = runOn(m, sizes, fixed, timing, record); !status)
      fail(record, status.error());
  } catch (const std::bad_alloc &) {
    fail(record, refusal("the values of this problem do not fit in memory"));
  }
  return record;
}

Result<Backend *> Runner::backendFor(const Manifest &manifest) {
  auto found = backends.find(manifest.target);
  if (found == backends.end())
    found = backends
                .emplace(manifest.target,
                         openBackend(manifest.target, {compiler, bench, options.device,
                                                       options.timeLimit, options.memoryChecker}))
                .first;
  if (!found->second)
    return found->second.error();
  return found->second->get();
}

Result<Runner::Place> Runner::placeOf(const Manifest &manifest, const SizeChoice &sizes) {
  Result<Backend *> backend = backendFor(manifest);
  if (!backend)
    return backend.error();
  Result<const Problem *> problem = problems.problem(manifest.signature, sizes);
  if (!problem)
    return problem.error();
  return Place{*backend, *problem};
}

void Runner::describe(const Manifest &manifest, const SizeChoice &sizes, Record &record) {
  nameBundle(manifest, record);
  const Result<Place> place = placeOf(manifest, sizes);
  if (!place)
    return;
  record.device = place->backend->device();
  record.extents = place->problem->extents;
}

SizeChoice Runner::affordable(const Manifest &manifest, SizeChoice sizes) {
  if (sizes.all)
    return sizes;
  const std::uint64_t whole = elementsAt(manifest, sizes);
  const auto bounded = [&](std::uint64_t most) {
    SizeChoice smaller = sizes;
    smaller.most = most;
    return smaller;
  };
  const double longest = longestReference(options, manifest);
  Forecast forecast;
  double start =
      0; // seconds to start a process, from the second trial: the first one waits for the compiler
  for (const std::uint64_t most : triedExtents) {
    const std::uint64_t elements = elementsAt(manifest, bounded(most));
    if (elements == 0)
      continue; // no such sizes
    if (elements >= whole || forecast.secondsFor(elements) > longest)
      break;
    const Result<double> once = secondsOfReference(manifest, bounded(most));
    if (!once)
      return sizes; // the run says what is wrong
    // Of two times the shorter one: in the other one other processes may have been in the way.
    constexpr double timedTwice = 0.1;
    const Result<double> twice =
        *once < timedTwice ? secondsOfReference(manifest, bounded(most)) : once;
    const double seconds = twice ? std::min(*once, *twice) : *once;
    constexpr double noise = 0.005;
    if (most <= triedExtents[1])
      start = seconds;
    else if (seconds > 2 * start + noise)
      forecast.took(elements, seconds - start);
  }
  if (forecast.secondsFor(whole) <= longest)
    return sizes;
  for (const std::uint64_t most : smallerExtents) {
    const std::uint64_t elements = elementsAt(manifest, bounded(most));
    if (elements == 0)
      continue;
    sizes.most = most;
    if (forecast.secondsFor(elements) <= longest)
      break;
  }
  return sizes;
}

std::uint64_t Runner::elementsAt(const Manifest &manifest, const SizeChoice &sizes) {
  const Result<const Problem *> problem = problems.problem(manifest.signature, sizes);
  return problem ? (*problem)->elements() : 0;
}

Result<double> Runner::secondsOfReference(const Manifest &manifest, const SizeChoice &sizes) {
  const Result<Place> place = placeOf(manifest, sizes);
  if (!place)
    return place.error();
  Bindings bindings = place->problem->bindings();
  place->backend->facts().bind(bindings);
  const Result<TunableValues> tunables = tunablesFor(manifest, *place, bindings, {});
  if (!tunables)
    return tunables.error();
  if (Status status = problems.fill(); !status)
    return status.error();
  const auto begin = std::chrono::steady_clock::now();
  const Result<SharedValues> values =
      problems.reference(manifest, compileTimeDefinitions(manifest, *tunables));
  if (!values)
    return values.error();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Status Runner::checkSources(const Library &library) {
  return options.task == Task::Time ? ok() : sources.check(library);
}

Result<std::size_t> Runner::versionFor(const Library &library, const SizeChoice &sizes) {
  if (!library.isSeveral())
    return std::size_t{0};
  Result<Place> place = placeOf(library.versions.front(), sizes);
  if (!place)
    return place.error();
  Bindings bindings = place->problem->bindings();
  place->backend->facts().bind(bindings);
  return library.versionFor(bindings, place->backend->facts());
}

Result<TunableValues> Runner::tunablesFor(const Manifest &m, const Place &place,
                                          const Bindings &bindings,
                                          const TunableValues &fixed) const {
  const std::vector<Requirement> requirements = requirementsOf(m, place.backend->facts());
  if (options.suggest) {
    TunableValues suggested = options.suggest(m, *place.problem, *place.backend);
    for (const auto &[name, value] : fixed)
      suggested[name] = value;
    if (checkFixed(m, suggested)) {
      if (Result<TunableValues> chosen = chooseTunables(m, bindings, requirements, suggested))
        return chosen;
    }
  }
  return chooseTunables(m, bindings, requirements, fixed);
}

Status Runner::runOn(const Manifest &m, const SizeChoice &sizes, const TunableValues &fixed,
                     const TimingOptions &timing, Record &record) {
  Result<Backend *> backend = backendFor(m);
  if (!backend)
    return backend.error();
  record.device = (*backend)->device();
  Result<Place> place = placeOf(m, sizes);
  if (!place)
    return place.error();
  const Problem &problem = *place->problem;
  record.extents = problem.extents;
  Bindings bindings = problem.bindings();
  (*backend)->facts().bind(bindings);
  Result<TunableValues> tunables = tunablesFor(m, *place, bindings, fixed);
  if (!tunables)
    return tunables.error();
  record.tunables = *tunables;
  // Only now: what is too large for the device need not be made first.
  if (Status status = problems.fill(); !status)
    return status;
  if (Status status = options.task == Task::Time ? ok() : sources.check(m); !status)
    return status;
  bindings.values.insert(tunables->begin(), tunables->end());
  if (Status status = readTraffic(m, bindings, record); !status)
    return status;
  Result<MemoryNeeds> memory = memoryOf(m, bindings);
  if (!memory)
    return memory.error();
  for (;;) {
    Result<std::unique_ptr<Execution>> execution =
        (*backend)->prepare(m, problem, *tunables, bindings);
    if (!execution)
      return execution.error();
    Status status = execute(m, problem, bindings, timing, **execution, record);
    if (record.timing)
      record.memory = *memory;
    const bool isBad = !status || record.outcome == Outcome::Wrong;
    if (isBad || options.ownProcesses)
      (*execution)->distrust();
    if (isBad && (*execution)->isOthersFault(status ? Error() : status.error()))
      continue;
    if (options.memoryChecker)
      kept.push_back(std::move(*execution));
    return status;
  }
}

Status Runner::execute(const Manifest &m, const Problem &problem, const Bindings &bindings,
                       const TimingOptions &timing, Execution &execution, Record &record) {
  record.outcome = Outcome::Timed;
  if (options.task != Task::Time) {
    if (Status status = verify(m, problem, bindings, execution, record); !status)
      return status;
  }
  if (options.task == Task::Verify || !mayBeTimed(record.outcome))
    return ok();
  Result<Timing> measured = measure(execution, timing);
  if (!measured)
    return measured.error();
  record.timing = *measured;
  if (options.task == Task::Time)
    return saveOutputs(problem, execution);
  return ok();
}

Status Runner::verify(const Manifest &m, const Problem &problem, const Bindings &bindings,
                      Execution &execution, Record &record) {
  Result<SharedValues> reference =
      problems.reference(m, compileTimeDefinitions(m, record.tunables));
  if (!reference)
    return reference.error();
  if (Status status = execution.reset(!options.memoryChecker); !status)
    return status;
  if (Result<double> elapsed = execution.run(); !elapsed)
    return elapsed.error();
  Result<Values> got = execution.outputs();
  if (!got)
    return got.error();
  return judge(m, problem, bindings, std::make_shared<const Values>(std::move(*got)), *reference,
               record);
}

Status Runner::judge(const Manifest &m, const Problem &problem, const Bindings &bindings,
                     SharedValues results, SharedValues reference, Record &record) {
  Result<JudgedCase> asked = caseOf(m, problem, bindings);
  if (!asked)
    return asked.error();
  if (Status status = save(asked->outputs, *results); !status)
    return status;
  Verification found = compareBits(*asked, *results, *reference);
  const bool isExact = !usesFloatingPoint(m);
  if (isExact && !found.bitForBit) {
    found.verdict = Verification::Verdict::Wrong;
    found.reason = text(compareExactly(asked->outputs, *results, *reference));
  } else if (!isExact && found.verdict == Verification::Verdict::Right &&
             (!found.bitForBit || options.verifyWidened)) {
    Result<Verification> wide = judgeWide(*asked, m, problem, results, record);
    if (wide) {
      found = *wide;
    } else {
      found.verdict = Verification::Verdict::NotComparable;
      found.reason = "it cannot be compared in wider numbers: " + wide.error().message;
    }
  }
  record.outcome = outcomeOf(found.verdict);
  record.reason = found.reason;
  record.verification = std::move(found);
  return ok();
}

Result<Verification> Runner::judgeWide(const JudgedCase &asked, const Manifest &m,
                                       const Problem &problem, SharedValues results,
                                       Record &record) {
  Result<Manifest> wide = wideManifestOf(m);
  if (!wide)
    return wide.error();
  Result<Backend *> wideBackend = backendFor(*wide);
  if (!wideBackend)
    return wideBackend.error();
  JudgedCase both = asked;
  addWideTypes(*wide, both);
  PlanRuns runs({m, *wide, problem, record.tunables, **wideBackend, std::move(results)}, problems,
                options.memoryChecker);
  Result<Verification> found = runtime::judge(both, runs);
  for (PlanRuns::Kept &each : runs.kept)
    keptWithProblems.push_back(std::move(each));
  return found;
}

Status Runner::saveOutputs(const Problem &problem, Execution &execution) {
  if (options.outputs.empty())
    return ok();
  Result<std::vector<Output>> described = outputsOf(problem);
  Result<std::vector<HostMemory>> got = execution.outputs();
  if (!described || !got)
    return described ? got.error() : described.error();
  return save(*described, *got);
}

Status Runner::save(const std::vector<Output> &described, const std::vector<HostMemory> &values) {
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

} // namespace tangram::runtime

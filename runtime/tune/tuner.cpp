#include "runtime/tune/tuner.h"

#include "runtime/session/report.h"
#include "runtime/tune/bundle_set.h"
#include "runtime/tune/comparison.h"
#include "runtime/tune/tuning_case.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

namespace tangram::runtime {

namespace {

/// Plans that take part in the last comparison.
constexpr std::size_t finalists = 3;
/// Settings of each of them, beside the default: what seemed second may have been unlucky.
constexpr std::size_t contenders = 2;
/// Nothing that takes so much longer than the best, and so many seconds, is run a second time.
constexpr double hopeless = 10;
constexpr double hopelessSeconds = 0.02;
/// How often a setting is measured again whose times other work has disturbed.
constexpr unsigned disturbedAgain = 2;
/// Where none of so many settings could run, none will.
constexpr std::size_t manyFailures = 24;

using Clock = std::chrono::steady_clock;

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

Verdict verdictOf(const Record &record) {
  switch (record.outcome) {
  case Outcome::Verified:
  case Outcome::Inaccurate:
  case Outcome::Timed:
    return Verdict::Measured;
  case Outcome::NotComparable:
    return Verdict::NotComparable;
  case Outcome::Wrong:
    return Verdict::Wrong;
  case Outcome::Refused:
    return Verdict::Refused;
  case Outcome::Failed:
    break;
  }
  return record.ending == Ending::Crashed    ? Verdict::Crashed
         : record.ending == Ending::TimedOut ? Verdict::TimedOut
                                             : Verdict::Failed;
}

TuningTimes timesOf(const Timing &timing) {
  return {timing.median, timing.lowerQuartile, timing.upperQuartile, timing.min, timing.repeat};
}

/// A bundle that can be tried at one choice of sizes. Requirements and space refer to the manifest.
struct Candidate {
  const Manifest *manifest = nullptr;
  TunedPlan *plan = nullptr;
  std::vector<Requirement> requirements;
  std::optional<TunableSpace> space;
  std::map<TunableValues, Measurement> known; ///< from the store and from this run
  std::set<TunableValues> tried, run;         ///< in this run; those not taken from the store

  /// The fastest settings that can be taken, at most so many, also of those measured another time.
  std::vector<const Measurement *> fastest(std::size_t most) const {
    std::vector<const Measurement *> all;
    for (const auto &[values, m] : known) {
      if (m.verdict == Verdict::Measured && space->allows(values))
        all.push_back(&m);
    }
    std::stable_sort(all.begin(), all.end(), [](const Measurement *a, const Measurement *b) {
      return a->times.median < b->times.median;
    });
    all.resize(std::min(all.size(), most));
    return all;
  }

  /// The measurement of a setting that was right; null when there is none.
  const Measurement *right(const TunableValues &values) const {
    auto found = known.find(values);
    return found != known.end() && found->second.verdict == Verdict::Measured ? &found->second
                                                                              : nullptr;
  }
};

std::optional<TunedPlan::Timed> timedOf(const Measurement *m) {
  return m ? std::optional(TunedPlan::Timed{m->tunables, m->times}) : std::nullopt;
}

/// One of those that are compared at the end.
struct Participant {
  Candidate *candidate;
  TunableValues values;
};

class Tuner {
public:
  Tuner(const TuneOptions &options, Store &store, Runner &runner,
        const std::function<void(const TuneProgress &)> &progress, const std::string &inputs)
      : options(options), store(store), runner(runner), progress(progress), inputs(inputs),
        start(Clock::now()) {}

  Result<TuneReport> run(const std::vector<const Manifest *> &manifests, const SizeChoice &sizes) {
    theSizes = &sizes;
    report.spectrum = manifests.front()->spectrum;
    report.plans.resize(manifests.size());
    for (std::size_t i = 0; i < manifests.size(); ++i) {
      if (Status status = add(*manifests[i], report.plans[i]); !status)
        return status.error();
    }
    if (!candidates.empty()) {
      if (Status status = searchAndCompare(); !status)
        return status.error();
    }
    return std::move(report);
  }

private:
  /// Prepare a bundle; one that cannot serve these sizes or this machine says why in its report.
  Status add(const Manifest &manifest, TunedPlan &plan) {
    plan.bundle = manifest.folder.string();
    plan.of.spectrum = manifest.spectrum;
    plan.of.plan = manifest.planId;
    plan.of.target = name(manifest.target);
    Result<Runner::Place> place = runner.placeOf(manifest, *theSizes);
    if (!place) {
      if (place.error().fault == Fault::Usage || place.error().fault == Fault::Input)
        return place.error();
      plan.refusal = place.error().message;
      return ok();
    }
    Result<TuningCase> of = tuningCaseOf(manifest, *place, inputs, options.runner.timing.caches);
    if (!of)
      return of.error();
    plan.of = *of;
    report.extents = place->problem->extents;
    auto candidate = std::make_unique<Candidate>();
    candidate->manifest = &manifest;
    candidate->plan = &plan;
    candidate->requirements = requirementsOf(manifest, place->backend->facts());
    Bindings bindings = place->problem->bindings();
    place->backend->facts().bind(bindings);
    const TunableValues fixed = fixedOf(manifest);
    Result<TunableValues> standard =
        chooseTunables(manifest, bindings, candidate->requirements, fixed);
    if (!standard) {
      plan.refusal = standard.error().message;
      return ok();
    }
    candidate->space.emplace(manifest, candidate->requirements, bindings, *standard, fixed);
    plan.settings = candidate->space->count(mostCounted);
    if (!options.fromNothing) {
      Result<std::vector<Measurement>> known = store.measurementsOf(plan.of);
      if (!known)
        return known.error();
      for (Measurement &m : *known) {
        noteFastest(m);
        candidate->known[m.tunables] = std::move(m);
      }
    }
    candidates.push_back(std::move(candidate));
    return ok();
  }

  TunableValues fixedOf(const Manifest &manifest) const {
    TunableValues own;
    for (const auto &[name, value] : options.fixed) {
      if (manifest.tunable(name))
        own[name] = value;
    }
    return own;
  }

  Status searchAndCompare() {
    std::vector<const TunableSpace *> spaces;
    for (const auto &candidate : candidates)
      spaces.push_back(&*candidate->space);
    shown.total = countAll(spaces, options.search.exhaustive ? mostCounted : options.search.budget);
    const SearchResult found = searchPlans(
        spaces, options.search,
        [&](std::size_t i, const TunableValues &values, std::size_t repeat) {
          return measured(*candidates[i], values, repeat);
        },
        [&] { return isEnough(); });
    report.exhaustive = found.exhaustive;
    if (!broken)
      compareTheBest(found);
    for (const auto &candidate : candidates)
      describe(*candidate);
    return broken ? Status(*broken) : ok();
  }

  bool isEnough() const {
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    return broken || (options.seconds > 0 && elapsed.count() >= options.seconds) ||
           (!shown.best && failures >= std::max(manyFailures, candidates.size()));
  }

  /// Seconds of a setting, from the store or by running it.
  std::optional<double> measured(Candidate &candidate, const TunableValues &values,
                                 std::size_t repeat) {
    show(candidate, values);
    auto known = candidate.known.find(values);
    if (known == candidate.known.end() || !suffices(known->second, repeat))
      runUntilCalm(candidate, values, repeat);
    if (broken)
      return std::nullopt;
    if (candidate.tried.insert(values).second && !candidate.run.contains(values))
      ++candidate.plan->reused;
    ++shown.done;
    const Measurement *m = candidate.right(values);
    failures += m ? 0 : 1;
    if (!m)
      return std::nullopt;
    shown.best = std::min(shown.best.value_or(m->times.median), m->times.median);
    if (&candidate == candidates.front().get() && values == candidate.space->standard())
      shown.standard = m->times.median;
    return m->times.median;
  }

  void show(const Candidate &candidate, const TunableValues &values) {
    shown.plan = candidate.plan->of.plan;
    shown.tunables = values;
    progress(shown);
  }

  void noteFastest(const Measurement &m) {
    if (m.verdict == Verdict::Measured)
      fastest = std::min(fastest.value_or(m.times.median), m.times.median);
  }

  /// What takes far longer than the best need not be known better: now, and whenever this goes on.
  double hopelessFrom() const {
    return fastest ? std::max(hopeless * *fastest, *fastest + hopelessSeconds) : 0;
  }

  bool suffices(const Measurement &m, std::size_t repeat) const {
    return m.verdict != Verdict::Measured || m.times.repeat >= repeat ||
           (fastest && m.times.median > hopelessFrom());
  }

  /// Verify and time a setting; the store has it when this returns. Its runs, when it was right.
  std::optional<std::vector<double>> runOnce(Candidate &candidate, const TunableValues &values,
                                             std::size_t repeat) {
    TimingOptions timing = options.runner.timing;
    timing.repeat = repeat;
    timing.enough = hopelessFrom();
    const Record record = runner.run(*candidate.manifest, *theSizes, values, timing);
    if (record.outcome == Outcome::Failed && record.fault != Fault::Failed) {
      broken = Error{record.fault, candidate.plan->bundle + ": " + record.reason};
      return std::nullopt;
    }
    Measurement m{candidate.plan->of,
                  values,
                  values == candidate.space->standard(),
                  verdictOf(record),
                  firstLine(record.reason),
                  {},
                  0};
    if (record.timing)
      m.times = timesOf(*record.timing);
    if (m.verdict == Verdict::Wrong && candidate.plan->wrong.empty())
      candidate.plan->wrong = assignmentsText(values) + ": " + m.reason;
    if (m.verdict == Verdict::NotComparable && candidate.plan->notComparable.empty())
      candidate.plan->notComparable = assignmentsText(values) + ": " + m.reason;
    keep(candidate, m);
    candidate.run.insert(values);
    return m.verdict == Verdict::Measured ? std::optional(record.timing->runs) : std::nullopt;
  }

  /// Times that other work has disturbed are neither believed nor a reason to drop the setting: it is measured again, a few
  /// times at most, and the least disturbed times count.
  void runUntilCalm(Candidate &candidate, const TunableValues &values, std::size_t repeat) {
    runOnce(candidate, values, repeat);
    for (unsigned again = 0; again < disturbedAgain && !broken; ++again) {
      const Measurement *last = candidate.right(values);
      if (!last || !areDisturbed(last->times.median, last->times.min, last->times.repeat))
        return;
      const Measurement before = *last;
      ++report.disturbed;
      if (runOnce(candidate, values, repeat) &&
          candidate.right(values)->times.median > before.times.median)
        keep(candidate, before);
    }
  }

  void keep(Candidate &candidate, const Measurement &m) {
    candidate.known[m.tunables] = m;
    noteFastest(m);
    if (Status status = store.put(m); !status)
      broken = status.error();
  }

  void describe(Candidate &candidate) {
    TunedPlan &plan = *candidate.plan;
    for (const TunableValues &values : candidate.tried) {
      const Measurement &m = candidate.known.at(values);
      ++plan.verdicts[m.verdict];
      plan.inaccurate += m.verdict == Verdict::Measured && !m.reason.empty() ? 1 : 0;
    }
    plan.standard = timedOf(candidate.right(candidate.space->standard()));
    // The last comparison may have measured it again.
    const Measurement *best = plan.best ? candidate.right(plan.best->tunables) : nullptr;
    if (plan.best)
      plan.best = timedOf(best);
    plan.inaccuracy = best ? best->reason : "";
  }

  // The end of it.

  void compareTheBest(const SearchResult &found) {
    std::vector<std::size_t> ranked;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::vector<const Measurement *> fastest = candidates[i]->fastest(1);
      if (fastest.empty())
        continue;
      candidates[i]->plan->best = timedOf(fastest.front());
      ranked.push_back(i);
    }
    if (ranked.empty())
      return;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&](std::size_t a, std::size_t b) { return secondsOf(a) < secondsOf(b); });
    ranked.resize(std::min(ranked.size(), finalists));
    if (takeChoices(ranked, found.evaluated))
      return;
    std::vector<Participant> all;
    for (std::size_t i : ranked) {
      for (const Measurement *m : candidates[i]->fastest(contenders))
        all.push_back({candidates[i].get(), m->tunables});
      all.push_back({candidates[i].get(), candidates[i]->space->standard()});
    }
    all.push_back({candidates.front().get(), candidates.front()->space->standard()});
    conclude(ranked, compare(withoutFailures(all)), found.evaluated);
  }

  double secondsOf(std::size_t i) const { return candidates[i]->plan->best->times.median; }

  /// Each once, and none that is known not to run.
  static std::vector<Participant> withoutFailures(const std::vector<Participant> &all) {
    std::vector<Participant> some;
    for (const Participant &p : all) {
      const bool twice = std::any_of(some.begin(), some.end(), [&](const Participant &other) {
        return other.candidate == p.candidate && other.values == p.values;
      });
      if (!twice && p.candidate->right(p.values))
        some.push_back(p);
    }
    return some;
  }

  /// True: nothing was run, and the store has what was chosen before from as much.
  bool takeChoices(const std::vector<std::size_t> &ranked, std::size_t evaluated) {
    std::vector<Choice> chosen;
    for (std::size_t i : ranked) {
      Result<std::vector<Choice>> choices = store.choices({.plan = candidates[i]->plan->of.plan});
      if (!choices) {
        broken = choices.error();
        return true;
      }
      auto own = std::find_if(choices->begin(), choices->end(), [&](const Choice &choice) {
        return choice.of == candidates[i]->plan->of;
      });
      if (own == choices->end() || own->candidates < evaluated ||
          !candidates[i]->right(own->tunables))
        return false;
      chosen.push_back(*own);
    }
    if (std::any_of(candidates.begin(), candidates.end(),
                    [](const auto &candidate) { return !candidate->run.empty(); }))
      return false;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      TunedPlan &plan = *candidates[ranked[i]]->plan;
      plan.best = timedOf(candidates[ranked[i]]->right(chosen[i].tunables));
      plan.compared = true;
      if (!report.winner || plan.best->times.median < winner().best->times.median)
        report.winner = indexOf(plan);
    }
    return true;
  }

  using Comparison = std::vector<std::pair<Participant, Compared>>;

  Comparison compare(const std::vector<Participant> &all) {
    shown.comparing = true;
    shown.done = 0;
    shown.total = all.size() * comparisonBlocks;
    std::vector<Compared> compared =
        compareInTurns(all.size(), [&](std::size_t i) -> std::optional<std::vector<double>> {
          show(*all[i].candidate, all[i].values);
          ++shown.done;
          if (broken)
            return std::nullopt;
          return runOnce(*all[i].candidate, all[i].values, options.search.repeat);
        });
    Comparison result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!compared[i].failed && !broken) {
        Measurement m = *all[i].candidate->right(all[i].values);
        m.times = timesOf(summarize(compared[i].runs));
        m.when = 0;
        keep(*all[i].candidate, m);
      }
      result.emplace_back(all[i], std::move(compared[i]));
    }
    return result;
  }

  static const Compared *standardIn(const Comparison &compared, const Candidate &candidate) {
    for (const auto &[participant, times] : compared) {
      if (participant.candidate == &candidate && participant.values == candidate.space->standard())
        return times.failed ? nullptr : &times;
    }
    return nullptr;
  }

  /// Of each plan the best where it is better than the default, and of all plans the fastest.
  void conclude(const std::vector<std::size_t> &ranked, const Comparison &compared,
                std::size_t evaluated) {
    const Candidate &first = *candidates.front();
    const Compared *asItComes = standardIn(compared, first);
    const Compared *leader = nullptr;
    for (std::size_t i : ranked) {
      Candidate &candidate = *candidates[i];
      TunedPlan &plan = *candidate.plan;
      const Compared *standard = standardIn(compared, candidate);
      TunableValues values = candidate.space->standard();
      const Compared *best = standard;
      for (const auto &[participant, times] : compared) {
        if (participant.candidate != &candidate || times.failed ||
            (best && best->median() <= times.median()))
          continue;
        best = &times;
        values = participant.values;
      }
      if (best != standard && standard && !reallyFaster(*best, *standard)) {
        best = standard;
        values = candidate.space->standard();
      }
      plan.best.reset();
      if (!best || broken)
        continue;
      plan.best = timedOf(candidate.right(values));
      plan.compared = true;
      const Choice choice{plan.of,
                          plan.best->tunables,
                          best->median(),
                          standard ? standard->median() : 0,
                          evaluated,
                          report.exhaustive,
                          0};
      if (Status status = put(choice); !status)
        broken = status.error();
      if (!leader || best->median() < leader->median()) {
        leader = best;
        report.winner = indexOf(plan);
      }
    }
    if (asItComes && leader && asItComes != leader)
      report.decision = TuneReport::Decision{leader->median(), asItComes->median(),
                                             blocksFaster(*leader, *asItComes), comparisonBlocks};
    // The first bundle stays where no other is better.
    if (asItComes && leader && report.winner != indexOf(*first.plan) &&
        !reallyFaster(*leader, *asItComes)) {
      report.winner = indexOf(*first.plan);
      if (!first.plan->compared)
        first.plan->best = timedOf(first.right(first.space->standard()));
    }
  }

  /// What was chosen while tunables were fixed does not replace what is faster.
  Status put(const Choice &choice) {
    Result<std::vector<Choice>> before = store.choices({.plan = choice.of.plan});
    if (!before)
      return before.error();
    const bool faster = std::any_of(before->begin(), before->end(), [&](const Choice &other) {
      return other.of == choice.of && other.seconds < choice.seconds;
    });
    return faster && !options.fixed.empty() ? ok() : store.put(choice);
  }

  std::size_t indexOf(const TunedPlan &plan) const {
    return static_cast<std::size_t>(&plan - report.plans.data());
  }
  const TunedPlan &winner() const { return report.plans[*report.winner]; }

  const TuneOptions &options;
  Store &store;
  Runner &runner;
  const std::function<void(const TuneProgress &)> &progress;
  const std::string &inputs;
  const Clock::time_point start;
  const SizeChoice *theSizes = nullptr;
  TuneReport report;
  std::vector<std::unique_ptr<Candidate>> candidates;
  TuneProgress shown;
  std::optional<double> fastest; ///< of the store and of this run, in seconds
  std::size_t failures = 0;
  std::optional<Error> broken; ///< what ends everything
};

/// Names and domains of what is fixed; a tunable that some bundles lack does not concern them.
Status checkFixedOf(const std::vector<Manifest> &manifests, const TunableValues &fixed) {
  for (const auto &[name, value] : fixed) {
    auto has = [&name = name](const Manifest &m) { return m.tunable(name) != nullptr; };
    if (std::none_of(manifests.begin(), manifests.end(), has))
      return checkFixed(manifests.front(), {{name, value}});
    for (const Manifest &m : manifests) {
      if (!has(m))
        continue;
      if (Status status = checkFixed(m, {{name, value}}); !status)
        return usageError(m.folder.string() + ": " + status.error().message);
    }
  }
  return ok();
}

} // namespace

Result<std::vector<TuneReport>> tune(const TuneOptions &options, Store &store,
                                     const std::function<void(const TuneProgress &)> &progress) {
  Result<std::vector<std::string>> bundles = bundlesIn(options.bundles);
  if (!bundles)
    return bundles.error();
  std::vector<Manifest> manifests;
  for (const std::string &bundle : *bundles) {
    Result<Library> library = readLibrary(bundle);
    if (!library)
      return library.error();
    for (Manifest &version : library->versions)
      manifests.push_back(std::move(version));
  }
  if (Status status = checkFixedOf(manifests, options.fixed); !status)
    return status.error();
  Result<GivenInputs> given = readInputs(options.inputs);
  Result<std::string> inputs = inputsText(options.inputs, options.runner.seed);
  if (!given || !inputs)
    return given ? inputs.error() : given.error();
  std::map<std::string, std::vector<const Manifest *>> spectrums;
  for (const Manifest &manifest : manifests)
    spectrums[manifest.spectrum].push_back(&manifest);
  Runner runner(options.runner, *given);
  std::vector<TuneReport> reports;
  for (const SizeChoice &sizes : options.sizes) {
    for (const auto &[spectrum, plans] : spectrums) {
      Result<TuneReport> report =
          Tuner(options, store, runner, progress, *inputs).run(plans, sizes);
      if (!report)
        return report.error();
      reports.push_back(std::move(*report));
    }
  }
  return reports;
}

} // namespace tangram::runtime

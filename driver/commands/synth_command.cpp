#include "driver/commands/synth_command.h"

#include "codegen/bundle/library.h"
#include "codegen/bundle/python_module.h"
#include "composer/analysis/sites.h"
#include "composer/plans/notation.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/dropped_plans.h"
#include "driver/choosing/idle_units.h"
#include "driver/choosing/plan_bundle.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/choosing/tune_set.h"
#include "driver/choosing/tuned_defaults.h"
#include "driver/choosing/versions/size_grid.h"
#include "driver/choosing/versions/undivided_plan.h"
#include "driver/choosing/why_slow.h"
#include "driver/commands/synth_results.h"
#include "driver/input/input.h"
#include "driver/input/plan_limit.h"
#include "driver/text/progress_line.h"
#include "ir/reserved_names.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;
namespace fs = std::filesystem;

namespace {

/// The plans, best first, that a tune set is taken from.
constexpr std::size_t mostRanked = 1000;

/// A plan is bad at a size where it is predicted to take so many times as long as another one.
constexpr double farSlower = 4;
/// A library made without --plans (VersionsOptions): its versions, and the gain that each of them
/// needs.
constexpr std::size_t mostNeeded = 3;
constexpr double leastNeed = 0.1;
/// No second plan is searched for where the first took more work (composer::PlanMeasure::work).
constexpr std::size_t mostWork = 30'000;

/// Empty: the spectrum's own name.
std::string givenName(const SynthOptions &options) {
  return options.name.empty() && options.prefix.empty() ? "" : libraryName(options);
}

class Synthesizer {
public:
  Synthesizer(const SynthOptions &options, const Planner &planner, std::ostream &err)
      : options_(options), planner_(planner), err_(err) {}

  SynthResult run(const RankedPlan &plan) {
    take(plan, options_.output);
    return std::move(result_);
  }

  SynthResult run() {
    if (options_.plans == 0 && !readStore())
      return std::move(result_);
    if (options_.tuneSet != 0)
      tuneSet();
    else if (options_.plans != 0)
      versions();
    else if (options_.plan == "all")
      all();
    else if (options_.plan != "auto" && options_.plan != "best")
      chosen(options_.plan);
    else if (tuned_)
      chosen(tuned_->bestPlan());
    else if (options_.plan == "auto")
      asManyAsNeeded();
    else
      best();
    return std::move(result_);
  }

private:
  codegen::BundleRequest requestOf(const RankedPlan &plan) const {
    codegen::BundleRequest request =
        bundleRequest(planner_, plan, options_.target, options_.withoutPasses);
    request.function = givenName(options_);
    request.collection = options_.collection;
    request.checked = options_.checked;
    request.version = options_.version;
    request.wholeProgram = options_.wholeProgram;
    return request;
  }

  /// The bundle's files, or the refusal.
  std::variant<codegen::BundleFiles, codegen::Refusal> make(const RankedPlan &plan) const {
    codegen::BundleRequest request = requestOf(plan);
    request.defaults = defaultsOf(plan);
    request.python = options_.python;
    if (options_.predictor)
      request.findings = options_.predictor->findings();
    return bundleOf(planner_, request);
  }

  std::map<std::string, std::uint64_t> defaultsOf(const RankedPlan &plan) const {
    const auto known = tuned_ ? tuned_->of(plan.id) : std::nullopt;
    return known.value_or(std::map<std::string, std::uint64_t>{});
  }

  /// Why a plan with codelets that follow from a loop is slow, and what its author could do; "" for
  /// other plans.
  std::string reasonsOf(const RankedPlan &plan) const {
    const bool isDerived = std::ranges::any_of(plan.steps, [](const std::string &step) {
      return step.find("derived_") != std::string::npos;
    });
    return options_.predictor && isDerived
               ? whySlowText(whySlow(planner_, plan, *options_.predictor))
               : "";
  }

  /// False when the bundle could not be written.
  bool take(const RankedPlan &plan, const fs::path &folder) {
    return take(plan, make(plan), folder);
  }

  bool take(const RankedPlan &plan,
            const std::variant<codegen::BundleFiles, codegen::Refusal> &files,
            const fs::path &folder) {
    if (auto *refusal = std::get_if<codegen::Refusal>(&files)) {
      result_.plans.push_back({plan.id, plan.steps, {}, textOf(*refusal)});
      return true;
    }
    codegen::BundleFiles all = std::get<codegen::BundleFiles>(files);
    if (const std::string reasons = reasonsOf(plan); !reasons.empty())
      all["why.txt"] = reasons;
    if (!keep(requestOf(plan), {}, std::move(all), folder))
      return false;
    result_.plans.push_back({plan.id, plan.steps, folder, ""});
    return true;
  }

  /// The bundle, of one plan or of `versions`, into the folder or into a library of several
  /// spectrums. False, after a message: it could not be.
  bool keep(const codegen::BundleRequest &request, const std::vector<std::string> &versions,
            codegen::BundleFiles files, const fs::path &folder) {
    std::string problem;
    if (!options_.collect) {
      problem = codegen::writeBundle(files, folder, options_.writing);
    } else {
      auto member = codegen::memberOf(request, versions, std::move(files));
      if (auto *refusal = std::get_if<codegen::Refusal>(&member))
        problem = textOf(*refusal);
      else
        options_.collect(std::get<codegen::CollectionMember>(std::move(member)));
    }
    if (problem.empty())
      return true;
    err_ << "error: " << problem << "\n";
    result_.status = 1;
    return false;
  }

  void all() {
    ProgressLine progress;
    PlanLimit limit(options_.limit);
    ir::Diagnostics errors = planner_.forEach([&](const RankedPlan &plan) {
      if (limit.isReached())
        return false;
      if (!options_.quiet && result_.plans.size() % 16 == 0)
        progress.show("synthesizing plan " + std::to_string(result_.plans.size() + 1));
      const bool goesOn = take(plan, options_.output / plan.id);
      limit.count(!result_.plans.empty() && result_.plans.back().bundle.empty());
      return goesOn;
    });
    progress.clear();
    fail(errors);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
  }

  void tuneSet() {
    std::vector<RankedPlan> ranked;
    fail(planner_.forEach([&](const RankedPlan &plan) {
      ranked.push_back(plan);
      return ranked.size() < mostRanked;
    }));
    std::vector<std::size_t> taken;
    std::set<std::string> codes;
    for (std::size_t i : differentFirst(ranked)) {
      if (result_.status != 0 || taken.size() >= options_.tuneSet)
        break;
      auto files = make(ranked[i]);
      const auto *made = std::get_if<codegen::BundleFiles>(&files);
      if (made && !codes.insert(codeOf(*made)).second)
        continue;
      take(ranked[i], files, options_.output / ranked[i].id);
      if (made)
        taken.push_back(i);
    }
    if (result_.status == 0 && taken.empty())
      refuseAll();
    if (result_.status == 0)
      listSet(ranked, taken);
  }

  /// The code of a bundle, without comments: equal for plans that differ in name only.
  static std::string codeOf(const codegen::BundleFiles &files) {
    std::string code;
    for (const auto &[name, text] : files) {
      const bool isKernel = name.ends_with(".c") || name.ends_with(".cl");
      if (!isKernel || name == "example.c" || name == "reference.c")
        continue;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        if (line.find("//") == std::string::npos)
          code += line + "\n";
      }
    }
    return code;
  }

  /// The plans best first, in the result and in the folder's list.
  void listSet(const std::vector<RankedPlan> &ranked, std::vector<std::size_t> taken) {
    std::sort(taken.begin(), taken.end());
    std::vector<std::string> bundles;
    std::vector<SynthesizedPlan> plans;
    for (std::size_t i : taken) {
      bundles.push_back(ranked[i].id);
      plans.push_back({ranked[i].id, ranked[i].steps, options_.output / ranked[i].id, ""});
    }
    result_.plans = std::move(plans);
    if (std::string problem = writeTuneSet(options_.output, bundles); !problem.empty()) {
      err_ << "error: " << problem << "\n";
      result_.status = 1;
    }
  }

  /// One bundle; of a single plan the same as without versions.
  void versions() {
    VersionsOptions wanted{options_.plans, options_.target, options_.withoutPasses, options_.sizes,
                           options_.online};
    if (!options_.store.empty()) {
      auto times = readMeasuredTimes(options_.store, {ir::identifierOf(options_.spectrum),
                                                      options_.target, options_.storeDevice});
      if (!times)
        return fail(times.error().message);
      result_.measuredOn = times->device;
      wanted.measured = std::move(*times);
    }
    makeVersions(std::move(wanted));
  }

  void makeVersions(VersionsOptions wanted) {
    VersionSearch search(planner_, std::move(wanted));
    fail(search.errors());
    while (result_.status == 0) {
      PlanVersions chosen = search.choose();
      if (chosen.plans.empty())
        return refuseVersions(search);
      if (chosen.plans.size() == 1 ? takeSingle(search, chosen.plans.front())
                                   : makeLibrary(search, chosen))
        return;
    }
  }

  void refuseVersions(const VersionSearch &search) {
    for (const auto &[id, why] : search.refusals())
      result_.plans.push_back({id, {}, {}, why});
    refuseAll();
  }

  /// False: it cannot become a bundle, and is excluded now.
  bool takeSingle(VersionSearch &search, const RankedPlan &plan) {
    auto files = make(plan);
    if (const auto *refusal = std::get_if<codegen::Refusal>(&files)) {
      search.exclude(plan.id, textOf(*refusal));
      return false;
    }
    take(plan, files, options_.output);
    tellIdle(plan);
    if (options_.online)
      err_ << "note: --online: there is only one plan, and nothing to choose\n";
    return true;
  }

  /// False: one of them cannot become a bundle, and is excluded now.
  bool makeLibrary(VersionSearch &search, PlanVersions &chosen) {
    codegen::LibraryRequest library;
    for (const RankedPlan &plan : chosen.plans) {
      codegen::BundleRequest request = requestOf(plan);
      if (library.versions.empty())
        library.common = request;
      request.function = codegen::functionOfVersion(request, plan.id);
      request.defaults = defaultsOf(plan);
      auto files = bundleOf(planner_, request);
      if (const auto *refusal = std::get_if<codegen::Refusal>(&files)) {
        search.exclude(plan.id, textOf(*refusal));
        return false;
      }
      library.versions.push_back(
          {plan.id, plan.steps, std::get<codegen::BundleFiles>(std::move(files))});
    }
    library.common.python = options_.python;
    library.rules = chosen.rules;
    if (options_.online)
      library.online.emplace(freeExtents(search.signature()));
    auto files = codegen::makeLibrary(library);
    if (const auto *refusal = std::get_if<codegen::Refusal>(&files)) {
      fail(textOf(*refusal));
      return true;
    }
    std::vector<std::string> ids;
    for (const RankedPlan &plan : chosen.plans)
      ids.push_back(plan.id);
    if (!keep(library.common, ids, std::get<codegen::BundleFiles>(std::move(files)),
              options_.output))
      return true;
    for (const RankedPlan &plan : chosen.plans)
      result_.plans.push_back({plan.id, plan.steps, options_.output / plan.id, ""});
    result_.versions = std::move(chosen);
    return true;
  }

  /// The best plan, or several where that one is bad at some of the sizes that are typical.
  void asManyAsNeeded() {
    const double times = options_.predictor && options_.sizes.empty() ? mostTimesAsFast() : 1;
    if (times < farSlower || options_.predictor->work() > mostWork) {
      best();
      if (times >= farSlower && result_.status == 0)
        err_ << "note: at some usual sizes another plan is predicted to be " << figure(times)
             << " times as fast; `--plans " << mostNeeded << "` makes a library of several, and "
             << "`--for-size` says what one is for\n";
      return;
    }
    VersionsOptions wanted{mostNeeded, options_.target, options_.withoutPasses, {}};
    wanted.leastGain = leastNeed;
    wanted.isQuick = true;
    makeVersions(std::move(wanted));
  }

  /// How many times as fast as the best plan another one is at one of the sizes for which plans
  /// were predicted.
  double mostTimesAsFast() const {
    std::vector<double> first, least;
    (void)planner_.forEach([&](const RankedPlan &plan) {
      const std::vector<double> seconds = options_.predictor->measured(plan.plan);
      if (first.empty())
        first = least = seconds;
      for (std::size_t size = 0; size < std::min(least.size(), seconds.size()); ++size)
        least[size] = std::min(least[size], seconds[size]);
      return true;
    });
    double most = 1;
    for (std::size_t size = 0; size < first.size(); ++size)
      most = std::max(most, first[size] / least[size]);
    return most;
  }

  void best() {
    std::optional<RankedPlan> last;
    ir::Diagnostics errors = planner_.forEach([&](const RankedPlan &plan) {
      last = plan;
      return take(plan, options_.output) && !anyWritten() &&
             result_.plans.size() < PlanLimit::mostRefused(options_.limit);
    });
    fail(errors);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
    else if (result_.status == 0) {
      tellUndivided();
      tellIdle(*last);
    }
  }

  /// Where the plan leaves most of the machine idle, what would divide its work.
  void tellIdle(const RankedPlan &plan) const {
    if (options_.predictor && result_.status == 0)
      err_ << idleUnits(planner_, plan.plan, *options_.predictor);
  }

  /// Where one worker does everything because plans that divide the work cannot be made: why.
  void tellUndivided() const {
    if (!options_.predictor)
      return;
    bool any = false;
    (void)planner_.forEach([&](const RankedPlan &plan) { return !(any = divides(*plan.plan)); });
    const bool refused =
        std::ranges::any_of(planner_.log().refused,
                            [](const composer::MeasuredPlan &each) { return divides(*each.plan); });
    if (!any && refused)
      err_ << "note: one worker does all the work; of plans that divide it " << options_.target
           << " can express none that was tried:\n"
           << DroppedPlans(planner_).reasons();
  }

  /// False when there is one that cannot be read, or says nothing.
  bool readStore() {
    if (options_.store.empty())
      return true;
    auto tuned =
        TunedDefaults::read(options_.store, {ir::identifierOf(options_.spectrum), options_.target,
                                             options_.storeDevice, options_.sizes});
    if (tuned) {
      tuned_ = std::move(*tuned);
      return true;
    }
    fail(tuned.error().message);
    return false;
  }

  void chosen(const std::string &plan) {
    auto found = chosenPlan(planner_, plan);
    if (auto *errors = std::get_if<ir::Diagnostics>(&found))
      return isOfAnotherTarget(plan) ? void() : fail(*errors);
    const RankedPlan &known = std::get<RankedPlan>(found);
    take(known, options_.output);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
    else
      tellIdle(known);
  }

  /// After a message: it is the id of a plan of another target.
  bool isOfAnotherTarget(const std::string &id) {
    if (!isPlanId(id) || !options_.otherTargets)
      return false;
    const std::vector<std::string> targets = targetsOfPlan(
        options_.otherTargets(), planner_.program(), options_.spectrum, options_.planning, id);
    if (targets.empty())
      return false;
    fail("plan " + id + " is for " + (targets.size() == 1 ? "target " : "targets ") +
         composer::linear(targets) + "; this synthesis is for " + options_.target);
    err_ << "note: `tangram plans --target " << options_.target << "` lists those it can take\n";
    return true;
  }

  bool anyWritten() const {
    for (const SynthesizedPlan &plan : result_.plans) {
      if (!plan.bundle.empty())
        return true;
    }
    return false;
  }

  void refuseAll() {
    const ir::Spectrum *spectrum = planner_.program().spectrum(options_.spectrum);
    if (spectrum && !composer::meaningOf(*spectrum) && !result_.plans.empty())
      return fail(result_.plans.front().refusal); // the target has no part in it
    err_ << "error: "
         << noneOfThePlans(options_.target, result_.plans.size(), options_.limit,
                           options_.planning.strategy)
         << "\n";
    // The same reason once, with the first plan that has it.
    std::map<std::string, std::size_t> reasons;
    for (const SynthesizedPlan &plan : result_.plans)
      ++reasons[plan.refusal];
    for (const SynthesizedPlan &plan : result_.plans) {
      const std::size_t others = std::exchange(reasons[plan.refusal], 0);
      if (others != 0)
        err_ << "note: plan " << plan.id
             << (others > 1 ? " and " + std::to_string(others - 1) + " more" : "") << ": "
             << plan.refusal << "\n";
    }
    result_.status = 1;
  }

  void fail(const std::string &message) {
    err_ << "error: " << message << "\n";
    result_.status = 1;
  }

  void fail(const ir::Diagnostics &errors) {
    if (errors.empty())
      return;
    err_ << ir::render(errors);
    result_.status = 1;
  }

  const SynthOptions &options_;
  const Planner &planner_;
  std::ostream &err_;
  SynthResult result_;
  std::optional<TunedDefaults> tuned_;
};

} // namespace

std::string libraryName(const SynthOptions &options) {
  return options.prefix +
         (options.name.empty() ? ir::identifierOf(options.spectrum) : options.name);
}

std::string problemOfLibrary(const std::string &name, bool python) {
  std::string problem = ir::problemOfEntry(name);
  if (problem.empty() && python)
    problem = codegen::problemOfModule(name);
  return problem.empty() ? "" : "the library cannot be called '" + name + "', which " + problem;
}

SynthResult synthesize(const SynthOptions &options, const ir::Program &program,
                       const composer::Machine &machine, std::ostream &err) {
  if (const std::string name = givenName(options); !name.empty()) {
    if (const std::string problem = problemOfLibrary(name, options.python); !problem.empty()) {
      err << "error: " << problem << "\n";
      return {{}, {}, 1};
    }
  }
  composer::PlanOptions planning = options.planning;
  planning.target = options.target;
  auto planner = Planner::make(program, machine, options.spectrum, planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner)) {
    err << ir::render(*errors);
    return {{}, {}, 1};
  }
  return Synthesizer(options, std::get<Planner>(planner), err).run();
}

SynthResult synthesizePlan(const Planner &planner, const RankedPlan &plan,
                           const std::string &target, const fs::path &folder,
                           const ir::Program *whole) {
  SynthOptions options;
  options.spectrum = plan.plan->spectrum;
  options.target = target;
  options.output = folder;
  options.writing.isTemporary = true;
  options.wholeProgram = whole;
  std::ostringstream nowhere;
  return Synthesizer(options, planner, nowhere).run(plan);
}

int synthCommand(const SynthOptions &options, const ir::Program &program,
                 const composer::Machine &machine, std::ostream &out, std::ostream &err) {
  const SynthResult result = synthesize(options, program, machine, err);
  if (options.format == "json")
    out << json::dumped(synthesisJson(options, result, machine.name), 2) << "\n";
  else
    printSynthesis(options, result, out);
  return result.status;
}

} // namespace tangram::driver

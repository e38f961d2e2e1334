#include "driver/run/tune_bundles.h"

#include "driver/text/progress_line.h"
#include "runtime/tune/tune_report.h"
#include "json/reader.h"

#include <algorithm>
#include <iostream>

namespace tangram::driver {

using namespace runtime;

namespace {

/// Seconds that a call may take: one that loops for ever costs no more.
constexpr double timeLimitOfCall = 20;

void addSearch(CLI::App &command, TuneOptions &options) {
  command.add_option("--budget", options.search.budget, "Settings to try, those stored included")
      ->check(countFrom(1))
      ->capture_default_str();
  command.add_option("--seconds", options.seconds, "Try no new setting after so many seconds")
      ->check(CLI::Validator(isPositive, "SECONDS"));
  command.add_flag("--exhaustive", options.search.exhaustive,
                   "Try every setting, however many there are");
  command.add_flag("--again", options.fromNothing, "Measure again what the store has");
  command.add_option("--seed", options.search.seed, "Seed of generated values and of the search")
      ->capture_default_str();
}

void addMeasuring(CLI::App &command, TuneCommand &tune) {
  RunnerOptions &runner = tune.options.runner;
  command.add_option(
      "--device", runner.device,
      "Device of OpenCL or CUDA: index, or part of platform/name (see --list-devices)");
  command.add_option("--warmup", runner.timing.warmup, "Runs after the first, not counted")
      ->check(countFrom(0))
      ->capture_default_str();
  command
      .add_option("--repeat", tune.options.search.repeat, "Runs that count, of what is promising")
      ->check(countFrom(1))
      ->capture_default_str();
  command.add_flag("--cold", tune.cold, "Empty the caches before every run that counts");
  command
      .add_option("--time-limit", runner.timeLimit, "Seconds that one call of a bundle may take")
      ->check(CLI::Validator(isPositive, "SECONDS"))
      ->capture_default_str();
}

Status finish(TuneCommand &tune) {
  Result<Problems> problems = parsed(tune.problem);
  if (!problems)
    return problems.error();
  if (problems->settings.size() > 1)
    return usageError("--set: expected one value of a tunable, found several: tune chooses among "
                      "all that are not fixed");
  TuneOptions &options = tune.options;
  options.bundles = tune.problem.bundles;
  options.inputs = problems->inputs;
  options.sizes = problems->sizes;
  options.fixed = problems->settings.front();
  options.runner.task = Task::VerifyAndTime;
  options.runner.seed = options.search.seed;
  options.runner.timing.caches = tune.cold ? Caches::Cold : Caches::Warm;
  options.runner.referenceTimeLimit = std::max(defaultTimeLimit, options.runner.timeLimit);
  options.runner.ownProcesses = true;
  return ok();
}

/// Prints, for people only, the settings whose results were wrong, not comparable or inaccurate.
void tellFindings(const std::vector<TuneReport> &reports) {
  for (const TuneReport &report : reports) {
    for (const TunedPlan &plan : report.plans) {
      if (!plan.wrong.empty())
        std::cerr << "tangram-run: " << plan.bundle << ": wrong with " << plan.wrong << "\n";
      if (!plan.notComparable.empty())
        std::cerr << "tangram-run: " << plan.bundle << ": not comparable with "
                  << plan.notComparable << "\n";
      if (!plan.inaccuracy.empty())
        std::cerr << "tangram-run: " << plan.bundle
                  << ": its best setting is inaccurate: " << plan.inaccuracy << "\n";
    }
  }
}

} // namespace

void addTune(CLI::App &app, TuneCommand &tune, bool &chosen) {
  CLI::App *command = app.add_subcommand(
      "tune", "Find the fastest values of tunables, and the fastest of several bundles");
  command->callback([&chosen] { chosen = true; });
  tune.options.runner.timing.warmup = 1;
  tune.options.runner.timeLimit = timeLimitOfCall;
  addProblem(*command, tune.problem, "Bundles, or folders of bundles, best first");
  command
      ->add_option("--store", tune.store, "Where measurements are kept; made where there is none")
      ->required()
      ->type_name("FILE");
  addSearch(*command, tune.options);
  addMeasuring(*command, tune);
  command->add_option("--format", tune.format, "Form of the results: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

Result<bool> tuneBundles(TuneCommand &tune) {
  if (Status status = finish(tune); !status)
    return status.error();
  Result<Store> store = Store::open(tune.store);
  if (!store)
    return store.error();
  ProgressLine line;
  Result<std::vector<TuneReport>> reports =
      runtime::tune(tune.options, *store, [&](const TuneProgress &progress) {
        if (line.isSeen())
          line.show(progressText(progress, line.width()));
      });
  line.clear();
  if (!reports)
    return reports.error();
  if (tune.format == "json")
    std::cout << json::dumped(reportsJson(*reports), 2) << "\n";
  for (std::size_t i = 0; tune.format != "json" && i < reports->size(); ++i)
    std::cout << (i > 0 ? "\n" : "") << reportText((*reports)[i]);
  tellFindings(*reports);
  return std::all_of(reports->begin(), reports->end(),
                     [](const TuneReport &report) { return report.winner.has_value(); });
}

} // namespace tangram::driver

#include "driver/shared_options.h"

#include "codegen/pipeline/earlier_names.h"
#include "codegen/pipeline/pipeline.h"
#include "composer/machine/target_words.h"
#include "composer/machine/targets.h"
#include "driver/choosing/asked_sizes.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/input/derived_program.h"
#include "driver/input/input.h"
#include "driver/text/comma_list.h"
#include "runtime/data/command_values.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>

namespace tangram::driver {

namespace {

/// Statements of all plans that a search predicts (composer::PlanMeasure::work): those of several nests are long.
constexpr std::size_t usualWork = 30'000;

const std::map<std::string, composer::MapRule> mapRuleNames{
    {"distribute", composer::MapRule::Distribute},
    {"serialize", composer::MapRule::Serialize},
    {"split", composer::MapRule::Split}};

} // namespace

void addWithoutPass(CLI::App &command, std::set<std::string> &passes, const std::string &what) {
  const auto isOfToday = [](const std::string &name) {
    const std::string now = codegen::nameNowOf(name);
    return now.empty() ? now : name + " is called " + now + " now";
  };
  command.add_option("--without-pass", passes, what)
      ->check(CLI::Validator(isOfToday, ""))
      ->check(CLI::IsMember(codegen::optionalPasses()))
      ->type_name("PASS")
      ->delimiter(',');
}

void addSource(CLI::App &command, Shared &shared) {
  command.add_option("file", shared.file, "Codelet source, C++")
      ->required()
      ->type_name("FILE")
      ->group(sourceGroup);
  command.add_option("-I", shared.parsing.includeDirs, "Folder for #include")
      ->allow_extra_args(false)
      ->type_name("DIR")
      ->group(sourceGroup);
  command
      .add_option("--instantiate", shared.parsing.instantiate,
                  "Make this instance of a template: 'sum<float>' (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->group(sourceGroup);
  addDeriving(command, shared);
}

void addDeriving(CLI::App &command, Shared &shared) {
  command
      .add_option(
          "--derive", shared.derive,
          "Codelets that follow from loops: none, loops (of spectrums with loops alone), all, or "
          "tags (default: loops; none with --strategy thesis)")
      ->type_name("none|loops|all|TAG,...")
      ->group(sourceGroup);
  command
      .add_flag(
          "--keep-order", shared.keepsOrder,
          "Derive nothing that combines parts of sums or products of floating-point numbers: they "
          "are made in the loop's order")
      ->group(sourceGroup);
}

composer::DeriveOptions derivingOf(const Shared &shared) {
  composer::DeriveOptions options =
      deriveOptions(shared.derive.empty() && shared.strategy == "thesis" ? "none" : shared.derive);
  options.keepsOrder = shared.keepsOrder;
  return options;
}

std::set<std::string> passesLeftOut(const Shared &shared, std::set<std::string> named) {
  if (shared.keepsOrder)
    named.insert(codegen::reorderingPass);
  return named;
}

void addFormat(CLI::App &command, Shared &shared, std::vector<std::string> formats) {
  command.add_option("--format", shared.format, "How results are printed")
      ->check(CLI::IsMember(std::move(formats)))
      ->capture_default_str();
}

void addMachine(CLI::App &command, Shared &shared, bool required) {
  command
      .add_option("--hw", shared.machine,
                  "Hardware model: a name (see `tangram hw list`) or a file")
      ->required(required)
      ->type_name("MODEL")
      ->group(machineGroup);
}

void addRuleChoice(CLI::App &command, Shared &shared) {
  command
      .add_option_function<std::vector<std::string>>(
          "--without",
          [&shared](const std::vector<std::string> &lists) {
            // CLI11's delimiter would cut the names of instances: reduce<int, plus<int>>:tree.
            for (const std::string &list : lists)
              std::ranges::copy(itemsOf(list), std::back_inserter(shared.planning.without));
          },
          "Leave this codelet out (tag, spectrum:tag or sum#k)")
      ->type_name("TAG")
      ->group(planningGroup);
  command
      .add_option("--map-rules", shared.mapRules,
                  "What every level offers for maps, whatever the model says")
      ->check(CLI::IsMember({"distribute", "serialize", "split"}))
      ->delimiter(',')
      ->type_name("RULE")
      ->group(planningGroup);
  command
      .add_option(
          "--dims", shared.dims,
          "Dimensions of a level's workers that nested maps are distributed along first (default: "
          "along two or flattened, where that is predicted to be quick)")
      ->check(CLI::Range(1U, 3U))
      ->type_name("N")
      ->group(planningGroup);
}

void addPlanning(CLI::App &command, Shared &shared) {
  addRuleChoice(command, shared);
  command
      .add_option("--strategy", shared.strategy,
                  "How plans are looked for: thesis, all or predict (default: predict for the best "
                  "plan of synth and run, else thesis)")
      ->check(CLI::IsMember({"thesis", "all", "predict"}))
      ->type_name("")
      ->group(planningGroup);
  command
      .add_option("--for-size", shared.sizes,
                  "Sizes and integers to predict for, as for tangram-run (default: typical ones)")
      ->allow_extra_args(false)
      ->type_name("[NAME=]N[,N...]")
      ->group(planningGroup);
  command
      .add_option("--effort", shared.effort,
                  "With `predict`: search for so many times as long (default: 1)")
      ->check(CLI::Range(0.1, 1000.0))
      ->type_name("TIMES");
  command
      .add_option("--iterations", shared.planning.iterations,
                  "Iterations to plan for (default: enough for the levels and calls)")
      ->type_name("N")
      ->group(planningGroup);
  command
      .add_flag("--as-printed", shared.planning.asPrinted,
                "Rank by figure 6.5 of the dissertation alone, without criteria of our own")
      ->group(planningGroup);
  command.add_option("--keep", shared.planning.keep, "Candidates an iteration of `thesis` keeps")
      ->type_name("K")
      ->capture_default_str()
      ->group(planningGroup);
}

CLI::Option *addTarget(CLI::App &command, Shared &shared, const std::string &what,
                       std::vector<std::string> targets) {
  return command.add_option("--target", shared.target, what)
      ->check(CLI::IsMember(std::move(targets)))
      ->group(machineGroup);
}

CLI::Option *addAnyTarget(CLI::App &command, Shared &shared) {
  return addTarget(command, shared,
                   "What plans are for: opencl, openmp, cuda, c, or cuda-warps, which is CUDA with "
                   "plans for warps",
                   composer::targetNames());
}

void finishPlanning(Shared &shared) {
  static const std::map<std::string, composer::PlanStrategy> strategies{
      {"thesis", composer::PlanStrategy::Thesis},
      {"all", composer::PlanStrategy::All},
      {"predict", composer::PlanStrategy::Predict}};
  shared.planning.strategy =
      shared.strategy.empty() ? composer::PlanStrategy::Thesis : strategies.at(shared.strategy);
  shared.planning.nests =
      shared.dims == 0 ? composer::NestedMaps::Offered : composer::NestedMaps::Preferred;
  shared.planning.mapRules.clear();
  for (const std::string &rule : shared.mapRules)
    shared.planning.mapRules.push_back(mapRuleNames.at(rule));
}

bool hasCode(const Shared &shared) {
  return shared.planning.level.empty() &&
         std::ranges::count(composer::generatedTargets(), shared.target) != 0;
}

int readSizes(const Shared &shared, const ir::Program &program, const std::string &spectrum,
              std::vector<runtime::SizeChoice> &sizes) {
  if (shared.sizes.empty())
    return 0;
  auto read = runtime::parseSizes(shared.sizes, "--for-size");
  if (!read) {
    std::cerr << "error: " << read.error().message << "\n";
    return commandLineIsWrong;
  }
  sizes = *read;
  if (!program.spectrum(spectrum))
    return 0; // the planner says so
  if (const std::string problem = problemOfSizes(*program.spectrum(spectrum), sizes);
      !problem.empty()) {
    std::cerr << "error: " << problem << "\n";
    return commandLineIsWrong;
  }
  return 0;
}

int addPredictions(const Shared &shared, composer::PlanOptions &planning,
                   const ir::Program &program, const composer::Machine &machine,
                   const std::string &spectrum, const std::set<std::string> &withoutPasses,
                   std::shared_ptr<const Predictor> *predictor) {
  if (planning.strategy != composer::PlanStrategy::Predict) {
    if (shared.sizes.empty())
      return 0;
    std::cerr << "error: --for-size is for predictions: --strategy predict\n";
    return commandLineIsWrong;
  }
  if (shared.target.empty()) {
    std::cerr << "error: predictions are of generated code: name its --target\n";
    return commandLineIsWrong;
  }
  PredictOptions options;
  options.withoutPasses = withoutPasses;
  if (const int wrong = readSizes(shared, program, spectrum, options.sizes))
    return wrong;
  if (program.spectrum(spectrum)) {
    auto made =
        std::make_shared<const Predictor>(program, machine, spectrum, shared.target, options);
    composer::ImproveOptions usual;
    usual.work = usualWork;
    planning.improving = usual.withEffort(shared.effort);
    if (const ir::Diagnostics errors = planByPrediction(planning, made); !errors.empty()) {
      std::cerr << ir::render(errors);
      return 1;
    }
    if (predictor)
      *predictor = std::move(made);
  }
  return 0;
}

const ir::Program *known(const std::optional<ir::Program> &program) {
  return program ? &*program : nullptr;
}

std::vector<TargetMachine> machinesFor(const Shared &shared, const composer::Machine &machine,
                                       const std::vector<std::string> &names,
                                       const ir::Program *program) {
  std::vector<TargetMachine> targets;
  std::ostringstream notes; // of levels that are left out: said when the target is chosen
  for (const std::string &target : names) {
    if (std::ranges::count(machine.targets, composer::modelTarget(target)) == 0)
      continue;
    const auto projected = readMachineFor(shared.machine, target, notes, shared.dims, program);
    // Where there are no warps, plans for cuda-warps are those for cuda.
    const bool isKnown = projected && std::ranges::any_of(targets, [&](const TargetMachine &each) {
                           return each.target == composer::modelTarget(target) &&
                                  each.machine.levels.size() == projected->levels.size();
                         });
    if (projected && !isKnown)
      targets.push_back({target, *projected});
  }
  return targets;
}

} // namespace tangram::driver

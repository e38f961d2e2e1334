#include "driver/compare_options.h"

#include "composer/machine/targets.h"
#include "driver/input/input.h"

#include <algorithm>
#include <iostream>

namespace tangram::driver {

namespace {

/// A machine to compare, on the target that it names, else on --target, else on the first of the model's
/// that there is code for. Null: an error was said.
std::unique_ptr<ComparedMachine> comparedMachine(const std::string &name, const Shared &shared,
                                                 const ir::Program &program,
                                                 const CompareOptions &options) {
  const std::size_t colon = name.rfind(':');
  const std::string model = name.substr(0, colon);
  std::string target = colon == std::string::npos ? shared.target : name.substr(colon + 1);
  auto machine = readMachine(model, std::cerr);
  if (!machine)
    return nullptr;
  const std::vector<std::string> known = generatedTargetsOf(*machine);
  if (target.empty() && !known.empty())
    target = known.front();
  if (std::ranges::count(known, target) == 0) {
    std::cerr << "error: " << name << ": there is no code for " << model
              << (target.empty() ? "" : " on target " + target) << "\n";
    return nullptr;
  }
  machine = readMachineFor(model, target, std::cerr, shared.dims, &program);
  if (!machine)
    return nullptr;
  auto made = ComparedMachine::make(program, std::move(*machine), target, options.comparison);
  if (auto *errors = std::get_if<ir::Diagnostics>(&made)) {
    std::cerr << ir::render(*errors);
    return nullptr;
  }
  return std::move(std::get<std::unique_ptr<ComparedMachine>>(made));
}

/// Sizes to predict for: those of --for-size, else those that the store has. Exit status.
int chooseSizes(const Shared &shared, const ir::Program &program, CompareOptions &options) {
  auto &sizes = options.comparison.sizes;
  if (const int wrong = readSizes(shared, program, options.comparison.spectrum, sizes))
    return wrong;
  if (options.store.empty() || !sizes.empty())
    return 0;
  auto measured = measuredSizes(options.store, ir::identifierOf(options.comparison.spectrum));
  if (!measured) {
    std::cerr << "error: " << measured.error().message << "\n";
    return 1;
  }
  sizes = *measured;
  return 0;
}

int runCompare(Shared &shared, Compare &compare) {
  finishPlanning(shared);
  CompareOptions &options = compare.options;
  auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  if (!program)
    return 1;
  options.format = shared.format;
  options.comparison.planning = shared.planning;
  if (shared.strategy.empty())
    options.comparison.planning.strategy = composer::PlanStrategy::Predict;
  if (!chooseSpectrum(*program, options.comparison.spectrum, std::cerr))
    return commandLineIsWrong;
  if (const int wrong = chooseSizes(shared, *program, options))
    return wrong;
  ComparedMachines machines;
  for (const std::string &name : compare.machines) {
    auto machine = comparedMachine(name, shared, *program, options);
    if (!machine)
      return 1;
    machines.push_back(std::move(machine));
  }
  return compareCommand(options, std::move(machines), std::cout, std::cerr);
}

} // namespace

void addCompare(CLI::App &app, Shared &shared, Compare &compare, int &status) {
  CLI::App *command = app.add_subcommand(
      "compare", "Plans beside machines: predicted, measured, drawn, in text, JSON or a page");
  ComparisonOptions &options = compare.options.comparison;
  addSource(*command, shared);
  command->add_option("--spectrum", options.spectrum, spectrumText)
      ->type_name("NAME")
      ->group(sourceGroup);
  command
      ->add_option("--hw", compare.machines,
                   "Hardware models, each for its first target or the one named")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("MODEL[:TARGET],...");
  addTarget(*command, shared, "The target of models that name none", composer::generatedTargets());
  addPlanning(*command, shared);
  command->add_option("--limit", options.limit, "So many of the first plans of each machine")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--plan", options.plans,
                   "Instead of the first ones: this plan, by its id or file (repeatable)")
      ->allow_extra_args(false)
      ->type_name("ID");
  command
      ->add_option("--store", compare.options.store,
                   "Also what `tangram-run tune` measured, kept in this file")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", compare.options.page,
                   "Write a page for a browser: pictures, steps beside code, differences")
      ->type_name("FILE.html");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] { status = runCompare(shared, compare); });
}

} // namespace tangram::driver

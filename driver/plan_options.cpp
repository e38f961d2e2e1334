#include "driver/plan_options.h"

#include "composer/machine/targets.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/input/derived_program.h"
#include "driver/input/fusion_notes.h"
#include "driver/input/input.h"

#include <iostream>
#include <memory>

namespace tangram::driver {

namespace {

/// What explains plans beside ranks: predictions, where there is code for the target. Exit status; 0: all
/// is well.
int addExplanations(Shared &shared, PlansOptions &plans, const ir::Program &program,
                    const composer::Machine &machine) {
  if (!hasCode(shared))
    return 0;
  PredictOptions options;
  options.withoutPasses = passesLeftOut(shared);
  if (const int wrong = readSizes(shared, program, plans.spectrum, options.sizes))
    return wrong;
  if (!program.spectrum(plans.spectrum))
    return 0; // the planner says so
  plans.predictor =
      std::make_shared<Predictor>(program, machine, plans.spectrum, shared.target, options);
  if (plans.planning.strategy != composer::PlanStrategy::Predict)
    return 0;
  const ir::Diagnostics errors = planByPrediction(plans.planning, plans.predictor);
  std::cerr << ir::render(errors);
  return errors.empty() ? 0 : 1;
}

/// Explanations of plans and plans for certain sizes are predictions: for the target or, where none is chosen, the first of
/// the model's that there is code for. False: the model cannot be read.
bool choosePrediction(Shared &shared) {
  if (!shared.planning.level.empty())
    return true; // no library starts there
  if (shared.target.empty()) {
    auto machine = readMachine(shared.machine, std::cerr);
    if (!machine)
      return false;
    const auto generated = generatedTargetsOf(*machine);
    shared.target = generated.empty() ? "" : generated.front();
  }
  if (shared.strategy.empty() && hasCode(shared))
    shared.planning.strategy = composer::PlanStrategy::Predict;
  return true;
}

} // namespace

void addRules(CLI::App &app, Shared &shared, RulesOptions &rules, int &status) {
  CLI::App *command = app.add_subcommand("rules", "Composition rules, specialized for a machine");
  addSource(*command, shared);
  command->add_option("--spectrum", rules.spectrum, "Only this spectrum")
      ->type_name("NAME")
      ->group(sourceGroup);
  addMachine(*command, shared, false);
  addAnyTarget(*command, shared);
  addRuleChoice(*command, shared);
  command->add_flag("--why", rules.why, "Also what could not be applied, and why");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] {
    finishPlanning(shared);
    rules.without = shared.planning.without;
    rules.mapRules = shared.planning.mapRules;
    rules.nests = shared.planning.nests;
    rules.target = shared.target;
    rules.format = shared.format;
    auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
    std::optional<composer::Machine> machine;
    if (!shared.machine.empty())
      machine =
          readMachineFor(shared.machine, shared.target, std::cerr, shared.dims, known(program));
    if (!program || (!shared.machine.empty() && !machine))
      status = 1;
    else
      status = rulesCommand(rules, *program, machine ? &*machine : nullptr, std::cout, std::cerr);
  });
}

namespace {

/// Runs the command `plans`. Returns the exit status.
int listPlans(Shared &shared, PlansOptions &plans) {
  finishPlanning(shared);
  if (!plans.why.empty() && shared.format != "text" && shared.format != "json") {
    std::cerr << "error: --why explains in words: --format text or json\n";
    return commandLineIsWrong;
  }
  const bool predicts = !plans.why.empty() ||
                        shared.planning.strategy == composer::PlanStrategy::Predict ||
                        (!shared.sizes.empty() && shared.strategy.empty() && !plans.count);
  if (predicts && !choosePrediction(shared))
    return 1;
  if (shared.strategy.empty() && isSketch(plans.plan) && hasCode(shared))
    shared.planning.strategy = composer::PlanStrategy::Predict;
  plans.planning = shared.planning;
  plans.planning.target = shared.target;
  plans.format = shared.format;
  auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  auto machine =
      readMachineFor(shared.machine, shared.target, std::cerr, shared.dims, known(program));
  if (!program || !machine)
    return 1;
  if (!chooseSpectrum(*program, plans.spectrum, std::cerr))
    return commandLineIsWrong;
  if (shared.target.empty())
    plans.targets = machinesFor(shared, *machine, composer::generatedTargets(), known(program));
  const int status = plans.why.empty() ? addPredictions(shared, plans.planning, *program, *machine,
                                                        plans.spectrum, passesLeftOut(shared))
                                       : addExplanations(shared, plans, *program, *machine);
  if (!plans.why.empty())
    plans.fusion = fusionNotes(shared.file, shared.parsing, derivingOf(shared), plans.spectrum);
  return status != 0 ? status : plansCommand(plans, *program, *machine, std::cout, std::cerr);
}

} // namespace

void addPlans(CLI::App &app, Shared &shared, PlansOptions &plans, int &status) {
  CLI::App *command = app.add_subcommand("plans", "Composition plans, ranked, with the reason");
  addSource(*command, shared);
  command->add_option("--spectrum", plans.spectrum, spectrumText)
      ->type_name("NAME")
      ->group(sourceGroup);
  addMachine(*command, shared, true);
  addAnyTarget(*command, shared);
  addPlanning(*command, shared);
  command->add_option("--level", shared.planning.level, "Start at this level")->type_name("L");
  command->add_option("--limit", plans.limit, "At most so many plans")
      ->check(CLI::Range(0, 1000000000))
      ->type_name("N");
  command->add_option("--plan", plans.plan,
                      "Only this plan: its id, a saved plan.json, or a sketch, completed");
  command->add_flag("--count", plans.count, "Count the plans within the iterations, build none");
  command->add_flag("--derivation", plans.derivation, "Also how each plan is derived");
  command->add_flag("--domains", plans.domains,
                    "Also the domains of tunables, declared and as constraints leave them");
  command
      ->add_option(
          "--why", plans.why,
          "Explain this plan: what it does, what is predicted, what it was preferred to; two "
          "plans: side by side, where they part and what that changes")
      ->expected(1, 2)
      ->type_name("ID [ID2]");
  command->add_option("--save", plans.save, "Save the first plan listed to this file")
      ->type_name("FILE");
  addFormat(*command, shared, {"text", "json", "dot", "svg"});
  command->callback([&] { status = listPlans(shared, plans); });
}

void addDerive(CLI::App &app, Shared &shared, DeriveCommandOptions &derive, int &status) {
  CLI::App *command =
      app.add_subcommand("derive", "Print the codelets that follow from loops, as source");
  addSource(*command, shared);
  command->add_option("--spectrum", derive.spectrum, "Only of this one")->type_name("NAME");
  command->add_option("-o,--output", derive.output, "File to write")->type_name("FILE");
  command->add_flag("--why", derive.why, "Also what allowed each, and what could not be derived");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] {
    derive.format = shared.format;
    composer::DeriveOptions options = deriveOptions(shared.derive.empty() ? "all" : shared.derive);
    options.keepsOrder = shared.keepsOrder;
    status = deriveCommand(derive, shared.file, shared.parsing, options, std::cout, std::cerr);
  });
}

void addSketch(CLI::App &app, Shared &shared, SketchOptions &sketch, int &status) {
  CLI::App *command = app.add_subcommand(
      "sketch", "A plan as a sketch, a plan with holes; without --plan: the sketches of a source");
  addSource(*command, shared);
  CLI::Option *plan = command->add_option("--plan", sketch.plan,
                                          "The plan: its id, a saved plan.json, or a sketch");
  CLI::Option *spectrum =
      command->add_option("--spectrum", sketch.spectrum, "What it computes")->type_name("NAME");
  addMachine(*command, shared, false);
  addAnyTarget(*command, shared);
  addPlanning(*command, shared);
  addFormat(*command, shared, {"text", "json"});
  plan->needs(spectrum);
  command->callback([&] {
    finishPlanning(shared);
    if (sketch.plan.empty()) {
      status = listSketches(shared.file, shared.format, std::cout, std::cerr);
      return;
    }
    if (shared.machine.empty()) {
      std::cerr << "error: plans are those of a machine: name it with --hw\n";
      status = commandLineIsWrong;
      return;
    }
    auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
    auto machine =
        readMachineFor(shared.machine, shared.target, std::cerr, shared.dims, known(program));
    status = 1;
    if (!program || !machine)
      return;
    if (!chooseSpectrum(*program, sketch.spectrum, std::cerr)) {
      status = commandLineIsWrong;
      return;
    }
    if (shared.strategy.empty() && hasCode(shared))
      shared.planning.strategy = composer::PlanStrategy::Predict;
    status = addPredictions(shared, shared.planning, *program, *machine, sketch.spectrum,
                            passesLeftOut(shared));
    if (status != 0)
      return;
    sketch.planning = shared.planning;
    sketch.planning.target = shared.target;
    sketch.format = shared.format;
    status = sketchCommand(sketch, *program, *machine, std::cout, std::cerr);
  });
}

} // namespace tangram::driver

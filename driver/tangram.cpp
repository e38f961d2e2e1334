// tangram: the command line of the synthesizer. Each subcommand is a file of its
// own (driver/*_command.h); here stand only its options.
#include "composer/machine/target_words.h"
#include "composer/machine/targets.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/command_words.h"
#include "driver/commands/check_command.h"
#include "driver/commands/derive_command.h"
#include "driver/commands/equivalence.h"
#include "driver/commands/hw_command.h"
#include "driver/commands/init_command.h"
#include "driver/commands/interpret_command.h"
#include "driver/commands/plans_command.h"
#include "driver/commands/rules_command.h"
#include "driver/commands/run_command.h"
#include "driver/commands/sketch_command.h"
#include "driver/commands/synth_command.h"
#include "driver/compare_options.h"
#include "driver/input/depfile.h"
#include "driver/input/derived_program.h"
#include "driver/input/input.h"
#include "driver/shared_options.h"
#include "driver/whole_command.h"
#include "files/write_file.h"
#include "frontend/parse.h"
#include "runtime/data/command_values.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <regex>
#include <sstream>

namespace {

using namespace tangram;
using namespace tangram::driver;

/// What explains plans beside ranks: predictions, where there is code for the target. Exit status; 0: all
/// is well.
int addExplanations(Shared &shared, driver::PlansOptions &plans, const ir::Program &program,
                    const composer::Machine &machine) {
  if (!hasCode(shared))
    return 0;
  driver::PredictOptions options;
  if (const int wrong = readSizes(shared, program, plans.spectrum, options.sizes))
    return wrong;
  if (!program.spectrum(plans.spectrum))
    return 0; // the planner says so
  plans.predictor =
      std::make_shared<driver::Predictor>(program, machine, plans.spectrum, shared.target, options);
  if (plans.planning.strategy != composer::PlanStrategy::Predict)
    return 0;
  const ir::Diagnostics errors = driver::planByPrediction(plans.planning, plans.predictor);
  std::cerr << ir::render(errors);
  return errors.empty() ? 0 : 1;
}

void addSynthOptions(CLI::App &command, Shared &shared, driver::SynthOptions &synth) {
  addSource(command, shared);
  command.add_option("--spectrum", synth.spectrum, driver::spectrumText)
      ->type_name("NAME")
      ->group(driver::sourceGroup);
  addMachine(command, shared, true);
  addTarget(command, shared, "What to generate: opencl, openmp, cuda or c", composer::generatedTargets())
      ->required();
  command
      .add_option("--plan", synth.plan,
                  "best, auto (several in one library where the best is bad at some sizes), all, "
                  "the id of a plan (see `tangram plans`), a saved plan.json, or a sketch")
      ->capture_default_str();
  addPlanning(command, shared);
  command
      .add_option("--limit", synth.limit,
                  "With --plan all: at most so many plans that the target can express")
      ->check(CLI::Range(0, 1000000000))
      ->type_name("N");
  command.add_flag("--force", synth.writing.isForced,
                   "Write into a folder that holds other files or another bundle, too; what no "
                   "manifest lists stays, but for files of the same names");
  addWithoutPass(command, synth.withoutPasses,
                 "Leave an optimization pass out, to measure what it is worth");
}

/// Null: it could not be read.
const ir::Program *known(const std::optional<ir::Program> &program) {
  return program ? &*program : nullptr;
}

/// The machine as each of its targets among `names` can express it.
std::vector<driver::TargetMachine> machinesFor(const Shared &shared,
                                               const composer::Machine &machine,
                                               const std::vector<std::string> &names,
                                               const ir::Program *program) {
  std::vector<driver::TargetMachine> targets;
  std::ostringstream notes; // of levels that are left out: said when the target is chosen
  for (const std::string &target : names) {
    if (std::ranges::count(machine.targets, composer::modelTarget(target)) == 0)
      continue;
    if (auto projected =
            driver::readMachineFor(shared.machine, target, notes, shared.dims, program))
      targets.push_back({target, *projected});
  }
  return targets;
}

/// Those that are not chosen.
std::vector<driver::TargetMachine> otherTargets(const Shared &shared, const ir::Program *program) {
  std::ostringstream notes;
  const auto machine = driver::readMachine(shared.machine, notes);
  std::vector<std::string> names = composer::targetNames();
  std::erase(names, shared.target);
  return machine ? machinesFor(shared, *machine, names, program)
                 : std::vector<driver::TargetMachine>{};
}

/// Runs `command` once the program and the machine are read. `predictsBest`: of a plan that nobody names
/// and of the completions of a sketch it is the time that counts.
int withInputs(Shared &shared, driver::SynthOptions &synth, bool predictsBest,
               const std::function<int(const ir::Program &, const composer::Machine &)> &command) {
  finishPlanning(shared);
  if (shared.strategy.empty() && predictsBest &&
      (synth.plan == "best" || synth.plan == "auto" || driver::isSketch(synth.plan) ||
       !synth.store.empty()))
    shared.planning.strategy = composer::PlanStrategy::Predict;
  synth.target = shared.target;
  synth.format = shared.format;
  auto program = driver::readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  auto machine =
      driver::readMachineFor(shared.machine, shared.target, std::cerr, shared.dims, known(program));
  if (!program || !machine)
    return 1;
  if (!driver::chooseSpectrum(*program, synth.spectrum, std::cerr))
    return commandLineIsWrong;
  if (const int wrong = addPredictions(shared, shared.planning, *program, *machine, synth.spectrum,
                                       synth.withoutPasses, &synth.predictor))
    return wrong;
  if (!shared.sizes.empty())
    synth.sizes = *runtime::parseSizes(shared.sizes); // they have been checked
  synth.planning = shared.planning;
  synth.otherTargets = [&shared, &program] { return otherTargets(shared, known(program)); };
  return command(*program, *machine);
}

/// What `check` does beside diagnosing.
struct Check {
  bool equivalence = false;
  std::string kinds = "usual"; ///< of data
  bool special = false;
  driver::EquivalenceOptions options;
};

/// `check --equiv`: on the machine named, else on two small ones.
int runEquivalence(Shared &shared, Check &check) {
  driver::EquivalenceOptions &options = check.options;
  const auto kinds = runtime::parseKinds(check.kinds + (check.special ? ",special" : ""));
  if (!kinds) {
    std::cerr << "error: " << kinds.error().message << "\n";
    return 2;
  }
  options.runs.kinds = *kinds;
  options.format = shared.format;
  for (const std::string &folder : shared.parsing.includeDirs)
    options.sourceOptions.insert(options.sourceOptions.end(), {"-I", folder});
  for (const std::string &instance : shared.parsing.instantiate)
    options.sourceOptions.insert(options.sourceOptions.end(), {"--instantiate", instance});
  if (!shared.derive.empty())
    options.sourceOptions.insert(options.sourceOptions.end(), {"--derive", shared.derive});
  if (shared.keepsOrder)
    options.sourceOptions.emplace_back("--keep-order");
  auto program = driver::readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  std::vector<std::string> names{"simple-cpu", "cpu"};
  if (!shared.machine.empty())
    names = {shared.machine};
  std::vector<composer::Machine> machines;
  for (const std::string &name : names) {
    if (auto machine = driver::readMachineFor(name, "openmp", std::cerr))
      machines.push_back(*machine);
    else
      return 1;
  }
  return program ? driver::checkEquivalence(options, *program, machines, std::cout, std::cerr) : 1;
}

void addEquivalence(CLI::App &command, Check &check) {
  CLI::Option *equiv = command.add_flag("--equiv", check.equivalence,
                                        "Run the codelets of each spectrum against its first one");
  command.add_option("--spectrum", check.options.spectrum, "With --equiv: only this one")
      ->needs(equiv)
      ->type_name("NAME");
  command
      .add_option("--size", check.options.runs.sizes,
                  "With --equiv: shapes as for tangram-run, instead of awkward ones")
      ->needs(equiv)
      ->allow_extra_args(false)
      ->type_name("[NAME=]N[,N...]");
  command
      .add_option("--seed", check.options.runs.seed,
                  "With --equiv: seed of generated values; the next ones are used too")
      ->needs(equiv)
      ->capture_default_str();
  command
      .add_option("--budget", check.options.runs.budget,
                  "With --equiv: seconds for each spectrum; runs that take longer are left out, "
                  "and counted")
      ->needs(equiv)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--data", check.kinds,
                  "With --equiv: kinds of generated data as for tangram-run verify; default usual")
      ->needs(equiv)
      ->type_name("KIND[,KIND...]");
  command.add_flag("--special", check.special, "With --equiv: the kind `special` too")
      ->needs(equiv);
  command
      .add_option("--time-limit", check.options.runs.timeLimit,
                  "With --equiv: seconds that one call may take")
      ->needs(equiv)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_flag(
          "--verify-widened", check.options.runs.verifyWidened,
          "With --equiv: compare in wider numbers also where the bytes of results are the same")
      ->needs(equiv);
}

void addCheck(CLI::App &app, Shared &shared, Check &check, int &status) {
  CLI::App *command =
      app.add_subcommand("check", "Diagnose a source; show spectrums, codelets, properties");
  addSource(*command, shared);
  addMachine(*command, shared, false);
  addFormat(*command, shared, {"text", "json"});
  addEquivalence(*command, check);
  command->callback([&] {
    if (check.equivalence) {
      status = runEquivalence(shared, check);
      return;
    }
    frontend::ParseResult parsed = frontend::parseFile(shared.file, shared.parsing);
    if (parsed.program) {
      driver::DerivedProgram derived =
          driver::withDerived(shared.file, parsed, shared.parsing, derivingOf(shared));
      if (derived.program)
        parsed.program = std::move(derived.program);
    }
    std::optional<composer::Machine> machine;
    if (!shared.machine.empty() && !(machine = driver::readMachine(shared.machine, std::cerr))) {
      status = 1;
      return;
    }
    status = driver::checkCommand({shared.format}, parsed.program.value_or(ir::Program{}),
                                  parsed.diagnostics, machine ? &*machine : nullptr, std::cout,
                                  std::cerr);
  });
}

void addRules(CLI::App &app, Shared &shared, driver::RulesOptions &rules, int &status) {
  CLI::App *command = app.add_subcommand("rules", "Composition rules, specialized for a machine");
  addSource(*command, shared);
  command->add_option("--spectrum", rules.spectrum, "Only this spectrum")
      ->type_name("NAME")
      ->group(driver::sourceGroup);
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
    auto program = driver::readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
    std::optional<composer::Machine> machine;
    if (!shared.machine.empty())
      machine = driver::readMachineFor(shared.machine, shared.target, std::cerr, shared.dims,
                                       known(program));
    if (!program || (!shared.machine.empty() && !machine))
      status = 1;
    else
      status = driver::rulesCommand(rules, *program, machine ? &*machine : nullptr, std::cout,
                                    std::cerr);
  });
}

/// Who wants to know why wants predictions as well: for the target or, where none is chosen, the first of
/// the model's that there is code for. False: the model cannot be read.
bool chooseForWhy(Shared &shared) {
  if (!shared.planning.level.empty())
    return true; // no library starts there
  if (shared.target.empty()) {
    auto machine = driver::readMachine(shared.machine, std::cerr);
    if (!machine)
      return false;
    const auto generated = driver::generatedTargetsOf(*machine);
    shared.target = generated.empty() ? "" : generated.front();
  }
  if (shared.strategy.empty() && hasCode(shared))
    shared.planning.strategy = composer::PlanStrategy::Predict;
  return true;
}

void addPlans(CLI::App &app, Shared &shared, driver::PlansOptions &plans, int &status) {
  CLI::App *command = app.add_subcommand("plans", "Composition plans, ranked, with the reason");
  addSource(*command, shared);
  command->add_option("--spectrum", plans.spectrum, driver::spectrumText)
      ->type_name("NAME")
      ->group(driver::sourceGroup);
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
  command->callback([&] {
    finishPlanning(shared);
    if (!plans.why.empty() && shared.format != "text" && shared.format != "json") {
      std::cerr << "error: --why explains in words: --format text or json\n";
      status = commandLineIsWrong;
      return;
    }
    if (!plans.why.empty() && !chooseForWhy(shared)) {
      status = 1;
      return;
    }
    if (shared.strategy.empty() && driver::isSketch(plans.plan) && hasCode(shared))
      shared.planning.strategy = composer::PlanStrategy::Predict;
    plans.planning = shared.planning;
    plans.planning.target = shared.target;
    plans.format = shared.format;
    auto program = driver::readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
    auto machine = driver::readMachineFor(shared.machine, shared.target, std::cerr, shared.dims,
                                          known(program));
    status = 1;
    if (!program || !machine)
      return;
    if (!driver::chooseSpectrum(*program, plans.spectrum, std::cerr)) {
      status = commandLineIsWrong;
      return;
    }
    if (shared.target.empty())
      plans.targets = machinesFor(shared, *machine, composer::generatedTargets(), known(program));
    status = plans.why.empty()
                 ? addPredictions(shared, plans.planning, *program, *machine, plans.spectrum, {})
                 : addExplanations(shared, plans, *program, *machine);
    if (status != 0)
      return;
    status = driver::plansCommand(plans, *program, *machine, std::cout, std::cerr);
  });
}

void addDerive(CLI::App &app, Shared &shared, driver::DeriveCommandOptions &derive, int &status) {
  CLI::App *command =
      app.add_subcommand("derive", "Print the codelets that follow from loops, as source");
  addSource(*command, shared);
  command->add_option("--spectrum", derive.spectrum, "Only of this one")->type_name("NAME");
  command->add_option("-o,--output", derive.output, "File to write")->type_name("FILE");
  command->add_flag("--why", derive.why, "Also what allowed each, and what could not be derived");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] {
    derive.format = shared.format;
    composer::DeriveOptions options =
        driver::deriveOptions(shared.derive.empty() ? "all" : shared.derive);
    options.keepsOrder = shared.keepsOrder;
    status =
        driver::deriveCommand(derive, shared.file, shared.parsing, options, std::cout, std::cerr);
  });
}

void addSketch(CLI::App &app, Shared &shared, driver::SketchOptions &sketch, int &status) {
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
      status = driver::listSketches(shared.file, shared.format, std::cout, std::cerr);
      return;
    }
    if (shared.machine.empty()) {
      std::cerr << "error: plans are those of a machine: name it with --hw\n";
      status = commandLineIsWrong;
      return;
    }
    auto program = driver::readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
    auto machine = driver::readMachineFor(shared.machine, shared.target, std::cerr, shared.dims,
                                          known(program));
    status = 1;
    if (!program || !machine)
      return;
    if (!driver::chooseSpectrum(*program, sketch.spectrum, std::cerr)) {
      status = commandLineIsWrong;
      return;
    }
    if (shared.strategy.empty() && hasCode(shared))
      shared.planning.strategy = composer::PlanStrategy::Predict;
    status = addPredictions(shared, shared.planning, *program, *machine, sketch.spectrum, {});
    if (status != 0)
      return;
    sketch.planning = shared.planning;
    sketch.planning.target = shared.target;
    sketch.format = shared.format;
    status = driver::sketchCommand(sketch, *program, *machine, std::cout, std::cerr);
  });
}

/// Exit status.
int writeDepfile(const Shared &shared, const driver::SynthOptions &synth,
                 const composer::Machine &machine) {
  const std::string &file = shared.depfile;
  std::vector<std::string> files = *shared.parsing.filesRead;
  files.push_back(machine.file);
  const std::string problem =
      files::writeFile(file, driver::depfileText(synth.output / "manifest.json", files));
  if (problem.empty())
    return 0;
  std::cerr << "error: cannot write " << file << ": " << problem << "\n";
  return 1;
}

void addSynth(CLI::App &app, Shared &shared, driver::SynthOptions &synth, int &status) {
  CLI::App *command = app.add_subcommand("synth", "Turn plans into libraries (bundles)");
  synth.plan = "auto";
  addSynthOptions(*command, shared, synth);
  command->add_option("-o,--output", synth.output, "Folder of the bundle (--plan all: of bundles)")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--tune-set", synth.tuneSet,
                   "The best K plans that differ, for `tangram-run tune` to choose from")
      ->check(CLI::Range(1, 1000))
      ->excludes("--plan")
      ->type_name("K");
  command
      ->add_option("--plans", synth.plans,
                   "One library of at most K plans, which calls the one that the sizes ask for")
      ->check(CLI::Range(1, 16))
      ->excludes("--plan")
      ->excludes("--tune-set")
      ->type_name("K");
  command
      ->add_flag("--online", synth.online,
                 "With --plans: the library compares its plans on its first calls")
      ->needs("--plans");
  command
      ->add_option("--store", synth.store,
                   "What `tangram-run tune` has found: default tunables, and the best plan, at "
                   "the sizes of --for-size or, without it, the last ones; with --plans the times "
                   "that versions are chosen by")
      ->type_name("FILE");
  command
      ->add_option("--store-device", synth.storeDevice,
                   "With --store: the device, as the store calls it")
      ->needs("--store")
      ->type_name("DEVICE");
  command
      ->add_option(
          "--name", synth.name,
          "What the library is called: its function and files; default: as the spectrum is in C")
      ->type_name("NAME");
  command
      ->add_option(
          "--prefix", synth.prefix,
          "What goes before the name, so that libraries of one spectrum live in one program")
      ->type_name("PREFIX");
  command
      ->add_option(
          "--library-version", synth.version,
          "Version of the library, for its packages; the first number is that of its interface")
      ->check(CLI::Validator(
          [](const std::string &text) {
            static const std::regex version("[0-9]+(\\.[0-9]+){0,3}");
            return std::regex_match(text, version)
                       ? std::string()
                       : "expected numbers with dots between them, such as 1.2.0, found " + text;
          },
          ""))
      ->type_name("V")
      ->capture_default_str();
  command->add_flag(
      "--checked", synth.checked,
      "Calls check what contracts say of elements (bins, offsets) before they compute");
  command->add_flag("--python", synth.python,
                    "Also a module for Python, which takes NumPy arrays (OpenMP only)");
  command
      ->add_option(
          "--depfile", shared.depfile,
          "Also write the sources and the model that the library was made of, as a rule of "
          "Make for DIR/manifest.json")
      ->type_name("FILE");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] {
    if (!shared.depfile.empty())
      shared.parsing.filesRead = std::make_shared<std::vector<std::string>>();
    if (synth.python && shared.target != "openmp") {
      std::cerr << "error: --python: expected --target openmp, found " << shared.target << "\n";
      status = 2;
      return;
    }
    status = withInputs(shared, synth, true, [&](const auto &program, const auto &machine) {
      const int made = driver::synthCommand(synth, program, machine, std::cout, std::cerr);
      return made == 0 && !shared.depfile.empty() ? writeDepfile(shared, synth, machine) : made;
    });
  });
}

void addRun(CLI::App &app, Shared &shared, driver::RunOptions &run, int &status) {
  CLI::App *command = app.add_subcommand(
      "run", "Synthesize, verify and time; other options are those of `tangram-run run`");
  addSynthOptions(*command, shared, run.synth);
  command->add_option("-o,--bundles", run.synth.output, "Keep the bundles in this folder")
      ->type_name("DIR");
  addFormat(*command, shared, {"text", "json"});
  command->allow_extras();
  command->footer(
      "Options handed to tangram-run: --size, --input, --data, --seed, --set, --device, "
      "--repeat, --warmup, --output NAME=FILE ...; see `tangram-run run --help`.");
  command->callback([&, command] {
    run.arguments = command->remaining();
    run.arguments.push_back("--format");
    run.arguments.push_back(shared.format);
    status = withInputs(shared, run.synth, true, [&](const auto &program, const auto &machine) {
      return driver::runCommand(run, program, machine, std::cerr);
    });
  });
}

/// What `interpret` takes beside its options.
struct Interpret {
  driver::InterpretOptions options;
  std::vector<std::string> sizes{"0,1,2,7,33"};
  std::vector<std::string> tunables;
};

int runInterpret(Shared &shared, Interpret &interpret) {
  driver::InterpretOptions &options = interpret.options;
  if (auto read = driver::readSettings(interpret.sizes, interpret.tunables, options.runs); !read) {
    std::cerr << "error: " << read.error().message << "\n";
    return commandLineIsWrong;
  }
  driver::SynthOptions names;
  names.spectrum = options.spectrum;
  return withInputs(shared, names, false, [&](const auto &program, const auto &machine) {
    options.spectrum = names.spectrum;
    options.target = shared.target;
    options.planning = shared.planning;
    options.format = shared.format;
    return driver::interpretCommand(options, program, machine, std::cout, std::cerr);
  });
}

void addInterpret(CLI::App &app, Shared &shared, Interpret &interpret, int &status) {
  CLI::App *command = app.add_subcommand(
      "interpret", "Execute plans worker by worker: races, bounds, barriers, and the result");
  driver::InterpretOptions &options = interpret.options;
  addSource(*command, shared);
  command->add_option("--spectrum", options.spectrum, driver::spectrumText)->type_name("NAME");
  addMachine(*command, shared, true);
  addAnyTarget(*command, shared)->required();
  command
      ->add_option("--plan", options.plan,
                   "best, all, the id of a plan (see `tangram plans`), or a saved plan.json")
      ->capture_default_str();
  addPlanning(*command, shared);
  command
      ->add_option("--limit", options.limit,
                   "With --plan all: at most so many plans that the target can express")
      ->check(CLI::Range(0, 1000000000))
      ->type_name("N");
  command
      ->add_option("--size", interpret.sizes,
                   "Extents, as for tangram-run; lists are combined (default 0,1,2,7,33)")
      ->type_name("[NAME=]N[,N...]")
      ->expected(1)
      ->take_all();
  command
      ->add_option(
          "--tunable", interpret.tunables,
          "Fix a tunable where a plan allows it; lists are combined (default: few workers)")
      ->type_name("NAME=V[,V...]")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--form", options.runs.forms,
                   "array: as lowered; kernel: after all passes (default: both; cuda: array)")
      ->check(CLI::IsMember({"array", "kernel"}))
      ->delimiter(',');
  addWithoutPass(*command, options.runs.withoutPasses, "Leave an optimization pass out");
  command->add_option("--seed", options.runs.seed, "Seed of generated values")
      ->capture_default_str();
  command
      ->add_option("--schedule", options.runs.schedule,
                   "Order in which workers run: in turns for 0, else random by this seed")
      ->capture_default_str();
  command
      ->add_option("--steps", options.runs.steps, "Operations after which a run counts as endless")
      ->capture_default_str();
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] { status = runInterpret(shared, interpret); });
}

void addHw(CLI::App &app, Shared &shared, std::string &name, driver::DetectOptions &detected,
           int &status) {
  CLI::App *hw = app.add_subcommand("hw", "Hardware models");
  hw->require_subcommand(1);
  auto options = [&] { return driver::HwOptions{driver::modelFolders(), shared.format}; };
  CLI::App *list = hw->add_subcommand("list", "All models");
  addFormat(*list, shared, {"text", "json"});
  list->callback([&, options] { status = driver::hwList(options(), std::cout, std::cerr); });
  CLI::App *show = hw->add_subcommand("show", "One model, every field");
  show->add_option("model", name, "Name or file")->required();
  addFormat(*show, shared, {"text", "json"});
  show->callback([&, options] { status = driver::hwShow(name, options(), std::cout, std::cerr); });
  CLI::App *validate = hw->add_subcommand("validate", "Check a model file");
  validate->add_option("file", name, "Model file, - for standard input")->required();
  addFormat(*validate, shared, {"text", "json"});
  validate->callback(
      [&, options] { status = driver::hwValidate(name, options(), std::cout, std::cerr); });
  CLI::App *detect = hw->add_subcommand("detect", "Print a model of this machine");
  detect->add_option("--name", detected.name, "What to call it")->capture_default_str();
  CLI::Option *device = detect->add_option(
      "--device", detected.device,
      "An OpenCL device (index, or part of platform/name) in the place of the processor");
  CLI::Option *measured =
      detect
          ->add_option("--measured", detected.measured,
                       "Take the figures from this file, which `tangram-run measure --format json` "
                       "has printed, on any machine")
          ->type_name("FILE")
          ->excludes(device);
  detect->add_flag("--quick", detected.quick, "Read what Linux tells, and measure nothing")
      ->excludes(device)
      ->excludes(measured);
  detect->callback([&] {
    detected.command = "tangram hw detect" +
                       (detected.device.empty() ? "" : " --device '" + detected.device + "'") +
                       (detected.measured.empty() ? "" : " --measured " + detected.measured);
    status = driver::hwDetect(detected, std::cout, std::cerr);
  });
}

void addInit(CLI::App &app, driver::InitOptions &init, int &status) {
  CLI::App *command =
      app.add_subcommand("init", "A folder to begin with: a spectrum, a program, a CMake project");
  command->add_option("folder", init.folder, "Folder; its name becomes the spectrum's")->required();
  command->add_option("--hw", init.hw, "Hardware model of the project")
      ->type_name("MODEL")
      ->capture_default_str();
  command->callback([&] { status = driver::initCommand(init, std::cout, std::cerr); });
}

int run(int argc, char **argv) {
  CLI::App app{"tangram composes codelets into kernels for a machine.", "tangram"};
  app.formatter(std::make_shared<driver::WrappedHelp>(driver::terminalWidth()));
  app.set_version_flag("--version", "tangram 0.1.0");
  app.require_subcommand(1);
  app.footer("Exit status: 0 fine, 1 the input is wrong, 2 the command line is wrong, "
             "3 a check failed.");
  int status = 0;
  // Never destroyed: the end of the process frees what a search has kept, and at once.
  static Shared &shared = *new Shared;
  driver::SynthOptions synth;
  driver::RunOptions run;
  std::string model;
  Check check;
  driver::RulesOptions rules;
  driver::PlansOptions plans;
  Interpret interpret;
  Compare compare;
  driver::SketchOptions sketch;
  driver::DeriveCommandOptions derive;
  addCheck(app, shared, check, status);
  addDerive(app, shared, derive, status);
  addRules(app, shared, rules, status);
  addPlans(app, shared, plans, status);
  addSynth(app, shared, synth, status);
  addRun(app, shared, run, status);
  addInterpret(app, shared, interpret, status);
  addSketch(app, shared, sketch, status);
  addCompare(app, shared, compare, status);
  driver::DetectOptions detected;
  driver::InitOptions init;
  addInit(app, init, status);
  addHw(app, shared, model, detected, status);
  const int ended = driver::readCommandLine(app, argc, argv);
  return ended >= 0 ? ended : status;
}

} // namespace

int main(int argc, char **argv) {
  return wholeCommand("tangram", [&] { return run(argc, argv); });
}

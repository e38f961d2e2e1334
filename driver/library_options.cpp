#include "driver/library_options.h"

#include "composer/machine/targets.h"
#include "driver/choosing/asked_sizes.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/commands/synth_collection.h"
#include "driver/input/depfile.h"
#include "driver/input/input.h"
#include "files/write_file.h"
#include "runtime/data/command_values.h"

#include <functional>
#include <iostream>
#include <regex>
#include <sstream>

namespace tangram::driver {

namespace {

void addSynthOptions(CLI::App &command, Shared &shared, SynthOptions &synth,
                     const char *spectrumMeaning) {
  addSource(command, shared);
  command.add_option("--spectrum", synth.spectrum, spectrumMeaning)
      ->type_name("NAME")
      ->group(sourceGroup);
  addMachine(command, shared, true);
  addTarget(command, shared, "What to generate: opencl, openmp, cuda or c",
            composer::generatedTargets())
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

/// Those that are not chosen.
std::vector<TargetMachine> otherTargets(const Shared &shared, const ir::Program *program) {
  std::ostringstream notes;
  const auto machine = readMachine(shared.machine, notes);
  std::vector<std::string> names = composer::targetNames();
  std::erase(names, shared.target);
  return machine ? machinesFor(shared, *machine, names, program) : std::vector<TargetMachine>{};
}

/// Chooses the spectrum, reads the sizes, and predicts plans where that is asked for. Exit status.
int prepare(Shared &shared, SynthOptions &synth, const ir::Program &program,
            const composer::Machine &machine) {
  if (!chooseSpectrum(program, synth.spectrum, std::cerr))
    return commandLineIsWrong;
  synth.withoutPasses = passesLeftOut(shared, synth.withoutPasses);
  if (const int wrong = addPredictions(shared, shared.planning, program, machine, synth.spectrum,
                                       synth.withoutPasses, &synth.predictor))
    return wrong;
  if (!shared.sizes.empty())
    synth.sizes = *runtime::parseSizes(shared.sizes, "--for-size"); // they have been checked
  synth.planning = shared.planning;
  synth.otherTargets = [&shared, &program] { return otherTargets(shared, &program); };
  return 0;
}

/// Runs `command` once the program and the machine are read. `predictsBest`: of a plan that nobody names
/// and of the completions of a sketch it is the time that counts, and whoever names sizes asks for predictions.
int withInputs(Shared &shared, const std::vector<SynthOptions *> &spectrums, bool predictsBest,
               const std::function<int(const ir::Program &, const composer::Machine &)> &command) {
  const SynthOptions &synth = *spectrums.front();
  finishPlanning(shared);
  if (shared.strategy.empty() && predictsBest &&
      (synth.plan == "best" || synth.plan == "auto" || isSketch(synth.plan) ||
       !synth.store.empty() || !shared.sizes.empty()))
    shared.planning.strategy = composer::PlanStrategy::Predict;
  auto program = readProgram(shared.file, shared.parsing, derivingOf(shared), std::cerr);
  auto machine =
      readMachineFor(shared.machine, shared.target, std::cerr, shared.dims, known(program));
  if (!program || !machine)
    return 1;
  for (SynthOptions *each : spectrums) {
    each->target = shared.target;
    each->format = shared.format;
    if (const int wrong = prepare(shared, *each, *program, *machine))
      return wrong;
  }
  return command(*program, *machine);
}

/// Exit status.
int writeDepfile(const Shared &shared, const SynthOptions &synth,
                 const composer::Machine &machine) {
  const std::string &file = shared.depfile;
  std::vector<std::string> files = *shared.parsing.filesRead;
  files.push_back(machine.file);
  const std::string problem =
      files::writeFile(file, depfileText(synth.output / "manifest.json", files));
  if (problem.empty())
    return 0;
  std::cerr << "error: cannot write " << file << ": " << problem << "\n";
  return 1;
}

/// One library of several spectrums.
int synthSeveral(Shared &shared, SynthOptions &synth, const std::vector<NamedSpectrum> &spectrums) {
  if (synth.tuneSet != 0 || (synth.plan != "auto" && synth.plan != "best")) {
    std::cerr << "error: --spectrum: a library of several spectrums takes --plan best, --plan auto "
                 "or --plans K; tune its bundles, DIR/NAME, one by one\n";
    return commandLineIsWrong;
  }
  std::vector<SynthOptions> members;
  for (const NamedSpectrum &each : spectrums) {
    members.push_back(synth);
    members.back().spectrum = each.spectrum;
    members.back().name = each.name;
  }
  std::vector<SynthOptions *> all;
  for (SynthOptions &each : members)
    all.push_back(&each);
  synth.target = shared.target;
  synth.format = shared.format;
  return withInputs(shared, all, true, [&](const auto &program, const auto &machine) {
    const int made = synthCollection(synth, members, program, machine, std::cout, std::cerr);
    return made == 0 && !shared.depfile.empty() ? writeDepfile(shared, synth, machine) : made;
  });
}

/// Sizes that nobody gives: the largest one has few enough elements for the interpreter in all dimensions of a container.
void takeUsualSizes(const ir::Spectrum &spectrum, RunOptionsOfInterpreter &runs) {
  unsigned rank = 0;
  for (const ir::VarPtr &each : spectrum.params)
    rank = std::max(rank, each->type.rank);
  const std::uint64_t last[] = {33, 33, 33, 13, 7, 4}, before[] = {7, 7, 7, 7, 5, 3};
  const std::size_t dimensions = std::min<std::size_t>(rank, std::size(last) - 1);
  runs.sizes.clear();
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                   before[dimensions], last[dimensions]}) {
    runs.sizes.emplace_back();
    runs.sizes.back().all = size;
  }
}

int runInterpret(Shared &shared, Interpret &interpret) {
  InterpretOptions &options = interpret.options;
  if (auto read = readSettings(interpret.sizes, interpret.tunables, options.runs); !read) {
    std::cerr << "error: " << read.error().message << "\n";
    return commandLineIsWrong;
  }
  SynthOptions names;
  names.spectrum = options.spectrum;
  return withInputs(shared, {&names}, false, [&](const auto &program, const auto &machine) {
    options.spectrum = names.spectrum;
    const ir::Spectrum *spectrum = program.spectrum(options.spectrum); // null: the planner says so
    if (spectrum != nullptr && interpret.sizes.empty())
      takeUsualSizes(*spectrum, options.runs);
    if (const std::string problem = spectrum ? problemOfSizes(*spectrum, options.runs.sizes) : "";
        !problem.empty()) {
      std::cerr << "error: " << problem << "\n";
      return commandLineIsWrong;
    }
    options.target = shared.target;
    options.planning = shared.planning;
    options.runs.withoutPasses = passesLeftOut(shared, options.runs.withoutPasses);
    options.format = shared.format;
    return interpretCommand(options, program, machine, std::cout, std::cerr);
  });
}

/// Adds the options that choose the plans of a library: how many there are, and which measured times decide.
void addChoice(CLI::App &command, SynthOptions &synth) {
  command
      .add_option("--tune-set", synth.tuneSet,
                  "The best K plans that differ, for `tangram-run tune` to choose from")
      ->check(CLI::Range(1, 1000))
      ->excludes("--plan")
      ->type_name("K");
  command
      .add_option("--plans", synth.plans,
                  "One library of at most K plans, which calls the one that the sizes ask for")
      ->check(CLI::Range(1, 16))
      ->excludes("--plan")
      ->excludes("--tune-set")
      ->type_name("K");
  command
      .add_flag("--online", synth.online,
                "With --plans: the library compares its plans on its first calls")
      ->needs("--plans");
  command
      .add_option("--store", synth.store,
                  "What `tangram-run tune` has found: default tunables, and the best plan, at "
                  "the sizes of --for-size or, without it, the last ones; with --plans the times "
                  "that versions are chosen by")
      ->type_name("FILE");
  command
      .add_option("--store-device", synth.storeDevice,
                  "With --store: the device, as the store calls it")
      ->needs("--store")
      ->type_name("DEVICE");
}

/// The error of a library's version; empty where it is well-formed.
std::string wrongVersion(const std::string &text) {
  static const std::regex version("[0-9]+(\\.[0-9]+){0,3}");
  return std::regex_match(text, version)
             ? std::string()
             : "expected numbers with dots between them, such as 1.2.0, found " + text;
}

/// Adds the options that name a library and its version, and those that add checks, packages and modules to it.
void addLibrary(CLI::App &command, SynthOptions &synth) {
  command
      .add_option("--name", synth.name,
                  "What the library is called: its function and files (default: as the spectrum "
                  "is in C; of "
                  "several spectrums: as the source's file)")
      ->type_name("NAME");
  command
      .add_option(
          "--prefix", synth.prefix,
          "What goes before the name, so that libraries of one spectrum live in one program")
      ->type_name("PREFIX");
  command
      .add_option(
          "--library-version", synth.version,
          "Version of the library, for its packages; the first number is that of its interface")
      ->check(CLI::Validator(wrongVersion, ""))
      ->type_name("V")
      ->capture_default_str();
  command.add_flag(
      "--checked", synth.checked,
      "Calls check what contracts say of elements (bins, offsets) before they compute");
  command.add_flag("--python", synth.python,
                   "Also a module for Python, which takes NumPy arrays (OpenMP only)");
}

/// Runs the command. Returns the exit status.
int synthesize(Shared &shared, SynthOptions &synth) {
  if (!shared.depfile.empty())
    shared.parsing.filesRead = std::make_shared<std::vector<std::string>>();
  if (synth.python && shared.target != "openmp") {
    std::cerr << "error: --python: expected --target openmp, found " << shared.target << "\n";
    return commandLineIsWrong;
  }
  const std::vector<NamedSpectrum> spectrums = spectrumsIn(synth.spectrum);
  if (spectrums.size() > 1)
    return synthSeveral(shared, synth, spectrums);
  if (!spectrums.front().name.empty()) {
    synth.spectrum = spectrums.front().spectrum;
    synth.name = spectrums.front().name;
  }
  return withInputs(shared, {&synth}, true, [&](const auto &program, const auto &machine) {
    const int made = synthCommand(synth, program, machine, std::cout, std::cerr);
    return made == 0 && !shared.depfile.empty() ? writeDepfile(shared, synth, machine) : made;
  });
}

} // namespace

void addSynth(CLI::App &app, Shared &shared, SynthOptions &synth, int &status) {
  CLI::App *command = app.add_subcommand("synth", "Turn plans into libraries (bundles)");
  synth.plan = "auto";
  addSynthOptions(*command, shared, synth, spectrumsText);
  command->add_option("-o,--output", synth.output, "Folder of the bundle (--plan all: of bundles)")
      ->required()
      ->type_name("DIR");
  addChoice(*command, synth);
  addLibrary(*command, synth);
  command
      ->add_option(
          "--depfile", shared.depfile,
          "Also write the sources and the model that the library was made of, as a rule of "
          "Make for DIR/manifest.json")
      ->type_name("FILE");
  addFormat(*command, shared, {"text", "json"});
  command->callback([&] { status = synthesize(shared, synth); });
}

void addRun(CLI::App &app, Shared &shared, RunOptions &run, int &status) {
  CLI::App *command = app.add_subcommand(
      "run", "Synthesize, verify and time; other options are those of `tangram-run run`");
  addSynthOptions(*command, shared, run.synth, spectrumText);
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
    status = withInputs(shared, {&run.synth}, true, [&](const auto &program, const auto &machine) {
      return runCommand(run, program, machine, std::cerr);
    });
  });
}

void addInterpret(CLI::App &app, Shared &shared, Interpret &interpret, int &status) {
  CLI::App *command = app.add_subcommand(
      "interpret", "Execute plans worker by worker: races, bounds, barriers, and the result");
  InterpretOptions &options = interpret.options;
  addSource(*command, shared);
  command->add_option("--spectrum", options.spectrum, spectrumText)->type_name("NAME");
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
      ->add_option(
          "--size", interpret.sizes,
          "Extents, as for tangram-run; lists are combined (default 0,1,2,7,33, with three "
          "dimensions 0,1,2,7,13, with four 0,1,2,5,7, with five 0,1,2,3,4)")
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

} // namespace tangram::driver

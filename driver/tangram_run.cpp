// tangram-run: verify, time and tune bundles on the devices of this machine.
#include "driver/command_words.h"
#include "driver/run/generate_input.h"
#include "driver/run/measure_device.h"
#include "driver/run/other_work.h"
#include "driver/run/problem_options.h"
#include "driver/run/show_store.h"
#include "driver/run/tune_bundles.h"
#include "driver/run/wide_vectors.h"
#include "driver/text/known_errors.h"
#include "driver/text/progress_line.h"
#include "driver/whole_command.h"
#include "runtime/data/command_values.h"
#include "runtime/session/backends.h"
#include "runtime/session/report.h"
#include "runtime/session/sandbox.h"
#include "runtime/tune/best_known.h"
#include "runtime/tune/tuning_case.h"
#include "json/reader.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace {

using namespace tangram::runtime;
using namespace tangram::driver;

constexpr const char *version = "tangram-run 0.1.0";

/// The command line as text; parseOptions makes sense of it.
struct CommandLine {
  std::string command;
  ProblemOptions problem;
  std::vector<std::string> outputs;
  std::string store;    ///< of what is known of tunables; may be empty
  std::string versions; ///< empty: as the command has it
  std::string kinds;    ///< of generated data; empty: as the command has it
  bool special = false;
  std::string cases; ///< file of a list of them; may be empty
  std::string format = "text";
  std::string explained; ///< number of a message
  bool explain = false, listDevices = false, generate = false, measure = false, tune = false,
       unverified = false, cold = false, withoutSandbox = false, verbose = false;
  GenerateOptions generated;
  MeasureOptions measured;
  TuneCommand tuned;
  StoreCommand stored;
  SessionOptions options;
};

void tell(const std::string &message) { std::cerr << "tangram-run: " << message << "\n"; }

int exitStatusOf(Fault fault) {
  switch (fault) {
  case Fault::Input:
    return 1;
  case Fault::Usage:
    return 2;
  case Fault::Refused:
  case Fault::Failed:
    return 3;
  }
  return 3;
}

void addFormat(CLI::App &app, CommandLine &line) {
  app.add_option("--format", line.format, "Form of the results: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void addCommand(CLI::App &app, CommandLine &line, const std::string &name,
                const std::string &description) {
  CLI::App *command = app.add_subcommand(name, description);
  command->callback([&line, name] { line.command = name; });
  addProblem(*command, line.problem, "Folders with a manifest.json");
  command->add_option("--seed", line.options.seed, "Seed of generated values")
      ->capture_default_str();
  command
      ->add_option(
          "--data", line.kinds,
          name == "verify"
              ? "Kinds of generated data: ordinary, full (whole ranges of types), few (few "
                "values), sorted, "
                "reversed, edges (ends of what contracts allow), constants (numbers that the "
                "source "
                "names), special (NaN, infinities, "
                "subnormal numbers); default usual: all but the last"
              : "Kind of generated data, as verify has them; default ordinary")
      ->type_name("KIND[,KIND...]");
  command->add_flag("--special", line.special,
                    name == "verify" ? "The kind `special` too" : "The kind `special`");
  command->add_option(
      "--device", line.options.device,
      "Device of OpenCL or CUDA: index, or part of platform/name (see --list-devices)");
  command
      ->add_option(
          "--store", line.store,
          "Take tunables from what `tune` has chosen for this device and the nearest sizes")
      ->type_name("FILE");
  command->add_option("--output", line.outputs, "Save an output or the result")
      ->type_name("NAME=FILE.npy")
      ->expected(1)
      ->take_all();
  if (name != "time")
    command->add_flag("--memory-checker", line.options.memoryChecker,
                      "Leave outputs and temporaries uninitialized and release no buffer, so that "
                      "a checker such as Oclgrind sees every mistake");
  command->add_flag("--verify-widened", line.options.verifyWidened,
                    "Compare in wider numbers also where the bytes of the results are those of the "
                    "reference, and say how far they are apart");
  if (name == "verify")
    command
        ->add_option(
            "--cases", line.cases,
            "Runs that a JSON file lists instead of all combinations (docs/command-line.md)")
        ->type_name("FILE");
  if (name != "verify") {
    command->add_option("--warmup", line.options.timing.warmup, "Runs after the first, not counted")
        ->check(countFrom(0))
        ->capture_default_str();
    command->add_option("--repeat", line.options.timing.repeat, "Runs that count")
        ->check(countFrom(1))
        ->capture_default_str();
    command->add_flag("--cold", line.cold, "Empty the caches before every run that counts");
  }
  if (name == "time")
    command->add_flag("--no-verify", line.unverified,
                      "Measure without comparing with the reference first; rows say so");
  command
      ->add_option("--time-limit", line.options.timeLimit,
                   "Seconds that one call of a bundle or a reference may take")
      ->check(CLI::Validator(isPositive, "SECONDS"))
      ->capture_default_str();
  command
      ->add_option(
          "--objects", line.options.objects,
          "Keep what C compilers make in this folder, and take from it what is there: for calls "
          "that follow each other")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  command->add_flag("--temporary", line.options.temporary,
                    "The bundles are about to be removed: call them by the ids of their plans");
  command
      ->add_option(
          "--versions", line.versions,
          "Of a bundle of several plans: all, or the one chosen for the sizes, as its host "
          "does")
      ->check(CLI::IsMember({"all", "chosen"}))
      ->default_str(name == "verify" ? "all" : "chosen");
  addFormat(*command, line);
}

void addSandbox(CLI::App &command, CommandLine &line) {
  command.add_flag("--no-sandbox", line.withoutSandbox,
                   "Let bundles do whatever you may: write files, use the network");
  command.add_flag("--verbose", line.verbose, "Say what the sandbox of bundles holds here");
}

void chooseSandbox(const CommandLine &line) {
  if (line.withoutSandbox)
    switchSandboxOff();
  if (line.verbose)
    std::cerr << (line.withoutSandbox ? "sandbox: none, bundles may do whatever you may\n"
                                      : sandbox()->description());
}

Status parseOptions(CommandLine &line) {
  Result<Problems> problems = parsed(line.problem);
  Result<std::map<std::string, std::string>> outputs = parseNamed("--output", line.outputs);
  if (!problems)
    return problems.error();
  if (!outputs)
    return outputs.error();
  SessionOptions &options = line.options;
  options.task = line.command == "verify" ? Task::Verify
                 : line.unverified        ? Task::Time
                                          : Task::VerifyAndTime;
  const bool verifies = line.command == "verify";
  const std::string wanted =
      !line.kinds.empty() ? line.kinds
      // A memory checker is slow, and looks for mistakes that do not depend on values.
      : verifies && !options.memoryChecker ? "usual"
      : line.special                       ? "special"
                                           : "ordinary";
  Result<std::vector<DataKind>> kinds = parseKinds(wanted + (line.special ? ",special" : ""));
  if (!kinds)
    return kinds.error();
  if (!verifies && kinds->size() > 1)
    return usageError("--data: expected one kind for " + line.command + ", found " +
                      std::to_string(kinds->size()));
  options.kinds = *kinds;
  if (!line.cases.empty()) {
    Result<CaseList> cases = readCases(line.cases);
    if (!cases)
      return cases.error();
    options.cases = std::move(*cases);
  }
  options.allVersions = line.versions.empty() ? line.command == "verify" : line.versions == "all";
  options.timing.caches = line.cold ? Caches::Cold : Caches::Warm;
  options.bundles = line.problem.bundles;
  options.referenceTimeLimit = options.timeLimit;
  options.inputs = problems->inputs;
  options.outputs = *outputs;
  options.sizes = problems->sizes;
  options.settings = problems->settings;
  return ok();
}

/// The exit status; says what is wrong.
int finished(const Status &status) {
  if (status)
    return 0;
  tell(status.error().message);
  return exitStatusOf(status.error().fault);
}

/// A driver that is missing is told of where no other has a device.
int listDevices(const CommandLine &line) {
  const DeviceList devices = listAllDevices();
  if (line.format == "json")
    std::cout << tangram::json::dumped(nlohmann::ordered_json{{"devices", devices.array}}, 2)
              << "\n";
  else if (!devices.lines.empty())
    std::cout << devices.lines << "\n";
  for (const std::string &missing : devices.missing) {
    if (devices.array.empty())
      tell(missing);
  }
  return devices.array.empty() ? 3 : 0;
}

void printEnd(const CommandLine &line, const std::vector<Record> &records) {
  if (line.format == "json") {
    std::cout << tangram::json::dumped(recordsJson(line.command, records), 2) << "\n";
    return;
  }
  std::string table = line.command == "run" ? timeTable(records) : "";
  if (!table.empty())
    std::cout << "\n" << table << "\n";
  if (records.size() > 1)
    std::cout << summaryLine(records) << "\n";
}

bool isBad(const Record &record) {
  return record.outcome == Outcome::Wrong || record.outcome == Outcome::NotComparable ||
         record.outcome == Outcome::Failed;
}

/// The result on standard output. As text it is a line there, and standard error has what the
/// line has no room for; a program that reads JSON leaves standard error to people.
void printRecord(const CommandLine &line, const Record &record) {
  if (line.format == "json") {
    if (isBad(record))
      tell(record.bundle + ": " + name(record.outcome) + ": " + record.reason);
    return;
  }
  static ErrorNumbers numbers("tangram-run");
  const std::string text = recordLine(record);
  std::cout << text << (isBad(record) || !record.reason.empty() ? numbers.after(text) : "")
            << std::endl;
  if (std::string details = detailsOf(record); !details.empty())
    tell(record.bundle + ":\n" + details);
}

/// Tunables that nobody fixes are those that the store has.
Status addSuggestions(CommandLine &line) {
  if (line.store.empty())
    return ok();
  Result<Store> store = Store::openToRead(line.store);
  if (!store)
    return store.error();
  Result<std::vector<Choice>> choices = store->choices();
  Result<std::string> inputs = inputsText(line.options.inputs, line.options.seed);
  if (!choices || !inputs)
    return choices ? inputs.error() : choices.error();
  const Caches caches = line.options.timing.caches;
  line.options.suggest = [choices = *choices, inputs = *inputs, caches](
                             const Manifest &manifest, const Problem &problem, Backend &backend) {
    const Result<TuningCase> wanted = tuningCaseOf(manifest, {&backend, &problem}, inputs, caches);
    const Choice *best = wanted ? bestKnown(choices, *wanted) : nullptr;
    return best ? best->tunables : TunableValues();
  };
  return ok();
}

int runBundles(CommandLine &line) {
  if (Status status = parseOptions(line); !status)
    return finished(status);
  if (Status status = addSuggestions(line); !status)
    return finished(status);
  ProgressLine progress;
  std::vector<Record> records;
  auto sink = [&](const Record &record) {
    progress.clear();
    printRecord(line, record);
    records.push_back(record);
  };
  Status status = runSession(line.options, sink,
                             [&](std::size_t done, std::size_t total, const std::string &bundle) {
                               if (total > 1)
                                 progress.show("[" + std::to_string(done + 1) + "/" +
                                               std::to_string(total) + "] " + bundle);
                             });
  if (!status)
    return finished(status);
  if (!line.options.device.empty() && std::ranges::all_of(records, [](const Record &r) {
        const TargetFormat *format = formatNamed(r.target);
        return format && !format->hasKernels;
      }))
    tell("note: --device is for OpenCL and CUDA; these bundles are for the processor");
  printEnd(line, records);
  if (line.options.temporary && std::any_of(records.begin(), records.end(), isBad))
    std::cerr << "note: add -o DIR to keep the bundle\n";
  return exitStatus(records);
}

int tuned(CommandLine &line) {
  Result<bool> good = tuneBundles(line.tuned);
  if (!good)
    return finished(good.error());
  return *good ? 0 : 3;
}

int run(int argc, char **argv) {
  CommandLine line;
  CLI::App app{"Verifies, times and tunes bundles of synthesized kernels.", "tangram-run"};
  app.footer("Exit status: 0 fine, 1 a bundle or an input is wrong, 2 the command line is wrong, "
             "3 a check failed, or cannot be made (not comparable).");
  app.formatter(std::make_shared<WrappedHelp>(terminalWidth()));
  app.set_version_flag("--version", version);
  app.add_flag("--list-devices", line.listDevices,
               "List the devices of this machine that OpenCL and CUDA know");
  addFormat(app, line);
  app.require_subcommand(0, 1);
  addCommand(app, line, "verify", "Compare the results of bundles with their reference");
  addCommand(app, line, "time", "Verify, then measure how long bundles take");
  addCommand(app, line, "run", "Verify, then time, and list the bundles by time");
  addTune(app, line.tuned, line.tune);
  addStore(app, line.stored);
  addGenerate(app, line.generated, line.generate);
  addMeasure(app, line.measured, line.measure);
  CLI::App *explain = app.add_subcommand(
      "explain", "Cause and way out of a message that has a number; all of them");
  explain->add_option("number", line.explained, "As the message has it: T0101")
      ->type_name("NUMBER");
  explain->callback([&] { line.explain = true; });
  for (CLI::App *command : app.get_subcommands([](CLI::App *) { return true; })) {
    if (const std::string name = command->get_name();
        name == "verify" || name == "time" || name == "run" || name == "tune")
      addSandbox(*command, line);
  }
  if (const int ended = readCommandLine(app, argc, argv); ended >= 0)
    return ended;
  chooseSandbox(line);
  if (line.explain)
    return explainCommand(line.explained, std::cout, std::cerr);
  if (line.listDevices)
    return listDevices(line);
  if (line.generate)
    return finished(generateInput(line.generated));
  if (line.measure)
    return finished(measureDevice(line.measured));
  if (line.tune || line.command == "time" || line.command == "run") {
    prepareToMeasure();
    tellOfWideVectors(line.tune ? line.tuned.problem.bundles : line.problem.bundles);
  }
  if (line.tune)
    return tuned(line);
  if (!line.stored.what.empty())
    return finished(showStore(line.stored));
  if (line.command.empty()) {
    std::cerr << app.help();
    return 2;
  }
  return runBundles(line);
}

} // namespace

int main(int argc, char **argv) {
  return wholeCommand("tangram-run", [&] { return run(argc, argv); });
}

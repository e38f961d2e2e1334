// tangram-run: verify and time bundles on the devices of this machine.
#include "driver/generate_input.h"
#include "runtime/data/command_values.h"
#include "runtime/session/report.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iostream>

namespace {

using namespace tangram::runtime;

constexpr const char *version = "tangram-run 0.1.0";

/// The command line as text; parseOptions makes sense of it.
struct CommandLine {
  std::string command;
  std::vector<std::string> bundles;
  std::vector<std::string> inputs, outputs, sizes, settings;
  std::string format = "text";
  bool listDevices = false, generate = false, unverified = false, cold = false;
  tangram::driver::GenerateOptions generated;
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

/// Which combination is being run, on standard error, when somebody is there to read it.
class ProgressLine {
public:
  void show(std::size_t done, std::size_t total, const std::string &bundle) {
    if (terminal && total > 1)
      std::cerr << "\r\033[K[" << done + 1 << "/" << total << "] " << bundle << std::flush;
  }

  void clear() {
    if (terminal)
      std::cerr << "\r\033[K" << std::flush;
  }

private:
  bool terminal = isatty(STDERR_FILENO) != 0;
};

/// A check of the command line: what is wrong with `text`, or nothing.
std::string isPositive(const std::string &text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value > 0
             ? ""
             : "expected a number above 0, found " + text;
}

/// The same of a number of runs. The times of all of them are kept.
template <std::uint64_t least> std::string isCountFrom(const std::string &text) {
  constexpr std::uint64_t most = 100000000;
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool isCount = error == std::errc() && end == text.data() + text.size();
  return isCount && least <= value && value <= most
             ? ""
             : "expected a number from " + std::to_string(least) + " to " + std::to_string(most) +
                   ", found " + text;
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
  command->add_option("bundles", line.bundles, "Folders with a manifest.json")
      ->required()
      ->type_name("BUNDLE");
  command
      ->add_option("--input", line.inputs,
                   "Values of a parameter: a .npy or .mtx file, a number for a scalar. "
                   "csr:VALUES,COLUMNS,OFFSETS=F.mtx, csr:COLUMNS,OFFSETS=F.mtx and "
                   "coo:ROWS,COLUMNS[,VALUES]=F.mtx give a sparse matrix")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  command
      ->add_option(
          "--size", line.sizes,
          "Extents that no file and no equation gives: 1000, 0,1,2, 2^24, in=1000 or a=300x400; "
          "default 1000003 (1000 in more dimensions, less for three and more)")
      ->type_name("[NAME=]N[,N...]")
      ->expected(1)
      ->take_all();
  command->add_option("--seed", line.options.seed, "Seed of generated values")
      ->capture_default_str();
  command->add_option("--set", line.settings, "Fix a tunable; lists are combined")
      ->type_name("NAME=V[,V...]")
      ->expected(1)
      ->take_all();
  command->add_option("--device", line.options.device,
                      "OpenCL device: index, or part of platform/name (see --list-devices)");
  command->add_option("--output", line.outputs, "Save an output or the result")
      ->type_name("NAME=FILE.npy")
      ->expected(1)
      ->take_all();
  if (name != "time")
    command->add_flag("--memory-checker", line.options.memoryChecker,
                      "Leave outputs and temporaries uninitialized and release no buffer, so that "
                      "a checker such as Oclgrind sees every mistake");
  if (name != "verify") {
    command->add_option("--warmup", line.options.timing.warmup, "Runs after the first, not counted")
        ->check(CLI::Validator(isCountFrom<0>, "N"))
        ->capture_default_str();
    command->add_option("--repeat", line.options.timing.repeat, "Runs that count")
        ->check(CLI::Validator(isCountFrom<1>, "N"))
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
  command->add_flag("--temporary", line.options.temporary,
                    "The bundles are about to be removed: call them by the ids of their plans");
  addFormat(*command, line);
}

Status parseOptions(CommandLine &line) {
  Result<std::map<std::string, std::string>> inputs = parseNamed("--input", line.inputs);
  Result<std::map<std::string, std::string>> outputs = parseNamed("--output", line.outputs);
  Result<std::vector<SizeChoice>> sizes = parseSizes(line.sizes);
  Result<std::vector<TunableValues>> settings = parseSettings(line.settings);
  if (!inputs)
    return inputs.error();
  if (!outputs)
    return outputs.error();
  if (!sizes)
    return sizes.error();
  if (!settings)
    return settings.error();
  SessionOptions &options = line.options;
  options.task = line.command == "verify" ? Task::Verify
                 : line.unverified        ? Task::Time
                                          : Task::VerifyAndTime;
  options.timing.caches = line.cold ? Caches::Cold : Caches::Warm;
  options.bundles = line.bundles;
  options.inputs = *inputs;
  options.outputs = *outputs;
  options.sizes = *sizes;
  options.settings = *settings;
  return ok();
}

/// The exit status; says what is wrong.
int finished(const Status &status) {
  if (status)
    return 0;
  tell(status.error().message);
  return exitStatusOf(status.error().fault);
}

int listDevices(const CommandLine &line) {
  Result<OpenCLApi> api = openOpenCL();
  if (!api) {
    tell(api.error().message);
    return 3;
  }
  std::vector<OpenCLDevice> devices = listOpenCLDevices(*api);
  if (line.format == "json")
    std::cout << devicesJson(devices).dump(2) << "\n";
  else if (!devices.empty())
    std::cout << deviceLines(devices) << "\n";
  if (devices.empty())
    tell("no OpenCL device on this machine: the loader is there, but it knows no platform with a "
         "device");
  return devices.empty() ? 3 : 0;
}

void printEnd(const CommandLine &line, const std::vector<Record> &records) {
  if (line.format == "json") {
    std::cout << recordsJson(line.command, records).dump(2) << "\n";
    return;
  }
  std::string table = line.command == "run" ? timeTable(records) : "";
  if (!table.empty())
    std::cout << "\n" << table << "\n";
  if (records.size() > 1)
    std::cout << summaryLine(records) << "\n";
}

bool isBad(const Record &record) {
  return record.outcome == Outcome::Wrong || record.outcome == Outcome::Failed;
}

/// The result on standard output. As text it is a line there, and standard error has what the
/// line has no room for; a program that reads JSON leaves standard error to people.
void printRecord(const CommandLine &line, const Record &record) {
  if (line.format == "json") {
    if (isBad(record))
      tell(record.bundle + ": " + name(record.outcome) + ": " + record.reason);
    return;
  }
  std::cout << recordLine(record) << std::endl;
  if (std::string details = detailsOf(record); !details.empty())
    tell(record.bundle + ":\n" + details);
}

int runBundles(CommandLine &line) {
  if (Status status = parseOptions(line); !status)
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
                               progress.show(done, total, bundle);
                             });
  if (!status)
    return finished(status);
  printEnd(line, records);
  if (line.options.temporary && std::any_of(records.begin(), records.end(), isBad))
    std::cerr << "note: add -o DIR to keep the bundle\n";
  return exitStatus(records);
}

int run(int argc, char **argv) {
  CommandLine line;
  CLI::App app{"Verifies and times bundles of synthesized kernels.\n"
               "Exit status: 0 fine, 1 a bundle or an input is wrong, 2 the command line is wrong, "
               "3 a check failed.",
               "tangram-run"};
  app.set_version_flag("--version", version);
  app.add_flag("--list-devices", line.listDevices, "List the OpenCL devices of this machine");
  addFormat(app, line);
  app.require_subcommand(0, 1);
  addCommand(app, line, "verify", "Compare the results of bundles with their reference");
  addCommand(app, line, "time", "Verify, then measure how long bundles take");
  addCommand(app, line, "run", "Verify, then time, and list the bundles by time");
  tangram::driver::addGenerate(app, line.generated, line.generate);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (line.listDevices)
    return listDevices(line);
  if (line.generate)
    return finished(tangram::driver::generateInput(line.generated));
  if (line.command.empty()) {
    std::cerr << app.help();
    return 2;
  }
  return runBundles(line);
}

} // namespace

int main(int argc, char **argv) {
  try {
    int status = run(argc, argv);
    if (std::cout.flush())
      return status;
    tell("cannot write the results to standard output");
    return status == 0 ? 1 : status;
  } catch (const std::exception &e) {
    tell(std::string("internal error: ") + e.what() + "; please report it");
    return 70;
  }
}

#include "driver/commands/hw_command.h"

#include "composer/machine/machine.h"
#include "composer/machine/machine_detect.h"
#include "composer/machine/machine_measured.h"
#include "driver/commands/child_process.h"
#include "driver/commands/hw_picture.h"
#include "driver/input/input.h"
#include "driver/text/comma_list.h"
#include "files/read_file.h"
#include "ir/temporary_folder.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>

#include <unistd.h>

namespace tangram::driver {
namespace {

using composer::Machine;
using composer::MachineOrErrors;
using composer::ModelErrors;
using Json = nlohmann::ordered_json;

void report(const ModelErrors &errors, std::ostream &err) {
  for (const composer::ModelError &error : errors)
    err << error.text() << "\n";
}

std::vector<std::string> levelNames(const Machine &machine) {
  std::vector<std::string> names;
  for (const composer::Level &level : machine.levels)
    names.push_back(level.name);
  return names;
}

std::string dumped(const Json &json) { return json::dumped(json, 2) + "\n"; }

void listText(const std::vector<Machine> &machines, std::ostream &out) {
  std::size_t name = 0;
  std::size_t levels = 0;
  std::size_t targets = 0;
  for (const Machine &m : machines) {
    name = std::max(name, m.name.size());
    levels = std::max(levels, joined(levelNames(m), " ").size());
    targets = std::max(targets, joined(m.targets, " ").size());
  }
  auto column = [&](std::size_t width) -> std::ostream & {
    return out << std::left << std::setw(static_cast<int>(width) + 2);
  };
  for (const Machine &m : machines) {
    column(name) << m.name;
    column(levels) << joined(levelNames(m), " ");
    column(targets) << joined(m.targets, " ");
    out << m.description << "\n";
  }
}

void listJson(const std::vector<Machine> &machines, std::ostream &out) {
  Json json;
  json["models"] = Json::array();
  for (const Machine &m : machines)
    json["models"].push_back({{"name", m.name},
                              {"description", m.description},
                              {"levels", levelNames(m)},
                              {"targets", m.targets},
                              {"file", m.file}});
  out << dumped(json);
}

void validateJson(const std::string &file, const MachineOrErrors &result, std::ostream &out) {
  Json json;
  json["file"] = file;
  const Machine *machine = std::get_if<Machine>(&result);
  json["valid"] = machine != nullptr;
  json["levels"] = machine ? levelNames(*machine) : std::vector<std::string>();
  json["targets"] = machine ? machine->targets : std::vector<std::string>();
  json["errors"] = Json::array();
  if (const auto *errors = std::get_if<ModelErrors>(&result))
    for (const composer::ModelError &error : *errors)
      json["errors"].push_back({{"pointer", error.pointer}, {"message", error.message}});
  out << dumped(json);
}

MachineOrErrors loadFrom(const std::string &file) {
  if (file != "-")
    return composer::loadMachine(file);
  const auto text = files::readDescriptor(STDIN_FILENO);
  if (const auto *why = std::get_if<files::Unreadable>(&text))
    return composer::ModelErrors{
        {"<stdin>", "", "expected a hardware model, found what cannot be read: " + why->reason}};
  return composer::parseMachine(std::get<std::string>(text), "<stdin>");
}

/// The text of a file; nothing, and a word on `err`, where it cannot be read.
std::optional<std::string> textOf(const std::filesystem::path &file, std::ostream &err) {
  auto text = files::readFile(file);
  if (const auto *why = std::get_if<files::Unreadable>(&text)) {
    err << "error: cannot read " << file.string() << ": " << why->reason << "\n";
    return std::nullopt;
  }
  return std::get<std::string>(std::move(text));
}

/// What `tangram-run measure` prints, into `text`. Returns its exit status.
int measure(const DetectOptions &options, std::string &text, std::ostream &err) {
  const ir::TemporaryFolder folder;
  if (folder.path().empty()) {
    err << "error: cannot make " << folder.wanted().string() << "\n";
    return 1;
  }
  const std::filesystem::path file = folder.path() / "measured.json";
  std::vector<std::string> words{"measure", "--format", "json"};
  if (!options.device.empty())
    words.insert(words.end(), {"--device", options.device});
  if (isatty(STDERR_FILENO) != 0)
    err << "measuring, for some seconds ..." << std::endl;
  if (const int status = runAndWait(executableFolder() / "tangram-run", words, err, {file, {}});
      status != 0)
    return status;
  const std::optional<std::string> printed = textOf(file, err);
  text = printed.value_or("");
  return printed ? 0 : 1;
}

/// The model with the figures; nothing, and the errors on `err`, where they are no figures, or those of
/// another processor.
std::optional<Machine> measuredModel(const DetectOptions &options, const Machine &machine,
                                     const std::string &text, std::ostream &err) {
  const std::string file =
      options.measured.empty() ? std::string("tangram-run measure") : options.measured;
  const auto read = composer::parseMeasured(text, file);
  if (const auto *errors = std::get_if<ModelErrors>(&read)) {
    report(*errors, err);
    return std::nullopt;
  }
  const auto &measured = std::get<composer::MeasuredDevice>(read);
  const std::string how =
      "measured by " + options.command + ": " + measured.device + ", " + measured.driver;
  if (measured.type != "processor")
    return composer::modelOfDevice(options.name, measured, how);
  const auto threads = measured.facts.find("threads");
  const std::uint64_t here = machine.levels.at(1).workers.units;
  if (!options.measured.empty() && threads != measured.facts.end() && threads->second != here) {
    err << file << ": /facts/threads: a processor of " << threads->second << ", this one has "
        << here
        << "; caches and lanes are told by the machine itself, so its model is made there\n";
    return std::nullopt;
  }
  return composer::withMeasured(machine, measured, how);
}

} // namespace

int hwList(const HwOptions &options, std::ostream &out, std::ostream &err) {
  std::vector<Machine> machines;
  int status = 0;
  for (const std::string &name : composer::listMachines(options.folders)) {
    MachineOrErrors found = composer::findMachine(name, options.folders);
    if (const auto *errors = std::get_if<ModelErrors>(&found)) {
      report(*errors, err);
      status = 1;
    } else {
      machines.push_back(std::get<Machine>(found));
    }
  }
  if (options.format == "json")
    listJson(machines, out);
  else
    listText(machines, out);
  return status;
}

int hwShow(const std::string &nameOrFile, const HwOptions &options, std::ostream &out,
           std::ostream &err) {
  MachineOrErrors found = composer::findMachine(nameOrFile, options.folders);
  if (const auto *errors = std::get_if<ModelErrors>(&found)) {
    report(*errors, err);
    return 1;
  }
  const Machine &machine = std::get<Machine>(found);
  out << (options.format == "json" ? composer::machineJson(machine) : describeMachine(machine));
  return 0;
}

int hwValidate(const std::string &file, const HwOptions &options, std::ostream &out,
               std::ostream &err) {
  MachineOrErrors result = loadFrom(file);
  const Machine *machine = std::get_if<Machine>(&result);
  if (options.format == "json") {
    validateJson(file, result, out);
  } else if (machine) {
    std::size_t count = machine->levels.size();
    out << file << ": ok (" << count << (count == 1 ? " level" : " levels") << ", "
        << (machine->targets.size() == 1 ? "target " : "targets ") << joined(machine->targets, ", ")
        << ")\n";
  } else {
    report(std::get<ModelErrors>(result), err);
  }
  return machine ? 0 : 1;
}

int hwDetect(const DetectOptions &options, std::ostream &out, std::ostream &err) {
  Machine machine = composer::detectMachine(options.name);
  // The name is the user's; everything else is ours to get right.
  auto isGood = [&](const std::string &text) {
    const MachineOrErrors checked = composer::parseMachine(text, options.name);
    if (const auto *errors = std::get_if<ModelErrors>(&checked))
      report(*errors, err);
    return std::holds_alternative<Machine>(checked);
  };
  std::string text = composer::machineJson(machine);
  if (!isGood(text))
    return 1;
  if (!options.quick) {
    std::optional<std::string> figures =
        options.measured.empty() ? "" : textOf(options.measured, err);
    if (const int status = options.measured.empty() ? measure(options, *figures, err) : 0;
        status != 0)
      return status;
    const auto model = figures ? measuredModel(options, machine, *figures, err) : std::nullopt;
    if (!model)
      return 1;
    text = composer::machineJson(*model);
    if (!isGood(text))
      return 1;
  }
  out << text;
  return 0;
}

} // namespace tangram::driver

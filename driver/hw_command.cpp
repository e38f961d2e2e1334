#include "driver/hw_command.h"

#include "composer/machine/machine.h"
#include "composer/machine/machine_detect.h"
#include "composer/machine/machine_measured.h"
#include "driver/child_process.h"
#include "driver/hw_picture.h"
#include "driver/input.h"
#include "ir/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>

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

std::string joined(const std::vector<std::string> &words, const std::string &separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string dumped(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

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
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return composer::parseMachine(text, "<stdin>");
}

/// What `tangram-run measure` prints, into `text`; or what the file holds that it has printed to.
int measure(const DetectOptions &options, std::string &text, std::ostream &err) {
  std::filesystem::path file = options.measured;
  const ir::TemporaryFolder folder;
  if (options.measured.empty()) {
    if (folder.path().empty()) {
      err << "error: cannot make " << folder.wanted().string() << "\n";
      return 1;
    }
    file = folder.path() / "measured.json";
    std::vector<std::string> words{"measure", "--format", "json"};
    if (!options.device.empty())
      words.insert(words.end(), {"--device", options.device});
    if (const int status = runAndWait(executableFolder() / "tangram-run", words, err, {file, {}});
        status != 0)
      return status;
  }
  std::ifstream stream(file);
  text.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.is_open() && !stream.bad())
    return 0;
  err << "error: cannot read " << file.string() << "\n";
  return 1;
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
  if (!options.quick) {
    std::string text;
    if (const int status = measure(options, text, err); status != 0)
      return status;
    const auto read = composer::parseMeasured(text, options.measured.empty() ? "tangram-run measure"
                                                                             : options.measured);
    if (const auto *errors = std::get_if<ModelErrors>(&read)) {
      report(*errors, err);
      return 1;
    }
    const auto &measured = std::get<composer::MeasuredDevice>(read);
    const std::string how =
        "measured by " + options.command + ": " + measured.device + ", " + measured.driver;
    machine = measured.type == "processor" ? composer::withMeasured(machine, measured, how)
                                           : composer::modelOfDevice(options.name, measured, how);
  }
  std::string text = composer::machineJson(machine);
  // The name is the user's; everything else is ours to get right.
  MachineOrErrors checked = composer::parseMachine(text, options.name);
  if (const auto *errors = std::get_if<ModelErrors>(&checked)) {
    report(*errors, err);
    return 1;
  }
  out << text;
  return 0;
}

} // namespace tangram::driver

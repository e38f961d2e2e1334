#include "driver/commands/hw_picture.h"

#include "composer/rules/rule.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <vector>

namespace tangram::driver {
namespace {

using composer::Level;
using composer::Machine;
using composer::Memory;

constexpr std::size_t labelWidth = 18;

std::string line(std::string label, const std::string &value) {
  label.resize(std::max(label.size() + 1, labelWidth), ' ');
  return "  " + label + value + "\n";
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

std::string display(const Level &level) {
  return level.title == level.name ? level.name : level.name + " (" + level.title + ")";
}

std::string computeText(const Level &level) {
  switch (level.compute) {
  case composer::Capability::None:
    return "computes nothing";
  case composer::Capability::Scalar:
    return "computes scalar";
  case composer::Capability::Vector:
    return "computes vector";
  }
  return "";
}

std::string limits(const composer::Workers &workers) {
  if (workers.max == UINT64_MAX)
    return "at least " + std::to_string(workers.min);
  if (workers.min == workers.max)
    return "always";
  return std::to_string(workers.min) + " to " + std::to_string(workers.max);
}

std::string workersText(const Machine &machine, std::size_t index) {
  if (index == 0)
    return "one";
  const composer::Workers &workers = machine.levels[index].workers;
  std::string text = workers.defaultCount + " below each " + machine.levels[index - 1].name + " (" +
                     limits(workers) + ")";
  if (workers.units != 0)
    text += ", on " + std::to_string(workers.units) + " hardware units";
  return text;
}

std::string decimal(double value, const char *unit) {
  std::array<char, 64> text{};
  bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
  std::snprintf(text.data(), text.size(), whole ? "%.0f %s" : "%.1f %s", value, unit);
  return text.data();
}

/// What every banked memory has is left out.
std::string banksText(const Memory &memory) {
  std::string text = std::to_string(memory.banks) + " banks";
  if (memory.bankBytes != Memory{}.bankBytes)
    text += " of words of " + bytesText(memory.bankBytes);
  if (memory.itemsAtBanks() != memory.banks)
    text += " for " + std::to_string(memory.bankItems) + " items";
  return text;
}

std::string memoryText(const Memory &memory) {
  std::string text = memory.space;
  if (!memory.title.empty())
    text += " (" + memory.title + ")";
  std::vector<std::string> figures;
  if (memory.bytes != 0)
    figures.push_back(bytesText(memory.bytes));
  if (memory.banks != 0)
    figures.push_back(banksText(memory));
  if (memory.lineBytes != 0)
    figures.push_back("lines of " + bytesText(memory.lineBytes));
  if (memory.bytesPerSecond != 0)
    figures.push_back(decimal(static_cast<double>(memory.bytesPerSecond) / 1e9, "GB/s"));
  return figures.empty() ? text : text + ": " + joined(figures);
}

std::string subordinateText(const Machine &machine, const Level &level) {
  if (level.subordinate < 0)
    return "none";
  const Level &below = machine.levels[static_cast<std::size_t>(level.subordinate)];
  return display(below) + ", synchronised by " + nameOf(level.sync);
}

std::string spellingText(const Machine &machine, const Level &level) {
  std::vector<std::string> words;
  for (const std::string &target : machine.targets) {
    auto found = level.spelling.find(target);
    words.push_back(target + " " + (found == level.spelling.end() ? "(none)" : found->second));
  }
  return joined(words);
}

std::string describeLevel(const Machine &machine, std::size_t index) {
  const Level &level = machine.levels[index];
  std::vector<std::string> rules;
  for (composer::MapRule rule : level.mapRules)
    rules.push_back(nameOf(rule));
  std::string text = "\nlevel " + display(level) + "\n";
  if (!level.description.empty())
    text += "  " + level.description + "\n";
  text += line("compute", nameOf(level.compute));
  text += line("subordinate", subordinateText(machine, level));
  text += line("prefers", nameOf(level.prefers));
  text += line("map rules", joined(rules));
  text += line("workers", workersText(machine, index));
  text += line("dims", std::to_string(level.dims));
  if (level.memory.empty())
    text += line("memory", "none");
  for (std::size_t i = 0; i < level.memory.size(); ++i)
    text += line(i == 0 ? "memory" : "", memoryText(level.memory[i]));
  text += line("atomics", joined(level.atomics));
  text += line("lockstep", level.lockstep ? "yes" : "no");
  text += line("forward progress", level.forwardProgress ? "yes" : "no");
  text += line("spelling", spellingText(machine, level));
  return text;
}

/// Bytes that are not every model's.
std::string bytesOfCode(const composer::CodeLimits &code) {
  const composer::CodeLimits usual;
  std::string text;
  const auto add = [&](const std::string &what, auto figure) {
    if (code.*figure != usual.*figure)
      text += line(what, std::to_string(code.*figure) + " bytes");
  };
  add("registers", &composer::CodeLimits::privateBytes);
  add("spare registers", &composer::CodeLimits::spareBytes);
  add("local memory", &composer::CodeLimits::localBytes);
  add("first cache", &composer::CodeLimits::cacheBytes);
  if (code.vectorRegisters != usual.vectorRegisters)
    text += line("vector registers", std::to_string(code.vectorRegisters));
  return text;
}

std::string describeCode(const composer::CodeLimits &code) {
  return "\ncode\n" + line("groups a launch", "at most " + std::to_string(code.launch)) +
         line("loads in flight", std::to_string(code.loadsInFlight)) +
         (code.accessBytes != 0 ? line("an access", std::to_string(code.accessBytes) + " bytes")
                                : "") +
         line("parts", code.parts.defaultCount + " of a worker (" + limits(code.parts) + ")") +
         bytesOfCode(code);
}

/// A figure with its unit: "4.8e+12 B/s", "1.98e+09 Hz", "5 us".
std::string costText(const std::string &name, double value) {
  std::ostringstream text;
  if (name.ends_with("_seconds")) {
    const bool isLong = value >= 1e-6;
    text << value * (isLong ? 1e6 : 1e9) << (isLong ? " us" : " ns");
    return text.str();
  }
  text << value;
  if (name.ends_with("bytes_per_second"))
    text << " B/s";
  else if (name == "cycles_per_second")
    text << " Hz";
  else if (name.ends_with("_bytes"))
    text << " B";
  return text.str();
}

/// The costs of predictions; a star marks a figure that the model does not give.
std::string describeCosts(const composer::Costs &costs) {
  std::string text = "\ncosts, for predictions (*: of every model that does not say)\n";
  std::size_t width = 0;
  for (const composer::CostField &field : composer::costFields())
    width = std::max(width, std::string(field.name).size());
  for (const composer::CostField &field : composer::costFields()) {
    const double value = costs.*field.figure;
    const std::string figure =
        costText(field.name, value) + (value == composer::Costs{}.*field.figure ? " *" : "");
    constexpr std::size_t figureWidth = 12;
    std::string name = field.name;
    name.resize(width + 2, ' ');
    text += "  " + name + figure +
            std::string(figure.size() < figureWidth ? figureWidth - figure.size() : 1, ' ') +
            field.meaning + "\n";
  }
  return text;
}

/// "opencl   G grid > B group > T item", and a line for each level left out.
std::string describeTarget(const Machine &machine, const std::string &target) {
  std::vector<std::string> notes;
  composer::MachineOrErrors projected = composer::projectOnto(machine, target, notes);
  const auto *expressed = std::get_if<Machine>(&projected);
  if (!expressed)
    return "";
  std::string chain;
  for (const Level &level : expressed->levels)
    chain += (chain.empty() ? "" : " > ") + level.name + " " + level.spelling.at(target);
  std::string text = line(target, chain);
  for (const std::string &note : notes)
    text += line("", note);
  return text;
}

} // namespace

std::string bytesText(std::uint64_t bytes) {
  static constexpr std::array<const char *, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit)
    value /= 1024;
  return decimal(value, units[unit]);
}

std::string drawHierarchy(const Machine &machine) {
  std::size_t width = 0; // of the part before the columns, in characters
  for (std::size_t i = 0; i < machine.levels.size(); ++i)
    width = std::max(width, 3 * i + display(machine.levels[i]).size());
  std::string text;
  for (std::size_t i = 0; i < machine.levels.size(); ++i) {
    const Level &level = machine.levels[i];
    std::string branch = i == 0 ? "" : std::string(3 * (i - 1), ' ') + "└─ ";
    std::string name = display(level);
    std::string row = "  " + branch + name + std::string(width - 3 * i - name.size() + 2, ' ');
    row += computeText(level);
    if (i > 0)
      row += "; workers: " + workersText(machine, i);
    text += row + "\n";
    if (level.subordinate >= 0)
      text += "  " + std::string(3 * i, ' ') + "│ " + nameOf(level.sync) + "\n";
  }
  return text;
}

std::string describeMachine(const Machine &machine) {
  std::string text = machine.name + ": " + machine.description + "\n" + machine.file + "\n\n";
  text += drawHierarchy(machine);
  for (std::size_t i = 0; i < machine.levels.size(); ++i)
    text += describeLevel(machine, i);
  if (machine.code != composer::CodeLimits{})
    text += describeCode(machine.code);
  if (machine.costs != composer::Costs{})
    text += describeCosts(machine.costs);
  text += "\ntargets\n";
  for (const std::string &target : machine.targets)
    text += describeTarget(machine, target);
  if (!machine.sources.empty())
    text += "\nsources\n";
  for (const std::string &source : machine.sources)
    text += "  " + source + "\n";
  return text;
}

} // namespace tangram::driver

#include "composer/machine/machine.h"

#include "composer/machine/machine_hierarchy.h"
#include "files/read_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tangram::composer {

bool Level::offers(MapRule rule) const {
  return std::find(mapRules.begin(), mapRules.end(), rule) != mapRules.end();
}

bool Level::runsLoops() const {
  return compute != Capability::None || (sync != Sync::Launch && !isOfNests());
}

const Memory *Level::memoryNamed(const std::string &space) const {
  for (const Memory &m : memory)
    if (m.space == space)
      return &m;
  return nullptr;
}

double Machine::groupUnits() const {
  double units = costs.units;
  for (const Level &level : levels) {
    if (level.subordinate < 0 || (level.sync != Sync::Launch && level.sync != Sync::Join))
      continue;
    const Workers &groups = levels[static_cast<std::size_t>(level.subordinate)].workers;
    if (groups.units != 0)
      units = static_cast<double>(groups.units);
  }
  return units;
}

double Costs::residentAUnit(double items) const {
  return std::clamp(std::floor(residentItems / std::max(1.0, items)), 1.0,
                    std::max(1.0, residentGroups));
}

int Machine::levelNamed(const std::string &name) const {
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].name == name)
      return static_cast<int>(i);
  return -1;
}

int Machine::baseOf(int level) const {
  while (levels[static_cast<std::size_t>(level)].isOfNests())
    level = levels[static_cast<std::size_t>(level)].subordinate;
  return level;
}

std::vector<int> Machine::dimensionsOf(int level) const {
  std::vector<int> found;
  for (int i = level - 1; i >= 0 && levels[static_cast<std::size_t>(i)].dimension > 0; --i)
    found.push_back(i);
  return found;
}

int Machine::flatOf(int level) const {
  const auto found = std::ranges::find_if(
      levels, [&](const Level &each) { return each.flat && each.subordinate == level; });
  return found == levels.end() ? -1 : static_cast<int>(found - levels.begin());
}

std::string ModelError::text() const {
  std::string text;
  for (const std::string &part : {file, pointer})
    if (!part.empty())
      text += part + ": ";
  return text + message;
}

MachineOrErrors parseMachine(const std::string &text, const std::string &name) {
  ErrorSink sink(name);
  std::optional<nlohmann::json> document = parseJson(text, sink);
  if (!document)
    return sink.errors;
  MachineDraft draft = readMachine(*document, sink);
  if (!document->is_object() || !sink.misspelt.empty())
    return sink.errors;
  Machine machine = linkLevels(std::move(draft), sink);
  if (!sink.errors.empty())
    return sink.errors;
  return machine;
}

MachineOrErrors loadMachine(const std::filesystem::path &file) {
  auto refuse = [&](const std::string &found) {
    return ModelErrors{{file.string(), "", "expected a hardware model, found " + found}};
  };
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return refuse("no such file");
  if (std::filesystem::is_directory(file, ignored))
    return refuse("a folder");
  const auto text = files::readFile(file);
  if (const auto *why = std::get_if<files::Unreadable>(&text))
    return refuse("a file that cannot be read: " + why->reason);
  return parseMachine(std::get<std::string>(text), file.string());
}

} // namespace tangram::composer

// A machine as the text of a model file.
#include "composer/machine/machine_expression.h"
#include "composer/machine/machine_json.h"
#include "json/reader.h"

namespace tangram::composer {
namespace {

using Json = nlohmann::ordered_json;

Json workersJson(const Workers &workers) {
  Json json;
  if (std::optional<std::uint64_t> number = plainNumber(workers.defaultCount))
    json["default"] = *number;
  else
    json["default"] = workers.defaultCount;
  json["min"] = workers.min;
  if (workers.max != UINT64_MAX)
    json["max"] = workers.max;
  if (workers.units != 0)
    json["units"] = workers.units;
  if (workers.parts != 1)
    json["parts"] = workers.parts;
  return json;
}

Json codeJson(const CodeLimits &code) {
  Json json;
  json["launch"] = code.launch;
  json["loads_in_flight"] = code.loadsInFlight;
  if (code.accessBytes != 0)
    json["access_bytes"] = code.accessBytes;
  json["parts"] = workersJson(code.parts);
  json["private_bytes"] = code.privateBytes;
  json["vector_registers"] = code.vectorRegisters;
  json["spare_bytes"] = code.spareBytes;
  json["local_bytes"] = code.localBytes;
  json["cache_bytes"] = code.cacheBytes;
  return json;
}

/// Those that are not every model's.
Json costsJson(const Costs &costs) {
  Json json;
  for (const CostField &field : costFields()) {
    if (costs.*field.figure != Costs{}.*field.figure)
      json[field.name] = costs.*field.figure;
  }
  return json;
}

Json memoryJson(const Memory &memory) {
  Json json;
  json["space"] = memory.space;
  if (!memory.title.empty())
    json["title"] = memory.title;
  for (auto [name, value] :
       {std::pair<const char *, std::uint64_t>{"bytes", memory.bytes},
        {"banks", memory.banks},
        {"bank_bytes", memory.bankBytes == Memory{}.bankBytes ? 0 : memory.bankBytes},
        {"bank_items", memory.bankItems},
        {"line_bytes", memory.lineBytes},
        {"bytes_per_second", memory.bytesPerSecond},
        {"unit_bytes", memory.unitBytes}})
    if (value != 0)
      json[name] = value;
  for (const auto &[target, bytes] : memory.targetBytes)
    json["target_bytes"][target] = bytes;
  return json;
}

/// The subordinate, and what only a level that has one says.
void writeSubordinate(Json &json, const Machine &machine, const Level &level) {
  if (level.subordinate >= 0) {
    json["subordinate"] = machine.levels[static_cast<std::size_t>(level.subordinate)].name;
    json["sync"] = nameOf(level.sync);
  }
  if (level.prefers != Tiling::None)
    json["prefers"] = nameOf(level.prefers);
}

Json levelJson(const Machine &machine, const Level &level, bool top) {
  Json json;
  json["name"] = level.name;
  json["title"] = level.title;
  if (!level.description.empty())
    json["description"] = level.description;
  json["compute"] = nameOf(level.compute);
  writeSubordinate(json, machine, level);
  json["map_rules"] = Json::array();
  for (MapRule rule : level.mapRules)
    json["map_rules"].push_back(nameIn(mapRuleWords(), rule));
  if (!top)
    json["workers"] = workersJson(level.workers);
  if (level.dims != 1)
    json["dims"] = level.dims;
  for (const Memory &memory : level.memory)
    json["memory"].push_back(memoryJson(memory));
  if (!level.atomics.empty())
    json["atomics"] = level.atomics;
  if (level.lockstep)
    json["lockstep"] = true;
  if (level.forwardProgress)
    json["forward_progress"] = true;
  for (const Target &target : targets()) // in their order, not the map's
    if (auto found = level.spelling.find(target.name); found != level.spelling.end())
      json["spelling"][target.name] = found->second;
  return json;
}

} // namespace

std::string machineJson(const Machine &machine) {
  Json json;
  json["name"] = machine.name;
  if (!machine.description.empty())
    json["description"] = machine.description;
  if (!machine.sources.empty())
    json["sources"] = machine.sources;
  json["targets"] = machine.targets;
  if (machine.code != CodeLimits{})
    json["code"] = codeJson(machine.code);
  if (machine.costs != Costs{})
    json["costs"] = costsJson(machine.costs);
  for (std::size_t i = 0; i < machine.levels.size(); ++i)
    json["levels"].push_back(levelJson(machine, machine.levels[i], i == 0));
  return json::dumped(json, 2) + "\n";
}

} // namespace tangram::composer

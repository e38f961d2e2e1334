#include "composer/machine/machine_reader.h"
#include "composer/machine/target_words.h"

#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <cctype>

namespace tangram::composer {

using nlohmann::json;

namespace {

bool isAlnum(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

/// Level names stand in plan notation (S_G, devolve(B)), so they are identifiers.
bool isLevelName(const std::string &name) {
  return std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](char c) { return isAlnum(c) || c == '_'; });
}

/// Model names are file names on every system.
bool isMachineName(const std::string &name) {
  return isAlnum(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
           return isAlnum(c) || c == '-' || c == '_' || c == '.';
         });
}

/// The default worker count: a number, or an expression as text.
void readDefaultCount(const JsonObject &object, Workers &workers, ErrorSink &sink) {
  const json *value = object.find("default");
  if (!value)
    return;
  JsonPointer at = object.pointer("default");
  if (value->is_number_unsigned()) {
    workers.defaultCount = std::to_string(value->get<std::uint64_t>());
  } else if (value->is_string()) {
    workers.defaultCount = value->get<std::string>();
    if (std::optional<std::string> error = workerExpressionError(workers.defaultCount))
      return sink.add(at, *error);
  } else {
    return sink.add(at, "expected a whole number or an expression in a string, found " +
                            sink.describe(*value));
  }
  std::optional<std::uint64_t> count = plainNumber(workers.defaultCount);
  if (count && workers.min <= workers.max && (*count < workers.min || *count > workers.max))
    sink.add(at, "expected a number from min to max (" + std::to_string(workers.min) + " to " +
                     std::to_string(workers.max) + "), found " + std::to_string(*count));
}

Workers readWorkers(const json &value, const JsonPointer &at, ErrorSink &sink) {
  Workers workers;
  JsonObject object(value, at, sink, "workers", workersFields());
  workers.min = object.number("min", {1}).value_or(workers.min);
  workers.max = object.number("max", {1}).value_or(workers.max);
  workers.units = object.number("units", {1}).value_or(0);
  workers.parts = object.number("parts", {1}).value_or(1);
  if (workers.min > workers.max)
    sink.add(at, "expected min to be at most max, found " + std::to_string(workers.min) + " and " +
                     std::to_string(workers.max));
  // Without a default of its own, a level has as few workers as it may.
  workers.defaultCount = std::to_string(workers.min);
  readDefaultCount(object, workers, sink);
  return workers;
}

Memory readMemory(const json &value, const JsonPointer &at, ErrorSink &sink) {
  Memory memory;
  JsonObject object(value, at, sink, "a memory", memoryFields());
  object.require("space");
  memory.space = object.oneOf("space", memorySpaces()).value_or("");
  memory.title = object.text("title").value_or("");
  memory.bytes = object.number("bytes", {1}).value_or(0);
  memory.banks = static_cast<unsigned>(object.number("banks", {1, 1024}).value_or(0));
  memory.bankBytes =
      static_cast<unsigned>(object.number("bank_bytes", {1, 64}).value_or(memory.bankBytes));
  memory.bankItems = static_cast<unsigned>(object.number("bank_items", {1, 1024}).value_or(0));
  memory.lineBytes = static_cast<unsigned>(object.number("line_bytes", {1, 65536}).value_or(0));
  memory.bytesPerSecond = object.number("bytes_per_second", {1}).value_or(0);
  memory.unitBytes = object.number("unit_bytes", {1}).value_or(0);
  if (const json *bytes = object.find("target_bytes")) {
    JsonObject of(*bytes, object.pointer("target_bytes"), sink, "bytes by target", modelTargets());
    for (const std::string &target : modelTargets())
      if (const std::optional<std::uint64_t> most = of.number(target, {1}))
        memory.targetBytes[target] = *most;
  }
  return memory;
}

CodeLimits readCode(const json &value, const JsonPointer &at, ErrorSink &sink) {
  CodeLimits code;
  JsonObject object(value, at, sink, "code", codeFields());
  code.launch = object.number("launch", {1, INT32_MAX}).value_or(code.launch);
  code.loadsInFlight = static_cast<unsigned>(
      object.number("loads_in_flight", {1, 1024}).value_or(code.loadsInFlight));
  code.accessBytes =
      static_cast<unsigned>(object.number("access_bytes", {0, 64}).value_or(code.accessBytes));
  if (const json *parts = object.find("parts"))
    code.parts = readWorkers(*parts, object.pointer("parts"), sink);
  code.privateBytes = object.number("private_bytes", {1, INT32_MAX}).value_or(code.privateBytes);
  code.vectorRegisters = static_cast<unsigned>(
      object.number("vector_registers", {1, 1024}).value_or(code.vectorRegisters));
  code.spareBytes = object.number("spare_bytes", {1, INT32_MAX}).value_or(code.spareBytes);
  code.localBytes = object.number("local_bytes", {1, INT32_MAX}).value_or(code.localBytes);
  code.cacheBytes = object.number("cache_bytes", {1, INT32_MAX}).value_or(code.cacheBytes);
  return code;
}

Costs readCosts(const json &value, const JsonPointer &at, ErrorSink &sink) {
  Costs costs;
  std::vector<std::string> names;
  for (const CostField &field : costFields())
    names.emplace_back(field.name);
  JsonObject object(value, at, sink, "costs", names);
  for (const CostField &field : costFields())
    costs.*field.figure = object.positive(field.name).value_or(costs.*field.figure);
  return costs;
}

void readSpelling(const json &value, const JsonPointer &at, Level &level, ErrorSink &sink) {
  JsonObject object(value, at, sink, "a spelling", modelTargets());
  for (const std::string &name : modelTargets())
    if (std::optional<std::string> word = object.oneOf(name, targetNamed(name)->spellings))
      level.spelling[name] = *word;
}

void readName(const JsonObject &object, LevelDraft &draft, ErrorSink &sink) {
  object.require("name");
  std::optional<std::string> name = object.text("name");
  if (!name)
    return;
  if (!isLevelName(*name))
    return sink.add(object.pointer("name"),
                    "expected a letter, then letters, digits and _, found " + inQuotes(*name));
  draft.level.name = *name;
  draft.nameRead = true;
}

/// What a level is and how it relates to its subordinate.
void readRelations(const JsonObject &object, LevelDraft &draft) {
  Level &level = draft.level;
  object.require("compute");
  std::optional<Capability> compute = object.word("compute", capabilityWords());
  draft.computeRead = compute.has_value();
  level.compute = compute.value_or(Capability::None);
  draft.hasSubordinate = object.has("subordinate");
  draft.subordinate = object.text("subordinate");
  draft.hasSync = object.has("sync");
  level.sync = object.word("sync", syncWords()).value_or(Sync::None);
  level.prefers = object.word("prefers", tilingWords()).value_or(Tiling::None);
  draft.hasMapRules = object.has("map_rules");
  std::vector<std::string> ruleNames = namesOf(mapRuleWords());
  for (const std::string &rule : object.texts("map_rules", &ruleNames))
    level.mapRules.push_back(*mapRuleNamed(rule));
  level.lockstep = object.flag("lockstep").value_or(false);
  level.forwardProgress = object.flag("forward_progress").value_or(false);
}

LevelDraft readLevel(const json &value, const JsonPointer &at, ErrorSink &sink) {
  LevelDraft draft;
  draft.at = at;
  Level &level = draft.level;
  JsonObject object(value, at, sink, "a level", levelFields());
  readName(object, draft, sink);
  level.title = object.text("title").value_or(level.name);
  level.description = object.text("description").value_or("");
  readRelations(object, draft);
  if (const json *workers = object.find("workers")) {
    draft.hasWorkers = true;
    level.workers = readWorkers(*workers, object.pointer("workers"), sink);
  }
  level.dims = static_cast<unsigned>(object.number("dims", {1, 3}).value_or(1));
  if (const json *memory = object.array("memory"))
    for (std::size_t i = 0; i < memory->size(); ++i)
      level.memory.push_back(readMemory((*memory)[i], object.pointer("memory") / i, sink));
  level.atomics = object.texts("atomics", &atomicTypes());
  if (const json *spelling = object.find("spelling"))
    readSpelling(*spelling, object.pointer("spelling"), level, sink);
  return draft;
}

} // namespace

MachineDraft readMachine(const json &document, ErrorSink &sink) {
  MachineDraft draft;
  Machine &machine = draft.machine;
  JsonObject object(document, JsonPointer(), sink, "a hardware model", machineFields());
  machine.file = sink.file;
  object.text("$schema");
  object.require("name");
  machine.name = object.text("name").value_or("");
  if (!machine.name.empty() && !isMachineName(machine.name))
    sink.add(object.pointer("name"),
             "expected letters, digits, - _ and ., found " + inQuotes(machine.name));
  machine.description = object.text("description").value_or("");
  machine.sources = object.texts("sources");
  object.require("targets");
  std::vector<std::string> names = modelTargets();
  machine.targets = object.texts("targets", &names);
  if (const json *targets = object.find("targets"); targets && *targets == json::array())
    sink.add(object.pointer("targets"),
             "expected at least one target of " + commaList(names) + ", found an empty array");
  if (const json *code = object.find("code"))
    machine.code = readCode(*code, object.pointer("code"), sink);
  if (const json *costs = object.find("costs"))
    machine.costs = readCosts(*costs, object.pointer("costs"), sink);
  object.require("levels");
  if (const json *levels = object.array("levels")) {
    for (std::size_t i = 0; i < levels->size(); ++i)
      draft.levels.push_back(readLevel((*levels)[i], object.pointer("levels") / i, sink));
    if (levels->empty())
      sink.add(object.pointer("levels"), "expected at least one level, found an empty array");
  }
  return draft;
}

} // namespace tangram::composer

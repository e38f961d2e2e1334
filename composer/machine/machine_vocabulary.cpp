#include "composer/machine/machine_vocabulary.h"

#include "json/reader.h"

namespace tangram::composer {

const Words<Capability> &capabilityWords() {
  static const Words<Capability> words = {
      {Capability::None, "none"}, {Capability::Scalar, "scalar"}, {Capability::Vector, "vector"}};
  return words;
}

const Words<MapRule> &mapRuleWords() {
  static const Words<MapRule> words = {{MapRule::Distribute, "distribute"},
                                       {MapRule::Serialize, "serialize"},
                                       {MapRule::Split, "split"}};
  return words;
}

const Words<Sync> &syncWords() {
  static const Words<Sync> words = {{Sync::Launch, "launch"},
                                    {Sync::Join, "join"},
                                    {Sync::Barrier, "barrier"},
                                    {Sync::Warp, "warp"},
                                    {Sync::Loop, "loop"}};
  return words;
}

const Words<Tiling> &tilingWords() {
  static const Words<Tiling> words = {{Tiling::Adjacent, "adjacent"}, {Tiling::Strided, "strided"}};
  return words;
}

const std::vector<std::string> &atomicTypes() {
  static const std::vector<std::string> types = {"i32", "u32", "i64", "u64", "f32", "f64"};
  return types;
}

const std::vector<std::string> &memorySpaces() {
  static const std::vector<std::string> spaces = {"global", "local", "private", "cache"};
  return spaces;
}

const std::vector<std::string> &machineFields() {
  static const std::vector<std::string> fields = {"$schema", "name",   "description", "sources",
                                                  "targets", "levels", "code",        "costs"};
  return fields;
}

const std::vector<std::string> &levelFields() {
  static const std::vector<std::string> fields = {
      "name",   "title",   "description", "compute",          "subordinate",
      "sync",   "prefers", "map_rules",   "workers",          "dims",
      "memory", "atomics", "lockstep",    "forward_progress", "spelling"};
  return fields;
}

const std::vector<std::string> &workersFields() {
  static const std::vector<std::string> fields = {"default", "min", "max", "units", "parts"};
  return fields;
}

const std::vector<std::string> &codeFields() {
  static const std::vector<std::string> fields = {
      "launch",           "loads_in_flight", "access_bytes", "parts",      "private_bytes",
      "vector_registers", "spare_bytes",     "local_bytes",  "cache_bytes"};
  return fields;
}

const std::vector<std::string> &memoryFields() {
  static const std::vector<std::string> fields = {
      "space",      "title",       "bytes",      "banks",
      "bank_bytes", "bank_items",  "line_bytes", "bytes_per_second",
      "unit_bytes", "target_bytes"};
  return fields;
}

const std::vector<CostField> &costFields() {
  static const std::vector<CostField> fields = {
      {"units", &Costs::units, "units that carry groups, where that level does not say"},
      {"bytes_per_second", &Costs::bytesPerSecond, "bandwidth of memory, where it does not say"},
      {"unit_bytes_per_second", &Costs::unitBytesPerSecond,
       "what of it one unit gets, whatever the others do"},
      {"cache_bytes", &Costs::cacheBytes,
       "size of the cache that all units share, where no memory of the top level says"},
      {"cycles_per_second", &Costs::cyclesPerSecond, "clock of the units"},
      {"instructions_per_cycle", &Costs::instructionsPerCycle, "of one worker alone"},
      {"lanes", &Costs::lanes,
       "workers, or elements of a vector, that one instruction is done for"},
      {"operations_per_cycle", &Costs::operationsPerCycle,
       "of all workers of a unit that carries groups"},
      {"operation_cycles", &Costs::operationCycles, "until the result of an operation can be used"},
      {"local_cycles", &Costs::localCycles, "until an element of local memory is there"},
      {"local_atomic_cycles", &Costs::localAtomicCycles, "of an atomic operation on local memory"},
      {"access_bytes_per_cycle", &Costs::accessBytesPerCycle,
       "what a unit loads and stores at most, cached or not"},
      {"transaction_bytes", &Costs::transactionBytes, "the least that an access to memory moves"},
      {"resident_items", &Costs::residentItems, "items that a unit holds at once, waiting or not"},
      {"resident_groups", &Costs::residentGroups,
       "groups that a unit holds at once, however few items they have"},
      {"memory_seconds", &Costs::memorySeconds, "until an element of memory is there"},
      {"atomic_seconds", &Costs::atomicSeconds,
       "between two atomic operations on one line of memory"},
      {"atomics_at_once", &Costs::atomicsAtOnce,
       "lines of memory that have atomic operations side by side"},
      {"barrier_seconds", &Costs::barrierSeconds, "the workers of a group meet"},
      {"launch_seconds", &Costs::launchSeconds, "groups are started, and have ended"}};
  return fields;
}

std::string nameOf(Capability capability) { return nameIn(capabilityWords(), capability); }
std::string nameOf(Sync sync) { return nameIn(syncWords(), sync); }
std::string nameOf(Tiling tiling) { return nameIn(tilingWords(), tiling); }

std::optional<MapRule> mapRuleNamed(const std::string &name) {
  for (const Word<MapRule> &word : mapRuleWords())
    if (word.name == name)
      return word.value;
  return std::nullopt;
}

std::string commaList(const std::vector<std::string> &words) {
  std::string list;
  for (const std::string &word : words)
    list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::string inQuotes(const std::string &word) { return json::inQuotes(word); }

} // namespace tangram::composer

// The words a hardware model may use: field names, enumerated values, and (targets.h)
// how each target spells a level. hwmodels/schema.json lists the same ones (a test
// compares the two).
#pragma once

#include "composer/machine/machine.h"
#include "composer/machine/targets.h"

#include <string>
#include <vector>

namespace tangram::composer {

template <typename Value> struct Word {
  Value value;
  std::string name;
};
template <typename Value> using Words = std::vector<Word<Value>>;

const Words<Capability> &capabilityWords();
const Words<MapRule> &mapRuleWords();
const Words<Sync> &syncWords();     ///< without None
const Words<Tiling> &tilingWords(); ///< without None

/// "i32", "u32", ...: elements an atomic operation may work on.
const std::vector<std::string> &atomicTypes();
const std::vector<std::string> &memorySpaces();

// Fields of the objects of a model file, in the order they are documented.
const std::vector<std::string> &machineFields();
const std::vector<std::string> &levelFields();
const std::vector<std::string> &workersFields();
const std::vector<std::string> &codeFields();
const std::vector<std::string> &memoryFields();

template <typename Value> std::vector<std::string> namesOf(const Words<Value> &words) {
  std::vector<std::string> names;
  for (const Word<Value> &word : words)
    names.push_back(word.name);
  return names;
}

template <typename Value> std::string nameIn(const Words<Value> &words, Value value) {
  for (const Word<Value> &word : words)
    if (word.value == value)
      return word.name;
  return "none";
}

/// "a, b, c"
std::string commaList(const std::vector<std::string> &words);

/// The name, quoted as in JSON, with its control characters escaped.
std::string inQuotes(const std::string &word);

} // namespace tangram::composer

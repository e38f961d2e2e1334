// hwmodels/schema.json and the loader speak of the same fields and words.
#include "composer/machine/machine_vocabulary.h"
#include "composer/machine/target_words.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tangram::composer {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

json schema() {
  std::ifstream stream(std::filesystem::path(TANGRAM_SOURCE_DIR) / "hwmodels/schema.json");
  return json::parse(stream);
}

Strings sorted(Strings words) {
  std::sort(words.begin(), words.end());
  return words;
}

Strings fieldsAt(const json &object) {
  Strings fields;
  for (const auto &[field, unused] : object.at("properties").items())
    fields.push_back(field);
  return fields; // sorted: that is how the library keeps them
}

TEST(Schema, HasTheFieldsOfTheLoader) {
  json all = schema();
  EXPECT_EQ(fieldsAt(all), sorted(machineFields()));
  EXPECT_EQ(fieldsAt(all["$defs"]["level"]), sorted(levelFields()));
  EXPECT_EQ(fieldsAt(all["$defs"]["workers"]), sorted(workersFields()));
  EXPECT_EQ(fieldsAt(all["$defs"]["code"]), sorted(codeFields()));
  Strings costs;
  for (const CostField &field : costFields()) {
    costs.emplace_back(field.name);
    EXPECT_EQ(all["$defs"]["costs"]["properties"][field.name]["default"].get<double>(),
              Costs{}.*field.figure)
        << field.name;
  }
  EXPECT_EQ(fieldsAt(all["$defs"]["costs"]), sorted(costs));
  EXPECT_EQ(fieldsAt(all["$defs"]["memory"]), sorted(memoryFields()));
  EXPECT_EQ(fieldsAt(all["$defs"]["spelling"]), sorted(modelTargets()));
}

TEST(Schema, HasTheWordsOfTheLoader) {
  json all = schema();
  const json &level = all["$defs"]["level"]["properties"];
  EXPECT_EQ(level["compute"]["enum"].get<Strings>(), namesOf(capabilityWords()));
  EXPECT_EQ(level["sync"]["enum"].get<Strings>(), namesOf(syncWords()));
  EXPECT_EQ(level["prefers"]["enum"].get<Strings>(), namesOf(tilingWords()));
  EXPECT_EQ(level["map_rules"]["items"]["enum"].get<Strings>(), namesOf(mapRuleWords()));
  EXPECT_EQ(level["atomics"]["items"]["enum"].get<Strings>(), atomicTypes());
  EXPECT_EQ(all["properties"]["targets"]["items"]["enum"].get<Strings>(), modelTargets());
  EXPECT_EQ(all["$defs"]["memory"]["properties"]["space"]["enum"].get<Strings>(), memorySpaces());
  for (const Target &target : targets())
    EXPECT_EQ(
        all["$defs"]["spelling"]["properties"][modelTarget(target.name)]["enum"].get<Strings>(),
        target.spellings);
}

TEST(Schema, RefusesUnknownFieldsAndDocumentsEveryOne) {
  json all = schema();
  json objects = all["$defs"];
  objects["machine"] = all;
  for (const auto &[name, object] : objects.items()) {
    EXPECT_EQ(object["additionalProperties"], false) << name;
    if (name == "spelling")
      continue; // its fields are the targets
    for (const auto &[field, description] : object["properties"].items())
      EXPECT_TRUE(description.contains("description") || description.contains("$ref"))
          << name << " " << field;
  }
}

} // namespace
} // namespace tangram::composer

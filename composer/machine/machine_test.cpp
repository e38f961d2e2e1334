// Models that are right: what is read, ordered, defaulted, written back, projected.
#include "composer/machine/machine.h"
#include "composer/machine/machine_hierarchy.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tangram::composer {
namespace {

namespace fs = std::filesystem;

const fs::path models = fs::path(TANGRAM_SOURCE_DIR) / "hwmodels";

Machine model(const std::string &name) {
  MachineOrErrors found = findMachine(name, {models});
  if (const auto *errors = std::get_if<ModelErrors>(&found)) {
    ADD_FAILURE() << errors->front().text();
    return {};
  }
  return std::get<Machine>(found);
}

Machine projected(const std::string &name, const std::string &target,
                  std::vector<std::string> &notes) {
  MachineOrErrors found = projectOnto(model(name), target, notes);
  if (const auto *errors = std::get_if<ModelErrors>(&found)) {
    ADD_FAILURE() << errors->front().text();
    return {};
  }
  return std::get<Machine>(found);
}

std::vector<std::string> names(const Machine &machine) {
  std::vector<std::string> all;
  for (const Level &level : machine.levels)
    all.push_back(level.name);
  return all;
}

std::vector<std::string> rules(const Level &level) {
  std::vector<std::string> all;
  for (MapRule rule : level.mapRules)
    all.push_back(nameIn(mapRuleWords(), rule));
  return all;
}

using Strings = std::vector<std::string>;

TEST(Machine, SimpleGpuIsFigure52b) {
  Machine gpu = model("simple-gpu");
  EXPECT_EQ(names(gpu), (Strings{"G", "B", "T"}));
  const Level &grid = gpu.top();
  EXPECT_EQ(grid.title, "grid");
  EXPECT_EQ(grid.compute, Capability::None);
  EXPECT_EQ(grid.subordinate, 1);
  EXPECT_EQ(grid.sync, Sync::Launch);
  EXPECT_EQ(grid.prefers, Tiling::Adjacent);
  const Level &block = gpu.levels[1];
  EXPECT_EQ(block.compute, Capability::Vector);
  EXPECT_EQ(block.subordinate, 2);
  EXPECT_EQ(block.sync, Sync::Barrier);
  EXPECT_EQ(block.prefers, Tiling::Strided);
  EXPECT_EQ(block.workers.defaultCount, "64");
  EXPECT_EQ(block.workers.max, 65535u);
  ASSERT_NE(block.memoryNamed("local"), nullptr);
  EXPECT_EQ(block.memoryNamed("local")->bytes, 49152u);
  EXPECT_EQ(block.memoryNamed("private"), nullptr);
  const Level &thread = gpu.levels[2];
  EXPECT_EQ(thread.compute, Capability::Scalar);
  EXPECT_EQ(thread.subordinate, -1);
  EXPECT_EQ(thread.sync, Sync::None);
  EXPECT_EQ(gpu.levelNamed("T"), 2);
  EXPECT_EQ(gpu.levelNamed("X"), -1);
}

TEST(Machine, SimpleMachinesOfferDistributeAlone) {
  for (const char *name : {"simple-cpu", "simple-gpu"}) {
    Machine machine = model(name);
    for (const Level &level : machine.levels)
      EXPECT_EQ(rules(level), level.subordinate < 0 ? Strings{} : Strings{"distribute"}) << name;
  }
}

TEST(Machine, MapRulesDefaultToWhatTheLevelCanCarryOut) {
  Machine gpu = model("gpu");
  EXPECT_EQ(rules(gpu.levels[0]), (Strings{"distribute", "split"}));
  EXPECT_EQ(rules(gpu.levels[1]), (Strings{"distribute", "serialize", "split"}));
  EXPECT_EQ(rules(gpu.levels[4]), (Strings{"serialize"}));
}

TEST(Machine, SplitNeedsARuleForTheInnerMap) {
  MachineOrErrors result = parseMachine(R"({"name": "m", "targets": ["openmp"], "levels": [
    {"name": "P", "compute": "none", "subordinate": "T", "sync": "join"},
    {"name": "T", "compute": "scalar", "map_rules": [], "spelling": {"openmp": "thread"}}]})",
                                        "m.json");
  ASSERT_TRUE(std::holds_alternative<Machine>(result));
  EXPECT_EQ(rules(std::get<Machine>(result).top()), (Strings{"distribute"}));
}

TEST(Machine, LevelsAreOrderedByTheirSubordinates) {
  MachineOrErrors result = parseMachine(R"({"name": "m", "targets": ["openmp"], "levels": [
    {"name": "V", "compute": "scalar", "spelling": {"openmp": "lane"}},
    {"name": "P", "compute": "none", "subordinate": "T", "sync": "join"},
    {"name": "T", "compute": "vector", "subordinate": "V", "sync": "barrier"}]})",
                                        "m.json");
  ASSERT_TRUE(std::holds_alternative<Machine>(result));
  const Machine &machine = std::get<Machine>(result);
  EXPECT_EQ(names(machine), (Strings{"P", "T", "V"}));
  EXPECT_EQ(machine.levels[0].subordinate, 1);
  EXPECT_EQ(machine.levels[1].subordinate, 2);
  EXPECT_EQ(machine.levels[2].subordinate, -1);
  EXPECT_EQ(machine.levels[0].title, "P");
}

TEST(Machine, WithMapRulesKeepsTheOrderAsked) {
  Machine gpu = withMapRules(model("simple-gpu"), {MapRule::Serialize, MapRule::Distribute});
  EXPECT_EQ(rules(gpu.levels[0]), (Strings{"distribute"}));
  EXPECT_EQ(rules(gpu.levels[1]), (Strings{"serialize", "distribute"}));
  EXPECT_EQ(rules(gpu.levels[2]), (Strings{"serialize"}));
  EXPECT_EQ(rules(withMapRules(gpu, {MapRule::Split}).levels[1]), Strings{});
}

TEST(Machine, ShippedModelsAreValidAndNamedAsTheirFiles) {
  EXPECT_EQ(listMachines({models}),
            (Strings{"c2050", "cpu", "gpu", "h200", "i7-3820", "k20c", "microcontroller", "pocl",
                     "simple-cpu", "simple-gpu"}));
  for (const std::string &name : listMachines({models})) {
    Machine machine = model(name);
    EXPECT_EQ(machine.name, name);
    EXPECT_FALSE(machine.description.empty()) << name;
    EXPECT_FALSE(machine.sources.empty()) << name;
    for (const std::string &target : machine.targets) {
      std::vector<std::string> notes;
      EXPECT_FALSE(projected(name, target, notes).levels.empty());
    }
  }
}

TEST(Machine, SimpleAndCpuModelsLoseNoLevelOnOpenClAndOpenMp) {
  for (const char *name : {"simple-cpu", "simple-gpu", "cpu", "i7-3820"})
    for (const char *target : {"opencl", "openmp"}) {
      std::vector<std::string> notes;
      EXPECT_EQ(names(projected(name, target, notes)), names(model(name)));
      EXPECT_EQ(notes, Strings{}) << name << " on " << target;
    }
}

TEST(Machine, WhatCodeTakesForGrantedMayBeSaid) {
  nlohmann::json document = nlohmann::json::parse(machineJson(model("cpu")));
  EXPECT_FALSE(document.contains("code")); // the defaults are not written
  document["code"] = {
      {"launch", 1024},       {"access_bytes", 16},    {"parts", {{"default", 2}, {"max", 8}}},
      {"spare_bytes", 64},    {"local_bytes", 16384},  {"cache_bytes", 49152},
      {"private_bytes", 252}, {"vector_registers", 32}};
  MachineOrErrors read = parseMachine(document.dump(), "code.json");
  ASSERT_TRUE(std::holds_alternative<Machine>(read));
  const CodeLimits code = std::get<Machine>(read).code;
  EXPECT_EQ(code.launch, 1024U);
  EXPECT_EQ(code.loadsInFlight, 16U);
  EXPECT_EQ(code.accessBytes, 16U);
  EXPECT_EQ(code.parts.defaultCount, "2");
  EXPECT_EQ(code.parts.max, 8U);
  EXPECT_EQ(code.spareBytes, 64U);
  EXPECT_EQ(code.localBytes, 16384U);
  EXPECT_EQ(code.cacheBytes, 49152U);
  EXPECT_EQ(code.privateBytes, 252U);
  EXPECT_EQ(code.vectorRegisters, 32U);
  const std::string text = machineJson(std::get<Machine>(read));
  MachineOrErrors again = parseMachine(text, "code.json");
  ASSERT_TRUE(std::holds_alternative<Machine>(again));
  EXPECT_EQ(std::get<Machine>(again).code, code);
}

TEST(Machine, BanksGiveAWordToAsManyItemsUnlessTheModelSaysOtherwise) {
  const auto read = [](const std::string &figures) {
    const std::string text =
        R"({"name": "m", "targets": ["opencl"], "levels": [{"name": "B", "compute": "scalar",
            "memory": [{"space": "local", "banks": 32)" +
        figures + R"(}], "spelling": {"opencl": "group"}}]})";
    const MachineOrErrors first = parseMachine(text, "banks.json");
    const MachineOrErrors again = parseMachine(machineJson(std::get<Machine>(first)), "again.json");
    return std::get<Machine>(again).levels[0].memory[0];
  };
  EXPECT_EQ(read("").bankBytes, 4U);
  EXPECT_EQ(read("").itemsAtBanks(), 32U);
  EXPECT_EQ(read(R"(, "bank_bytes": 8, "bank_items": 16)").bankBytes, 8U);
  EXPECT_EQ(read(R"(, "bank_bytes": 8, "bank_items": 16)").itemsAtBanks(), 16U);
}

TEST(Machine, WrittenModelsAreReadBackTheSame) {
  for (const std::string &name : listMachines({models})) {
    std::string text = machineJson(model(name));
    MachineOrErrors again = parseMachine(text, "again.json");
    ASSERT_TRUE(std::holds_alternative<Machine>(again)) << name;
    EXPECT_EQ(machineJson(std::get<Machine>(again)), text);
    // Nothing the file says is lost: the written form has every field of the original.
    std::ifstream stream(models / (name + ".json"));
    nlohmann::json original = nlohmann::json::parse(stream);
    original.erase("$schema");
    nlohmann::json merged = nlohmann::json::parse(text);
    for (std::size_t i = 0; i < original["levels"].size(); ++i)
      for (const auto &[field, value] : original["levels"][i].items())
        EXPECT_EQ(merged["levels"][i][field], value) << name << " " << i << " " << field;
    EXPECT_EQ(merged["sources"], original["sources"]);
    EXPECT_EQ(merged["targets"], original["targets"]);
    EXPECT_EQ(merged["description"], original["description"]);
  }
}

TEST(Projection, AWarpIsLeftOutOnOpenCl) {
  std::vector<std::string> notes;
  Machine gpu = projected("gpu", "opencl", notes);
  EXPECT_EQ(notes, (Strings{"opencl cannot express level W (warp) of gpu; B (block) distributes to "
                            "T (thread) instead"}));
  EXPECT_EQ(names(gpu), (Strings{"G", "B", "T", "I"}));
  const Level &block = gpu.levels[1];
  EXPECT_EQ(block.subordinate, 2);
  EXPECT_EQ(block.compute, Capability::Vector);
  EXPECT_EQ(block.sync, Sync::Barrier);
  // Tiles of threads, which the warp liked interleaved; adjacent ones were for whole warps.
  EXPECT_EQ(block.prefers, Tiling::Strided);
  EXPECT_FALSE(block.lockstep);
  const Level &thread = gpu.levels[2];
  EXPECT_EQ(thread.workers.defaultCount, "256");
  EXPECT_EQ(thread.workers.min, 32u);
  EXPECT_EQ(thread.workers.max, 1024u);
  EXPECT_EQ(thread.subordinate, 3);
}

TEST(Projection, ATargetThatSpellsEveryLevelChangesNothing) {
  std::vector<std::string> notes;
  Machine cpu = projected("cpu", "openmp", notes);
  EXPECT_EQ(machineJson(cpu), machineJson(model("cpu")));
  EXPECT_EQ(notes, Strings{});
}

TEST(Projection, WarpsAreLeftOutOfCudaUnlessTheyAreAskedFor) {
  std::vector<std::string> notes;
  EXPECT_EQ(projected("h200", "cuda-warps", notes).levels.size(), 5u);
  EXPECT_EQ(notes, Strings{});
  EXPECT_EQ(projected("h200", "cuda", notes).levels.size(), 4u);
  EXPECT_EQ(notes,
            (Strings{"cuda cannot express level W (warp) of h200; B (block) distributes to T "
                     "(thread) instead"}));
}

MachineOrErrors fourLevels(const std::string &spellings, const std::string &target,
                           std::vector<std::string> &notes) {
  nlohmann::json document = nlohmann::json::parse(R"({"name": "m", "targets": [], "levels": [
    {"name": "N", "title": "node", "compute": "none", "subordinate": "P", "sync": "join"},
    {"name": "P", "title": "process", "compute": "none", "subordinate": "T", "sync": "join",
     "workers": {"default": "compute_units + 1", "max": 8}},
    {"name": "T", "title": "thread", "compute": "vector", "subordinate": "V", "sync": "barrier",
     "prefers": "strided", "lockstep": true, "workers": {"default": "threads"}},
    {"name": "V", "title": "lane", "compute": "scalar", "workers": {"default": 4, "max": 8}}]})");
  document["targets"].push_back(target);
  nlohmann::json words = nlohmann::json::parse(spellings);
  for (nlohmann::json &level : document["levels"])
    if (words.contains(level["name"]))
      level["spelling"][target] = words[level["name"].get<std::string>()];
  MachineOrErrors parsed = parseMachine(document.dump(), "m.json");
  if (std::holds_alternative<ModelErrors>(parsed))
    return parsed;
  return projectOnto(std::get<Machine>(parsed), target, notes);
}

TEST(Projection, TheTopMayBeLeftOut) {
  std::vector<std::string> notes;
  MachineOrErrors result = fourLevels(R"({"T": "thread", "V": "lane"})", "openmp", notes);
  ASSERT_TRUE(std::holds_alternative<Machine>(result));
  const Machine &machine = std::get<Machine>(result);
  EXPECT_EQ(names(machine), (Strings{"T", "V"}));
  EXPECT_EQ(machine.top().workers.defaultCount, "1");
  EXPECT_TRUE(machine.top().lockstep);
  EXPECT_EQ(
      notes,
      (Strings{"openmp cannot express level N (node) of m; T (thread) is the top level instead",
               "openmp cannot express level P (process) of m; T (thread) is the top level "
               "instead"}));
}

TEST(Projection, TheLowestLevelMayBeLeftOut) {
  std::vector<std::string> notes;
  MachineOrErrors result = fourLevels(R"({"N": "process", "T": "thread"})", "openmp", notes);
  ASSERT_TRUE(std::holds_alternative<Machine>(result));
  const Machine &machine = std::get<Machine>(result);
  EXPECT_EQ(names(machine), (Strings{"N", "T"}));
  const Level &thread = machine.levels[1];
  EXPECT_EQ(thread.subordinate, -1);
  EXPECT_EQ(thread.sync, Sync::None);
  EXPECT_EQ(thread.prefers, Tiling::None);
  EXPECT_FALSE(thread.lockstep);
  // Without lanes there is nothing a cooperative codelet could run on.
  EXPECT_EQ(thread.compute, Capability::Scalar);
  EXPECT_EQ(rules(thread), (Strings{"serialize"}));
  EXPECT_EQ(thread.workers.defaultCount, "(compute_units + 1) * threads");
  EXPECT_EQ(thread.workers.max, UINT64_MAX);
  EXPECT_EQ(notes,
            (Strings{"openmp cannot express level P (process) of m; N (node) distributes to T "
                     "(thread) instead",
                     "openmp cannot express level V (lane) of m; T (thread) is the lowest level "
                     "instead"}));
}

TEST(Projection, SomethingThatComputesHasToRemain) {
  std::vector<std::string> notes;
  MachineOrErrors result = fourLevels(R"({"N": "process"})", "openmp", notes);
  ASSERT_TRUE(std::holds_alternative<ModelErrors>(result));
  EXPECT_EQ(std::get<ModelErrors>(result).front().text(),
            "m.json: /targets/0: expected a \"spelling\" for openmp on a level below N (node), "
            "which cannot compute, found none");
}

TEST(Projection, RefusesATargetTheModelDoesNotList) {
  std::vector<std::string> notes;
  Machine gpu = model("gpu");
  gpu.file = "gpu.json";
  MachineOrErrors result = projectOnto(gpu, "openmp", notes);
  ASSERT_TRUE(std::holds_alternative<ModelErrors>(result));
  EXPECT_EQ(std::get<ModelErrors>(result).front().text(),
            "gpu.json: /targets: expected a target of gpu (opencl, cuda), found \"openmp\"");
  result = projectOnto(gpu, "cude", notes);
  ASSERT_TRUE(std::holds_alternative<ModelErrors>(result));
  EXPECT_EQ(std::get<ModelErrors>(result).front().text(),
            "gpu.json: /targets: expected a target of gpu (opencl, cuda), found \"cude\"; did you "
            "mean \"cuda\"?");
  EXPECT_EQ(notes, Strings{});
}

} // namespace
} // namespace tangram::composer

// Models that are wrong: every message, whole.
#include "composer/machine/machine.h"
#include "composer/machine/machine_expression.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tangram::composer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The messages for `text`, one a line; "ok" when there are none.
std::string errorsOf(const std::string &text) {
  MachineOrErrors result = parseMachine(text, "m.json");
  if (std::holds_alternative<Machine>(result))
    return "ok";
  std::string lines;
  for (const ModelError &error : std::get<ModelErrors>(result))
    lines += (lines.empty() ? "" : "\n") + error.text();
  return lines;
}

/// The messages for the machine of figure 5.2(b) after a change, an RFC 7386 merge
/// for each level or the whole document.
struct Gpu {
  json document = json::parse(R"({"name": "m", "targets": ["opencl", "cuda"], "levels": [
    {"name": "G", "title": "grid", "compute": "none", "subordinate": "B", "sync": "launch",
     "spelling": {"opencl": "grid", "cuda": "grid"}},
    {"name": "B", "title": "block", "compute": "vector", "subordinate": "T", "sync": "barrier",
     "workers": {"default": 64}, "spelling": {"opencl": "group", "cuda": "block"}},
    {"name": "T", "title": "thread", "compute": "scalar",
     "workers": {"default": 256, "max": 1024}, "spelling": {"opencl": "item", "cuda": "thread"}}]})");

  Gpu &level(std::size_t index, const std::string &change) {
    document["levels"][index].merge_patch(json::parse(change));
    return *this;
  }
  Gpu &whole(const std::string &change) {
    document.merge_patch(json::parse(change));
    return *this;
  }
  std::string errors() const { return errorsOf(document.dump()); }
};

TEST(ModelErrors, TheUnchangedModelIsFine) { EXPECT_EQ(Gpu().errors(), "ok"); }

TEST(ModelErrors, WhatFollowsFromAMisspeltFieldIsNoErrorOfItsOwn) {
  std::string text = Gpu().document.dump();
  text.replace(text.find("\"subordinate\""), 13, "\"subordinat\"");
  const std::string errors = errorsOf(text);
  EXPECT_EQ(errors.find('\n'), std::string::npos) << errors;
  EXPECT_NE(errors.find("did you mean \"subordinate\"?"), std::string::npos) << errors;
}

// --- the document ---

TEST(ModelErrors, EmptyFile) {
  EXPECT_EQ(errorsOf(""), "m.json: expected a JSON object, found an empty file");
  EXPECT_EQ(errorsOf(" \n\t"), "m.json: expected a JSON object, found an empty file");
}

TEST(ModelErrors, TruncatedJson) {
  EXPECT_EQ(errorsOf("{\n  \"name\": \"m\",\n  \"targets\": ["),
            "m.json: line 3, column 15: syntax error while parsing value - unexpected end of "
            "input; expected '[', '{', or a literal");
}

TEST(ModelErrors, NotJson) {
  EXPECT_EQ(errorsOf("{\n  \"name\" \"m\" }"),
            "m.json: line 2, column 12: syntax error while parsing object separator - unexpected "
            "string literal; expected ':'");
}

TEST(ModelErrors, EveryTruncationOfAModelIsRefusedWithAPlace) {
  std::string text = Gpu().document.dump(2);
  for (std::size_t length = 1; length < text.size(); ++length)
    EXPECT_EQ(errorsOf(text.substr(0, length)).rfind("m.json: line ", 0), 0u) << length;
}

TEST(ModelErrors, NotAnObject) {
  EXPECT_EQ(errorsOf("[1, 2]"), "m.json: expected an object (a hardware model), found an array");
  EXPECT_EQ(errorsOf("\"gpu\""), "m.json: expected an object (a hardware model), found \"gpu\"");
}

TEST(ModelErrors, EverythingMissing) {
  EXPECT_EQ(errorsOf("{}"), "m.json: expected a field \"name\", found none\n"
                            "m.json: expected a field \"targets\", found none\n"
                            "m.json: expected a field \"levels\", found none");
}

TEST(ModelErrors, AKeyTwice) {
  EXPECT_EQ(errorsOf(R"({"name": "m", "targets": ["openmp"], "levels": [
    {"name": "T", "compute": "none", "compute": "scalar", "spelling": {"openmp": "thread"}}]})"),
            "m.json: /levels/0/compute: expected each field once, found \"compute\" twice");
}

TEST(ModelErrors, SeveralMistakesAreReportedTogether) {
  EXPECT_EQ(Gpu()
                .whole(R"({"name": 3})")
                .level(1, R"({"compute": "vectr", "dims": 4})")
                .level(2, R"({"colour": "red"})")
                .errors(),
            "m.json: /name: expected a string, found 3\n"
            "m.json: /levels/1/compute: expected one of none, scalar, vector, found \"vectr\"; did "
            "you mean \"vector\"?\n"
            "m.json: /levels/1/dims: expected a whole number, 1 to 3, found 4\n"
            "m.json: /levels/2/colour: unknown field \"colour\"; a level has name, title, "
            "description, compute, subordinate, sync, prefers, map_rules, workers, dims, memory, "
            "atomics, lockstep, forward_progress, spelling");
}

// --- fields ---

TEST(ModelErrors, UnknownField) {
  EXPECT_EQ(Gpu().whole(R"({"target": []})").errors(),
            "m.json: /target: unknown field \"target\"; did you mean \"targets\"?");
  EXPECT_EQ(Gpu().level(0, R"({"subordnate": "B"})").errors(),
            "m.json: /levels/0/subordnate: unknown field \"subordnate\"; did you mean "
            "\"subordinate\"?");
  EXPECT_EQ(Gpu().level(1, R"({"workers": {"def/ault": 1}})").errors(),
            "m.json: /levels/1/workers/def~1ault: unknown field \"def/ault\"; did you mean "
            "\"default\"?");
  EXPECT_EQ(Gpu().level(1, R"({"memory": [{"space": "local", "byte": 8}]})").errors(),
            "m.json: /levels/1/memory/0/byte: unknown field \"byte\"; did you mean \"bytes\"?");
}

TEST(ModelErrors, MissingField) {
  EXPECT_EQ(Gpu().level(1, R"({"compute": null})").errors(),
            "m.json: /levels/1: expected a field \"compute\", found none");
  EXPECT_EQ(Gpu().level(2, R"({"name": null})").errors(),
            "m.json: /levels/2: expected a field \"name\", found none");
  EXPECT_EQ(Gpu().level(1, R"({"memory": [{}]})").errors(),
            "m.json: /levels/1/memory/0: expected a field \"space\", found none");
}

TEST(ModelErrors, WrongType) {
  EXPECT_EQ(Gpu().whole(R"({"levels": {}})").errors(),
            "m.json: /levels: expected an array, found an object");
  EXPECT_EQ(Gpu().whole(R"({"levels": ["G"]})").errors(),
            "m.json: /levels/0: expected an object (a level), found \"G\"");
  EXPECT_EQ(Gpu().whole(R"({"sources": [1]})").errors(),
            "m.json: /sources/0: expected a string, found 1");
  EXPECT_EQ(Gpu().level(1, R"({"lockstep": "yes"})").errors(),
            "m.json: /levels/1/lockstep: expected true or false, found \"yes\"");
  EXPECT_EQ(Gpu().level(1, R"({"workers": 64})").errors(),
            "m.json: /levels/1/workers: expected an object (workers), found 64");
  EXPECT_EQ(Gpu().level(1, R"({"subordinate": ["T"]})").errors(),
            "m.json: /levels/1/subordinate: expected a string, found an array");
  EXPECT_EQ(Gpu().level(1, R"({"title": ""})").errors(),
            "m.json: /levels/1/title: expected some text, found \"\"");
}

TEST(ModelErrors, OutOfRange) {
  EXPECT_EQ(Gpu().level(1, R"({"dims": 0})").errors(),
            "m.json: /levels/1/dims: expected a whole number, 1 to 3, found 0");
  EXPECT_EQ(Gpu().level(1, R"({"workers": {"min": -1}})").errors(),
            "m.json: /levels/1/workers/min: expected a whole number, 1 or more, found -1");
  EXPECT_EQ(Gpu().level(1, R"({"memory": [{"space": "local", "bytes": 1.5}]})").errors(),
            "m.json: /levels/1/memory/0/bytes: expected a whole number, 1 or more, found 1.5");
  EXPECT_EQ(Gpu().level(2, R"({"workers": {"min": 512, "max": 256}})").errors(),
            "m.json: /levels/2/workers: expected min to be at most max, found 512 and 256");
  EXPECT_EQ(Gpu().level(2, R"({"workers": {"default": 2048}})").errors(),
            "m.json: /levels/2/workers/default: expected a number from min to max (1 to 1024), "
            "found 2048");
}

TEST(ModelErrors, UnknownValue) {
  EXPECT_EQ(Gpu().level(0, R"({"sync": "lunch"})").errors(),
            "m.json: /levels/0/sync: expected one of launch, join, barrier, warp, loop, found "
            "\"lunch\"; did you mean \"launch\"?");
  EXPECT_EQ(Gpu().level(0, R"({"prefers": 1})").errors(),
            "m.json: /levels/0/prefers: expected one of adjacent, strided, found 1");
  EXPECT_EQ(Gpu().level(0, R"({"map_rules": ["distribute", "fuse"]})").errors(),
            "m.json: /levels/0/map_rules/1: expected one of distribute, serialize, split, found "
            "\"fuse\"");
  EXPECT_EQ(Gpu().level(1, R"({"atomics": ["i32", "f16"]})").errors(),
            "m.json: /levels/1/atomics/1: expected one of i32, u32, i64, u64, f32, f64, found "
            "\"f16\"");
  EXPECT_EQ(Gpu().level(1, R"({"memory": [{"space": "shared"}]})").errors(),
            "m.json: /levels/1/memory/0/space: expected one of global, local, private, cache, "
            "found \"shared\"");
}

TEST(ModelErrors, AValueTwice) {
  EXPECT_EQ(Gpu().level(0, R"({"map_rules": ["distribute", "distribute"]})").errors(),
            "m.json: /levels/0/map_rules/1: expected each value once, found \"distribute\" twice");
}

TEST(ModelErrors, BadNames) {
  EXPECT_EQ(Gpu().whole(R"({"name": "my gpu"})").errors(),
            "m.json: /name: expected letters, digits, - _ and ., found \"my gpu\"");
  EXPECT_EQ(Gpu().level(2, R"({"name": "1T"})").errors(),
            "m.json: /levels/2/name: expected a letter, then letters, digits and _, found \"1T\"");
}

// --- targets and spelling ---

TEST(ModelErrors, UnknownTarget) {
  EXPECT_EQ(
      Gpu().whole(R"({"targets": ["opencl", "cuda", "openCL"]})").errors(),
      "m.json: /targets/2: expected one of opencl, openmp, cuda, c, found \"openCL\"; did you "
      "mean \"opencl\"?");
  EXPECT_EQ(Gpu().whole(R"({"targets": []})").errors(),
            "m.json: /targets: expected at least one target of opencl, openmp, cuda, c, found an "
            "empty array");
}

TEST(ModelErrors, SpellingForATargetNotListed) {
  EXPECT_EQ(Gpu().level(0, R"({"spelling": {"openmp": "process"}})").errors(),
            "m.json: /levels/0/spelling/openmp: expected a target the model lists (opencl, cuda), "
            "found \"openmp\"");
}

TEST(ModelErrors, ATargetNoLevelSpells) {
  EXPECT_EQ(Gpu().whole(R"({"targets": ["opencl", "cuda", "openmp"]})").errors(),
            "m.json: /targets/2: expected a \"spelling\" for openmp on at least one level, found "
            "none");
}

TEST(ModelErrors, UnknownSpelling) {
  EXPECT_EQ(Gpu().level(2, R"({"spelling": {"cuda": "item"}})").errors(),
            "m.json: /levels/2/spelling/cuda: expected one of grid, block, warp, thread, unroll, "
            "found \"item\"");
  EXPECT_EQ(Gpu().level(2, R"({"spelling": {"sycl": "item"}})").errors(),
            "m.json: /levels/2/spelling/sycl: unknown field \"sycl\"; a spelling has opencl, "
            "openmp, cuda, c");
}

TEST(ModelErrors, SpellingsNestAsTheTargetsConstructsDo) {
  EXPECT_EQ(Gpu().level(2, R"({"spelling": {"cuda": "grid"}})").errors(),
            "m.json: /levels/2/spelling/cuda: expected a construct of cuda inside the \"block\" of "
            "B (block) (from the outermost: grid, block, warp, thread, unroll), found \"grid\"");
  EXPECT_EQ(Gpu().level(1, R"({"spelling": {"opencl": "item"}})").errors(),
            "m.json: /levels/2/spelling/opencl: expected a construct of opencl inside the \"item\" "
            "of B (block) (from the outermost: grid, group, item, unroll), found \"item\"");
}

// --- the hierarchy ---

TEST(ModelErrors, NoLevels) {
  EXPECT_EQ(Gpu().whole(R"({"levels": []})").errors(),
            "m.json: /levels: expected at least one level, found an empty array");
}

TEST(ModelErrors, ASubordinateThatDoesNotExist) {
  EXPECT_EQ(Gpu().level(1, R"({"subordinate": "W"})").errors(),
            "m.json: /levels/1/subordinate: expected the name of a level (G, B, T), found \"W\"");
  Gpu gpu;
  gpu.level(2, R"({"name": "thread"})").level(1, R"({"subordinate": "tread"})");
  EXPECT_EQ(gpu.errors(),
            "m.json: /levels/1/subordinate: expected the name of a level (G, B, thread), found "
            "\"tread\"; did you mean \"thread\"?");
}

TEST(ModelErrors, ACycle) {
  EXPECT_EQ(Gpu().level(2, R"({"subordinate": "G", "sync": "launch"})").errors(),
            "m.json: /levels/0/subordinate: expected levels that lead from the top to the bottom, "
            "found the cycle G -> B -> T -> G");
  EXPECT_EQ(Gpu().level(2, R"({"subordinate": "B", "sync": "launch"})").errors(),
            "m.json: /levels/1/subordinate: expected levels that lead from the top to the bottom, "
            "found the cycle B -> T -> B");
  EXPECT_EQ(Gpu().level(2, R"({"subordinate": "T", "sync": "loop"})").errors(),
            "m.json: /levels/2/subordinate: expected levels that lead from the top to the bottom, "
            "found the cycle T -> T");
}

TEST(ModelErrors, TwoTopLevels) {
  Gpu gpu;
  gpu.document["levels"].push_back(
      json::parse(R"({"name": "H", "title": "host", "compute": "scalar"})"));
  EXPECT_EQ(gpu.errors(), "m.json: /levels/3: expected one top level, found another beside G "
                          "(grid): no level has H (host) as its \"subordinate\"");
  gpu.level(3, R"({"subordinate": "B", "sync": "launch"})");
  EXPECT_EQ(gpu.errors(), "m.json: /levels/3: expected one top level, found another beside G "
                          "(grid): no level has H (host) as its \"subordinate\"");
}

TEST(ModelErrors, DuplicateLevelName) {
  EXPECT_EQ(Gpu().level(2, R"({"name": "B"})").level(1, R"({"subordinate": "B"})").errors(),
            "m.json: /levels/2/name: expected a name no other level has, found \"B\" again (first "
            "at /levels/1)");
}

TEST(ModelErrors, ALevelThatNeitherComputesNorDistributes) {
  EXPECT_EQ(Gpu().level(2, R"({"compute": "none"})").errors(),
            "m.json: /levels/2: expected a level that computes (\"compute\": \"scalar\" or "
            "\"vector\") or distributes (\"subordinate\"), found neither");
}

TEST(ModelErrors, AVectorLevelWithoutLanes) {
  EXPECT_EQ(Gpu().level(2, R"({"compute": "vector"})").errors(),
            "m.json: /levels/2/compute: expected scalar on a level without a \"subordinate\", "
            "whose workers would be the lanes, found \"vector\"");
}

TEST(ModelErrors, SubordinateAndSyncBelongTogether) {
  EXPECT_EQ(Gpu().level(1, R"({"sync": null})").errors(),
            "m.json: /levels/1: expected a field \"sync\" beside \"subordinate\" (one of launch, "
            "join, barrier, warp, loop), found none");
  EXPECT_EQ(Gpu().level(2, R"({"sync": "loop"})").errors(),
            "m.json: /levels/2/sync: expected a field \"subordinate\" beside \"sync\" (the level "
            "to synchronise), found none");
}

TEST(ModelErrors, MapRulesALevelCannotCarryOut) {
  EXPECT_EQ(Gpu().level(2, R"({"map_rules": ["serialize", "distribute"]})").errors(),
            "m.json: /levels/2/map_rules/1: expected a rule this level can carry out, found "
            "\"distribute\", which needs a \"subordinate\"");
  EXPECT_EQ(Gpu().level(0, R"({"map_rules": ["serialize"]})").errors(),
            "m.json: /levels/0/map_rules/0: expected a rule this level can carry out, found "
            "\"serialize\", which needs \"compute\": \"scalar\" or \"vector\"");
  EXPECT_EQ(Gpu().level(2, R"({"map_rules": []})").level(1, R"({"map_rules": ["split"]})").errors(),
            "m.json: /levels/1/map_rules/0: expected a rule this level can carry out, found "
            "\"split\", which needs a \"subordinate\" that offers a rule for the inner map");
}

TEST(ModelErrors, TheTopLevelRunsOnce) {
  EXPECT_EQ(Gpu().level(0, R"({"workers": {"default": 2}})").errors(),
            "m.json: /levels/0/workers: expected no worker count on the top level, which runs "
            "once, found one");
}

// --- worker counts ---

TEST(ModelErrors, WorkerExpressionsAreNamedWhole) {
  EXPECT_EQ(Gpu().level(1, R"({"workers": {"default": "compute_unit * 16"}})").errors(),
            "m.json: /levels/1/workers/default: expected one of compute_units, max_group_size, "
            "local_memory, threads, found \"compute_unit\" at column 1 of \"compute_unit * "
            "16\"; did you mean \"compute_units\"?");
  EXPECT_EQ(Gpu().level(1, R"({"workers": {"default": true}})").errors(),
            "m.json: /levels/1/workers/default: expected a whole number or an expression in a "
            "string, found true");
}

TEST(WorkerExpressions, Right) {
  for (const char *text :
       {"1", "threads", "compute_units * 8", "min(max_group_size, 256)", "(threads+1)/2%3-1",
        "threads > 1 && !(compute_units == 0) ? max(2, threads) : 1 || 0", "18446744073709551615",
        "!!1"})
    EXPECT_EQ(workerExpressionError(text), std::nullopt) << text;
}

TEST(WorkerExpressions, Wrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "expected a number, a name or '(', found the end at column 1"},
      {"8 *", "expected a number, a name or '(', found the end at column 4"},
      {"8 8", "expected an operator or the end, found '8' at column 3"},
      {"(threads", "expected ')', found the end at column 9"},
      {"min(threads)", "expected ',', found ')' at column 12"},
      {"threads ? 1", "expected ':', found the end at column 12"},
      {"0x10", "expected a whole decimal number, found '0x10' at column 1"},
      {"1.5", "expected an operator or the end, found '.' at column 2"},
      {"cores", "expected one of compute_units, max_group_size, local_memory, threads, found "
                "\"cores\" at column 1"}};
  for (const auto &[text, message] : cases)
    EXPECT_EQ(workerExpressionError(text), message + " of \"" + text + "\"");
  EXPECT_EQ(workerExpressionError("-1"),
            "expected a number of workers, found \"-1\", which is below 0");
  EXPECT_EQ(workerExpressionError("8 / (4 - 4)"),
            "expected a number of workers, found \"8 / (4 - 4)\": division by 0");
  EXPECT_EQ(workerExpressionError("18446744073709551616"),
            "expected a number below 2^64, found '18446744073709551616' at column 1 of "
            "\"18446744073709551616\"");
  EXPECT_EQ(workerExpressionError(std::string(1000, '(')),
            "expected an expression, found one that is nested more than 200 deep");
  EXPECT_EQ(workerExpressionError(std::string(100000, '(')),
            "expected an expression, found one that is longer than 10000 characters");
}

TEST(WorkerExpressions, Products) {
  EXPECT_EQ(productOf("8", "32"), "256");
  EXPECT_EQ(productOf("1", "threads + 1"), "threads + 1");
  EXPECT_EQ(productOf("threads", "32"), "threads * 32");
  EXPECT_EQ(productOf("threads + 1", "32"), "(threads + 1) * 32");
  EXPECT_EQ(productOf("18446744073709551615", "2"), "18446744073709551615 * 2");
}

// --- files ---

std::string loadErrors(const MachineOrErrors &result) {
  return std::holds_alternative<Machine>(result) ? "ok"
                                                 : std::get<ModelErrors>(result).front().text();
}

TEST(ModelFiles, CannotBeRead) {
  EXPECT_EQ(loadErrors(loadMachine("/no/such/model.json")),
            "/no/such/model.json: expected a hardware model, found no such file");
  fs::path folder = fs::temp_directory_path();
  EXPECT_EQ(loadErrors(loadMachine(folder)),
            folder.string() + ": expected a hardware model, found a folder");
  EXPECT_EQ(loadErrors(findMachine("no/such/model", {})),
            "no/such/model: expected a hardware model, found no such file");
}

TEST(ModelFiles, UnknownName) {
  EXPECT_EQ(loadErrors(findMachine("gpu", {})),
            "unknown hardware model \"gpu\" (there are none; a path to a .json file names any "
            "other)");
  EXPECT_EQ(
      loadErrors(findMachine("simple_gpu", {fs::path(TANGRAM_SOURCE_DIR) / "hwmodels"})),
      "unknown hardware model \"simple_gpu\"; did you mean \"simple-gpu\"? (the known ones "
      "are c2050, cpu, gpu, h200, i7-3820, k20c, microcontroller, pocl, simple-cpu, simple-gpu; a "
      "path to a .json file names any other)");
}

TEST(ModelFiles, TheFirstFolderWins) {
  fs::path folder = fs::temp_directory_path() / "tangram_machine_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "gpu.json") << "";
  std::ofstream(folder / "schema.json") << "";
  std::ofstream(folder / "notes.txt") << "";
  EXPECT_EQ(listMachines({folder, "/no/such/folder"}), (std::vector<std::string>{"gpu"}));
  fs::path shipped = fs::path(TANGRAM_SOURCE_DIR) / "hwmodels";
  EXPECT_EQ(loadErrors(findMachine("gpu", {folder, shipped})),
            (folder / "gpu.json").string() + ": expected a JSON object, found an empty file");
  EXPECT_EQ(loadErrors(findMachine("gpu", {shipped, folder})), "ok");
  fs::remove_all(folder);
}

} // namespace
} // namespace tangram::composer

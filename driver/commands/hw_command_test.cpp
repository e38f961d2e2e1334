#include "driver/commands/hw_command.h"
#include "driver/commands/hw_picture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <sstream>

namespace tangram::driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *threeLevels = R"({"name": "tiny", "description": "A tiny GPU.",
  "sources": ["its maker"], "targets": ["opencl", "cuda"], "levels": [
  {"name": "B", "title": "block", "compute": "vector", "subordinate": "W", "sync": "barrier",
   "memory": [{"space": "local", "title": "scratch", "bytes": 49152, "banks": 32,
               "line_bytes": 128, "bytes_per_second": 1500000000}, {"space": "private"}],
   "spelling": {"opencl": "group", "cuda": "block"}},
  {"name": "W", "compute": "vector", "subordinate": "T", "sync": "warp", "lockstep": true,
   "description": "Steps together.", "workers": {"default": "compute_units", "units": 2},
   "spelling": {"cuda": "warp"}},
  {"name": "T", "title": "thread", "compute": "scalar", "atomics": ["i32"],
   "workers": {"default": 32, "min": 32, "max": 32},
   "spelling": {"opencl": "item", "cuda": "thread"}}]})";

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

class HwCommand : public testing::Test {
protected:
  fs::path folder = fs::temp_directory_path() / "tangram_hw_test";
  HwOptions options{{folder}, "text"};

  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write("tiny.json", threeLevels);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &file, const std::string &text) {
    std::ofstream(folder / file) << text;
  }
  std::string path(const std::string &file) const { return (folder / file).string(); }

  Outcome list() {
    return run([&](auto &out, auto &err) { return hwList(options, out, err); });
  }
  Outcome show(const std::string &name) {
    return run([&](auto &out, auto &err) { return hwShow(name, options, out, err); });
  }
  Outcome validate(const std::string &file) {
    return run([&](auto &out, auto &err) { return hwValidate(file, options, out, err); });
  }

private:
  static Outcome run(const std::function<int(std::ostream &, std::ostream &)> &command) {
    std::ostringstream out;
    std::ostringstream err;
    int status = command(out, err);
    return {status, out.str(), err.str()};
  }
};

TEST_F(HwCommand, ListsModelsInColumns) {
  write("a.json", R"({"name": "a", "description": "One level.", "targets": ["openmp"],
    "levels": [{"name": "T", "compute": "scalar", "spelling": {"openmp": "thread"}}]})");
  Outcome result = list();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "a     T      openmp       One level.\n"
                        "tiny  B W T  opencl cuda  A tiny GPU.\n");
}

TEST_F(HwCommand, ListsTheRestWhenOneModelIsWrong) {
  write("a.json", "");
  Outcome result = list();
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, path("a.json") + ": expected a JSON object, found an empty file\n");
  EXPECT_EQ(result.out, "tiny  B W T  opencl cuda  A tiny GPU.\n");
}

TEST_F(HwCommand, ListsAsJson) {
  options.format = "json";
  EXPECT_EQ(json::parse(list().out), json({{"models",
                                            {{{"name", "tiny"},
                                              {"description", "A tiny GPU."},
                                              {"levels", {"B", "W", "T"}},
                                              {"targets", {"opencl", "cuda"}},
                                              {"file", path("tiny.json")}}}}}));
}

TEST_F(HwCommand, ShowsThePictureAndEveryField) {
  Outcome result = show("tiny");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "tiny: A tiny GPU.\n" + path("tiny.json") + R"(

  B (block)         computes vector
  │ barrier
  └─ W              computes vector; workers: compute_units below each B (at least 1), on 2 hardware units
     │ warp
     └─ T (thread)  computes scalar; workers: 32 below each W (always)

level B (block)
  compute           vector
  subordinate       W, synchronised by barrier
  prefers           none
  map rules         distribute, serialize, split
  workers           one
  dims              1
  memory            local (scratch): 48 KiB, 32 banks, lines of 128 B, 1.5 GB/s
                    private
  atomics           none
  lockstep          no
  forward progress  no
  spelling          opencl group, cuda block

level W
  Steps together.
  compute           vector
  subordinate       T (thread), synchronised by warp
  prefers           none
  map rules         distribute, serialize, split
  workers           compute_units below each B (at least 1), on 2 hardware units
  dims              1
  memory            none
  atomics           none
  lockstep          yes
  forward progress  no
  spelling          opencl (none), cuda warp

level T (thread)
  compute           scalar
  subordinate       none
  prefers           none
  map rules         serialize
  workers           32 below each W (always)
  dims              1
  memory            none
  atomics           i32
  lockstep          no
  forward progress  no
  spelling          opencl item, cuda thread

targets
  opencl            B group > T item
                    opencl cannot express level W of tiny; B (block) distributes to T (thread) instead
  cuda              B block > T thread
                    cuda cannot express level W of tiny; B (block) distributes to T (thread) instead

sources
  its maker
)");
}

TEST_F(HwCommand, ShowsWhatBanksAreAskedForWhereItIsNotAWordByEachItem) {
  json model = json::parse(threeLevels);
  json &memory = model["levels"][0]["memory"][0];
  memory["bank_bytes"] = 8;
  memory["bank_items"] = 16;
  write("tiny.json", model.dump());
  EXPECT_NE(show("tiny").out.find("48 KiB, 32 banks of words of 8 B for 16 items, lines of 128 B"),
            std::string::npos)
      << show("tiny").out;
}

TEST_F(HwCommand, ShowsWhatCodeTakesForGrantedWhereTheModelSaysIt) {
  json model = json::parse(threeLevels);
  model["code"] = {{"launch", 1024}, {"parts", {{"default", 2}, {"max", 8}}}};
  write("tiny.json", model.dump());
  EXPECT_NE(show("tiny").out.find(R"(
code
  groups a launch   at most 1024
  loads in flight   16
  parts             2 of a worker (1 to 8)

targets
)"),
            std::string::npos);
}

TEST_F(HwCommand, ShowsBytesThatCodeTakesForGrantedWhereTheyAreOfTheModel) {
  json model = json::parse(threeLevels);
  model["code"] = {{"spare_bytes", 64}, {"local_bytes", 16384}, {"vector_registers", 32}};
  write("tiny.json", model.dump());
  EXPECT_NE(show("tiny").out.find("  spare registers   64 bytes\n"
                                  "  local memory      16384 bytes\n"
                                  "  vector registers  32\n"
                                  "\ntargets\n"),
            std::string::npos);
}

TEST_F(HwCommand, ShowsAsTheModelFileItself) {
  options.format = "json";
  Outcome result = show(path("tiny.json"));
  EXPECT_EQ(result.status, 0);
  json shown = json::parse(result.out);
  EXPECT_EQ(shown["levels"][1]["workers"],
            json({{"default", "compute_units"}, {"min", 1}, {"units", 2}}));
  EXPECT_EQ(shown["levels"][2]["map_rules"], json({"serialize"}));
}

TEST_F(HwCommand, ShowRefusesAnUnknownModel) {
  Outcome result = show("tinny");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "unknown hardware model \"tinny\"; did you mean \"tiny\"? (the known ones "
                        "are tiny; a path to a .json file names any other)\n");
}

TEST_F(HwCommand, ValidatesARightModel) {
  Outcome result = validate(path("tiny.json"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, path("tiny.json") + ": ok (3 levels, targets opencl, cuda)\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(HwCommand, ValidatesAWrongModel) {
  write("wrong.json", R"({"name": "wrong", "targets": ["cuda"], "levels": [{"compute": "all"}]})");
  Outcome result = validate(path("wrong.json"));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            path("wrong.json") + ": /levels/0: expected a field \"name\", found none\n" +
                path("wrong.json") +
                ": /levels/0/compute: expected one of none, scalar, vector, found \"all\"\n");
}

TEST_F(HwCommand, ValidatesAsJson) {
  options.format = "json";
  write("wrong.json", R"({"name": "wrong", "targets": ["cuda"], "levels": []})");
  Outcome result = validate(path("wrong.json"));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(
      json::parse(result.out),
      json({{"file", path("wrong.json")},
            {"valid", false},
            {"levels", json::array()},
            {"targets", json::array()},
            {"errors",
             json::array({{{"pointer", "/levels"},
                           {"message", "expected at least one level, found an empty array"}}})}}));
}

TEST_F(HwCommand, DetectRefusesABadName) {
  std::ostringstream out;
  std::ostringstream err;
  DetectOptions options;
  options.quick = true;
  options.name = "my machine";
  EXPECT_EQ(hwDetect(options, out, err), 1);
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(err.str(),
            "my machine: /name: expected letters, digits, - _ and ., found \"my machine\"\n");
  options.name = "my-machine";
  EXPECT_EQ(hwDetect(options, out, err), 0);
  EXPECT_EQ(json::parse(out.str())["name"], "my-machine");
}

/// A file with what has been measured; removed at the end.
class HwDetectMeasured : public testing::Test {
protected:
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tangram_measured_" + std::to_string(getpid()));
  std::ostringstream out, err;

  void TearDown() override { std::filesystem::remove(file); }

  int detect(const std::string &text) {
    std::ofstream(file) << text;
    DetectOptions options;
    options.name = "there";
    options.measured = file.string();
    options.command = "tangram hw detect --measured there.json";
    return hwDetect(options, out, err);
  }
};

TEST_F(HwDetectMeasured, AnOpenCLDeviceBecomesGridGroupsItemsAndChains) {
  ASSERT_EQ(detect(R"({"device": "Vendor/G1", "type": "GPU", "driver": "7",
    "facts": {"compute_units": 10, "max_group_size": 512, "local_memory": 49152, "global_memory": 1000000,
              "cache": 4096, "line": 128, "group_multiple": 32},
    "costs": {"memory_seconds": 6.1237e-07, "bytes_per_second": 1234567890123}})"),
            0)
      << err.str();
  const json model = json::parse(out.str());
  EXPECT_EQ(model["name"], "there");
  EXPECT_EQ(model["costs"]["memory_seconds"], 6.12e-07);
  EXPECT_EQ(model["costs"]["resident_items"], 1024);
  EXPECT_EQ(model["levels"][0]["memory"][0]["bytes_per_second"], 1230000000000);
  EXPECT_EQ(model["levels"][1]["workers"]["units"], 10);
  EXPECT_EQ(model["levels"][1]["memory"][0]["bytes"], 49152);
  EXPECT_EQ(model["levels"][2]["workers"]["max"], 512);
  EXPECT_EQ(model["sources"],
            json({"measured by tangram hw detect --measured there.json: Vendor/G1, 7"}));
}

TEST_F(HwDetectMeasured, FiguresOfTheProcessorStandBesideWhatLinuxTells) {
  ASSERT_EQ(detect(R"({"device": "OpenMP", "type": "processor", "driver": "cc 12",
    "facts": {}, "costs": {"cycles_per_second": 2999999999, "barrier_seconds": 2.5e-07}})"),
            0)
      << err.str();
  const json model = json::parse(out.str());
  EXPECT_EQ(model["costs"]["cycles_per_second"], 3e9);
  EXPECT_EQ(model["costs"]["barrier_seconds"], 2.5e-07);
  EXPECT_EQ(model["levels"].size(), 4U);
  EXPECT_EQ(model["sources"].size(), 2U);
}

TEST_F(HwDetectMeasured, AProcessorElsewhereIsNotThisOne) {
  EXPECT_EQ(detect(R"({"device": "OpenMP", "type": "processor", "driver": "cc 12",
    "facts": {"threads": 100000}, "costs": {}})"),
            1);
  EXPECT_NE(err.str().find("/facts/threads"), std::string::npos) << err.str();
  EXPECT_EQ(out.str(), "");
}

TEST_F(HwDetectMeasured, AFolderAndABadNameAreRefusedBeforeAnythingIsMeasured) {
  DetectOptions options;
  options.measured = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(hwDetect(options, out, err), 1);
  EXPECT_NE(err.str().find("cannot read"), std::string::npos) << err.str();
  options.measured.clear();
  options.name = "a b";
  options.device = "no such device"; // asking it would be another status
  EXPECT_EQ(hwDetect(options, out, err), 1);
}

TEST_F(HwDetectMeasured, WhatIsWrongInTheFileIsToldWithItsPlace) {
  EXPECT_EQ(detect(R"({"device": "x", "type": "toaster", "facts": {"threads": -1},
    "costs": {"memory_second": 1, "lanes": 0, "atomic_seconds": 1e-300}})"),
            1);
  for (const char *place :
       {"/type", "/facts/threads", "/costs/memory_second", "/costs/lanes", "/costs/atomic_seconds"})
    EXPECT_NE(err.str().find(place), std::string::npos) << place << "\n" << err.str();
  EXPECT_EQ(out.str(), "");
  err.str("");
  EXPECT_EQ(detect("{"), 1);
  EXPECT_NE(err.str().find("line 1"), std::string::npos) << err.str();
}

TEST(HwPicture, BytesInTheLargestUnit) {
  EXPECT_EQ(bytesText(100), "100 B");
  EXPECT_EQ(bytesText(49152), "48 KiB");
  EXPECT_EQ(bytesText(1536), "1.5 KiB");
  EXPECT_EQ(bytesText(150109880320), "139.8 GiB");
}

} // namespace
} // namespace tangram::driver

#include "composer/machine/machine_detect.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tangram::composer {
namespace {

namespace fs = std::filesystem;

/// A root folder with the files of a machine, removed at the end.
class DetectMachine : public testing::Test {
protected:
  fs::path root = fs::temp_directory_path() / "tangram_detect_test";

  void SetUp() override { fs::remove_all(root); }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string &file, const std::string &text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  void writeCache(int index, const std::string &level, const std::string &type,
                  const std::string &size, const std::string &cpus) {
    std::string folder = "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    write(folder + "level", level + "\n");
    write(folder + "type", type + "\n");
    write(folder + "size", size + "\n");
    write(folder + "coherency_line_size", "64\n");
    write(folder + "shared_cpu_list", cpus + "\n");
  }
};

TEST_F(DetectMachine, ReadsThreadsLanesAndCaches) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: sse2 avx avx2\n\n"
                        "processor\t: 1\nmodel name\t: Some CPU\nflags\t\t: sse2 avx avx2\n");
  write("proc/meminfo", "MemTotal:        1024 kB\nMemFree: 1 kB\n");
  write("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n");
  writeCache(0, "1", "Data", "32K", "0-1");
  writeCache(1, "1", "Instruction", "64K", "0-1");
  writeCache(2, "2", "Unified", "1M", "0-3");
  Machine machine = detectMachine("here", root);
  EXPECT_EQ(machine.name, "here");
  EXPECT_EQ(machine.description, "Some CPU: 2 hardware threads, 256-bit SIMD.");
  EXPECT_EQ(machine.levels[0].memoryNamed("global")->bytes, 1048576u);
  EXPECT_EQ(machine.levels[0].memoryNamed("cache")->title, "L2");
  EXPECT_EQ(machine.levels[0].memoryNamed("cache")->bytes, 1048576u);
  EXPECT_EQ(machine.levels[1].workers.units, 2u);
  ASSERT_EQ(machine.levels[1].memory.size(), 1u);
  EXPECT_EQ(machine.levels[1].memory[0].bytes, 32768u);
  EXPECT_EQ(machine.levels[1].memory[0].lineBytes, 64u);
  EXPECT_EQ(machine.levels[2].workers.defaultCount, "8");
}

TEST_F(DetectMachine, WidestSimdUnitThatWorksOnIntegersToo) {
  auto lanes = [&](const std::string &flags) {
    write("proc/cpuinfo", "processor : 0\nflags : " + flags + "\n");
    return detectMachine("here", root).levels[2].workers.defaultCount;
  };
  EXPECT_EQ(lanes("sse2"), "4");
  EXPECT_EQ(lanes("sse2 avx"), "4");
  EXPECT_EQ(lanes("avx512f avx2"), "16");
}

TEST_F(DetectMachine, IsValidEvenWhenNothingCanBeRead) {
  Machine machine = detectMachine("here", root);
  EXPECT_EQ(machine.description, "unknown CPU: 0 hardware threads, 128-bit SIMD.");
  EXPECT_TRUE(std::holds_alternative<Machine>(parseMachine(machineJson(machine), "here.json")));
}

TEST_F(DetectMachine, ThisMachineHasAValidModel) {
  std::string text = machineJson(detectMachine("this-machine"));
  MachineOrErrors again = parseMachine(text, "here.json");
  ASSERT_TRUE(std::holds_alternative<Machine>(again));
  EXPECT_EQ(machineJson(std::get<Machine>(again)), text);
}

} // namespace
} // namespace tangram::composer

#include "composer/machine/machine_detect.h"

#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace tangram::composer {
namespace {

namespace fs = std::filesystem;

std::string firstLine(const fs::path &file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Bytes of "32K", "16M", "4096"; 0 for anything else.
std::uint64_t bytesOf(std::string text) {
  std::uint64_t unit = 1;
  if (text.ends_with("K"))
    unit = 1024;
  else if (text.ends_with("M"))
    unit = 1024 * 1024;
  if (unit != 1)
    text.pop_back();
  return plainNumber(text).value_or(0) * unit;
}

struct CpuInfo {
  std::string model = "unknown CPU";
  std::uint64_t threads = 0;
  unsigned simdBits = 128;
};

std::string trimmed(const std::string &text) {
  std::size_t first = text.find_first_not_of(" \t");
  std::size_t last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// Bits of the widest SIMD unit that works on integers and floats alike.
unsigned simdBitsOf(const std::string &flags) {
  std::istringstream words(flags);
  unsigned bits = 128;
  for (std::string flag; words >> flag;) {
    if (flag == "avx512f")
      bits = 512;
    else if (flag == "avx2")
      bits = std::max(bits, 256U);
  }
  return bits;
}

CpuInfo readCpuInfo(const fs::path &file) {
  CpuInfo info;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::size_t colon = line.find(':');
    if (colon == std::string::npos)
      continue;
    std::string key = trimmed(line.substr(0, colon));
    std::string value = trimmed(line.substr(colon + 1));
    if (key == "processor")
      ++info.threads;
    else if (key == "model name")
      info.model = value;
    else if (key == "flags")
      info.simdBits = simdBitsOf(value);
  }
  return info;
}

/// Main memory, from "MemTotal:  8146792 kB".
Memory readMainMemory(const fs::path &file) {
  Memory memory;
  memory.space = "global";
  std::ifstream stream(file);
  std::string key;
  std::uint64_t kilobytes = 0;
  if (stream >> key >> kilobytes && key == "MemTotal:")
    memory.bytes = kilobytes * 1024;
  return memory;
}

/// "0", "0-1" and "0,4" list one, two and two CPUs.
bool sharedByOneCore(const fs::path &cache, const fs::path &siblings) {
  std::string sharing = firstLine(cache / "shared_cpu_list");
  return sharing == firstLine(siblings) || sharing.find_first_of(",-") == std::string::npos;
}

struct Caches {
  std::vector<Memory> ofCore;
  std::vector<Memory> shared;
};

Caches readCaches(const fs::path &cpu) {
  Caches caches;
  for (unsigned i = 0; fs::exists(cpu / "cache" / ("index" + std::to_string(i))); ++i) {
    fs::path cache = cpu / "cache" / ("index" + std::to_string(i));
    if (firstLine(cache / "type") == "Instruction")
      continue;
    Memory memory;
    memory.space = "cache";
    memory.title = "L" + firstLine(cache / "level");
    memory.bytes = bytesOf(firstLine(cache / "size"));
    memory.lineBytes = static_cast<unsigned>(bytesOf(firstLine(cache / "coherency_line_size")));
    bool own = sharedByOneCore(cache, cpu / "topology/thread_siblings_list");
    (own ? caches.ofCore : caches.shared).push_back(memory);
  }
  return caches;
}

} // namespace

Level makeLevel(std::string name, std::string title, Capability compute, int subordinate, Sync sync,
                Tiling prefers) {
  Level made;
  made.name = std::move(name);
  made.title = std::move(title);
  made.compute = compute;
  made.subordinate = subordinate;
  made.sync = sync;
  made.prefers = prefers;
  return made;
}

Machine detectMachine(const std::string &name, const fs::path &root) {
  CpuInfo info = readCpuInfo(root / "proc/cpuinfo");
  Caches caches = readCaches(root / "sys/devices/system/cpu/cpu0");
  std::uint64_t lanes = info.simdBits / 32;

  Level process = makeLevel("P", "process", Capability::None, 1, Sync::Join, Tiling::Adjacent);
  process.memory = caches.shared;
  process.memory.insert(process.memory.begin(), readMainMemory(root / "proc/meminfo"));
  process.spelling = {{"openmp", "process"}, {"opencl", "grid"}};
  Level thread = makeLevel("T", "thread", Capability::Vector, 2, Sync::Barrier, Tiling::Strided);
  thread.workers = {"threads", 1, 4096, info.threads, 8};
  thread.memory = caches.ofCore;
  thread.atomics = {"i32", "u32", "i64", "u64", "f32", "f64"};
  thread.spelling = {{"openmp", "thread"}, {"opencl", "group"}};
  Level lane = makeLevel("V", "lane", Capability::Scalar, 3, Sync::Loop, Tiling::Strided);
  lane.workers = {std::to_string(lanes), 1, 64, lanes};
  lane.spelling = {{"openmp", "lane"}, {"opencl", "item"}};
  Level chain = makeLevel("I", "chain", Capability::Scalar, -1, Sync::None, Tiling::None);
  chain.workers = {"4", 1, 16, 0};
  chain.spelling = {{"openmp", "unroll"}, {"opencl", "unroll"}};

  Machine machine;
  machine.name = name;
  machine.description = info.model + ": " + std::to_string(info.threads) + " hardware threads, " +
                        std::to_string(info.simdBits) + "-bit SIMD.";
  machine.sources = {"/proc/cpuinfo, /proc/meminfo and /sys/devices/system/cpu of the machine"};
  machine.targets = {"openmp", "opencl"};
  machine.levels = {process, thread, lane, chain};
  return withMapRules(machine, {MapRule::Distribute, MapRule::Serialize, MapRule::Split});
}

} // namespace tangram::composer

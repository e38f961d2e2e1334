#include "runtime/openmp/cold_caches.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tangram::runtime {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::size_t lineWords = 8; // of 64 bytes

std::vector<int> allowedProcessors() {
  std::vector<int> found;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (CPU_ISSET(processor, &allowed))
        found.push_back(processor);
    }
  }
  return found.empty() ? std::vector<int>{0} : found;
}

void stayOn(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  sched_setaffinity(0, sizeof only, &only); // of this thread; what fails leaves it where it is
}

std::uint64_t fillerBytes() {
  std::uint64_t quarter =
      std::uint64_t(sysconf(_SC_PHYS_PAGES)) / 4 * std::uint64_t(sysconf(_SC_PAGESIZE));
  return std::min(3 * largestCacheBytes(), quarter);
}

} // namespace

std::uint64_t largestCacheBytes(const char *folder) {
  std::uint64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file(std::filesystem::path(folder) / ("index" + std::to_string(index)) / "size");
    std::uint64_t size = 0;
    char unit = ' '; // "32768K"
    if (file >> size >> unit)
      largest = std::max(largest, unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size);
  }
  return largest == 0 ? 32 * mebibyte : largest;
}

void CacheFiller::walk() {
  if (memory.empty())
    memory.assign(fillerBytes() / sizeof(std::uint64_t), 1);
  const std::vector<int> processors = allowedProcessors();
  const std::size_t share =
      std::min(memory.size(), std::max(memory.size() / processors.size() + lineWords,
                                       16 * mebibyte / sizeof(std::uint64_t)));
  std::atomic<std::uint64_t> seen = 0; // somebody wants to know: no read may be left out
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < processors.size(); ++t)
    threads.emplace_back([&, t] {
      stayOn(processors[t]);
      const std::size_t begin =
          std::min(memory.size() / processors.size() * t, memory.size() - share);
      std::uint64_t sum = 0;
      for (std::size_t i = begin; i < begin + share; i += lineWords)
        sum += memory[i];
      seen += sum;
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tangram::runtime

#include "runtime/measure/figures.h"

#include "runtime/measure/rounds.h"

#include "embedded/runtime/measure/programs.h"
#include "runtime/openmp/cold_caches.h"
#include "runtime/openmp/compiler.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace tangram::runtime {

namespace {

/// In the order of `enum figure` of processor.c; the last one is a fact.
constexpr std::array<const char *, 14> names{"cycles_per_second",
                                             "instructions_per_cycle",
                                             "lanes",
                                             "operations_per_cycle",
                                             "operation_cycles",
                                             "local_cycles",
                                             "access_bytes_per_cycle",
                                             "bytes_per_second",
                                             "unit_bytes_per_second",
                                             "memory_seconds",
                                             "atomic_seconds",
                                             "barrier_seconds",
                                             "launch_seconds",
                                             "threads"};

/// Three times what the largest cache holds, at most a gigabyte.
std::uint64_t bytesBeyondCaches() {
  return std::min<std::uint64_t>(3 * largestCacheBytes(), std::uint64_t{1} << 30);
}

} // namespace

Result<DeviceFigures> measureProcessor() {
  const ir::TemporaryFolder folder;
  if (folder.path().empty())
    return failure("cannot make " + folder.wanted().string() + ": " + std::strerror(errno));
  const std::filesystem::path source = folder.path() / "processor.c";
  if (!(std::ofstream(source) << processorProgram))
    return failure("cannot write " + source.string());
  Compiler compiler;
  Compilation what;
  what.sources = {source};
  what.flags = {"-std=c17", "-O3", "-march=native", "-fopenmp"};
  const Result<ObjectFile> compiled = compiler.compile(what);
  if (!compiled)
    return compiled.error();
  const Result<SharedObject> program = compiled->load();
  if (!program)
    return program.error();
  auto *measure = program->function<int(std::size_t, double *)>("tangram_measure");
  if (!measure)
    return failure("processor.c has no tangram_measure");
  return measureInRounds([&]() -> Result<DeviceFigures> {
    std::array<double, names.size()> figures{};
    if (const int status = measure(bytesBeyondCaches(), figures.data()); status != 0)
      return failure(
          std::string(names.at(static_cast<std::size_t>(status - 1))) +
          " could not be measured: there is too little memory, or the clock stands still");
    DeviceFigures result;
    result.device = "OpenMP";
    result.type = "processor";
    result.driver = compiler.version();
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      result.costs[names[i]] = figures[i];
    result.facts["threads"] = static_cast<std::uint64_t>(figures.back());
    return result;
  });
}

} // namespace tangram::runtime

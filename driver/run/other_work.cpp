#include "driver/run/other_work.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>

namespace tangram::driver {

namespace {

constexpr int looks = 8;
constexpr std::chrono::milliseconds apart{3};

} // namespace

unsigned othersRunning(const std::string &loadavg) {
  std::istringstream words(loadavg);
  std::string minute, minutes, quarter;
  unsigned running = 0;
  return words >> minute >> minutes >> quarter >> running && running > 0 ? running - 1 : 0;
}

OtherWork otherWork() {
  OtherWork found;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    found.processors = std::max(1, CPU_COUNT(&allowed));
  found.busy = found.processors;
  for (int look = 0; look < looks; ++look) {
    std::ifstream file("/proc/loadavg");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    found.busy = std::min(found.busy, othersRunning(text));
    std::this_thread::sleep_for(apart);
  }
  return found;
}

std::string waitPassivelyBeside(const OtherWork &other) {
  if (other.busy == 0)
    return "";
  std::string told = "other work keeps " + std::to_string(other.busy) + " of " +
                     std::to_string(other.processors) +
                     (other.processors == 1 ? " processor" : " processors") +
                     " busy: times are longer and scatter";
  if (setenv("OMP_WAIT_POLICY", "passive", 0) == 0 &&
      std::string(std::getenv("OMP_WAIT_POLICY")) == "passive")
    told += "; threads of OpenMP wait without spinning";
  return told;
}

void prepareToMeasure() {
  const std::string told = waitPassivelyBeside(otherWork());
  if (!told.empty() && isatty(STDERR_FILENO) != 0)
    std::cerr << "tangram-run: note: " << told << "\n";
}

} // namespace tangram::driver

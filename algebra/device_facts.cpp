#include "algebra/device_facts.h"

#include <algorithm>

namespace tangram::algebra {

const std::vector<DeviceFact> &deviceFacts() {
  // `threads` on a device that has none to speak of: its compute units.
  static const std::vector<DeviceFact> facts{
      {"compute_units", "compute units of the device", "(size_t)omp_get_num_procs()",
       "CL_DEVICE_MAX_COMPUTE_UNITS", "cl_uint"},
      {"max_group_size", "work-items in a work-group", "", "CL_DEVICE_MAX_WORK_GROUP_SIZE",
       "size_t"},
      {"local_memory", "bytes of local memory of a work-group", "", "CL_DEVICE_LOCAL_MEM_SIZE",
       "cl_ulong"},
      {"threads", "threads of the process", "(size_t)omp_get_max_threads()",
       "CL_DEVICE_MAX_COMPUTE_UNITS", "cl_uint"}};
  return facts;
}

const std::vector<std::string> &deviceFactNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const DeviceFact &each : deviceFacts())
      all.push_back(each.name);
    return all;
  }();
  return names;
}

const DeviceFact *deviceFact(const std::string &name) {
  const auto found = std::find_if(deviceFacts().begin(), deviceFacts().end(),
                                  [&](const DeviceFact &each) { return each.name == name; });
  return found == deviceFacts().end() ? nullptr : &*found;
}

} // namespace tangram::algebra

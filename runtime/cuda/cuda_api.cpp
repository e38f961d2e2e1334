#include "runtime/cuda/cuda_api.h"

#include "runtime/openmp/shared_object.h"

#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace tangram::runtime {

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> nvrtcLibraries() {
  if (std::string chosen = variable("TANGRAM_NVRTC_LIBRARY"); !chosen.empty())
    return {chosen};
  static constexpr std::array<const char *, 4> names{"libnvrtc.so.13", "libnvrtc.so.12",
                                                     "libnvrtc.so.11.2", "libnvrtc.so"};
  std::vector<std::string> all(names.begin(), names.end());
  for (const std::string &toolkit : {variable("CUDA_HOME"), std::string("/usr/local/cuda")}) {
    for (const char *name : names) {
      if (!toolkit.empty())
        all.push_back(toolkit + "/lib64/" + name);
    }
  }
  return all;
}

} // namespace

Result<CudaDriver> openCudaDriver() {
  const std::string chosen = variable("TANGRAM_CUDA_LIBRARY");
  const std::string library = chosen.empty() ? "libcuda.so.1" : chosen;
  Result<SharedObject> object = SharedObject::open(library);
  if (!object)
    return failure("no CUDA driver on this machine: " + object.error().message);
  CudaDriver driver;
#define TANGRAM_CUDA_LOAD(name, symbol, ...)                                                       \
  driver.name = object->function<int(__VA_ARGS__)>(#symbol);                                       \
  if (!driver.name)                                                                                \
    return failure(library + " has no " #symbol ": the driver of CUDA 11.7 or later is needed");
  TANGRAM_CUDA_FUNCTIONS(TANGRAM_CUDA_LOAD)
#undef TANGRAM_CUDA_LOAD
  if (const int code = driver.init(0); code != 0)
    return failure("no CUDA device on this machine: cuInit: " + driver.errorText(code));
  return driver;
}

Result<Nvrtc> openNvrtc() {
  std::optional<Error> first;
  for (const std::string &library : nvrtcLibraries()) {
    Result<SharedObject> object = SharedObject::open(library);
    if (!object) {
      if (!first)
        first = failure("no NVRTC, CUDA's compiler library, on this machine: " +
                        object.error().message);
      continue;
    }
    Nvrtc nvrtc;
#define TANGRAM_NVRTC_LOAD(name, symbol, ...)                                                      \
  nvrtc.name = object->function<int(__VA_ARGS__)>(#symbol);                                        \
  if (!nvrtc.name)                                                                                 \
    return failure(library + " has no " #symbol ": NVRTC of CUDA 11.2 or later is needed");
    TANGRAM_NVRTC_FUNCTIONS(TANGRAM_NVRTC_LOAD)
#undef TANGRAM_NVRTC_LOAD
    return nvrtc;
  }
  return *first;
}

std::string CudaDriver::errorText(int code) const {
  const char *name = nullptr;
  const std::string number = std::to_string(code);
  return errorName(code, &name) == 0 && name ? std::string(name) + " (" + number + ")" : number;
}

} // namespace tangram::runtime

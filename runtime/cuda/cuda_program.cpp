#include "runtime/cuda/cuda_program.h"

#include <algorithm>
#include <utility>

namespace tangram::runtime {

namespace {

/// NVRTC's program, destroyed with this object.
struct Source {
  const Nvrtc &nvrtc;
  CudaObject program = nullptr;

  explicit Source(const Nvrtc &nvrtc) : nvrtc(nvrtc) {}
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;
  ~Source() {
    if (program)
      nvrtc.destroy(&program);
  }
};

/// The newest architecture that the compiler knows and the device runs; 0: none.
int architectureFor(const Nvrtc &nvrtc, int capability) {
  int count = 0;
  if (nvrtc.countArchitectures(&count) != 0 || count <= 0)
    return 0;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtc.architectures(known.data()) != 0)
    return 0;
  int best = 0;
  for (const int each : known)
    best = each <= capability ? std::max(best, each) : best;
  return best;
}

std::string logOf(const Nvrtc &nvrtc, CudaObject program) {
  std::size_t bytes = 0;
  if (nvrtc.logBytes(program, &bytes) != 0 || bytes < 2)
    return "(no log)";
  std::string log(bytes, '\0');
  nvrtc.log(program, log.data());
  log.resize(log.find_last_not_of(std::string("\0\n", 2)) + 1);
  return log;
}

using Fetch = int (*)(CudaObject, char *);
using Measure = int (*)(CudaObject, std::size_t *);

std::string fetched(CudaObject program, Measure measure, Fetch fetch) {
  std::size_t bytes = 0;
  if (measure(program, &bytes) != 0)
    return {};
  std::string code(bytes, '\0');
  return fetch(program, code.data()) == 0 ? code : std::string();
}

} // namespace

Result<CudaProgram> CudaProgram::build(const CudaDriver &driver, const Nvrtc &nvrtc, int capability,
                                       const std::string &file, const std::string &source,
                                       const std::vector<std::string> &options,
                                       const std::vector<std::string> &kernels) {
  const int architecture = architectureFor(nvrtc, capability);
  if (architecture == 0)
    return failure("NVRTC has no code for devices of compute capability " +
                   std::to_string(capability / 10) + "." + std::to_string(capability % 10));
  // The code of the device itself where the compiler knows it; else an older assembly, which the driver translates.
  const bool isOwn = architecture == capability;
  std::vector<std::string> all = options;
  all.push_back((isOwn ? "-arch=sm_" : "-arch=compute_") + std::to_string(architecture));
  std::vector<const char *> words;
  std::string line;
  for (const std::string &each : all) {
    words.push_back(each.c_str());
    line += (line.empty() ? "" : " ") + each;
  }
  Source made(nvrtc);
  if (nvrtc.create(&made.program, source.c_str(), file.c_str(), 0, nullptr, nullptr) != 0)
    return failure(file + ": nvrtcCreateProgram failed");
  for (const std::string &kernel : kernels)
    nvrtc.addName(made.program, kernel.c_str());
  if (nvrtc.compile(made.program, static_cast<int>(words.size()), words.data()) != 0)
    return failure(file + ": NVRTC failed, options " + line + ":\n" + logOf(nvrtc, made.program));
  const std::string code = isOwn ? fetched(made.program, nvrtc.cubinBytes, nvrtc.cubin)
                                 : fetched(made.program, nvrtc.ptxBytes, nvrtc.ptx);
  CudaObject module = nullptr;
  if (const int status = driver.loadModule(&module, code.data()); status != 0)
    return failure(file + ": cuModuleLoadData: " + driver.errorText(status));
  CudaProgram program(driver, module);
  for (const std::string &kernel : kernels) {
    const char *lowered = nullptr;
    CudaObject function = nullptr;
    if (nvrtc.loweredName(made.program, kernel.c_str(), &lowered) == 0 &&
        driver.functionOf(&function, module, lowered) == 0)
      program.kernels[kernel] = function;
  }
  return program;
}

CudaProgram::CudaProgram(CudaProgram &&other) noexcept
    : driver(other.driver), module(std::exchange(other.module, nullptr)),
      kernels(std::move(other.kernels)) {}

CudaProgram::~CudaProgram() {
  if (module)
    driver->unloadModule(module);
}

CudaObject CudaProgram::kernel(const std::string &name) const {
  const auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : found->second;
}

} // namespace tangram::runtime

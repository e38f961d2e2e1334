#include "runtime/cuda/cuda_backend.h"

#include "runtime/cuda/cuda_devices.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/data/text_file.h"
#include "runtime/device/kernel_execution.h"

#include <memory>
#include <optional>

namespace tangram::runtime {

namespace {

Result<CudaDevice> chosenDevice(const CudaDriver &driver, const std::string &wanted) {
  Result<std::vector<CudaDevice>> devices = listCudaDevices(driver);
  if (!devices)
    return devices.error();
  return chooseCudaDevice(*devices, wanted);
}

class CudaBackend : public Backend {
public:
  CudaBackend(const CudaDriver &driver, const Nvrtc &nvrtc, CudaDevice device)
      : driver_(driver), nvrtc(nvrtc), chosen(std::move(device)),
        known(chosen.description.facts()) {}

  Status open() {
    CudaObject context = nullptr;
    int code = driver_.retainContext(&context, chosen.id);
    if (code == 0)
      code = driver_.setContext(context);
    if (code == 0)
      code = driver_.createStream(&stream, 0);
    return code == 0 ? ok() : failure(device() + ": cannot be opened: " + driver_.errorText(code));
  }

  std::string device() const override { return chosen.description.name; }
  const DeviceFacts &facts() const override { return known; }
  std::string driver() const override { return chosen.description.driver; }

  Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest, const Problem &problem,
                                             const TunableValues &tunables,
                                             const Bindings &bindings) override {
    const bool narrow = hasNarrowIndexes(manifest, bindings);
    Result<const CudaProgram *> program = build(manifest, tunables, narrow);
    if (!program)
      return program.error();
    std::map<std::string, std::uint64_t> shared;
    for (const Kernel &kernel : manifest.kernels) {
      if (!kernel.shared)
        continue;
      Result<std::uint64_t> bytes = kernel.shared->evaluate(bindings);
      if (!bytes)
        return refusal("kernel " + kernel.name + ": " + bytes.error().message);
      shared[kernel.name] = *bytes;
    }
    Result<std::unique_ptr<KernelQueue>> queue =
        makeCudaQueue({&driver_, stream, chosen.description.globalMemory}, **program, shared);
    if (!queue)
      return queue.error();
    return makeKernelExecution(std::move(*queue), narrow, manifest, problem, bindings);
  }

private:
  using Program = std::shared_ptr<CudaProgram>;

  Result<const CudaProgram *> build(const Manifest &manifest, const TunableValues &tunables,
                                    bool narrow) {
    const std::string file = manifest.path("source").string();
    Result<std::string> source = readTextFile(file);
    if (!source)
      return source.error();
    std::vector<std::string> options = manifest.flags;
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime)
        options.push_back("-D" + t.name + "=" + std::to_string(tunables.at(t.name)));
    }
    if (narrow)
      options.emplace_back("-DNARROW_INDEXES");
    std::string key;
    for (const std::string &option : options)
      key += option + ' ';
    key += '\0' + *source;
    auto found = programs.find(key);
    if (found == programs.end()) {
      std::vector<std::string> kernels;
      for (const Kernel &kernel : manifest.kernels)
        kernels.push_back(kernel.name);
      Result<CudaProgram> built =
          CudaProgram::build(driver_, nvrtc, chosen.capability, file, *source, options, kernels);
      found = programs
                  .emplace(key,
                           built ? Result<Program>(std::make_shared<CudaProgram>(std::move(*built)))
                                 : Result<Program>(built.error()))
                  .first;
    }
    if (!found->second)
      return found->second.error();
    return found->second->get();
  }

  CudaDriver driver_;
  Nvrtc nvrtc;
  CudaDevice chosen;
  DeviceFacts known;
  CudaObject stream = nullptr;
  std::map<std::string, Result<Program>> programs;
};

} // namespace

Result<std::unique_ptr<Backend>> openCudaBackend(const std::string &wanted) {
  Result<CudaDriver> driver = openCudaDriver();
  if (!driver)
    return driver.error();
  Result<Nvrtc> nvrtc = openNvrtc();
  if (!nvrtc)
    return nvrtc.error();
  Result<CudaDevice> device = chosenDevice(*driver, wanted);
  if (!device)
    return device.error();
  auto backend = std::make_unique<CudaBackend>(*driver, *nvrtc, std::move(*device));
  if (Status status = backend->open(); !status)
    return status.error();
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<DeviceDescription> describeCudaDevice(const std::string &wanted) {
  Result<CudaDriver> driver = openCudaDriver();
  if (!driver)
    return driver.error();
  Result<CudaDevice> device = chosenDevice(*driver, wanted);
  if (!device)
    return device.error();
  return device->description;
}

} // namespace tangram::runtime

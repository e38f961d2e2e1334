#include "codegen/targets/cuda/backend.h"

#include "codegen/targets/cuda/cuda.h"

namespace tangram::codegen {

using namespace ir;

namespace {

class CudaBackend : public Backend {
public:
  std::variant<PrintedLibrary, Refusal> library(const PrintRequest &request) const override {
    auto kernels = printCuda(request.plan, request.steps, request.contraction);
    if (auto *refusal = std::get_if<Refusal>(&kernels))
      return *refusal;
    CudaSource &source = std::get<CudaSource>(kernels);
    const CSource host =
        printCudaHost(request.plan, request.spectrum, source, request.steps, request.checked);
    const std::string &name = request.plan.spectrum;
    PrintedLibrary printed;
    printed.add("source", name + ".cuh", source.text);
    printed.add("host", hostFile(name), host.text);
    printed.add("header", name + ".h", host.header);
    printed.kernels = std::move(source.kernels);
    return printed;
  }

  std::variant<PrintedLibrary, Refusal> wide(const PrintRequest &request) const override {
    auto kernels = printCuda(request.plan, request.steps, request.contraction);
    if (auto *refusal = std::get_if<Refusal>(&kernels))
      return *refusal;
    CudaSource &source = std::get<CudaSource>(kernels);
    PrintedLibrary printed;
    printed.add("source", request.plan.spectrum + ".cuh", source.text);
    printed.kernels = std::move(source.kernels);
    return printed;
  }

  std::string hostFile(const std::string &name) const override { return name + ".cu"; }
  std::string firstArgument(const LoweredPlan &plan) const override { return streamName(plan); }
  CSource dispatch(const DispatchRequest &request) const override { return cudaDispatch(request); }

  std::string example(const LoweredPlan &plan, const Spectrum &spectrum,
                      const std::vector<std::string> &sources) const override {
    return cudaExample(plan, spectrum, sources);
  }
  std::string exampleFile() const override { return "example.cu"; }

  PackageParts package(const LoweredPlan &) const override {
    return {"CUDA", "CUDA", "find_dependency(CUDAToolkit)", "PUBLIC CUDA::cudart", "-lcudart", ""};
  }

  std::vector<std::string> flags(const LoweredPlan &) const override { return {"-std=c++17"}; }
  std::vector<std::string> wideFlags(const LoweredPlan &plan) const override { return flags(plan); }

  bool knows(const algebra::DeviceFact &) const override { return true; }
  bool hasQuads() const override { return false; }
};

} // namespace

const Backend &cudaBackend() {
  static const CudaBackend backend;
  return backend;
}

} // namespace tangram::codegen

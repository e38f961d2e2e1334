#include "codegen/targets/opencl/backend.h"

#include "codegen/targets/opencl/host_interface.h"
#include "codegen/targets/opencl/opencl.h"
#include "codegen/targets/opencl/rounded_division.h"

namespace tangram::codegen {

using namespace ir;

namespace {

const char *const doubles = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

class OpenclBackend : public Backend {
public:
  std::variant<PrintedLibrary, Refusal> library(const PrintRequest &request) const override {
    auto kernels = printOpencl(request.plan, request.steps, request.contraction);
    if (auto *refusal = std::get_if<Refusal>(&kernels))
      return *refusal;
    OpenclSource &source = std::get<OpenclSource>(kernels);
    const OpenclHost host =
        printOpenclHost(request.plan, request.spectrum, source, request.steps, request.checked);
    const std::string &name = request.plan.spectrum;
    PrintedLibrary printed;
    printed.add("source", name + ".cl", source.text);
    if (!source.pocl.empty())
      printed.add("pocl", name + "_pocl.cl", source.pocl);
    if (!host.pocl.empty())
      printed.files[name + "_pocl.h"] = host.pocl;
    printed.add("host", hostFile(name), host.text);
    printed.add("header", name + ".h", host.header);
    printed.kernels = std::move(source.kernels);
    return printed;
  }

  std::variant<PrintedLibrary, Refusal> wide(const PrintRequest &request) const override {
    auto kernels = printOpencl(request.plan, request.steps, request.contraction);
    if (auto *refusal = std::get_if<Refusal>(&kernels))
      return *refusal;
    OpenclSource &source = std::get<OpenclSource>(kernels);
    const std::string &name = request.plan.spectrum;
    PrintedLibrary printed;
    printed.add("source", name + ".cl", doubles + source.text);
    if (!source.pocl.empty())
      printed.add("pocl", name + "_pocl.cl", doubles + source.pocl);
    printed.kernels = std::move(source.kernels);
    return printed;
  }

  std::string hostFile(const std::string &name) const override { return name + "_host.c"; }

  std::string firstArgument(const LoweredPlan &plan) const override { return queueName(plan); }

  CSource dispatch(const DispatchRequest &request) const override {
    return openclDispatch(request);
  }

  CSource collection(const std::string &name,
                     const std::vector<std::string> &members) const override {
    return openclCollection(name, members);
  }

  std::string example(const LoweredPlan &plan, const Spectrum &spectrum,
                      const std::vector<std::string> &sources) const override {
    return openclExample(plan, spectrum, sources);
  }

  /// Kernels have flags of their own.
  PackageParts package(const LoweredPlan &) const override {
    return {"OpenCL",
            "C",
            "find_dependency(OpenCL)\nfind_dependency(Threads)",
            "PUBLIC OpenCL::OpenCL PRIVATE Threads::Threads",
            "-lOpenCL -pthread",
            ""};
  }

  std::vector<std::string> flags(const LoweredPlan &plan) const override {
    std::vector<std::string> flags{"-cl-std=CL1.2"};
    if (dividesFloats(plan))
      flags.emplace_back(roundedDivisionFlag);
    return flags;
  }

  std::vector<std::string> wideFlags(const LoweredPlan &plan) const override { return flags(plan); }

  bool knows(const algebra::DeviceFact &) const override { return true; }
  bool hasQuads() const override { return false; }
};

} // namespace

const Backend &openclBackend() {
  static const OpenclBackend backend;
  return backend;
}

} // namespace tangram::codegen

#include "runtime/opencl/opencl_backend.h"

#include "runtime/data/text_file.h"
#include "runtime/device/kernel_execution.h"
#include "runtime/opencl/opencl_queue.h"
#include "runtime/session/standard_error.h"

namespace tangram::runtime {

namespace {

/// That quotients and square roots are to be those of C; not all devices can.
constexpr const char *roundedDivisions = "-cl-fp32-correctly-rounded-divide-sqrt";

class OpenCLBackend : public Backend {
public:
  OpenCLBackend(const OpenCLApi &api, const OpenCLDevice &device)
      : api(api), chosen(device), known(device.facts()) {}

  Status open() {
    cl_int code = CL_SUCCESS;
    cl_context_properties platform[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(chosen.platformId), 0};
    context = {api.clCreateContext(platform, 1, &chosen.id, nullptr, nullptr, &code),
               api.clReleaseContext};
    if (code != CL_SUCCESS)
      return failure(device() + ": clCreateContext: " + openclErrorText(code));
    queue = {api.clCreateCommandQueue(context.get(), chosen.id, CL_QUEUE_PROFILING_ENABLE, &code),
             api.clReleaseCommandQueue};
    if (code != CL_SUCCESS)
      return failure(device() + ": clCreateCommandQueue: " + openclErrorText(code));
    return ok();
  }

  std::string device() const override { return chosen.fullName(); }
  const DeviceFacts &facts() const override { return known; }
  std::string driver() const override { return chosen.driver; }

  Result<std::unique_ptr<Execution>> prepare(const Manifest &manifest, const Problem &problem,
                                             const TunableValues &tunables,
                                             const Bindings &bindings) override {
    const bool narrow = hasNarrowIndexes(manifest, bindings);
    Result<cl_program> program = build(manifest, tunables, narrow);
    if (!program)
      return program.error();
    OpenCLPlace place{&api, context.get(), queue.get(), chosen.id};
    return makeKernelExecution(makeOpenCLQueue(place, *program), narrow, manifest, problem,
                               bindings);
  }

private:
  Result<cl_program> build(const Manifest &manifest, const TunableValues &tunables, bool narrow) {
    const bool isPocl = chosen.platform == "Portable Computing Language";
    std::string file =
        manifest.path(isPocl && manifest.files.contains("pocl") ? "pocl" : "source").string();
    Result<std::string> source = readTextFile(file);
    if (!source)
      return source.error();
    std::string options;
    for (const std::string &flag : manifest.flags) {
      if (flag != roundedDivisions || chosen.roundsDivisions)
        options += (options.empty() ? "" : " ") + flag;
    }
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime)
        options += " -D" + t.name + "=" + std::to_string(tunables.at(t.name));
    }
    if (narrow)
      options += " -DNARROW_INDEXES";
    std::string key = options + '\0' + *source;
    auto found = programs.find(key);
    if (found == programs.end())
      found = programs.emplace(key, buildText(file, *source, options)).first;
    if (!found->second)
      return found->second.error();
    return (*found->second)->get();
  }

  using Program = std::shared_ptr<OpenCLObject<cl_program>>;

  Result<Program> buildText(const std::string &file, const std::string &source,
                            const std::string &options) {
    cl_int code = CL_SUCCESS;
    const char *text = source.c_str();
    std::size_t length = source.size();
    auto program = std::make_shared<OpenCLObject<cl_program>>(
        api.clCreateProgramWithSource(context.get(), 1, &text, &length, &code),
        api.clReleaseProgram);
    if (code != CL_SUCCESS)
      return failure(file + ": clCreateProgramWithSource: " + openclErrorText(code));
    StandardErrorCapture chatter;
    code = api.clBuildProgram(program->get(), 1, &chosen.id, options.c_str(), nullptr, nullptr);
    if (code == CL_SUCCESS)
      return program;
    std::string said = chatter.take();
    return failure(file + ": the OpenCL compiler failed, " + openclErrorText(code) + ", options " +
                   options + ":\n" + buildLog(program->get()) + (said.empty() ? "" : "\n" + said));
  }

  std::string buildLog(cl_program program) {
    std::size_t bytes = 0;
    api.clGetProgramBuildInfo(program, chosen.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    api.clGetProgramBuildInfo(program, chosen.id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n'))
      log.pop_back();
    return log.empty() ? "(no log)" : log;
  }

  OpenCLApi api;
  OpenCLDevice chosen;
  DeviceFacts known;
  OpenCLObject<cl_context> context;
  OpenCLObject<cl_command_queue> queue;
  std::map<std::string, Result<Program>> programs;
};

} // namespace

Result<std::unique_ptr<Backend>> makeOpenCLBackend(const OpenCLApi &api,
                                                   const OpenCLDevice &device) {
  auto backend = std::make_unique<OpenCLBackend>(api, device);
  if (Status status = backend->open(); !status)
    return status.error();
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<std::unique_ptr<Backend>> openOpenCLBackend(const std::string &wanted) {
  Result<OpenCLApi> api = openOpenCL();
  if (!api)
    return api.error();
  Result<OpenCLDevice> device = chooseOpenCLDevice(listOpenCLDevices(*api), wanted);
  if (!device)
    return device.error();
  return makeOpenCLBackend(*api, *device);
}

Result<DeviceDescription> describeOpenCLDevice(const std::string &wanted) {
  Result<OpenCLApi> api = openOpenCL();
  if (!api)
    return api.error();
  Result<OpenCLDevice> device = chooseOpenCLDevice(listOpenCLDevices(*api), wanted);
  if (!device)
    return device.error();
  return device->description();
}

} // namespace tangram::runtime

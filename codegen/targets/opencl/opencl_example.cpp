// A main() that shows how the library is called.
#include "codegen/printing/c_types.h"
#include "codegen/printing/example.h"
#include "codegen/targets/opencl/opencl.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What arrays of a spectrum's types need beside <stdio.h>: the interface of OpenCL names no `bool`.
std::string headerOfBool(const Spectrum &spectrum) {
  const bool hasBool = spectrum.result.scalar == Scalar::Bool ||
                       std::ranges::any_of(spectrum.params, [](const VarPtr &p) {
                         return p->type.scalar == Scalar::Bool;
                       });
  return hasBool ? "#include <stdbool.h>\n" : "";
}

} // namespace

std::string openclExample(const LoweredPlan &plan, const Spectrum &spectrum,
                          const std::vector<std::string> &sources) {
  ExampleShapes shapes(plan, spectrum);
  ExampleNames names(plan, spectrum);
  std::string text =
      buildComment("cc example.c", sources, "-lOpenCL -pthread && ./a.out") + "#include \"" +
      plan.spectrum + ".h\"\n\n" + headerOfBool(spectrum) +
      "#include <stdio.h>\n\nenum { SIZE = " + std::to_string(exampleSize(spectrum)) +
      " };\n\nint main(void) {\n" + hostArrays(shapes, spectrum, names);
  text +=
      "  cl_platform_id $platform;\n  cl_device_id $device;\n"
      "  if (clGetPlatformIDs(1, &$platform, NULL) != CL_SUCCESS ||\n"
      "      clGetDeviceIDs($platform, CL_DEVICE_TYPE_ALL, 1, &$device, NULL) != CL_SUCCESS) {\n"
      "    fprintf(stderr, \"no OpenCL device\\n\");\n    return 1;\n  }\n"
      "  cl_context $context = clCreateContext(NULL, 1, &$device, NULL, NULL, NULL);\n"
      "  cl_command_queue $queue = clCreateCommandQueue($context, $device, 0, NULL);\n";
  std::string args = "$queue";
  std::string after;
  std::string release;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    if (p->type.rank == 0) {
      args += ", " + names.of(i);
      continue;
    }
    const std::string memory = names.own(p->name + "_memory");
    text += "  cl_mem " + memory +
            " = clCreateBuffer($context, CL_MEM_READ_WRITE | "
            "CL_MEM_COPY_HOST_PTR,\n      sizeof " +
            names.of(i) + ", " + names.of(i) + ", NULL);\n";
    args += ", " + memory;
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", " + shapes.extent(i, d);
    if (!p->type.isConst)
      after += "  clEnqueueReadBuffer($queue, " + memory + ", CL_TRUE, 0, sizeof " + names.of(i) +
               ", " + names.of(i) + ", 0, NULL, NULL);\n";
    release += "  clReleaseMemObject(" + memory + ");\n";
  }
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) +
            " $result = 0;\n"
            "  cl_mem $result_memory = clCreateBuffer($context, CL_MEM_READ_WRITE, sizeof $result, "
            "NULL, NULL);\n";
    args += ", $result_memory";
    after +=
        "  clEnqueueReadBuffer($queue, $result_memory, CL_TRUE, 0, sizeof $result, &$result, 0, "
        "NULL, NULL);\n";
    release += "  clReleaseMemObject($result_memory);\n";
  }
  text += checkedCall(plan, args) + after + showResult(plan, spectrum, names) + release +
          "  clReleaseCommandQueue($queue);\n  clReleaseContext($context);\n  return 0;\n}\n";
  return named(text, names);
}

} // namespace tangram::codegen

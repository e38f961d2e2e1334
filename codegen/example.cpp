// A main() that shows how the library is called.
#include "codegen/c_types.h"
#include "codegen/source.h"

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr const char *exampleSize = "1000";

std::string printfFormat(Scalar type) {
  if (isFloating(type))
    return "%g";
  return isSigned(type) ? "%ld" : "%lu";
}

std::string printfType(Scalar type) {
  if (isFloating(type))
    return "double";
  return isSigned(type) ? "long" : "unsigned long";
}

std::string countOf(const Var &param) {
  std::string count = "SIZE";
  for (unsigned d = 1; d < param.type.rank; ++d)
    count += " * SIZE";
  return count;
}

std::string hostArrays(const Spectrum &spectrum) {
  std::string text;
  for (const VarPtr &p : spectrum.params) {
    if (p->type.rank == 0) {
      text += "  const " + cName(p->type.scalar) + " " + p->name + " = 1;\n";
      continue;
    }
    std::string type = cName(p->type.scalar);
    text += "  static " + type + " " + p->name + "[" + countOf(*p) + "];\n";
    text += "  for (size_t i = 0; i < " + countOf(*p) + "; ++i)\n    " + p->name + "[i] = (" +
            type + ")(i % 7);\n";
  }
  return text;
}

std::string showResult(const LoweredPlan &plan, const Spectrum &spectrum) {
  if (plan.result)
    return "  printf(\"" + plan.spectrum + " = " + printfFormat(plan.result->type.scalar) +
           "\\n\", (" + printfType(plan.result->type.scalar) + ")result);\n";
  std::string text;
  for (const VarPtr &p : spectrum.params) {
    if (p->type.rank > 0 && !p->type.isConst)
      text += "  printf(\"" + p->name + "[0] = " + printfFormat(p->type.scalar) + "\\n\", (" +
              printfType(p->type.scalar) + ")" + p->name + "[0]);\n";
  }
  return text;
}

std::string openmpExample(const LoweredPlan &plan, const Spectrum &spectrum) {
  std::string args;
  for (const VarPtr &p : spectrum.params) {
    args += (args.empty() ? "" : ", ") + p->name;
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", SIZE";
  }
  std::string text = "// cc -O3 -march=native -fopenmp example.c " + plan.spectrum +
                     ".c -lm && ./a.out\n#include \"" + plan.spectrum +
                     ".h\"\n\n#include <stdio.h>\n\nenum { SIZE = " + exampleSize +
                     " };\n\nint main(void) {\n" + hostArrays(spectrum);
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) + " result = 0;\n";
    args += ", &result";
  }
  return text + "  int status = " + plan.spectrum + "(" + args +
         ");\n  if (status != 0) {\n    fprintf(stderr, \"" + plan.spectrum +
         " failed: %d\\n\", status);\n    return 1;\n  }\n" + showResult(plan, spectrum) +
         "  return 0;\n}\n";
}

std::string openclExample(const LoweredPlan &plan, const Spectrum &spectrum) {
  std::string text = "// cc example.c " + plan.spectrum +
                     "_host.c -lOpenCL && ./a.out\n#include \"" + plan.spectrum +
                     ".h\"\n\n#include <stdio.h>\n\nenum { SIZE = " + exampleSize +
                     " };\n\nint main(void) {\n" + hostArrays(spectrum);
  text += "  cl_platform_id platform;\n  cl_device_id device;\n"
          "  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||\n"
          "      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {\n"
          "    fprintf(stderr, \"no OpenCL device\\n\");\n    return 1;\n  }\n"
          "  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);\n"
          "  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);\n";
  std::string args = "queue";
  std::string after;
  std::string release;
  for (const VarPtr &p : spectrum.params) {
    if (p->type.rank == 0) {
      args += ", " + p->name;
      continue;
    }
    std::string memory = p->name + "_memory";
    text += "  cl_mem " + memory +
            " = clCreateBuffer(context, CL_MEM_READ_WRITE | "
            "CL_MEM_COPY_HOST_PTR,\n      sizeof " +
            p->name + ", " + p->name + ", NULL);\n";
    args += ", " + memory;
    for (unsigned d = 0; d < p->type.rank; ++d)
      args += ", SIZE";
    if (!p->type.isConst)
      after += "  clEnqueueReadBuffer(queue, " + memory + ", CL_TRUE, 0, sizeof " + p->name + ", " +
               p->name + ", 0, NULL, NULL);\n";
    release += "  clReleaseMemObject(" + memory + ");\n";
  }
  if (plan.result) {
    text += "  " + cName(plan.result->type.scalar) +
            " result = 0;\n"
            "  cl_mem result_memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, "
            "NULL, NULL);\n";
    args += ", result_memory";
    after += "  clEnqueueReadBuffer(queue, result_memory, CL_TRUE, 0, sizeof result, &result, 0, "
             "NULL, NULL);\n";
    release += "  clReleaseMemObject(result_memory);\n";
  }
  return text + "  int status = " + plan.spectrum + "(" + args +
         ");\n  if (status != 0) {\n    fprintf(stderr, \"" + plan.spectrum +
         " failed: %d\\n\", status);\n    return 1;\n  }\n" + after + showResult(plan, spectrum) +
         release +
         "  clReleaseCommandQueue(queue);\n  clReleaseContext(context);\n  return 0;\n}\n";
}

} // namespace

std::string printExample(const LoweredPlan &plan, const Spectrum &spectrum,
                         const std::string &target) {
  return target == "opencl" ? openclExample(plan, spectrum) : openmpExample(plan, spectrum);
}

} // namespace tangram::codegen

#include "codegen/targets/opencl/host_handle.h"

#include "codegen/printing/source.h"
#include "codegen/targets/opencl/rounded_division.h"

#include <algorithm>

namespace tangram::codegen {

namespace {

std::string structs(const HandleParts &parts) {
  std::string text = "/// A program and its kernels, whose arguments one thread sets at a time.\n"
                     "struct tangram_kernels {\n  cl_program program;\n";
  for (const std::string &kernel : parts.kernels)
    text += "  cl_kernel " + kernel + ";\n";
  text += "};\n\nstruct $NAME_handle {\n  cl_context context;\n  cl_device_id device;\n";
  for (const HandleParts::Fact &fact : parts.facts)
    text += "  " + fact.type + " " + fact.name + ";\n";
  text += "  int status;     ///< 1: the device cannot run this plan\n"
          "  unsigned users; ///< of a handle in the cache\n"
          "  pthread_mutex_t lock;\n";
  return text + (parts.narrows ? "  struct tangram_kernels kernels[2]; ///< [1] has indexes of 32 "
                                 "bits; [0] is built "
                                 "when sizes need it\n};\n\n"
                               : "  struct tangram_kernels kernels;\n};\n\n");
}

std::string buildFunctions(const HandleParts &parts) {
  std::string text;
  if (parts.hasPocl)
    text +=
        R"(/// Whether a device is PoCL's, whose compiler makes wrong code of kernels that others run rightly.
static bool tangram_is_pocl(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[64] = "";
  return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS &&
         clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

)";
  text += "static void tangram_release_kernels(struct tangram_kernels *kernels) {\n";
  for (const std::string &kernel : parts.kernels)
    text += "  if (kernels->" + kernel + ")\n    clReleaseKernel(kernels->" + kernel + ");\n";
  text += R"(  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const $NAME_handle *handle, const char *options, struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
)";
  text +=
      parts.hasPocl
          ? R"(  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
)"
          : R"(  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&tangram_source, NULL, &status);
)";
  if (parts.divides)
    text += std::string(
                R"(  // Quotients and square roots are rounded as those of C, where the device can.
  cl_device_fp_config numbers = 0;
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(handle->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof numbers, &numbers, NULL);
  const char *const rounded =
      numbers & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " )") +
            roundedDivisionFlag + R"(" : "";
  char all_options[sizeof TANGRAM_OPTIONS + 80];
  snprintf(all_options, sizeof all_options, "%s%s", options, rounded);
)";
  text += "  if (status == CL_SUCCESS)\n    status = clBuildProgram(kernels->program, 1, "
          "&handle->device, " +
          std::string(parts.divides ? "all_options" : "options") + ", NULL, NULL);\n";
  for (const std::string &kernel : parts.kernels)
    text += "  if (status == CL_SUCCESS)\n    kernels->" + kernel +
            " = clCreateKernel(kernels->program, \"" + kernel + "\", &status);\n";
  return text + R"(  if (status != CL_SUCCESS)
    tangram_release_kernels(kernels);
  return status;
}

)";
}

/// Of the groups and their memory, before and after a program is built.
std::string deviceChecks(const HandleParts &parts) {
  std::string text =
      R"(/// 1: the device has smaller groups, or less local memory for one, than a kernel needs.
static int tangram_check_device(cl_device_id device) {
  size_t most_items = 0;
  int status = clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most_items, &most_items,
                               NULL);
)";
  std::vector<std::string> limits;
  auto limit = [&](const std::string &what, const std::string &most) {
    const std::string condition = what + " > " + most;
    if (std::find(limits.begin(), limits.end(), condition) != limits.end())
      return;
    limits.push_back(condition);
    text += "  if (status == CL_SUCCESS && " + condition + ")\n    status = 1;\n";
  };
  for (const std::string &group : parts.groups)
    limit(group, "most_items");
  if (std::any_of(parts.locals.begin(), parts.locals.end(),
                  [](const std::string &bytes) { return !bytes.empty(); }))
    text += R"(  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
)";
  for (const std::string &bytes : parts.locals) {
    if (!bytes.empty())
      limit(bytes, "most_bytes");
  }
  text += R"(  return status;
}

/// 1: the kernel, as it was built, cannot have groups of this size.
static int tangram_check_kernel(cl_kernel kernel, cl_device_id device, size_t group_size) {
  size_t most_items = 0;
  const int status = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most_items, &most_items, NULL);
  return status == CL_SUCCESS && group_size > most_items ? 1 : status;
}

)";
  return text;
}

std::string makeFunctions(const HandleParts &parts) {
  const std::string kernels = parts.narrows ? "made->kernels[1]" : "made->kernels";
  std::string text =
      R"(/// A handle, also where it returns 1; none where it returns an error of OpenCL.
static int tangram_make_handle(cl_context context, cl_device_id device, $NAME_handle **handle) {
  *handle = NULL;
  $NAME_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
)";
  for (const HandleParts::Fact &fact : parts.facts)
    text += "  if (status == CL_SUCCESS)\n    status = clGetDeviceInfo(device, " + fact.query +
            ",\n                             sizeof made->" + fact.name + ", &made->" + fact.name +
            ", NULL);\n";
  text += "  if (status == CL_SUCCESS)\n    status = tangram_build_kernels(made, TANGRAM_OPTIONS" +
          std::string(parts.narrows ? " \" -DNARROW_INDEXES\"" : "") + ", &" + kernels + ");\n";
  for (std::size_t i = 0; i < parts.kernels.size(); ++i)
    text += "  if (status == CL_SUCCESS)\n    status = tangram_check_kernel(" + kernels + "." +
            parts.kernels[i] + ", device, " + parts.groups[i] + ");\n";
  text += R"(  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    $NAME_destroy(made);
  return status;
}

int $NAME_create(cl_context context, cl_device_id device, $NAME_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    $NAME_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void $NAME_destroy($NAME_handle *handle) {
  if (!handle)
    return;
)";
  text += parts.narrows ? "  tangram_release_kernels(&handle->kernels[0]);\n  "
                          "tangram_release_kernels(&handle->kernels[1]);\n"
                        : "  tangram_release_kernels(&handle->kernels);\n";
  return text + "  pthread_mutex_destroy(&handle->lock);\n  free(handle);\n}\n";
}

} // namespace

std::string handleText(const HandleParts &parts) {
  return replaced(structs(parts) + buildFunctions(parts) + deviceChecks(parts) +
                      makeFunctions(parts),
                  "$NAME", parts.name);
}

std::string handleCacheText(const std::string &name) {
  return replaced(R"(// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static $NAME_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back($NAME_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    $NAME_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, $NAME_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  $NAME_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context && tangram_handle_cache[i]->device == device))
    ++i;
  $NAME_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
  if (found) {
    status = found->status;
  } else {
    status = tangram_make_handle(context, device, &found);
    if (found) {
      oldest = tangram_handle_cache[TANGRAM_CACHED - 1];
      for (i = TANGRAM_CACHED - 1; i > 0; --i)
        tangram_handle_cache[i] = tangram_handle_cache[i - 1];
      tangram_handle_cache[0] = found;
      found->users = 1;
    }
  }
  if (status == CL_SUCCESS)
    ++found->users;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (oldest)
    tangram_give_back(oldest);
  *handle = found;
  return status;
}
)",
                  "$NAME", name);
}

} // namespace tangram::codegen

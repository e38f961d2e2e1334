#include "runtime/opencl/opencl_api.h"

#include <cstdlib>
#include <map>

namespace tangram::runtime {

Result<OpenCLApi> openOpenCL() {
  const char *chosen = std::getenv("TANGRAM_OPENCL_LIBRARY");
  std::string library = chosen && *chosen ? chosen : "libOpenCL.so.1";
  Result<SharedObject> object = SharedObject::open(library);
  if (!object)
    return failure("no OpenCL on this machine: " + object.error().message);
  OpenCLApi api;
#define TANGRAM_OPENCL_LOAD(name)                                                                  \
  api.name = object->function<std::remove_pointer_t<decltype(api.name)>>(#name);                   \
  if (!api.name)                                                                                   \
    return failure(library + " has no " #name ": OpenCL 1.2 is needed");
  TANGRAM_OPENCL_FUNCTIONS(TANGRAM_OPENCL_LOAD)
#undef TANGRAM_OPENCL_LOAD
  return api;
}

std::string openclErrorText(cl_int code) {
#define TANGRAM_OPENCL_ERROR(name) {name, #name}
  static const std::map<cl_int, const char *> names{
      TANGRAM_OPENCL_ERROR(CL_DEVICE_NOT_FOUND),
      TANGRAM_OPENCL_ERROR(CL_DEVICE_NOT_AVAILABLE),
      TANGRAM_OPENCL_ERROR(CL_COMPILER_NOT_AVAILABLE),
      TANGRAM_OPENCL_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
      TANGRAM_OPENCL_ERROR(CL_OUT_OF_RESOURCES),
      TANGRAM_OPENCL_ERROR(CL_OUT_OF_HOST_MEMORY),
      TANGRAM_OPENCL_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE),
      TANGRAM_OPENCL_ERROR(CL_BUILD_PROGRAM_FAILURE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_VALUE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_PLATFORM),
      TANGRAM_OPENCL_ERROR(CL_INVALID_DEVICE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_CONTEXT),
      TANGRAM_OPENCL_ERROR(CL_INVALID_QUEUE_PROPERTIES),
      TANGRAM_OPENCL_ERROR(CL_INVALID_COMMAND_QUEUE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_MEM_OBJECT),
      TANGRAM_OPENCL_ERROR(CL_INVALID_BUILD_OPTIONS),
      TANGRAM_OPENCL_ERROR(CL_INVALID_PROGRAM),
      TANGRAM_OPENCL_ERROR(CL_INVALID_PROGRAM_EXECUTABLE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_KERNEL_NAME),
      TANGRAM_OPENCL_ERROR(CL_INVALID_KERNEL),
      TANGRAM_OPENCL_ERROR(CL_INVALID_ARG_INDEX),
      TANGRAM_OPENCL_ERROR(CL_INVALID_ARG_VALUE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_ARG_SIZE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_KERNEL_ARGS),
      TANGRAM_OPENCL_ERROR(CL_INVALID_WORK_DIMENSION),
      TANGRAM_OPENCL_ERROR(CL_INVALID_WORK_GROUP_SIZE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_WORK_ITEM_SIZE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_GLOBAL_WORK_SIZE),
      TANGRAM_OPENCL_ERROR(CL_INVALID_OPERATION),
      TANGRAM_OPENCL_ERROR(CL_INVALID_BUFFER_SIZE),
  };
#undef TANGRAM_OPENCL_ERROR
  auto found = names.find(code);
  std::string number = std::to_string(code);
  return found == names.end() ? number : std::string(found->second) + " (" + number + ")";
}

} // namespace tangram::runtime

// The functions of OpenCL 1.2 this runtime calls, taken from the ICD loader at
// run time, so that the program starts on machines without OpenCL.
#pragma once

#include "runtime/openmp/shared_object.h"
#include "runtime/session/result.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <memory>
#include <string>

namespace tangram::runtime {

// One line a function: its type comes from the header, its address from the loader.
#define TANGRAM_OPENCL_FUNCTIONS(X)                                                                \
  X(clGetPlatformIDs)                                                                              \
  X(clGetPlatformInfo)                                                                             \
  X(clGetDeviceIDs)                                                                                \
  X(clGetDeviceInfo)                                                                               \
  X(clCreateContext)                                                                               \
  X(clReleaseContext)                                                                              \
  X(clCreateCommandQueue)                                                                          \
  X(clReleaseCommandQueue)                                                                         \
  X(clCreateProgramWithSource)                                                                     \
  X(clBuildProgram)                                                                                \
  X(clGetProgramBuildInfo)                                                                         \
  X(clReleaseProgram)                                                                              \
  X(clCreateKernel)                                                                                \
  X(clReleaseKernel)                                                                               \
  X(clGetKernelInfo)                                                                               \
  X(clGetKernelWorkGroupInfo)                                                                      \
  X(clSetKernelArg)                                                                                \
  X(clCreateBuffer)                                                                                \
  X(clReleaseMemObject)                                                                            \
  X(clEnqueueWriteBuffer)                                                                          \
  X(clEnqueueReadBuffer)                                                                           \
  X(clEnqueueFillBuffer)                                                                           \
  X(clEnqueueNDRangeKernel)                                                                        \
  X(clFinish)                                                                                      \
  X(clGetEventProfilingInfo)                                                                       \
  X(clReleaseEvent)

struct OpenCLApi {
#define TANGRAM_OPENCL_MEMBER(function) decltype(&::function) function = nullptr;
  TANGRAM_OPENCL_FUNCTIONS(TANGRAM_OPENCL_MEMBER)
#undef TANGRAM_OPENCL_MEMBER
};

/// Open $TANGRAM_OPENCL_LIBRARY, or libOpenCL.so.1. Errors (Fault::Failed): "no OpenCL on
/// this machine: LOADER'S MESSAGE", "LIBRARY has no clEnqueueFillBuffer: OpenCL 1.2 is needed".
Result<OpenCLApi> openOpenCL();

/// "CL_OUT_OF_RESOURCES (-5)"; a code without a name is just its number.
std::string openclErrorText(cl_int code);

/// An OpenCL object that is released when it goes out of scope. Move only.
template <class T> class OpenCLObject {
public:
  using Release = cl_int(CL_API_CALL *)(T);
  OpenCLObject() = default;
  OpenCLObject(T object, Release release) : object(object, Deleter{release}) {}
  T get() const { return object.get(); }
  explicit operator bool() const { return object != nullptr; }

private:
  struct Deleter {
    Release release = nullptr;
    void operator()(T held) const { release(held); }
  };
  std::unique_ptr<std::remove_pointer_t<T>, Deleter> object;
};

} // namespace tangram::runtime

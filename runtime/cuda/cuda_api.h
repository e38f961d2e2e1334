// The functions of CUDA's driver and of NVRTC this runtime calls, taken from their libraries at run time and declared
// here, so that the program is built and starts on machines without CUDA.
#pragma once

#include "runtime/session/result.h"

#include <cstddef>
#include <string>

namespace tangram::runtime {

using CudaPointer = unsigned long long; ///< CUdeviceptr
using CudaObject = void *; ///< CUcontext, CUmodule, CUfunction, CUstream, CUevent, nvrtcProgram

// One line a function: its name here, in the library, and its parameters; all return a status, 0 for success.
#define TANGRAM_CUDA_FUNCTIONS(X)                                                                  \
  X(init, cuInit, unsigned)                                                                        \
  X(driverVersion, cuDriverGetVersion, int *)                                                      \
  X(deviceCount, cuDeviceGetCount, int *)                                                          \
  X(deviceGet, cuDeviceGet, int *, int)                                                            \
  X(deviceName, cuDeviceGetName, char *, int, int)                                                 \
  X(deviceAttribute, cuDeviceGetAttribute, int *, int, int)                                        \
  X(deviceMemory, cuDeviceTotalMem_v2, std::size_t *, int)                                         \
  X(retainContext, cuDevicePrimaryCtxRetain, CudaObject *, int)                                    \
  X(setContext, cuCtxSetCurrent, CudaObject)                                                       \
  X(createStream, cuStreamCreate, CudaObject *, unsigned)                                          \
  X(waitForStream, cuStreamSynchronize, CudaObject)                                                \
  X(waitForValue, cuStreamWaitValue32_v2, CudaObject, CudaPointer, unsigned, unsigned)             \
  X(allocate, cuMemAlloc_v2, CudaPointer *, std::size_t)                                           \
  X(release, cuMemFree_v2, CudaPointer)                                                            \
  X(allocateOfHost, cuMemHostAlloc, void **, std::size_t, unsigned)                                \
  X(addressOfHost, cuMemHostGetDevicePointer_v2, CudaPointer *, void *, unsigned)                  \
  X(copyToDevice, cuMemcpyHtoDAsync_v2, CudaPointer, const void *, std::size_t, CudaObject)        \
  X(copyToHost, cuMemcpyDtoHAsync_v2, void *, CudaPointer, std::size_t, CudaObject)                \
  X(fillBytes, cuMemsetD8Async, CudaPointer, unsigned char, std::size_t, CudaObject)               \
  X(fillWords, cuMemsetD32Async, CudaPointer, unsigned, std::size_t, CudaObject)                   \
  X(fillRows, cuMemsetD2D32Async, CudaPointer, std::size_t, unsigned, std::size_t, std::size_t,    \
    CudaObject)                                                                                    \
  X(loadModule, cuModuleLoadData, CudaObject *, const void *)                                      \
  X(unloadModule, cuModuleUnload, CudaObject)                                                      \
  X(functionOf, cuModuleGetFunction, CudaObject *, CudaObject, const char *)                       \
  X(functionAttribute, cuFuncGetAttribute, int *, int, CudaObject)                                 \
  X(setFunctionAttribute, cuFuncSetAttribute, CudaObject, int, int)                                \
  X(launch, cuLaunchKernel, CudaObject, unsigned, unsigned, unsigned, unsigned, unsigned,          \
    unsigned, unsigned, CudaObject, void **, void **)                                              \
  X(createEvent, cuEventCreate, CudaObject *, unsigned)                                            \
  X(destroyEvent, cuEventDestroy_v2, CudaObject)                                                   \
  X(recordEvent, cuEventRecord, CudaObject, CudaObject)                                            \
  X(elapsed, cuEventElapsedTime, float *, CudaObject, CudaObject)                                  \
  X(errorName, cuGetErrorName, int, const char **)

#define TANGRAM_NVRTC_FUNCTIONS(X)                                                                 \
  X(version, nvrtcVersion, int *, int *)                                                           \
  X(countArchitectures, nvrtcGetNumSupportedArchs, int *)                                          \
  X(architectures, nvrtcGetSupportedArchs, int *)                                                  \
  X(create, nvrtcCreateProgram, CudaObject *, const char *, const char *, int,                     \
    const char *const *, const char *const *)                                                      \
  X(destroy, nvrtcDestroyProgram, CudaObject *)                                                    \
  X(addName, nvrtcAddNameExpression, CudaObject, const char *)                                     \
  X(compile, nvrtcCompileProgram, CudaObject, int, const char *const *)                            \
  X(loweredName, nvrtcGetLoweredName, CudaObject, const char *, const char **)                     \
  X(logBytes, nvrtcGetProgramLogSize, CudaObject, std::size_t *)                                   \
  X(log, nvrtcGetProgramLog, CudaObject, char *)                                                   \
  X(ptxBytes, nvrtcGetPTXSize, CudaObject, std::size_t *)                                          \
  X(ptx, nvrtcGetPTX, CudaObject, char *)                                                          \
  X(cubinBytes, nvrtcGetCUBINSize, CudaObject, std::size_t *)                                      \
  X(cubin, nvrtcGetCUBIN, CudaObject, char *)

#define TANGRAM_CUDA_MEMBER(name, symbol, ...) int (*name)(__VA_ARGS__) = nullptr;

struct CudaDriver {
  TANGRAM_CUDA_FUNCTIONS(TANGRAM_CUDA_MEMBER)

  /// "CUDA_ERROR_OUT_OF_MEMORY (2)".
  std::string errorText(int code) const;
};

struct Nvrtc {
  TANGRAM_NVRTC_FUNCTIONS(TANGRAM_CUDA_MEMBER)
};

#undef TANGRAM_CUDA_MEMBER

/// Opens $TANGRAM_CUDA_LIBRARY, or libcuda.so.1, and initializes it. Errors (Fault::Failed): "no CUDA driver on this
/// machine: LOADER'S MESSAGE", "LIBRARY has no cuLaunchKernel: the driver of CUDA 11.7 or later is needed".
Result<CudaDriver> openCudaDriver();

/// Opens $TANGRAM_NVRTC_LIBRARY, or the newest libnvrtc that the loader or the CUDA toolkit ($CUDA_HOME,
/// /usr/local/cuda) has. Error (Fault::Failed): "no NVRTC, CUDA's compiler library, on this machine: LOADER'S MESSAGE".
Result<Nvrtc> openNvrtc();

} // namespace tangram::runtime

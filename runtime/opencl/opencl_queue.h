// Kernels and memory of OpenCL, as executions of bundles use them.
#pragma once

#include "runtime/device/kernel_queue.h"
#include "runtime/opencl/opencl_api.h"

namespace tangram::runtime {

/// Where kernels run; all of it outlives the queue.
struct OpenCLPlace {
  const OpenCLApi *api;
  cl_context context;
  cl_command_queue queue; ///< in order, with profiling
  cl_device_id device;
};

/// Of the kernels of `program`.
std::unique_ptr<KernelQueue> makeOpenCLQueue(const OpenCLPlace &place, cl_program program);

} // namespace tangram::runtime

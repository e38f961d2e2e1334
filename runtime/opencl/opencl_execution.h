// One OpenCL bundle, built, with its buffers on the device.
#pragma once

#include "runtime/opencl/opencl_api.h"
#include "runtime/session/backend.h"

namespace tangram::runtime {

/// Where an execution runs; all of it outlives the execution.
struct OpenCLPlace {
  const OpenCLApi *api;
  cl_context context;
  cl_command_queue queue; ///< in order, with profiling
  cl_device_id device;
  bool narrowIndexes = false; ///< the program was built with indexes of 32 bits
};

/// Create kernels and buffers, set arguments, copy inputs. Errors: Fault::Refused
/// when the built kernel cannot run in groups of the planned size, needs more local memory than
/// there is, or memory runs out; Fault::Failed otherwise.
Result<std::unique_ptr<Execution>> makeOpenCLExecution(const OpenCLPlace &place, cl_program program,
                                                       const Manifest &manifest,
                                                       const Problem &problem,
                                                       const Bindings &bindings);

} // namespace tangram::runtime

// Kernels and memory of CUDA, as executions of bundles use them.
#pragma once

#include "runtime/cuda/cuda_program.h"
#include "runtime/device/kernel_queue.h"

namespace tangram::runtime {

/// Where kernels run; all of it outlives the queue. The context is current.
struct CudaPlace {
  const CudaDriver *driver;
  CudaObject stream;
  std::uint64_t memory; ///< bytes of the device
};

/// Of the kernels of `program`. `shared`: the bytes of memory that a block of each kernel asks for when it is launched.
Result<std::unique_ptr<KernelQueue>> makeCudaQueue(const CudaPlace &place,
                                                   const CudaProgram &program,
                                                   std::map<std::string, std::uint64_t> shared);

} // namespace tangram::runtime

#ifndef TANGRAM_sum_H
#define TANGRAM_sum_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Enqueues the kernels on an in-order queue; arguments are buffers of its context.
/// Returns CL_SUCCESS (0), 1 when this plan cannot serve the size, or OpenCL's error.
int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result);

/// The same with the number of workers chosen by the caller.
/// p: number of blocks that share the work, or 0 for what suits the size.
int sum_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, size_t p);

#ifdef __cplusplus
}
#endif

#endif

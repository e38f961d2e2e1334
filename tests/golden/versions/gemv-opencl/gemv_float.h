#ifndef TANGRAM_gemv_float_H
#define TANGRAM_gemv_float_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Enqueues the kernels on an in-order queue; arguments are buffers of its context.
/// Returns CL_SUCCESS (0), 1 when no version can serve the size, or OpenCL's error.
int gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size);

#ifdef __cplusplus
}
#endif

#endif

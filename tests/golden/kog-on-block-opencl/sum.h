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
/// Returns CL_SUCCESS (0), 1 when this plan cannot serve the size or the device cannot run it,
/// or OpenCL's error.
int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result);

/// What is made once for a device: the programs, built, and what has been asked of it. Threads may
/// call with one handle at the same time, each with a workspace of its own.
typedef struct sum_handle sum_handle;

/// Returns 1 when the device cannot run this, CL_BUILD_PROGRAM_FAILURE when the program cannot be
/// built; *handle is NULL unless it returns 0.
int sum_create(cl_context context, cl_device_id device, sum_handle **handle);
/// What has been enqueued goes on. NULL is nothing to destroy.
void sum_destroy(sum_handle *handle);

/// The bytes of the workspace that a call with these sizes needs; 0: none. Returns 1 when no call with
/// them can be served.
int sum_workspace(const sum_handle *handle, size_t in_size, size_t *bytes);

/// Enqueues the kernels on an in-order queue of the handle's device, after the `waits` events of
/// `wait_list`; `event`, where it is not NULL, becomes the event of their end. Allocates no memory.
/// workspace: a buffer, and no part of one, that no other call uses until this one has ended;
/// NULL where it needs 0 bytes. One that is too small is OpenCL's error.
int sum_enqueue(sum_handle *handle, cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif

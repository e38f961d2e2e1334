#ifndef TANGRAM_sum_H
#define TANGRAM_sum_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the functions return, beside OpenCL's own errors, which are below 0.
enum sum_status {
  sum_ok = 0,
  /* no call with these sizes or numbers of workers can be served, or the device cannot run it */
  sum_refused = 1,
  /* a container that is written shares memory with another one */
  sum_overlap = 4,
  /* a buffer is smaller than the container that it holds */
  sum_small_buffer = 5,
  /* elements are not what is required of them */
  sum_bad_data = 6
};

/// A status in words, which are never freed.
const char *sum_message(int status);

/// Enqueues the kernels on an in-order queue; arguments are buffers of its context.
/// in: in_size elements; read.
/// What is written shares no memory with another container: sum_overlap otherwise, before anything is written.
int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result);

/// What is made once for a device: the programs, built, and what has been asked of it. Threads may
/// call with one handle at the same time, each with a workspace of its own.
typedef struct sum_handle sum_handle;

/// Returns sum_refused when the device cannot run this, CL_BUILD_PROGRAM_FAILURE when the program cannot be
/// built; *handle is NULL unless it returns 0.
int sum_create(cl_context context, cl_device_id device, sum_handle **handle);
/// What has been enqueued goes on. NULL is nothing to destroy.
void sum_destroy(sum_handle *handle);

/// The bytes of the workspace that a call with these sizes needs; 0: none. Returns sum_refused
/// when no call with them can be served.
int sum_workspace(const sum_handle *handle, size_t in_size, size_t *bytes);

/// Enqueues the kernels on an in-order queue of the handle's device, after the `waits` events of
/// `wait_list`; `event`, where it is not NULL, becomes the event of their end. Allocates no memory.
/// workspace: a buffer, and no part of one, that no other call uses until this one has ended;
/// NULL where it needs 0 bytes. One that is too small is OpenCL's error.
int sum_enqueue(sum_handle *handle, cl_command_queue queue, cl_mem in, size_t in_size,
    cl_mem result, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event);

// The same with the number of workers chosen by the caller.
// p: number of blocks that share the work, or 0 for what suits the size.
int sum_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, size_t p);
int sum_workspace_tuned(const sum_handle *handle, size_t in_size, size_t p, size_t *bytes);
int sum_enqueue_tuned(sum_handle *handle, cl_command_queue queue, cl_mem in, size_t in_size,
    cl_mem result, size_t p, cl_mem workspace, cl_uint waits, const cl_event *wait_list,
    cl_event *event);

#ifdef __cplusplus
}
#endif

#endif

#ifndef TANGRAM_gemv_float_H
#define TANGRAM_gemv_float_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the functions return, beside OpenCL's own errors, which are below 0.
enum gemv_float_status {
  gemv_float_ok = 0,
  /* no call with these sizes or numbers of workers can be served, or the device cannot run it */
  gemv_float_refused = 1,
  /* a container that is written shares memory with another one */
  gemv_float_overlap = 4,
  /* a buffer is smaller than the container that it holds */
  gemv_float_small_buffer = 5,
  /* elements are not what is required of them */
  gemv_float_bad_data = 6
};

/// A status in words, which are never freed.
const char *gemv_float_message(int status);

/// Enqueues the kernels on an in-order queue; arguments are buffers of its context.
/// a: a_size0 x a_size1 elements, row by row; read.
/// x: x_size elements; read.
/// y: y_size elements; written.
/// Requires x_size == a_size1.
/// Requires y_size == a_size0.
/// What is written shares no memory with another container: gemv_float_overlap otherwise, before anything is written.
int gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x,
    size_t x_size, cl_mem y, size_t y_size);

/// What is made once for a device: the programs, built, and what has been asked of it. Threads may
/// call with one handle at the same time, each with a workspace of its own.
typedef struct gemv_float_handle gemv_float_handle;

/// Returns gemv_float_refused when the device cannot run this, CL_BUILD_PROGRAM_FAILURE when the program cannot be
/// built; *handle is NULL unless it returns 0.
int gemv_float_create(cl_context context, cl_device_id device, gemv_float_handle **handle);
/// What has been enqueued goes on. NULL is nothing to destroy.
void gemv_float_destroy(gemv_float_handle *handle);

/// The bytes of the workspace that a call with these sizes needs; 0: none. Returns gemv_float_refused
/// when no call with them can be served.
int gemv_float_workspace(const gemv_float_handle *handle, size_t a_size0, size_t a_size1,
    size_t x_size, size_t y_size, size_t *bytes);

/// Enqueues the kernels on an in-order queue of the handle's device, after the `waits` events of
/// `wait_list`; `event`, where it is not NULL, becomes the event of their end. Allocates no memory.
/// workspace: a buffer, and no part of one, that no other call uses until this one has ended;
/// NULL where it needs 0 bytes. One that is too small is OpenCL's error.
int gemv_float_enqueue(gemv_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0,
    size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, cl_mem workspace,
    cl_uint waits, const cl_event *wait_list, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif

// Host code for the OpenCL kernels of ordered_gemv_float, composed for simple-gpu:
//   S_G, regroup(ordered_blocks, G), distribute(B), S_B, regroup(ordered_blocks, B),
//   distribute(T), compute(ordered_gemv#1, SE_T)
#include "ordered_gemv_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of ordered_gemv_float, composed for simple-gpu:\n"
    "//   S_G, regroup(ordered_blocks, G), distribute(B), S_B, regroup(ordered_blocks, B),\n"
    "//   distribute(T), compute(ordered_gemv#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void ordered_gemv_float_kernel(__global const float *restrict a,\n"
    "                                        __global const float *restrict x,\n"
    "                                        __global float *restrict y,\n"
    "                                        ulong a_size0,\n"
    "                                        ulong a_size1) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(ordered_blocks, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong a_tile = (a_size0 + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong a_start = block * a_tile;\n"
    "  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));\n"
    "\n"
    "  // S_B, regroup(ordered_blocks, B)\n"
    "  const ulong a_tile_2 = (a_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong a_start_2 = thread * a_tile_2;\n"
    "  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));\n"
    "\n"
    "  // compute(ordered_gemv#1, SE_T)\n"
    "  for (ulong i = 0; i < a_len_2; ++i) {\n"
    "    float accum = 0.0f;\n"
    "    #pragma unroll 8\n"
    "    for (ulong j = 0; j < a_size1; ++j) {\n"
    "      accum += a[(a_start + a_start_2 + i) * a_size1 + j] * x[j];\n"
    "    }\n"
    "    y[a_start + a_start_2 + i] = accum;\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct kernels {
  cl_program program;
  cl_kernel ordered_gemv_float_kernel;
};

struct ordered_gemv_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct kernels kernels;
};

static void release_kernels(struct kernels *kernels) {
  if (kernels->ordered_gemv_float_kernel)
    clReleaseKernel(kernels->ordered_gemv_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct kernels){0};
}

static int build_kernels(const ordered_gemv_float_handle *handle, const char *options, struct kernels *kernels) {
  cl_int status = CL_SUCCESS;
  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->ordered_gemv_float_kernel = clCreateKernel(kernels->program, "ordered_gemv_float_kernel", &status);
  if (status != CL_SUCCESS)
    release_kernels(kernels);
  return status;
}

/// 1: the device has smaller groups, or less local memory for one, than a kernel needs.
static int check_device(cl_device_id device) {
  size_t most_items = 0;
  int status = clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most_items, &most_items,
                               NULL);
  if (status == CL_SUCCESS && NUM_THREADS > most_items)
    status = 1;
  return status;
}

/// 1: the kernel, as it was built, cannot have groups of this size.
static int check_kernel(cl_kernel kernel, cl_device_id device, size_t group_size) {
  size_t most_items = 0;
  const int status = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most_items, &most_items, NULL);
  return status == CL_SUCCESS && group_size > most_items ? 1 : status;
}

/// A handle, also where it returns 1; none where it returns an error of OpenCL.
static int make_handle(cl_context context, cl_device_id device, ordered_gemv_float_handle **handle) {
  *handle = NULL;
  ordered_gemv_float_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = check_device(device);
  if (status == CL_SUCCESS)
    status = build_kernels(made, OPTIONS, &made->kernels);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.ordered_gemv_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    ordered_gemv_float_destroy(made);
  return status;
}

int ordered_gemv_float_create(cl_context context, cl_device_id device, ordered_gemv_float_handle **handle) {
  const int status = make_handle(context, device, handle);
  if (status == 1) {
    ordered_gemv_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void ordered_gemv_float_destroy(ordered_gemv_float_handle *handle) {
  if (!handle)
    return;
  release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // ordered_gemv<float> requires x.size() == a.size(1) (codelets/ordered.cpp:62:3)
  if (!(x_size == a_size1))
    return 1;
  // ordered_gemv<float> requires y.size() == a.size(0) (codelets/ordered.cpp:63:3)
  if (!(y_size == a_size0))
    return 1;
  if (p == 0)
    p = 64;
  *p_settled = p;
  return CL_SUCCESS;
}

/// Enqueues the kernels.
static int launch_kernels(ordered_gemv_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, cl_mem y, size_t p, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->ordered_gemv_float_kernel;
    const cl_ulong a_size0_argument = a_size0;
    const cl_ulong a_size1_argument = a_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof x, &x);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof y, &y);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof a_size0_argument, &a_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof a_size1_argument, &a_size1_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int ordered_gemv_float_workspace_tuned(const ordered_gemv_float_handle *handle, size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t p, size_t *bytes) {
  (void)handle;
  const int status = tangram_settle(a_size0, a_size1, x_size, y_size, &p);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int ordered_gemv_float_enqueue_tuned(ordered_gemv_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(a_size0, a_size1, x_size, y_size, &p);
  if (status != CL_SUCCESS)
    return status;
  return launch_kernels(handle, queue, a, a_size0, a_size1, x, y, p, waits, wait_list, event);
}

// Handles of the functions that take none, the latest first.
enum { CACHED = 4 };
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static ordered_gemv_float_handle *handle_cache[CACHED];

static void give_back(ordered_gemv_float_handle *handle) {
  pthread_mutex_lock(&cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&cache_lock);
  if (unused)
    ordered_gemv_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int take_handle(cl_command_queue queue, ordered_gemv_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  ordered_gemv_float_handle *oldest = NULL;
  pthread_mutex_lock(&cache_lock);
  unsigned i = 0;
  while (i < CACHED && !(handle_cache[i] && handle_cache[i]->context == context && handle_cache[i]->device == device))
    ++i;
  ordered_gemv_float_handle *found = i < CACHED ? handle_cache[i] : NULL;
  if (found) {
    status = found->status;
  } else {
    status = make_handle(context, device, &found);
    if (found) {
      oldest = handle_cache[CACHED - 1];
      for (i = CACHED - 1; i > 0; --i)
        handle_cache[i] = handle_cache[i - 1];
      handle_cache[0] = found;
      found->users = 1;
    }
  }
  if (status == CL_SUCCESS)
    ++found->users;
  pthread_mutex_unlock(&cache_lock);
  if (oldest)
    give_back(oldest);
  *handle = found;
  return status;
}

int ordered_gemv_float_tuned(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p) {
  ordered_gemv_float_handle *handle;
  int status = take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(a_size0, a_size1, x_size, y_size, &p);
  if (status == CL_SUCCESS)
    status = launch_kernels(handle, queue, a, a_size0, a_size1, x, y, p, 0, NULL, NULL);
  give_back(handle);
  return status;
}

int ordered_gemv_float_workspace(const ordered_gemv_float_handle *handle, size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t *bytes) {
  return ordered_gemv_float_workspace_tuned(handle, a_size0, a_size1, x_size, y_size, 0, bytes);
}

int ordered_gemv_float_enqueue(ordered_gemv_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return ordered_gemv_float_enqueue_tuned(handle, queue, a, a_size0, a_size1, x, x_size, y, y_size, 0, workspace, waits, wait_list, event);
}

int ordered_gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size) {
  return ordered_gemv_float_tuned(queue, a, a_size0, a_size1, x, x_size, y, y_size, 0);
}

// Host code for the OpenCL kernels of spmv_float, composed for simple-gpu:
//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),
//   compute(spmv#1, SE_T)
#include "spmv_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of spmv_float, composed for simple-gpu:\n"
    "//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),\n"
    "//   compute(spmv#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void spmv_float_kernel(__global const float *restrict values,\n"
    "                                __global const int *restrict columns,\n"
    "                                __global const int *restrict offsets,\n"
    "                                __global const float *restrict x,\n"
    "                                __global float *restrict y,\n"
    "                                ulong y_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(row_blocks, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (y_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong offsets_start = block * tile;\n"
    "  const ulong y_len = min(tile, y_size - min(offsets_start, y_size));\n"
    "  const ulong tile_2 = (y_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // S_B, regroup(row_blocks, B)\n"
    "  // distribute(T)\n"
    "  const ulong offsets_start_2 = thread * tile_2;\n"
    "  const ulong y_len_2 = min(tile_2, y_len - min(offsets_start_2, y_len));\n"
    "\n"
    "  // compute(spmv#1, SE_T)\n"
    "  for (ulong r = 0; r < y_len_2; ++r) {\n"
    "    float accum = 0.0f;\n"
    "    #pragma unroll 8\n"
    "    for (int k = offsets[offsets_start + offsets_start_2 + r];\n"
    "        k < offsets[offsets_start + offsets_start_2 + (r + 1)]; ++k) {\n"
    "      accum += values[(ulong)k] * x[(ulong)columns[(ulong)k]];\n"
    "    }\n"
    "    y[offsets_start + offsets_start_2 + r] = accum;\n"
    "  }\n"
    "}\n";

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel spmv_float_kernel;
};

struct spmv_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels;
};

static void tangram_release_kernels(struct tangram_kernels *kernels) {
  if (kernels->spmv_float_kernel)
    clReleaseKernel(kernels->spmv_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const spmv_float_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&tangram_source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->spmv_float_kernel = clCreateKernel(kernels->program, "spmv_float_kernel", &status);
  if (status != CL_SUCCESS)
    tangram_release_kernels(kernels);
  return status;
}

/// 1: the device has smaller groups, or less local memory for one, than a kernel needs.
static int tangram_check_device(cl_device_id device) {
  size_t most_items = 0;
  int status =
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most_items, &most_items,
                               NULL);
  if (status == CL_SUCCESS && NUM_THREADS > most_items)
    status = 1;
  return status;
}

/// 1: the kernel, as it was built, cannot have groups of this size.
static int tangram_check_kernel(cl_kernel kernel, cl_device_id device, size_t group_size) {
  size_t most_items = 0;
  const int status = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most_items, &most_items, NULL);
  return status == CL_SUCCESS && group_size > most_items ? 1 : status;
}

/// A handle, also where it returns 1; none where it returns an error of OpenCL.
static int tangram_make_handle(cl_context context, cl_device_id device,
    spmv_float_handle **handle) {
  *handle = NULL;
  spmv_float_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
  if (status == CL_SUCCESS)
    status = tangram_build_kernels(made, TANGRAM_OPTIONS, &made->kernels);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.spmv_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    spmv_float_destroy(made);
  return status;
}

int spmv_float_create(cl_context context, cl_device_id device, spmv_float_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    spmv_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void spmv_float_destroy(spmv_float_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t values_size, size_t columns_size, size_t offsets_size,
    size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // spmv<float> requires columns.size() == values.size() (spmv.cpp:35:3)
  if (!(columns_size == values_size))
    return 1;
  // spmv<float> requires offsets.size() == y.size() + 1 (spmv.cpp:36:3)
  if (!(offsets_size == y_size + 1))
    return 1;
  if (p > 65535)
    p = 65535;
  if (p == 0)
    p = 64;
  *p_settled = p;
  return CL_SUCCESS;
}

/// A container of a call.
struct tangram_container {
  cl_mem buffer;
  double elements;
  size_t size; ///< of each
  bool is_written;
};

/// The memory that it has: of a part of a buffer that of the whole.
struct tangram_place {
  cl_mem memory;
  size_t begin, bytes;
};

static int tangram_find_place(const struct tangram_container *container,
    struct tangram_place *place) {
  *place = (struct tangram_place){container->buffer, 0, 0};
  const double bytes = container->elements * (double)container->size;
  if (bytes == 0)
    return CL_SUCCESS;
  size_t available = 0;
  cl_mem whole = NULL;
  int status =
      clGetMemObjectInfo(container->buffer, CL_MEM_SIZE, sizeof available, &available, NULL);
  if (status == CL_SUCCESS && bytes > (double)available)
    status = spmv_float_small_buffer;
  if (status == CL_SUCCESS)
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole,
        NULL);
  if (status == CL_SUCCESS && whole) {
    place->memory = whole;
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_OFFSET, sizeof place->begin, &place->begin,
        NULL);
  }
  place->bytes = status == CL_SUCCESS ? (size_t)bytes : 0;
  return status;
}

/// Each buffer holds its container, and what is written shares no memory with another container.
static int tangram_check_containers(const struct tangram_container *containers, unsigned count) {
  struct tangram_place places[5];
  for (unsigned i = 0; i < count; ++i) {
    const int status = tangram_find_place(&containers[i], &places[i]);
    if (status != CL_SUCCESS)
      return status;
    for (unsigned k = 0; k < i; ++k) {
      const bool is_same = places[i].memory == places[k].memory && places[i].bytes > 0
          && places[k].bytes > 0 &&
                           places[i].begin < places[k].begin + places[k].bytes &&
                           places[k].begin < places[i].begin + places[i].bytes;
      if (is_same && (containers[i].is_written || containers[k].is_written))
        return spmv_float_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem values, size_t values_size, cl_mem columns,
    size_t columns_size, cl_mem offsets, size_t offsets_size, cl_mem x, size_t x_size, cl_mem y,
    size_t y_size) {
  const struct tangram_container containers[] = {
      {values, (double)values_size, sizeof(cl_float), false},
      {columns, (double)columns_size, sizeof(cl_int), false},
      {offsets, (double)offsets_size, sizeof(cl_int), false},
      {x, (double)x_size, sizeof(cl_float), false},
      {y, (double)y_size, sizeof(cl_float), true}};
  return tangram_check_containers(containers, 5);
}

/// Enqueues the kernels.
static int tangram_launch_kernels(spmv_float_handle *handle, cl_command_queue queue, cl_mem values,
    cl_mem columns, cl_mem offsets, cl_mem x, cl_mem y, size_t y_size, size_t p, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->spmv_float_kernel;
    const cl_ulong y_size_argument = y_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof values, &values);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof columns, &columns);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof offsets, &offsets);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof x, &x);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof y, &y);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof y_size_argument, &y_size_argument);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int spmv_float_workspace_tuned(const spmv_float_handle *handle, size_t values_size,
    size_t columns_size, size_t offsets_size, size_t x_size, size_t y_size, size_t p,
    size_t *bytes) {
  (void)handle;
  (void)x_size;
  const int status = tangram_settle(values_size, columns_size, offsets_size, y_size, &p);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int spmv_float_enqueue_tuned(spmv_float_handle *handle, cl_command_queue queue, cl_mem values,
    size_t values_size, cl_mem columns, size_t columns_size, cl_mem offsets, size_t offsets_size,
    cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(values_size, columns_size, offsets_size, y_size, &p);
  if (status == CL_SUCCESS)
    status =
        tangram_check_call(values, values_size, columns, columns_size, offsets, offsets_size, x,
        x_size, y, y_size);
  if (status != CL_SUCCESS)
    return status;
  return tangram_launch_kernels(handle, queue, values, columns, offsets, x, y, y_size, p, waits,
      wait_list, event);
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static spmv_float_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(spmv_float_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    spmv_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, spmv_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  spmv_float_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  spmv_float_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
  if (found) {
    status = found->status;
  } else {
    status = tangram_make_handle(context, device, &found);
    if (found) {
      oldest = tangram_handle_cache[TANGRAM_CACHED - 1];
      for (i = TANGRAM_CACHED - 1; i > 0; --i)
        tangram_handle_cache[i] = tangram_handle_cache[i - 1];
      tangram_handle_cache[0] = found;
      found->users = 1;
    }
  }
  if (status == CL_SUCCESS)
    ++found->users;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (oldest)
    tangram_give_back(oldest);
  *handle = found;
  return status;
}

int spmv_float_tuned(cl_command_queue queue, cl_mem values, size_t values_size, cl_mem columns,
    size_t columns_size, cl_mem offsets, size_t offsets_size, cl_mem x, size_t x_size, cl_mem y,
    size_t y_size, size_t p) {
  spmv_float_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(values_size, columns_size, offsets_size, y_size, &p);
  if (status == CL_SUCCESS)
    status =
        tangram_check_call(values, values_size, columns, columns_size, offsets, offsets_size, x,
        x_size, y, y_size);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, values, columns, offsets, x, y, y_size, p, 0, NULL,
        NULL);
  tangram_give_back(handle);
  return status;
}

int spmv_float_workspace(const spmv_float_handle *handle, size_t values_size, size_t columns_size,
    size_t offsets_size, size_t x_size, size_t y_size, size_t *bytes) {
  return spmv_float_workspace_tuned(handle, values_size, columns_size, offsets_size, x_size,
      y_size, 0, bytes);
}

int spmv_float_enqueue(spmv_float_handle *handle, cl_command_queue queue, cl_mem values,
    size_t values_size, cl_mem columns, size_t columns_size, cl_mem offsets, size_t offsets_size,
    cl_mem x, size_t x_size, cl_mem y, size_t y_size, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  return spmv_float_enqueue_tuned(handle, queue, values, values_size, columns, columns_size,
      offsets, offsets_size, x, x_size, y, y_size, 0, workspace, waits, wait_list, event);
}

int spmv_float(cl_command_queue queue, cl_mem values, size_t values_size, cl_mem columns,
    size_t columns_size, cl_mem offsets, size_t offsets_size, cl_mem x, size_t x_size, cl_mem y,
    size_t y_size) {
  return spmv_float_tuned(queue, values, values_size, columns, columns_size, offsets, offsets_size,
      x, x_size, y, y_size, 0);
}

const char *spmv_float_message(int status) {
  switch (status) {
  case spmv_float_ok:
    return "success";
  case spmv_float_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case spmv_float_overlap:
    return "a container that is written shares memory with another one";
  case spmv_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case spmv_float_bad_data:
    return "elements are not what is required of them";
  case CL_DEVICE_NOT_AVAILABLE:
    return "CL_DEVICE_NOT_AVAILABLE";
  case CL_COMPILER_NOT_AVAILABLE:
    return "CL_COMPILER_NOT_AVAILABLE";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
  case CL_OUT_OF_RESOURCES:
    return "CL_OUT_OF_RESOURCES";
  case CL_OUT_OF_HOST_MEMORY:
    return "CL_OUT_OF_HOST_MEMORY";
  case CL_BUILD_PROGRAM_FAILURE:
    return "CL_BUILD_PROGRAM_FAILURE";
  case CL_MISALIGNED_SUB_BUFFER_OFFSET:
    return "CL_MISALIGNED_SUB_BUFFER_OFFSET";
  case CL_INVALID_CONTEXT:
    return "CL_INVALID_CONTEXT";
  case CL_INVALID_COMMAND_QUEUE:
    return "CL_INVALID_COMMAND_QUEUE";
  case CL_INVALID_MEM_OBJECT:
    return "CL_INVALID_MEM_OBJECT";
  case CL_INVALID_EVENT_WAIT_LIST:
    return "CL_INVALID_EVENT_WAIT_LIST";
  case CL_INVALID_BUFFER_SIZE:
    return "CL_INVALID_BUFFER_SIZE";
  default:
    return "an error of OpenCL";
  }
}

// Host code for the OpenCL kernels of transpose_int, composed for simple-gpu:
//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B), distribute(T),
//   compute(copy_matrix#1, SE_T)
#include "transpose_int.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of transpose_int, composed for simple-gpu:\n"
    "//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B), distribute(T),\n"
    "//   compute(copy_matrix#1, SE_T)\n"
    "\n"
    "// free parameter of tiled_chunks\n"
    "#ifndef TILED_CHUNKS_T\n"
    "#define TILED_CHUNKS_T 32\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void transpose_int_kernel(__global const int *restrict in,\n"
    "                                   __global int *restrict out,\n"
    "                                   ulong in_size0,\n"
    "                                   ulong in_size1) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(tiled_chunks, G)\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T\n"
    "      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); block += get_num_groups(0)) {\n"
    "    const ulong tile_row = block / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in0_start = tile_row * TILED_CHUNKS_T;\n"
    "    const ulong in0_len = min((ulong)TILED_CHUNKS_T, in_size0 - min(in0_start, in_size0));\n"
    "    const ulong tile_column = block % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in1_start = tile_column * TILED_CHUNKS_T;\n"
    "    const ulong in1_len = min((ulong)TILED_CHUNKS_T, in_size1 - min(in1_start, in_size1));\n"
    "\n"
    "    // S_B, regroup(copy_by_rows, B)\n"
    "    const ulong in_tile = (in0_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "    // distribute(T)\n"
    "    const bool full = in0_len == TILED_CHUNKS_T && in1_len == TILED_CHUNKS_T;\n"
    "    if (full) {\n"
    "      const ulong in_start = thread * in_tile;\n"
    "      const ulong in_len = min(in_tile, TILED_CHUNKS_T - min(in_start, (ulong)TILED_CHUNKS_T));\n"
    "\n"
    "      // compute(copy_matrix#1, SE_T)\n"
    "      for (ulong i = 0; i < in_len; ++i) {\n"
    "        #pragma unroll 16\n"
    "        for (ulong j = 0; j < TILED_CHUNKS_T; ++j) {\n"
    "          out[(in1_start + j) * in_size0 + (in0_start + in_start + i)] =\n"
    "              in[(in0_start + in_start + i) * in_size1 + (in1_start + j)];\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      const ulong in_start_2 = thread * in_tile;\n"
    "      const ulong in_len_2 = min(in_tile, in0_len - min(in_start_2, in0_len));\n"
    "\n"
    "      // compute(copy_matrix#1, SE_T)\n"
    "      for (ulong i = 0; i < in_len_2; ++i) {\n"
    "        #pragma unroll 16\n"
    "        for (ulong j = 0; j < in1_len; ++j) {\n"
    "          out[(in1_start + j) * in_size0 + (in0_start + in_start_2 + i)] =\n"
    "              in[(in0_start + in_start_2 + i) * in_size1 + (in1_start + j)];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DTILED_CHUNKS_T=" TANGRAM_TEXT(TILED_CHUNKS_T) \
    " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel transpose_int_kernel;
};

struct transpose_int_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels;
};

static void tangram_release_kernels(struct tangram_kernels *kernels) {
  if (kernels->transpose_int_kernel)
    clReleaseKernel(kernels->transpose_int_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const transpose_int_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&tangram_source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->transpose_int_kernel =
        clCreateKernel(kernels->program, "transpose_int_kernel", &status);
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
    transpose_int_handle **handle) {
  *handle = NULL;
  transpose_int_handle *made = calloc(1, sizeof *made);
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
    status = tangram_check_kernel(made->kernels.transpose_int_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    transpose_int_destroy(made);
  return status;
}

int transpose_int_create(cl_context context, cl_device_id device, transpose_int_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    transpose_int_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void transpose_int_destroy(transpose_int_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1) {
  // transpose<int> requires out.size(0) == in.size(1) (transpose.cpp:6:3)
  if (!(out_size0 == in_size1))
    return 1;
  // transpose<int> requires out.size(1) == in.size(0) (transpose.cpp:7:3)
  if (!(out_size1 == in_size0))
    return 1;
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
    status = transpose_int_small_buffer;
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
  struct tangram_place places[2];
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
        return transpose_int_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem in, size_t in_size0, size_t in_size1, cl_mem out,
    size_t out_size0, size_t out_size1) {
  const struct tangram_container containers[] = {
      {in, (double)in_size0 * (double)in_size1, sizeof(cl_int), false},
      {out, (double)out_size0 * (double)out_size1, sizeof(cl_int), true}};
  return tangram_check_containers(containers, 2);
}

/// Enqueues the kernels.
static int tangram_launch_kernels(transpose_int_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size0, size_t in_size1, cl_mem out, cl_uint waits, const cl_event *wait_list,
    cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->transpose_int_kernel;
    const cl_ulong in_size0_argument = in_size0;
    const cl_ulong in_size1_argument = in_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items =
        (min(max((in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T
        * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T), 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size0_argument, &in_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size1_argument, &in_size1_argument);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int transpose_int_workspace(const transpose_int_handle *handle, size_t in_size0, size_t in_size1,
    size_t out_size0, size_t out_size1, size_t *bytes) {
  (void)handle;
  const int status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int transpose_int_enqueue(transpose_int_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size0, size_t in_size1, cl_mem out, size_t out_size0, size_t out_size1,
    cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != CL_SUCCESS)
    return status;
  return tangram_launch_kernels(handle, queue, in, in_size0, in_size1, out, waits, wait_list,
      event);
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static transpose_int_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(transpose_int_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    transpose_int_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, transpose_int_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  transpose_int_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  transpose_int_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int transpose_int(cl_command_queue queue, cl_mem in, size_t in_size0, size_t in_size1, cl_mem out,
    size_t out_size0, size_t out_size1) {
  transpose_int_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status = tangram_launch_kernels(handle, queue, in, in_size0, in_size1, out, 0, NULL, NULL);
  tangram_give_back(handle);
  return status;
}

const char *transpose_int_message(int status) {
  switch (status) {
  case transpose_int_ok:
    return "success";
  case transpose_int_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case transpose_int_overlap:
    return "a container that is written shares memory with another one";
  case transpose_int_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case transpose_int_bad_data:
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

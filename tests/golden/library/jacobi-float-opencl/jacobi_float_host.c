// Host code for the OpenCL kernels of jacobi_float, composed for simple-gpu:
//   select(jacobi_padded, G), S_G, regroup(jacobi_tiles, G), distribute(B), S_B,
//   regroup(jacobi_parts, B), distribute(T), compute(jacobi_inside#1, SE_T)
#include "jacobi_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_T
#define JACOBI_TILES_T 16
#endif
// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_U
#define JACOBI_TILES_U 256
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
    "// OpenCL kernels of jacobi_float, composed for simple-gpu:\n"
    "//   select(jacobi_padded, G), S_G, regroup(jacobi_tiles, G), distribute(B), S_B,\n"
    "//   regroup(jacobi_parts, B), distribute(T), compute(jacobi_inside#1, SE_T)\n"
    "\n"
    "// free parameter of jacobi_tiles\n"
    "#ifndef JACOBI_TILES_T\n"
    "#define JACOBI_TILES_T 16\n"
    "#endif\n"
    "// free parameter of jacobi_tiles\n"
    "#ifndef JACOBI_TILES_U\n"
    "#define JACOBI_TILES_U 256\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void jacobi_float_kernel(__global const float *restrict in,\n"
    "                                  __global float *restrict out,\n"
    "                                  ulong in_size0,\n"
    "                                  ulong in_size1) {\n"
    "  __local float in_tile[(JACOBI_TILES_T + 2) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1)];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(jacobi_tiles, G)\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < (in_size0 + JACOBI_TILES_T - 1) / JACOBI_TILES_T\n"
    "      * ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U); block += get_num_groups(0)) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const ulong tile_row = block / ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);\n"
    "    const ulong in0_start = tile_row * JACOBI_TILES_T;\n"
    "    const ulong in0_len =\n"
    "        min((ulong)(JACOBI_TILES_T + 2), in_size0 + 2 - min(in0_start, in_size0 + 2));\n"
    "    const ulong tile_column = block % ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);\n"
    "    const ulong in1_start = tile_column * JACOBI_TILES_U;\n"
    "    const ulong in1_len =\n"
    "        min((ulong)(JACOBI_TILES_U + 2), in_size1 + 2 - min(in1_start, in_size1 + 2));\n"
    "    const ulong out0_len = min((ulong)JACOBI_TILES_T, in_size0 - min(in0_start, in_size0));\n"
    "    const bool inside = 1 <= in1_start && in1_start + (JACOBI_TILES_U + 1) < in_size1 + 1\n"
    "        && 1 <= in0_start && in0_start + ((JACOBI_TILES_T + 2) * (JACOBI_TILES_U + 2) - 1)\n"
    "        / (JACOBI_TILES_U + 2) < in_size0 + 1;\n"
    "    for (ulong element = thread; element < (JACOBI_TILES_T + 2) * (JACOBI_TILES_U + 2); element +=\n"
    "        NUM_THREADS) {\n"
    "      if (inside) {\n"
    "        const ulong column = element % (JACOBI_TILES_U + 2);\n"
    "        const ulong row = element / (JACOBI_TILES_U + 2);\n"
    "        in_tile[row * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + column] =\n"
    "            in[(in0_start + row - 1) * in_size1 + (in1_start + column - 1)];\n"
    "      } else {\n"
    "        const ulong column_2 = element % (JACOBI_TILES_U + 2);\n"
    "        const ulong row_2 = element / (JACOBI_TILES_U + 2);\n"
    "        in_tile[row_2 * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + column_2] = 1 <= in1_start + column_2\n"
    "            && in1_start + column_2 < in_size1 + 1\n"
    "            && (1 <= in0_start + row_2 && in0_start + row_2 < in_size0 + 1)\n"
    "            ? in[(in0_start + row_2 - 1) * in_size1 + (in1_start + column_2 - 1)] : 0.0f;\n"
    "      }\n"
    "    }\n"
    "\n"
    "    // S_B, regroup(jacobi_parts, B)\n"
    "    const ulong in_tile_2 = (max(in0_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;\n"
    "    const ulong out_tile = (out0_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "    // distribute(T)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const ulong in_start = thread * in_tile_2;\n"
    "    const ulong in_len = min(in_tile_2 + 2, in0_len - min(in_start, in0_len));\n"
    "    const ulong out_start = thread * out_tile;\n"
    "\n"
    "    // compute(jacobi_inside#1, SE_T)\n"
    "    for (ulong i = 0; i + 2 < in_len; ++i) {\n"
    "      for (ulong j = 0; j + 2 < in1_len; ++j) {\n"
    "        out[(in0_start + out_start + i) * in_size1 + (in1_start + j)] =\n"
    "            (in_tile[(in_start + i) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 1)]\n"
    "            + in_tile[(in_start + i + 1) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + j]\n"
    "            + in_tile[(in_start + i + 1) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 2)]\n"
    "            + in_tile[(in_start + i + 2) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 1)]) / 4.0f;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "jacobi_float_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DJACOBI_TILES_T=" TANGRAM_TEXT(JACOBI_TILES_T) \
    " -DJACOBI_TILES_U=" TANGRAM_TEXT(JACOBI_TILES_U) " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel jacobi_float_kernel;
};

struct jacobi_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels;
};

/// Whether a device is PoCL's, whose compiler makes wrong code of kernels that others run rightly.
static bool tangram_is_pocl(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[64] = "";
  return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
      NULL) == CL_SUCCESS &&
         clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

static void tangram_release_kernels(struct tangram_kernels *kernels) {
  if (kernels->jacobi_float_kernel)
    clReleaseKernel(kernels->jacobi_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const jacobi_float_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  // Quotients and square roots are rounded as those of C, where the device can.
  cl_device_fp_config numbers = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(handle->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof numbers, &numbers, NULL);
  const char *const rounded =
      numbers & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt"
          : "";
  char all_options[sizeof TANGRAM_OPTIONS + 80];
  snprintf(all_options, sizeof all_options, "%s%s", options, rounded);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, all_options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->jacobi_float_kernel = clCreateKernel(kernels->program, "jacobi_float_kernel", &status);
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
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && ((JACOBI_TILES_T + 2) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1))
      * sizeof(cl_float) > most_bytes)
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
    jacobi_float_handle **handle) {
  *handle = NULL;
  jacobi_float_handle *made = calloc(1, sizeof *made);
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
    status = tangram_check_kernel(made->kernels.jacobi_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    jacobi_float_destroy(made);
  return status;
}

int jacobi_float_create(cl_context context, cl_device_id device, jacobi_float_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    jacobi_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void jacobi_float_destroy(jacobi_float_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1) {
  // jacobi<float> requires out.size(0) == in.size(0) (stencil.cpp:130:3)
  if (!(out_size0 == in_size0))
    return 1;
  // jacobi<float> requires out.size(1) == in.size(1) (stencil.cpp:131:3)
  if (!(out_size1 == in_size1))
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
    status = jacobi_float_small_buffer;
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
        return jacobi_float_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem in, size_t in_size0, size_t in_size1, cl_mem out,
    size_t out_size0, size_t out_size1) {
  const struct tangram_container containers[] = {
      {in, (double)in_size0 * (double)in_size1, sizeof(cl_float), false},
      {out, (double)out_size0 * (double)out_size1, sizeof(cl_float), true}};
  return tangram_check_containers(containers, 2);
}

/// Enqueues the kernels.
static int tangram_launch_kernels(jacobi_float_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size0, size_t in_size1, cl_mem out, cl_uint waits, const cl_event *wait_list,
    cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->jacobi_float_kernel;
    const cl_ulong in_size0_argument = in_size0;
    const cl_ulong in_size1_argument = in_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items =
        (min(max((in_size0 + JACOBI_TILES_T - 1) / JACOBI_TILES_T
        * ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U), 1), 65535)) * group_size;
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

int jacobi_float_workspace(const jacobi_float_handle *handle, size_t in_size0, size_t in_size1,
    size_t out_size0, size_t out_size1, size_t *bytes) {
  (void)handle;
  const int status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int jacobi_float_enqueue(jacobi_float_handle *handle, cl_command_queue queue, cl_mem in,
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
static jacobi_float_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(jacobi_float_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    jacobi_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, jacobi_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  jacobi_float_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  jacobi_float_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int jacobi_float(cl_command_queue queue, cl_mem in, size_t in_size0, size_t in_size1, cl_mem out,
    size_t out_size0, size_t out_size1) {
  jacobi_float_handle *handle;
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

const char *jacobi_float_message(int status) {
  switch (status) {
  case jacobi_float_ok:
    return "success";
  case jacobi_float_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case jacobi_float_overlap:
    return "a container that is written shares memory with another one";
  case jacobi_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case jacobi_float_bad_data:
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

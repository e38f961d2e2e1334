// Host code for the OpenCL kernels of jacobi9_float, composed for h200:
//   select(jacobi9_padded, G), S_G, regroup(nine_tiles, G), distribute(B),
//   compute(nine_lanes, VE_B)
#include "jacobi9_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// free parameter of nine_tiles
#ifndef NINE_TILES_T
#define NINE_TILES_T 16
#endif
// free parameter of nine_tiles
#ifndef NINE_TILES_U
#define NINE_TILES_U 256
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
    "// OpenCL kernels of jacobi9_float, composed for h200:\n"
    "//   select(jacobi9_padded, G), S_G, regroup(nine_tiles, G), distribute(B),\n"
    "//   compute(nine_lanes, VE_B)\n"
    "\n"
    "// free parameter of nine_tiles\n"
    "#ifndef NINE_TILES_T\n"
    "#define NINE_TILES_T 16\n"
    "#endif\n"
    "// free parameter of nine_tiles\n"
    "#ifndef NINE_TILES_U\n"
    "#define NINE_TILES_U 256\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "// Indexes take 32 bits where the sizes of a call allow it, says the host.\n"
    "#ifdef NARROW_INDEXES\n"
    "typedef uint index_t;\n"
    "#else\n"
    "typedef ulong index_t;\n"
    "#endif\n"
    "\n"
    "static inline float4 load_float4(const __global float *from) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  return *(const __global float4 *)from;\n"
    "#else\n"
    "  return vload4(0, from);\n"
    "#endif\n"
    "}\n"
    "\n"
    "float mean9(float nw, float n, float ne, float w, float c, float e, float sw, float s, float se) {\n"
    "  return (nw + n + ne + w + c + e + sw + s + se) / 9.0f;\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void jacobi9_float_kernel(__global const float *restrict in,\n"
    "                                   __global float *restrict out,\n"
    "                                   index_t in_size0,\n"
    "                                   index_t in_size1) {\n"
    "  __local __attribute__((aligned(16))) float in_tile[(NINE_TILES_T + 2) * (NINE_TILES_U + 8)];\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(nine_tiles, G)\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < (in_size0 + NINE_TILES_T - 1) / NINE_TILES_T\n"
    "      * ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U); block += get_num_groups(0)) {\n"
    "    const index_t tile_row = block / ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U);\n"
    "    const index_t in0_start = tile_row * NINE_TILES_T;\n"
    "    const index_t tile_column = block % ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U);\n"
    "    const index_t in1_start = tile_column * NINE_TILES_U;\n"
    "    const index_t out0_len = min((index_t)NINE_TILES_T, in_size0 - min(in0_start, in_size0));\n"
    "    const index_t out1_len = min((index_t)NINE_TILES_U, in_size1 - min(in1_start, in_size1));\n"
    "\n"
    "    // compute(nine_lanes, VE_B)\n"
    "    const bool wide = in_size1 % 4 == 0 && 1 <= in0_start && in0_start\n"
    "        + (NINE_TILES_T + 2) <= in_size0 + 1 && 4 <= in1_start && in1_start\n"
    "        + (NINE_TILES_U + 8) <= in_size1 + 4;\n"
    "    const bool inside = 1 <= in1_start && in1_start + (NINE_TILES_U + 1) < in_size1 + 1\n"
    "        && 1 <= in0_start && in0_start + ((NINE_TILES_T + 2) * (NINE_TILES_U + 2) - 1)\n"
    "        / (NINE_TILES_U + 2) < in_size0 + 1;\n"
    "    if (wide) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      for (index_t piece = thread; piece < (NINE_TILES_T + 2) * ((NINE_TILES_U + 8) / 4); piece +=\n"
    "          NUM_THREADS) {\n"
    "        const index_t column = piece % ((NINE_TILES_U + 8) / 4);\n"
    "        const index_t row = piece / ((NINE_TILES_U + 8) / 4);\n"
    "        vstore4(load_float4(&in[(in0_start + row - 1) * in_size1 + (in1_start + column * 4 - 4)]),\n"
    "            0, &in_tile[row * (NINE_TILES_U + 8) + column * 4]);\n"
    "      }\n"
    "    } else {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      for (index_t element = thread; element < (NINE_TILES_T + 2) * (NINE_TILES_U + 2); element +=\n"
    "          NUM_THREADS) {\n"
    "        if (inside) {\n"
    "          const index_t column = element % (NINE_TILES_U + 2);\n"
    "          const index_t row = element / (NINE_TILES_U + 2);\n"
    "          in_tile[row * (NINE_TILES_U + 8) + (column + 3)] =\n"
    "              in[(in0_start + row - 1) * in_size1 + (in1_start + column - 1)];\n"
    "        } else {\n"
    "          const index_t column_2 = element % (NINE_TILES_U + 2);\n"
    "          const index_t row_2 = element / (NINE_TILES_U + 2);\n"
    "          in_tile[row_2 * (NINE_TILES_U + 8) + (column_2 + 3)] = 1 <= in1_start + column_2\n"
    "              && in1_start + column_2 < in_size1 + 1\n"
    "              && (1 <= in0_start + row_2 && in0_start + row_2 < in_size0 + 1)\n"
    "              ? in[(in0_start + row_2 - 1) * in_size1 + (in1_start + column_2 - 1)] : 0.0f;\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    const bool full = out1_len == NINE_TILES_U && out0_len == NINE_TILES_T;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (full) {\n"
    "      for (index_t j = thread; j < NINE_TILES_U; j += NUM_THREADS) {\n"
    "        #pragma unroll 16\n"
    "        for (index_t i = 0; i < NINE_TILES_T; ++i) {\n"
    "          out[(in0_start + i) * in_size1 + (in1_start + j)] =\n"
    "              mean9((in_tile + j)[i * (NINE_TILES_U + 8) + 3],\n"
    "              (in_tile + j)[i * (NINE_TILES_U + 8) + 4], (in_tile + j)[i * (NINE_TILES_U + 8) + 5],\n"
    "              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 3],\n"
    "              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 4],\n"
    "              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 5],\n"
    "              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 3],\n"
    "              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 4],\n"
    "              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 5]);\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      for (index_t j = thread; j < out1_len; j += NUM_THREADS) {\n"
    "        for (index_t i = 0; i < out0_len; ++i) {\n"
    "          out[(in0_start + i) * in_size1 + (in1_start + j)] =\n"
    "              mean9(in_tile[i * (NINE_TILES_U + 8) + (j + 3)],\n"
    "              in_tile[i * (NINE_TILES_U + 8) + (j + 4)], in_tile[i * (NINE_TILES_U + 8) + (j + 5)],\n"
    "              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 3)],\n"
    "              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 4)],\n"
    "              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 5)],\n"
    "              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 3)],\n"
    "              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 4)],\n"
    "              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 5)]);\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "jacobi9_float_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DNINE_TILES_T=" TANGRAM_TEXT(NINE_TILES_T) \
    " -DNINE_TILES_U=" TANGRAM_TEXT(NINE_TILES_U) " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel jacobi9_float_kernel;
};

struct jacobi9_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels[2]; ///< [1] has indexes of 32 bits; [0] is built when sizes need it
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
  if (kernels->jacobi9_float_kernel)
    clReleaseKernel(kernels->jacobi9_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const jacobi9_float_handle *handle, const char *options,
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
    kernels->jacobi9_float_kernel =
        clCreateKernel(kernels->program, "jacobi9_float_kernel", &status);
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
  if (status == CL_SUCCESS && ((NINE_TILES_T + 2) * (NINE_TILES_U + 8))
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
    jacobi9_float_handle **handle) {
  *handle = NULL;
  jacobi9_float_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
  if (status == CL_SUCCESS)
    status = tangram_build_kernels(made, TANGRAM_OPTIONS " -DNARROW_INDEXES", &made->kernels[1]);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].jacobi9_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    jacobi9_float_destroy(made);
  return status;
}

int jacobi9_float_create(cl_context context, cl_device_id device, jacobi9_float_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    jacobi9_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void jacobi9_float_destroy(jacobi9_float_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels[0]);
  tangram_release_kernels(&handle->kernels[1]);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

static cl_int tangram_set_index(cl_kernel kernel, cl_uint argument, cl_ulong value, bool narrow) {
  const cl_uint narrowed = (cl_uint)value;
  return narrow ? clSetKernelArg(kernel, argument, sizeof narrowed, &narrowed)
                : clSetKernelArg(kernel, argument, sizeof value, &value);
}

// Whether no index of a kernel needs more than 31 bits.
static bool tangram_is_narrow(double in_size0, double in_size1, double out_size0,
    double out_size1) {
  const double limit = 2147483648.0;
  return in_size0 * in_size1 < limit
      && out_size0 * out_size1 < limit
      && in_size0 + NINE_TILES_T < limit
      && ((in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U)
          + (in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U))
          * NINE_TILES_T + (NINE_TILES_T + 2) < limit
      && (in_size1 + NINE_TILES_U) / NINE_TILES_U * NINE_TILES_U + (NINE_TILES_U + 8) < limit
      && ((in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U)
          + (in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U))
          * NINE_TILES_T + (NINE_TILES_T + 2) * (NINE_TILES_U + 2) / (NINE_TILES_U + 2) < limit
      && (NINE_TILES_T + 2) * (NINE_TILES_U + 2) + NUM_THREADS < limit
      && ((in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U)
          + (in_size0 + NINE_TILES_T) / NINE_TILES_T * ((in_size1 + NINE_TILES_U) / NINE_TILES_U))
          * NINE_TILES_T + ((NINE_TILES_T + 2) * (NINE_TILES_U + 2) + NUM_THREADS)
          / (NINE_TILES_U + 2) < limit;
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1) {
  // jacobi9<float> requires out.size(0) == in.size(0) (nine.cpp:121:3)
  if (!(out_size0 == in_size0))
    return 1;
  // jacobi9<float> requires out.size(1) == in.size(1) (nine.cpp:122:3)
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
    status = jacobi9_float_small_buffer;
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
        return jacobi9_float_overlap;
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
static int tangram_launch_kernels(jacobi9_float_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size0, size_t in_size1, cl_mem out, size_t out_size0, size_t out_size1,
    cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const bool narrow =
      tangram_is_narrow((double)in_size0, (double)in_size1, (double)out_size0, (double)out_size1);
  pthread_mutex_lock(&handle->lock);
  struct tangram_kernels *const kernels = &handle->kernels[narrow];
  int status = CL_SUCCESS;
  if (!kernels->program)
    status = tangram_build_kernels(handle, TANGRAM_OPTIONS, kernels);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->jacobi9_float_kernel;
    const size_t group_size = NUM_THREADS;
    const size_t items =
        (min(max((in_size0 + NINE_TILES_T - 1) / NINE_TILES_T
        * ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U), 1), 2147483647)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 2, in_size0, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 3, in_size1, narrow);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int jacobi9_float_workspace(const jacobi9_float_handle *handle, size_t in_size0, size_t in_size1,
    size_t out_size0, size_t out_size1, size_t *bytes) {
  (void)handle;
  const int status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int jacobi9_float_enqueue(jacobi9_float_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size0, size_t in_size1, cl_mem out, size_t out_size0, size_t out_size1,
    cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != CL_SUCCESS)
    return status;
  return tangram_launch_kernels(handle, queue, in, in_size0, in_size1, out, out_size0, out_size1,
      waits, wait_list, event);
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static jacobi9_float_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(jacobi9_float_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    jacobi9_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, jacobi9_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  jacobi9_float_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  jacobi9_float_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int jacobi9_float(cl_command_queue queue, cl_mem in, size_t in_size0, size_t in_size1, cl_mem out,
    size_t out_size0, size_t out_size1) {
  jacobi9_float_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(in_size0, in_size1, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, in, in_size0, in_size1, out, out_size0, out_size1, 0,
        NULL, NULL);
  tangram_give_back(handle);
  return status;
}

const char *jacobi9_float_message(int status) {
  switch (status) {
  case jacobi9_float_ok:
    return "success";
  case jacobi9_float_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case jacobi9_float_overlap:
    return "a container that is written shares memory with another one";
  case jacobi9_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case jacobi9_float_bad_data:
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

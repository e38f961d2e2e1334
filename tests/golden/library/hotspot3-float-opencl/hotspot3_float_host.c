// Host code for the OpenCL kernels of hotspot3_float, composed for h200:
//   select(hotspot3_padded, G), S_G, regroup(hotspot3_tiles, G), distribute(B),
//   compute(hotspot3_lanes, VE_B)
#include "hotspot3_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// free parameter of hotspot3_tiles
#ifndef HOTSPOT3_TILES_T
#define HOTSPOT3_TILES_T 8
#endif
// free parameter of hotspot3_tiles
#ifndef HOTSPOT3_TILES_U
#define HOTSPOT3_TILES_U 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of hotspot3_float, composed for h200:\n"
    "//   select(hotspot3_padded, G), S_G, regroup(hotspot3_tiles, G), distribute(B),\n"
    "//   compute(hotspot3_lanes, VE_B)\n"
    "\n"
    "// free parameter of hotspot3_tiles\n"
    "#ifndef HOTSPOT3_TILES_T\n"
    "#define HOTSPOT3_TILES_T 8\n"
    "#endif\n"
    "// free parameter of hotspot3_tiles\n"
    "#ifndef HOTSPOT3_TILES_U\n"
    "#define HOTSPOT3_TILES_U 4\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void hotspot3_float_kernel(__global const float *restrict power,\n"
    "                                    __global const float *restrict in,\n"
    "                                    __global float *restrict out,\n"
    "                                    ulong in_size0,\n"
    "                                    ulong in_size1,\n"
    "                                    ulong in_size2,\n"
    "                                    float cc,\n"
    "                                    float cx,\n"
    "                                    float cy,\n"
    "                                    float cz,\n"
    "                                    float step,\n"
    "                                    float ambient) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(hotspot3_tiles, G)\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < (in_size0 + HOTSPOT3_TILES_T - 1) / HOTSPOT3_TILES_T\n"
    "      * ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U); block += get_num_groups(0)) {\n"
    "    const ulong power0_part = block / ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U);\n"
    "    const ulong power0_start = power0_part * HOTSPOT3_TILES_T;\n"
    "    const ulong power0_len = min((ulong)HOTSPOT3_TILES_T, in_size0 - min(power0_start, in_size0));\n"
    "    const ulong power1_part = block % ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U);\n"
    "    const ulong power1_start = power1_part * HOTSPOT3_TILES_U;\n"
    "    const ulong power1_len = min((ulong)HOTSPOT3_TILES_U, in_size1 - min(power1_start, in_size1));\n"
    "\n"
    "    // compute(hotspot3_lanes, VE_B)\n"
    "    const bool inside = 1 <= power1_start && power1_start + max(power1_len, (ulong)1)\n"
    "        - 2 <= in_size1 - 1 && power1_start + max(power1_len, (ulong)1) <= in_size1 - 1\n"
    "        && 1 <= power0_start && power0_start + max(power0_len, (ulong)1) - 2 <= in_size0 - 1\n"
    "        && power0_start + max(power0_len, (ulong)1) <= in_size0 - 1;\n"
    "    const bool full = power0_len == HOTSPOT3_TILES_T && power1_len == HOTSPOT3_TILES_U;\n"
    "    if (inside && full) {\n"
    "      for (ulong k = thread; k < in_size2; k += NUM_THREADS) {\n"
    "        float in_0[HOTSPOT3_TILES_U];\n"
    "        #pragma unroll 64\n"
    "        for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {\n"
    "          in_0[c] =\n"
    "              in[(power0_start - 1) * (in_size1 * in_size2) + (power1_start + c) * in_size2 + k];\n"
    "        }\n"
    "        float in_1[HOTSPOT3_TILES_U + 2];\n"
    "        #pragma unroll 64\n"
    "        for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {\n"
    "          in_1[c + 1] =\n"
    "              in[power0_start * (in_size1 * in_size2) + (power1_start + c) * in_size2 + k];\n"
    "        }\n"
    "        #pragma unroll 2\n"
    "        for (ulong i = 0; i < HOTSPOT3_TILES_T; ++i) {\n"
    "          in_1[0] =\n"
    "              in[(power0_start + i) * (in_size1 * in_size2) + (power1_start - 1) * in_size2 + k];\n"
    "          in_1[HOTSPOT3_TILES_U + 1] =\n"
    "              in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + HOTSPOT3_TILES_U)\n"
    "              * in_size2 + k];\n"
    "          float in_2[HOTSPOT3_TILES_U];\n"
    "          #pragma unroll 64\n"
    "          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {\n"
    "            in_2[c] =\n"
    "                in[(power0_start + i + 1) * (in_size1 * in_size2) + (power1_start + c) * in_size2\n"
    "                + k];\n"
    "          }\n"
    "          #pragma unroll 64\n"
    "          for (ulong j = 0; j < HOTSPOT3_TILES_U; ++j) {\n"
    "            out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =\n"
    "                cc * in_1[j + 1] + cx\n"
    "                * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                + min(max(k, (ulong)1) - 1, in_size2 - 1)]\n"
    "                + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                + min(k + 1, in_size2 - 1)]) + cy * (in_1[j] + in_1[j + 2]) + cz\n"
    "                * (in_0[j] + in_2[j] + ambient) + step\n"
    "                * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                + k];\n"
    "          }\n"
    "          #pragma unroll 64\n"
    "          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {\n"
    "            in_0[c] = in_1[c + 1];\n"
    "          }\n"
    "          #pragma unroll 64\n"
    "          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {\n"
    "            in_1[c + 1] = in_2[c];\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      if (inside) {\n"
    "        for (ulong k = thread; k < in_size2; k += NUM_THREADS) {\n"
    "          for (ulong i = 0; i < power0_len; ++i) {\n"
    "            #pragma unroll 2\n"
    "            for (ulong j = 0; j < power1_len; ++j) {\n"
    "              out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =\n"
    "                  cc\n"
    "                  * in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + k] + cx\n"
    "                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + min(max(k, (ulong)1) - 1, in_size2 - 1)]\n"
    "                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + min(k + 1, in_size2 - 1)]) + cy\n"
    "                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j - 1)\n"
    "                  * in_size2 + k]\n"
    "                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j + 1)\n"
    "                  * in_size2 + k]) + cz\n"
    "                  * (in[(power0_start + i - 1) * (in_size1 * in_size2) + (power1_start + j)\n"
    "                  * in_size2 + k]\n"
    "                  + in[(power0_start + i + 1) * (in_size1 * in_size2) + (power1_start + j)\n"
    "                  * in_size2 + k] + ambient) + step\n"
    "                  * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j)\n"
    "                  * in_size2 + k];\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      } else {\n"
    "        for (ulong k = thread; k < in_size2; k += NUM_THREADS) {\n"
    "          for (ulong i = 0; i < power0_len; ++i) {\n"
    "            #pragma unroll 2\n"
    "            for (ulong j = 0; j < power1_len; ++j) {\n"
    "              out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =\n"
    "                  cc\n"
    "                  * in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + k] + cx\n"
    "                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + min(max(k, (ulong)1) - 1, in_size2 - 1)]\n"
    "                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2\n"
    "                  + min(k + 1, in_size2 - 1)]) + cy\n"
    "                  * (in[(power0_start + i) * (in_size1 * in_size2)\n"
    "                  + min(max(power1_start + j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]\n"
    "                  + in[(power0_start + i) * (in_size1 * in_size2)\n"
    "                  + min(power1_start + j + 1, in_size1 - 1) * in_size2 + k]) + cz\n"
    "                  * (in[min(max(power0_start + i, (ulong)1) - 1, in_size0 - 1)\n"
    "                  * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k]\n"
    "                  + in[min(power0_start + i + 1, in_size0 - 1) * (in_size1 * in_size2)\n"
    "                  + (power1_start + j) * in_size2 + k] + ambient) + step\n"
    "                  * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j)\n"
    "                  * in_size2 + k];\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DHOTSPOT3_TILES_T=" TEXT(HOTSPOT3_TILES_T) " -DHOTSPOT3_TILES_U=" TEXT(HOTSPOT3_TILES_U) " -DNUM_THREADS=" TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct kernels {
  cl_program program;
  cl_kernel hotspot3_float_kernel;
};

struct hotspot3_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct kernels kernels;
};

static void release_kernels(struct kernels *kernels) {
  if (kernels->hotspot3_float_kernel)
    clReleaseKernel(kernels->hotspot3_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct kernels){0};
}

static int build_kernels(const hotspot3_float_handle *handle, const char *options, struct kernels *kernels) {
  cl_int status = CL_SUCCESS;
  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->hotspot3_float_kernel = clCreateKernel(kernels->program, "hotspot3_float_kernel", &status);
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
static int make_handle(cl_context context, cl_device_id device, hotspot3_float_handle **handle) {
  *handle = NULL;
  hotspot3_float_handle *made = calloc(1, sizeof *made);
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
    status = check_kernel(made->kernels.hotspot3_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    hotspot3_float_destroy(made);
  return status;
}

int hotspot3_float_create(cl_context context, cl_device_id device, hotspot3_float_handle **handle) {
  const int status = make_handle(context, device, handle);
  if (status == 1) {
    hotspot3_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void hotspot3_float_destroy(hotspot3_float_handle *handle) {
  if (!handle)
    return;
  release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t power_size0, size_t power_size1, size_t power_size2, size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0, size_t out_size1, size_t out_size2) {
  // hotspot3<float> requires power.size(0) == in.size(0) (codelets/hotspot.cpp:126:3)
  if (!(power_size0 == in_size0))
    return 1;
  // hotspot3<float> requires power.size(1) == in.size(1) (codelets/hotspot.cpp:127:3)
  if (!(power_size1 == in_size1))
    return 1;
  // hotspot3<float> requires power.size(2) == in.size(2) (codelets/hotspot.cpp:128:3)
  if (!(power_size2 == in_size2))
    return 1;
  // hotspot3<float> requires out.size(0) == in.size(0) (codelets/hotspot.cpp:129:3)
  if (!(out_size0 == in_size0))
    return 1;
  // hotspot3<float> requires out.size(1) == in.size(1) (codelets/hotspot.cpp:130:3)
  if (!(out_size1 == in_size1))
    return 1;
  // hotspot3<float> requires out.size(2) == in.size(2) (codelets/hotspot.cpp:131:3)
  if (!(out_size2 == in_size2))
    return 1;
  return CL_SUCCESS;
}

/// Enqueues the kernels.
static int launch_kernels(hotspot3_float_handle *handle, cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->hotspot3_float_kernel;
    const cl_ulong in_size0_argument = in_size0;
    const cl_ulong in_size1_argument = in_size1;
    const cl_ulong in_size2_argument = in_size2;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((in_size0 + HOTSPOT3_TILES_T - 1) / HOTSPOT3_TILES_T * ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U), 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof power, &power);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size0_argument, &in_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof in_size1_argument, &in_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof in_size2_argument, &in_size2_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof cc, &cc);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 7, sizeof cx, &cx);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 8, sizeof cy, &cy);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 9, sizeof cz, &cz);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 10, sizeof step, &step);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 11, sizeof ambient, &ambient);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int hotspot3_float_workspace(const hotspot3_float_handle *handle, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, size_t power_size0, size_t power_size1, size_t power_size2, size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0, size_t out_size1, size_t out_size2, size_t *bytes) {
  (void)handle;
  (void)cc;
  (void)cx;
  (void)cy;
  (void)cz;
  (void)step;
  (void)ambient;
  const int status = tangram_settle(power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int hotspot3_float_enqueue(hotspot3_float_handle *handle, cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2);
  if (status != CL_SUCCESS)
    return status;
  return launch_kernels(handle, queue, cc, cx, cy, cz, step, ambient, power, in, in_size0, in_size1, in_size2, out, waits, wait_list, event);
}

// Handles of the functions that take none, the latest first.
enum { CACHED = 4 };
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static hotspot3_float_handle *handle_cache[CACHED];

static void give_back(hotspot3_float_handle *handle) {
  pthread_mutex_lock(&cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&cache_lock);
  if (unused)
    hotspot3_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int take_handle(cl_command_queue queue, hotspot3_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  hotspot3_float_handle *oldest = NULL;
  pthread_mutex_lock(&cache_lock);
  unsigned i = 0;
  while (i < CACHED && !(handle_cache[i] && handle_cache[i]->context == context && handle_cache[i]->device == device))
    ++i;
  hotspot3_float_handle *found = i < CACHED ? handle_cache[i] : NULL;
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

int hotspot3_float(cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2) {
  hotspot3_float_handle *handle;
  int status = take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2);
  if (status == CL_SUCCESS)
    status = launch_kernels(handle, queue, cc, cx, cy, cz, step, ambient, power, in, in_size0, in_size1, in_size2, out, 0, NULL, NULL);
  give_back(handle);
  return status;
}

// Host code for the OpenCL kernels of hotspot3_float, composed for h200:
//   select(hotspot3_padded, G), S_G, regroup(hotspot3_parts, G), distribute(B), S_B,
//   regroup(hotspot3_parts, B), distribute(T), S_T, regroup(hotspot3_parts, T), distribute(I),
//   compute(hotspot3_inside#1, SE_I)
#include "hotspot3_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif
// chains in a thread
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of hotspot3_float, composed for h200:\n"
    "//   select(hotspot3_padded, G), S_G, regroup(hotspot3_parts, G), distribute(B), S_B,\n"
    "//   regroup(hotspot3_parts, B), distribute(T), S_T, regroup(hotspot3_parts, T), distribute(I),\n"
    "//   compute(hotspot3_inside#1, SE_I)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "// chains in a thread\n"
    "#ifndef NUM_CHAINS\n"
    "#define NUM_CHAINS 4\n"
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
    "  // S_G, regroup(hotspot3_parts, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong power_tile = (in_size0 + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong power_start = block * power_tile;\n"
    "  const ulong power_len = min(power_tile, in_size0 - min(power_start, in_size0));\n"
    "  const ulong in_len = min(power_tile + 2, in_size0 + 2 - min(power_start, in_size0 + 2));\n"
    "\n"
    "  // S_B, regroup(hotspot3_parts, B)\n"
    "  const ulong power_tile_2 = (power_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "  const ulong in_tile = (max(in_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong power_start_2 = thread * power_tile_2;\n"
    "  const ulong power_len_2 = min(power_tile_2, power_len - min(power_start_2, power_len));\n"
    "  const ulong in_start = thread * in_tile;\n"
    "  const ulong in_len_2 = min(in_tile + 2, in_len - min(in_start, in_len));\n"
    "\n"
    "  // S_T, regroup(hotspot3_parts, T)\n"
    "  const ulong power_tile_3 = (power_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;\n"
    "  const ulong in_tile_2 = (max(in_len_2, (ulong)2) + NUM_CHAINS - 3) / NUM_CHAINS;\n"
    "\n"
    "  // distribute(I)\n"
    "  // compute(hotspot3_inside#1, SE_I)\n"
    "  const ulong common =\n"
    "      min(power_tile_3, power_len_2 - min((NUM_CHAINS - 1) * power_tile_3, power_len_2));\n"
    "  for (ulong i = 0; i < common; ++i) {\n"
    "    #pragma unroll\n"
    "    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "      for (ulong j = 0; j < in_size1; ++j) {\n"
    "        #pragma unroll 2\n"
    "        for (ulong k = 0; k < in_size2; ++k) {\n"
    "          out[(power_start + power_start_2 + chain * power_tile_3 + i) * (in_size1 * in_size2) + j\n"
    "              * in_size2 + k] = cc\n"
    "              * (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + cx\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + min(max(k, (ulong)1) - 1, in_size2 - 1)]\n"
    "              : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + min(k + 1, in_size2 - 1)] : 0.0f)) + cy\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + min(max(j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]\n"
    "              : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + min(j + 1, in_size1 - 1) * in_size2 + k] : 0.0f)) + cz\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(max(power_start + in_start + chain * in_tile_2 + i, (ulong)1) - 1, in_size0\n"
    "              - 1) * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i + 1, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + ambient) + step\n"
    "              * power[(power_start + power_start_2 + chain * power_tile_3 + i)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    for (ulong i = common;\n"
    "        i < min(power_tile_3, power_len_2 - min(chain * power_tile_3, power_len_2)); ++i) {\n"
    "      for (ulong j = 0; j < in_size1; ++j) {\n"
    "        #pragma unroll 2\n"
    "        for (ulong k = 0; k < in_size2; ++k) {\n"
    "          out[(power_start + power_start_2 + chain * power_tile_3 + i) * (in_size1 * in_size2) + j\n"
    "              * in_size2 + k] = cc\n"
    "              * (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + cx\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + min(max(k, (ulong)1) - 1, in_size2 - 1)]\n"
    "              : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + min(k + 1, in_size2 - 1)] : 0.0f)) + cy\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + min(max(j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]\n"
    "              : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + min(j + 1, in_size1 - 1) * in_size2 + k] : 0.0f)) + cz\n"
    "              * ((0 < in_size0\n"
    "              ? in[min(max(power_start + in_start + chain * in_tile_2 + i, (ulong)1) - 1, in_size0\n"
    "              - 1) * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f)\n"
    "              + (0 < in_size0\n"
    "              ? in[min(power_start + in_start + chain * in_tile_2 + i + 1, in_size0 - 1)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + ambient) + step\n"
    "              * power[(power_start + power_start_2 + chain * power_tile_3 + i)\n"
    "              * (in_size1 * in_size2) + j * in_size2 + k];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TEXT(NUM_THREADS) " -DNUM_CHAINS=" TEXT(NUM_CHAINS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct kernels {
  cl_program program;
  cl_kernel hotspot3_float_kernel;
};

struct hotspot3_float_handle {
  cl_context context;
  cl_device_id device;
  cl_uint compute_units;
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
    status = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS,
                             sizeof made->compute_units, &made->compute_units, NULL);
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

static inline size_t tangram_min(size_t a, size_t b) {
  return b < a ? b : a;
}

static inline size_t tangram_max(size_t a, size_t b) {
  return a < b ? b : a;
}

/// `parts`, or a few less, of which each has a multiple of so many elements.
static size_t tangram_even_parts(size_t elements, size_t parts, size_t multiple) {
  if (parts == 0 || multiple == 0)
    return parts;
  const size_t tries = parts / 8 + 1 < 256 ? parts / 8 + 1 : 256;
  for (size_t fewer = parts; fewer > parts - tries; --fewer) {
    const size_t each = elements / fewer + (elements % fewer != 0);
    if (each % multiple == 0)
      return fewer;
  }
  return parts;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(const hotspot3_float_handle *handle, size_t power_size0, size_t power_size1, size_t power_size2, size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0, size_t out_size1, size_t out_size2, size_t *p_settled) {
  size_t p = *p_settled;
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
  if (p == 0)
    p = tangram_even_parts(tangram_max(tangram_max(power_size0 * power_size1 * power_size2, in_size0 * in_size1 * in_size2), out_size0 * out_size1 * out_size2), tangram_max(1, tangram_min((tangram_max(tangram_max(power_size0 * power_size1 * power_size2, in_size0 * in_size1 * in_size2), out_size0 * out_size1 * out_size2) + NUM_THREADS - 1) / NUM_THREADS, handle->compute_units * tangram_min(32, tangram_max(1, 2048 / NUM_THREADS)) * tangram_max(1, tangram_min(8, tangram_max(tangram_max(power_size0 * power_size1 * power_size2, in_size0 * in_size1 * in_size2), out_size0 * out_size1 * out_size2) / (handle->compute_units * tangram_min(32, tangram_max(1, 2048 / NUM_THREADS)) * NUM_THREADS * 32))))), 32);
  *p_settled = p;
  return CL_SUCCESS;
}

/// Enqueues the kernels.
static int launch_kernels(hotspot3_float_handle *handle, cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t p, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  pthread_mutex_lock(&handle->lock);
  const struct kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->hotspot3_float_kernel;
    const cl_ulong in_size0_argument = in_size0;
    const cl_ulong in_size1_argument = in_size1;
    const cl_ulong in_size2_argument = in_size2;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
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

int hotspot3_float_workspace_tuned(const hotspot3_float_handle *handle, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, size_t power_size0, size_t power_size1, size_t power_size2, size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0, size_t out_size1, size_t out_size2, size_t p, size_t *bytes) {
  (void)cc;
  (void)cx;
  (void)cy;
  (void)cz;
  (void)step;
  (void)ambient;
  const int status = tangram_settle(handle, power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2, &p);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int hotspot3_float_enqueue_tuned(hotspot3_float_handle *handle, cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2, size_t p, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(handle, power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2, &p);
  if (status != CL_SUCCESS)
    return status;
  return launch_kernels(handle, queue, cc, cx, cy, cz, step, ambient, power, in, in_size0, in_size1, in_size2, out, p, waits, wait_list, event);
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

int hotspot3_float_tuned(cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2, size_t p) {
  hotspot3_float_handle *handle;
  int status = take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(handle, power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2, &p);
  if (status == CL_SUCCESS)
    status = launch_kernels(handle, queue, cc, cx, cy, cz, step, ambient, power, in, in_size0, in_size1, in_size2, out, p, 0, NULL, NULL);
  give_back(handle);
  return status;
}

int hotspot3_float_workspace(const hotspot3_float_handle *handle, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, size_t power_size0, size_t power_size1, size_t power_size2, size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0, size_t out_size1, size_t out_size2, size_t *bytes) {
  return hotspot3_float_workspace_tuned(handle, cc, cx, cy, cz, step, ambient, power_size0, power_size1, power_size2, in_size0, in_size1, in_size2, out_size0, out_size1, out_size2, 0, bytes);
}

int hotspot3_float_enqueue(hotspot3_float_handle *handle, cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return hotspot3_float_enqueue_tuned(handle, queue, cc, cx, cy, cz, step, ambient, power, power_size0, power_size1, power_size2, in, in_size0, in_size1, in_size2, out, out_size0, out_size1, out_size2, 0, workspace, waits, wait_list, event);
}

int hotspot3_float(cl_command_queue queue, cl_float cc, cl_float cx, cl_float cy, cl_float cz, cl_float step, cl_float ambient, cl_mem power, size_t power_size0, size_t power_size1, size_t power_size2, cl_mem in, size_t in_size0, size_t in_size1, size_t in_size2, cl_mem out, size_t out_size0, size_t out_size1, size_t out_size2) {
  return hotspot3_float_tuned(queue, cc, cx, cy, cz, step, ambient, power, power_size0, power_size1, power_size2, in, in_size0, in_size1, in_size2, out, out_size0, out_size1, out_size2, 0);
}

// Host code for the OpenCL kernels of kmeans_double, composed for simple-gpu:
//   select(iteration, G), S_G, regroup(blocks, G), distribute(B), S_B, regroup(blocks, B),
//   distribute(T), compute(assign#1, SE_T), S_G, regroup(privatized, G), distribute(B), S_B,
//   regroup(privatized, B), distribute(T), compute(accumulate#1, SE_T), distribute(T),
//   compute(merge#1, SE_T), distribute(T), compute(sum#1, SE_T), distribute(B), S_B,
//   devolve(T), compute(merge#1, SE_T), distribute(B), select(sum_reduce, B), S_B,
//   regroup(strided, B), distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B),
//   distribute(B), S_B, devolve(T), compute(move#1, SE_T)
#include "kmeans_double.h"

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
    "// OpenCL kernels of kmeans_double, composed for simple-gpu:\n"
    "//   select(iteration, G), S_G, regroup(blocks, G), distribute(B), S_B, regroup(blocks, B),\n"
    "//   distribute(T), compute(assign#1, SE_T), S_G, regroup(privatized, G), distribute(B), S_B,\n"
    "//   regroup(privatized, B), distribute(T), compute(accumulate#1, SE_T), distribute(T),\n"
    "//   compute(merge#1, SE_T), distribute(T), compute(sum#1, SE_T), distribute(B), S_B,\n"
    "//   devolve(T), compute(merge#1, SE_T), distribute(B), select(sum_reduce, B), S_B,\n"
    "//   regroup(strided, B), distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B),\n"
    "//   distribute(B), S_B, devolve(T), compute(move#1, SE_T)\n"
    "\n"
    "// What is decided by sums of products is decided as the codelets do.\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#else\n"
    "#define POCL_BARRIER()\n"
    "#endif\n"
    "\n"
    "// PoCL cannot unroll every loop of kernels with barriers.\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define UNROLL(times)\n"
    "#else\n"
    "#define PRAGMA(text) _Pragma(#text)\n"
    "#define UNROLL(times) PRAGMA(unroll times)\n"
    "#endif\n"
    "\n"
    "int zero(void) {\n"
    "  return 0;\n"
    "}\n"
    "\n"
    "int plus(int a, int b) {\n"
    "  return a + b;\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_1(__global const double *restrict points,\n"
    "                              __global const double *restrict centroids,\n"
    "                              __global int *restrict labels,\n"
    "                              ulong points_size0,\n"
    "                              ulong points_size1,\n"
    "                              ulong centroids_size0) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(blocks, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong points_tile = (points_size0 + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong points_start = block * points_tile;\n"
    "  const ulong points_len = min(points_tile, points_size0 - min(points_start, points_size0));\n"
    "\n"
    "  // S_B, regroup(blocks, B)\n"
    "  const ulong points_tile_2 = (points_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong points_start_2 = thread * points_tile_2;\n"
    "  const ulong points_len_2 = min(points_tile_2, points_len - min(points_start_2, points_len));\n"
    "\n"
    "  // compute(assign#1, SE_T)\n"
    "  for (ulong i = 0; i < points_len_2; ++i) {\n"
    "    int best = 0;\n"
    "    double least = 0.0;\n"
    "    for (ulong c = 0; c < centroids_size0; ++c) {\n"
    "      double distance = 0.0;\n"
    "      #pragma unroll 8\n"
    "      for (ulong d = 0; d < points_size1; ++d) {\n"
    "        const double difference = points[(points_start + points_start_2 + i) * points_size1 + d]\n"
    "            - centroids[c * points_size1 + d];\n"
    "        distance += difference * difference;\n"
    "      }\n"
    "      if (c == 0 || distance < least) {\n"
    "        least = distance;\n"
    "        best = (uint)c;\n"
    "      }\n"
    "    }\n"
    "    labels[points_start + points_start_2 + i] = best;\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_2(__global const double *restrict points,\n"
    "                              __global const int *restrict labels,\n"
    "                              __global double *restrict own,\n"
    "                              __global int *restrict own_counts,\n"
    "                              __global double *restrict own_2,\n"
    "                              __global int *restrict own_counts_2,\n"
    "                              ulong points_size0,\n"
    "                              ulong points_size1,\n"
    "                              ulong centroids_size0) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(privatized, G)\n"
    "  // distribute(B)\n"
    "  const ulong p_2 = get_num_groups(0);\n"
    "  const ulong points_tile = (points_size0 + p_2 - 1) / p_2;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong points_start = block * points_tile;\n"
    "  const ulong points_len = min(points_tile, points_size0 - min(points_start, points_size0));\n"
    "\n"
    "  // S_B, regroup(privatized, B)\n"
    "  const ulong points_tile_2 = (points_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong points_start_2 = thread * points_tile_2;\n"
    "  const ulong points_len_2 = min(points_tile_2, points_len - min(points_start_2, points_len));\n"
    "\n"
    "  // compute(accumulate#1, SE_T)\n"
    "  for (ulong c = 0; c < centroids_size0; ++c) {\n"
    "    own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0 + c] = 0;\n"
    "    for (ulong d = 0; d < points_size1; ++d) {\n"
    "      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread\n"
    "          * (centroids_size0 * points_size1) + c * points_size1 + d] = 0.0;\n"
    "    }\n"
    "  }\n"
    "  for (ulong i = 0; i < points_len_2; ++i) {\n"
    "    ++own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0\n"
    "        + (ulong)labels[points_start + points_start_2 + i]];\n"
    "    UNROLL(8)\n"
    "    for (ulong d = 0; d < points_size1; ++d) {\n"
    "      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread\n"
    "          * (centroids_size0 * points_size1) + (ulong)labels[points_start + points_start_2 + i]\n"
    "          * points_size1 + d] += points[(points_start + points_start_2 + i) * points_size1 + d];\n"
    "    }\n"
    "  }\n"
    "\n"
    "  // distribute(T)\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  for (ulong thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {\n"
    "    // compute(merge#1, SE_T)\n"
    "    for (ulong d = 0; d < points_size1; ++d) {\n"
    "      double accum = 0.0;\n"
    "      UNROLL(16)\n"
    "      for (ulong i = 0; i < NUM_THREADS; ++i) {\n"
    "        accum +=\n"
    "            own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + i\n"
    "            * (centroids_size0 * points_size1) + (ulong)(uint)thread_2 * points_size1 + d];\n"
    "      }\n"
    "      own[block * (centroids_size0 * points_size1) + thread_2 * points_size1 + d] = accum;\n"
    "    }\n"
    "  }\n"
    "\n"
    "  // distribute(T)\n"
    "  for (ulong thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {\n"
    "    // compute(sum#1, SE_T)\n"
    "    int accum = 0;\n"
    "    UNROLL(16)\n"
    "    for (ulong i = 0; i < NUM_THREADS; ++i) {\n"
    "      accum +=\n"
    "          own_counts_2[block * (NUM_THREADS * centroids_size0) + i * centroids_size0 + thread_2];\n"
    "    }\n"
    "    own_counts[block * centroids_size0 + thread_2] = accum;\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void kmeans_double_3(__global const double *restrict own,\n"
    "                              __global double *restrict own_2,\n"
    "                              ulong points_size1,\n"
    "                              ulong centroids_size0,\n"
    "                              ulong p_2) {\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    // S_B, devolve(T)\n"
    "    // compute(merge#1, SE_T)\n"
    "    for (ulong d = 0; d < points_size1; ++d) {\n"
    "      double accum = 0.0;\n"
    "      #pragma unroll 16\n"
    "      for (ulong i = 0; i < p_2; ++i) {\n"
    "        accum += own[i * (centroids_size0 * points_size1) + (ulong)(uint)block * points_size1 + d];\n"
    "      }\n"
    "      own_2[block * points_size1 + d] = accum;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_4(__global const int *restrict own_counts,\n"
    "                              __global int *restrict own_counts_2,\n"
    "                              ulong centroids_size0,\n"
    "                              ulong p_2) {\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "\n"
    "    // S_B, regroup(strided, B)\n"
    "    // distribute(T)\n"
    "    const ulong in_len = (p_2 + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "    // compute(reduce#1, SE_T)\n"
    "    int accum = zero();\n"
    "    UNROLL(16)\n"
    "    for (ulong i = 0; i < in_len; ++i) {\n"
    "      accum = plus(accum, own_counts[(thread + i * NUM_THREADS) * centroids_size0 + block]);\n"
    "    }\n"
    "    const int reduce_of_thread = accum;\n"
    "\n"
    "    // compute(tree, VE_B)\n"
    "    tmp[thread] = reduce_of_thread;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      int tmp_read;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? plus(tmp[thread - s], tmp[thread]) : 0;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] = tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (thread == 0) {\n"
    "      own_counts_2[block] = tmp[NUM_THREADS - 1];\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void kmeans_double_5(__global double *restrict centroids,\n"
    "                              __global const double *restrict own_2,\n"
    "                              __global const int *restrict own_counts_2,\n"
    "                              ulong points_size1,\n"
    "                              ulong centroids_size0) {\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    const int count = own_counts_2[block];\n"
    "\n"
    "    // S_B, devolve(T)\n"
    "    // compute(move#1, SE_T)\n"
    "    if (count > 0) {\n"
    "      #pragma unroll 16\n"
    "      for (ulong d = 0; d < points_size1; ++d) {\n"
    "        centroids[block * points_size1 + d] = own_2[block * points_size1 + d] / (double)count;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct kernels {
  cl_program program;
  cl_kernel kmeans_double_1;
  cl_kernel kmeans_double_2;
  cl_kernel kmeans_double_3;
  cl_kernel kmeans_double_4;
  cl_kernel kmeans_double_5;
};

struct kmeans_double_handle {
  cl_context context;
  cl_device_id device;
  cl_ulong largest_allocation;
  cl_ulong all_memory;
  cl_uint alignment;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct kernels kernels;
};

static void release_kernels(struct kernels *kernels) {
  if (kernels->kmeans_double_1)
    clReleaseKernel(kernels->kmeans_double_1);
  if (kernels->kmeans_double_2)
    clReleaseKernel(kernels->kmeans_double_2);
  if (kernels->kmeans_double_3)
    clReleaseKernel(kernels->kmeans_double_3);
  if (kernels->kmeans_double_4)
    clReleaseKernel(kernels->kmeans_double_4);
  if (kernels->kmeans_double_5)
    clReleaseKernel(kernels->kmeans_double_5);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct kernels){0};
}

static int build_kernels(const kmeans_double_handle *handle, const char *options, struct kernels *kernels) {
  cl_int status = CL_SUCCESS;
  kernels->program =
      clCreateProgramWithSource(handle->context, 1, (const char **)&source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->kmeans_double_1 = clCreateKernel(kernels->program, "kmeans_double_1", &status);
  if (status == CL_SUCCESS)
    kernels->kmeans_double_2 = clCreateKernel(kernels->program, "kmeans_double_2", &status);
  if (status == CL_SUCCESS)
    kernels->kmeans_double_3 = clCreateKernel(kernels->program, "kmeans_double_3", &status);
  if (status == CL_SUCCESS)
    kernels->kmeans_double_4 = clCreateKernel(kernels->program, "kmeans_double_4", &status);
  if (status == CL_SUCCESS)
    kernels->kmeans_double_5 = clCreateKernel(kernels->program, "kmeans_double_5", &status);
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
  if (status == CL_SUCCESS && 1 > most_items)
    status = 1;
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && (NUM_THREADS) * sizeof(cl_int) > most_bytes)
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
static int make_handle(cl_context context, cl_device_id device, kmeans_double_handle **handle) {
  *handle = NULL;
  kmeans_double_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = check_device(device);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                             sizeof made->largest_allocation, &made->largest_allocation, NULL);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
                             sizeof made->all_memory, &made->all_memory, NULL);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                             sizeof made->alignment, &made->alignment, NULL);
  if (status == CL_SUCCESS)
    status = build_kernels(made, OPTIONS, &made->kernels);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.kmeans_double_1, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.kmeans_double_2, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.kmeans_double_3, device, 1);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.kmeans_double_4, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = check_kernel(made->kernels.kmeans_double_5, device, 1);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    kmeans_double_destroy(made);
  return status;
}

int kmeans_double_create(cl_context context, cl_device_id device, kmeans_double_handle **handle) {
  const int status = make_handle(context, device, handle);
  if (status == 1) {
    kmeans_double_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void kmeans_double_destroy(kmeans_double_handle *handle) {
  if (!handle)
    return;
  release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// Value number i to try for a number of workers: those in `first` (the default leads), powers of
/// two from the nearest below the default down to 1 and then up, the bounds. 0: there is none.
static size_t tangram_attempt(unsigned i, const size_t *first, unsigned count, size_t least,
                              size_t most) {
  size_t value = i == count + 64 ? least : most;
  if (i < count) {
    value = first[i];
    if (i == 0)
      value = value < least ? least : value > most ? most : value;
  } else if (i < count + 64) {
    unsigned top = 0;
    while (top < 63 && first[0] >> (top + 1) != 0)
      ++top;
    value = (size_t)1 << (i - count <= top ? top - (i - count) : i - count);
  }
  return value < least || value > most ? 0 : value;
}

/// Whether the plan serves these sizes with these numbers of workers.
static bool tangram_serves(size_t points_size0, size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t largest_allocation, size_t all_memory, size_t p_2) {
  // temporaries fit into the memory of the device
  const size_t points_bytes = (points_size0 * points_size1) * sizeof(cl_double);
  const size_t centroids_bytes = (centroids_size0 * centroids_size1) * sizeof(cl_double);
  const size_t labels_bytes = (labels_size) * sizeof(cl_int);
  const size_t own_bytes = (p_2 * centroids_size0 * points_size1) * sizeof(cl_double);
  if (own_bytes > largest_allocation)
    return false;
  const size_t own_counts_bytes = (p_2 * centroids_size0) * sizeof(cl_int);
  if (own_counts_bytes > largest_allocation)
    return false;
  const size_t own_2_bytes = (max(p_2 * (NUM_THREADS * centroids_size0 * points_size1), centroids_size0 * points_size1)) * sizeof(cl_double);
  if (own_2_bytes > largest_allocation)
    return false;
  const size_t own_counts_2_bytes = (max(p_2 * (NUM_THREADS * centroids_size0), centroids_size0)) * sizeof(cl_int);
  if (own_counts_2_bytes > largest_allocation)
    return false;
  if (points_bytes + centroids_bytes + labels_bytes + own_bytes + own_counts_bytes + own_2_bytes + own_counts_2_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t points_size0, size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t largest_allocation, size_t all_memory, size_t *p_2_chosen, size_t p_2_default) {
  const size_t p_2_first[] = {p_2_default};
  for (unsigned p_2_try = 0; p_2_try < (*p_2_chosen != 0 ? 1 : 67); ++p_2_try) {
    const size_t p_2 = *p_2_chosen != 0 ? *p_2_chosen : tangram_attempt(p_2_try, p_2_first, 1, 1UL, 65535UL);
    if (p_2 != 0 && tangram_serves(points_size0, points_size1, centroids_size0, centroids_size1, labels_size, largest_allocation, all_memory, p_2)) {
      *p_2_chosen = p_2;
      return true;
    }
  }
  return false;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(const kmeans_double_handle *handle, size_t points_size0, size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t *p_settled, size_t *p_2_settled) {
  size_t p = *p_settled;
  size_t p_2 = *p_2_settled;
  // kmeans<double> requires labels.size() == points.size(0) (codelets/kmeans.cpp:145:3)
  if (!(labels_size == points_size0))
    return 1;
  // kmeans<double> requires centroids.size(1) == points.size(1) (codelets/kmeans.cpp:146:3)
  if (!(centroids_size1 == points_size1))
    return 1;
  // kmeans<double> requires centroids.size(0) > 0 (codelets/kmeans.cpp:147:3)
  if (!(centroids_size0 > 0))
    return 1;
  if (p == 0)
    p = 64;
  if (!tangram_choose(points_size0, points_size1, centroids_size0, centroids_size1, labels_size, handle->largest_allocation, handle->all_memory, &p_2, 64))
    return 1;
  *p_settled = p;
  *p_2_settled = p_2;
  return CL_SUCCESS;
}

enum { TEMPORARIES = 4 };

static void bytes_of_temporaries(size_t points_size1, size_t centroids_size0, size_t p_2, size_t *bytes) {
  bytes[0] = max(p_2 * centroids_size0 * points_size1, 1) * sizeof(cl_double); // own
  bytes[1] = max(p_2 * centroids_size0, 1) * sizeof(cl_int); // own_counts
  bytes[2] = max(max(p_2 * (NUM_THREADS * centroids_size0 * points_size1), centroids_size0 * points_size1), 1) * sizeof(cl_double); // own_2
  bytes[3] = max(max(p_2 * (NUM_THREADS * centroids_size0), centroids_size0), 1) * sizeof(cl_int); // own_counts_2
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t next_start(const kmeans_double_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Enqueues the kernels.
static int launch_kernels(kmeans_double_handle *handle, cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0, cl_mem labels, size_t p, size_t p_2, const cl_mem *temporaries, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const cl_mem own = temporaries[0];
  const cl_mem own_counts = temporaries[1];
  const cl_mem own_2 = temporaries[2];
  const cl_mem own_counts_2 = temporaries[3];
  pthread_mutex_lock(&handle->lock);
  const struct kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_1;
    const cl_ulong points_size0_argument = points_size0;
    const cl_ulong points_size1_argument = points_size1;
    const cl_ulong centroids_size0_argument = centroids_size0;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof points, &points);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof centroids, &centroids);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof labels, &labels);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof points_size0_argument, &points_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof points_size1_argument, &points_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof centroids_size0_argument, &centroids_size0_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_2;
    const cl_ulong points_size0_argument = points_size0;
    const cl_ulong points_size1_argument = points_size1;
    const cl_ulong centroids_size0_argument = centroids_size0;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p_2) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof points, &points);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof labels, &labels);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof own_counts, &own_counts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof points_size0_argument, &points_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 7, sizeof points_size1_argument, &points_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 8, sizeof centroids_size0_argument, &centroids_size0_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_3;
    const cl_ulong points_size1_argument = points_size1;
    const cl_ulong centroids_size0_argument = centroids_size0;
    const cl_ulong p_2_argument = p_2;
    const size_t group_size = 1;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof points_size1_argument, &points_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof centroids_size0_argument, &centroids_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof p_2_argument, &p_2_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_4;
    const cl_ulong centroids_size0_argument = centroids_size0;
    const cl_ulong p_2_argument = p_2;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof own_counts, &own_counts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof centroids_size0_argument, &centroids_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof p_2_argument, &p_2_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_5;
    const cl_ulong points_size1_argument = points_size1;
    const cl_ulong centroids_size0_argument = centroids_size0;
    const size_t group_size = 1;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof centroids, &centroids);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof points_size1_argument, &points_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof centroids_size0_argument, &centroids_size0_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int kmeans_double_workspace_tuned(const kmeans_double_handle *handle, size_t points_size0, size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t p, size_t p_2, size_t *bytes) {
  const int status = tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1, labels_size, &p, &p_2);
  if (status != CL_SUCCESS)
    return status;
  size_t each[TEMPORARIES];
  bytes_of_temporaries(points_size1, centroids_size0, p_2, each);
  *bytes = 0;
  for (unsigned i = 0; i < TEMPORARIES; ++i)
    *bytes = next_start(handle, *bytes) + each[i];
  return CL_SUCCESS;
}

int kmeans_double_enqueue_tuned(kmeans_double_handle *handle, cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size, size_t p, size_t p_2, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  int status = tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1, labels_size, &p, &p_2);
  if (status != CL_SUCCESS)
    return status;
  size_t bytes[TEMPORARIES];
  bytes_of_temporaries(points_size1, centroids_size0, p_2, bytes);
  cl_mem temporaries[TEMPORARIES] = {NULL};
  cl_buffer_region region = {0, 0};
  for (unsigned i = 0; status == CL_SUCCESS && i < TEMPORARIES; ++i) {
    region.origin = next_start(handle, region.origin + region.size);
    region.size = bytes[i];
    temporaries[i] = clCreateSubBuffer(workspace, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
        &region, &status);
  }
  if (status == CL_SUCCESS)
    status = launch_kernels(handle, queue, points, points_size0, points_size1, centroids, centroids_size0, labels, p, p_2, temporaries, waits, wait_list, event);
  for (unsigned i = 0; i < TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  return status;
}

// Handles of the functions that take none, the latest first.
enum { CACHED = 4 };
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static kmeans_double_handle *handle_cache[CACHED];

static void give_back(kmeans_double_handle *handle) {
  pthread_mutex_lock(&cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&cache_lock);
  if (unused)
    kmeans_double_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int take_handle(cl_command_queue queue, kmeans_double_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  kmeans_double_handle *oldest = NULL;
  pthread_mutex_lock(&cache_lock);
  unsigned i = 0;
  while (i < CACHED && !(handle_cache[i] && handle_cache[i]->context == context && handle_cache[i]->device == device))
    ++i;
  kmeans_double_handle *found = i < CACHED ? handle_cache[i] : NULL;
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

int kmeans_double_tuned(cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size, size_t p, size_t p_2) {
  kmeans_double_handle *handle;
  int status = take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1, labels_size, &p, &p_2);
  cl_mem temporaries[TEMPORARIES] = {NULL};
  size_t bytes[TEMPORARIES];
  if (status == CL_SUCCESS)
    bytes_of_temporaries(points_size1, centroids_size0, p_2, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status = launch_kernels(handle, queue, points, points_size0, points_size1, centroids, centroids_size0, labels, p, p_2, temporaries, 0, NULL, NULL);
  for (unsigned i = 0; i < TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  give_back(handle);
  return status;
}

int kmeans_double_workspace(const kmeans_double_handle *handle, size_t points_size0, size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t *bytes) {
  return kmeans_double_workspace_tuned(handle, points_size0, points_size1, centroids_size0, centroids_size1, labels_size, 0, 0, bytes);
}

int kmeans_double_enqueue(kmeans_double_handle *handle, cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return kmeans_double_enqueue_tuned(handle, queue, points, points_size0, points_size1, centroids, centroids_size0, centroids_size1, labels, labels_size, 0, 0, workspace, waits, wait_list, event);
}

int kmeans_double(cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size) {
  return kmeans_double_tuned(queue, points, points_size0, points_size1, centroids, centroids_size0, centroids_size1, labels, labels_size, 0, 0);
}

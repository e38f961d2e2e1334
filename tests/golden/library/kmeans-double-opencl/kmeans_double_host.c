// Host code for the OpenCL kernels of kmeans_double, composed for simple-gpu:
//   select(iteration, G), S_G, regroup(gather_parts, G), distribute(B), S_B,
//   regroup(gather_parts, B), distribute(T), compute(gather#1, SE_T), distribute(T),
//   compute(merge#1, SE_T), distribute(T), compute(sum#1, SE_T), distribute(B),
//   compute(merge_lanes, VE_B), distribute(B), select(sum_reduce, B), S_B, regroup(strided, B),
//   distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B), distribute(B), S_B,
//   devolve(T), compute(move#1, SE_T)
#include "kmeans_double.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of kmeans_double, composed for simple-gpu:\n"
    "//   select(iteration, G), S_G, regroup(gather_parts, G), distribute(B), S_B,\n"
    "//   regroup(gather_parts, B), distribute(T), compute(gather#1, SE_T), distribute(T),\n"
    "//   compute(merge#1, SE_T), distribute(T), compute(sum#1, SE_T), distribute(B),\n"
    "//   compute(merge_lanes, VE_B), distribute(B), select(sum_reduce, B), S_B, regroup(strided, B),\n"
    "//   distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B), distribute(B), S_B,\n"
    "//   devolve(T), compute(move#1, SE_T)\n"
    "\n"
    "// What is decided by sums of products is decided as the codelets do.\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "\n"
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
    "int zero(void) {\n"
    "  return 0;\n"
    "}\n"
    "\n"
    "int plus(int a, int b) {\n"
    "  return (int)((uint)a + b);\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_1(__global const double *restrict points,\n"
    "                              __global const double *restrict centroids,\n"
    "                              __global int *restrict labels,\n"
    "                              __global double *restrict own,\n"
    "                              __global int *restrict own_counts,\n"
    "                              __global double *restrict own_2,\n"
    "                              __global int *restrict own_counts_2,\n"
    "                              index_t points_size0,\n"
    "                              index_t points_size1,\n"
    "                              index_t centroids_size0) {\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(gather_parts, G)\n"
    "  // distribute(B)\n"
    "  const index_t p = get_num_groups(0);\n"
    "  const index_t points_tile = (points_size0 + p - 1) / p;\n"
    "  const index_t block = get_group_id(0);\n"
    "  const index_t points_start = block * points_tile;\n"
    "  const index_t points_len = min(points_tile, points_size0 - min(points_start, points_size0));\n"
    "\n"
    "  // S_B, regroup(gather_parts, B)\n"
    "  const index_t points_tile_2 = (points_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const index_t points_start_2 = thread * points_tile_2;\n"
    "  const index_t points_len_2 = min(points_tile_2, points_len - min(points_start_2, points_len));\n"
    "\n"
    "  // compute(gather#1, SE_T)\n"
    "  for (index_t c = 0; c < centroids_size0; ++c) {\n"
    "    own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0 + c] = 0;\n"
    "    for (index_t d = 0; d < points_size1; ++d) {\n"
    "      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread\n"
    "          * (centroids_size0 * points_size1) + c * points_size1 + d] = 0.0;\n"
    "    }\n"
    "  }\n"
    "  for (index_t i = 0; i < points_len_2; ++i) {\n"
    "    index_t best = 0;\n"
    "    double least = 0.0;\n"
    "    for (index_t c = 0; c < centroids_size0; ++c) {\n"
    "      double distance = 0.0;\n"
    "      #pragma unroll 8\n"
    "      for (index_t d = 0; d < points_size1; ++d) {\n"
    "        const double difference = points[(points_start + points_start_2 + i) * points_size1 + d]\n"
    "            - centroids[c * points_size1 + d];\n"
    "        distance += difference * difference;\n"
    "      }\n"
    "      if (c == 0 || distance < least) {\n"
    "        least = distance;\n"
    "        best = c;\n"
    "      }\n"
    "    }\n"
    "    labels[points_start + points_start_2 + i] = (uint)best;\n"
    "    own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0 + best] += 1U;\n"
    "    #pragma unroll 8\n"
    "    for (index_t d = 0; d < points_size1; ++d) {\n"
    "      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread\n"
    "          * (centroids_size0 * points_size1) + best * points_size1 + d] +=\n"
    "          points[(points_start + points_start_2 + i) * points_size1 + d];\n"
    "    }\n"
    "  }\n"
    "\n"
    "  // distribute(T)\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  for (index_t thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {\n"
    "    // compute(merge#1, SE_T)\n"
    "    for (index_t d = 0; d < points_size1; ++d) {\n"
    "      double accum = 0.0;\n"
    "      #pragma unroll 16\n"
    "      for (index_t i = 0; i < NUM_THREADS; ++i) {\n"
    "        accum +=\n"
    "            own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + i\n"
    "            * (centroids_size0 * points_size1) + (index_t)(uint)thread_2 * points_size1 + d];\n"
    "      }\n"
    "      own[block * (centroids_size0 * points_size1) + thread_2 * points_size1 + d] = accum;\n"
    "    }\n"
    "  }\n"
    "\n"
    "  // distribute(T)\n"
    "  for (index_t thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {\n"
    "    // compute(sum#1, SE_T)\n"
    "    int accum = 0;\n"
    "    #pragma unroll 16\n"
    "    for (index_t i = 0; i < NUM_THREADS; ++i) {\n"
    "      accum +=\n"
    "          (uint)own_counts_2[block * (NUM_THREADS * centroids_size0) + i * centroids_size0\n"
    "          + thread_2];\n"
    "    }\n"
    "    own_counts[block * centroids_size0 + thread_2] = accum;\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_2(__global const double *restrict own,\n"
    "                              __global double *restrict own_2,\n"
    "                              index_t points_size1,\n"
    "                              index_t centroids_size0,\n"
    "                              index_t p) {\n"
    "  __local double partial[NUM_THREADS];\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    // compute(merge_lanes, VE_B)\n"
    "    for (index_t first = 0; first < points_size1; first += NUM_THREADS) {\n"
    "      double accum;\n"
    "      index_t d;\n"
    "      index_t row;\n"
    "      const index_t width = min(points_size1 - first, (index_t)NUM_THREADS);\n"
    "      const index_t rows = NUM_THREADS / width;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      row = thread / width;\n"
    "      d = first + thread % width;\n"
    "      accum = 0.0;\n"
    "      if (row < rows) {\n"
    "        #pragma unroll 16\n"
    "        for (index_t i = row; i < p; i += rows) {\n"
    "          accum +=\n"
    "              own[i * (centroids_size0 * points_size1) + (index_t)(uint)block * points_size1 + d];\n"
    "        }\n"
    "      }\n"
    "      partial[thread] = accum;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      if (row == 0) {\n"
    "        for (index_t next = 1; next < rows; ++next) {\n"
    "          accum += partial[next * width + thread];\n"
    "        }\n"
    "        own_2[block * points_size1 + d] = accum;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void kmeans_double_3(__global const int *restrict own_counts,\n"
    "                              __global int *restrict own_counts_2,\n"
    "                              index_t centroids_size0,\n"
    "                              index_t p) {\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "\n"
    "    // S_B, regroup(strided, B)\n"
    "    // distribute(T)\n"
    "    const index_t in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "    // compute(reduce#1, SE_T)\n"
    "    int accum = zero();\n"
    "    #pragma unroll 16\n"
    "    for (index_t i = 0; i < in_len; ++i) {\n"
    "      accum = plus(accum, own_counts[(thread + i * NUM_THREADS) * centroids_size0 + block]);\n"
    "    }\n"
    "    const int reduce_of_thread = accum;\n"
    "\n"
    "    // compute(tree, VE_B)\n"
    "    tmp[thread] = reduce_of_thread;\n"
    "    for (index_t s = 1; s < NUM_THREADS; s *= 2) {\n"
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
    "  }\n"
    "}\n"
    "\n"
    "__kernel void kmeans_double_4(__global double *restrict centroids,\n"
    "                              __global const double *restrict own_2,\n"
    "                              __global const int *restrict own_counts_2,\n"
    "                              index_t points_size1,\n"
    "                              index_t centroids_size0) {\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {\n"
    "    const int count = own_counts_2[block];\n"
    "\n"
    "    // S_B, devolve(T)\n"
    "    // compute(move#1, SE_T)\n"
    "    if (count > 0) {\n"
    "      #pragma unroll 16\n"
    "      for (index_t d = 0; d < points_size1; ++d) {\n"
    "        centroids[block * points_size1 + d] = own_2[block * points_size1 + d] / (double)count;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "kmeans_double_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel kmeans_double_1;
  cl_kernel kmeans_double_2;
  cl_kernel kmeans_double_3;
  cl_kernel kmeans_double_4;
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
  if (kernels->kmeans_double_1)
    clReleaseKernel(kernels->kmeans_double_1);
  if (kernels->kmeans_double_2)
    clReleaseKernel(kernels->kmeans_double_2);
  if (kernels->kmeans_double_3)
    clReleaseKernel(kernels->kmeans_double_3);
  if (kernels->kmeans_double_4)
    clReleaseKernel(kernels->kmeans_double_4);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const kmeans_double_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
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
  if (status == CL_SUCCESS && 1 > most_items)
    status = 1;
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && (NUM_THREADS) * sizeof(cl_double) > most_bytes)
    status = 1;
  if (status == CL_SUCCESS && (NUM_THREADS) * sizeof(cl_int) > most_bytes)
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
    kmeans_double_handle **handle) {
  *handle = NULL;
  kmeans_double_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
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
    status = tangram_build_kernels(made, TANGRAM_OPTIONS " -DNARROW_INDEXES", &made->kernels[1]);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].kmeans_double_1, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].kmeans_double_2, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].kmeans_double_3, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].kmeans_double_4, device, 1);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    kmeans_double_destroy(made);
  return status;
}

int kmeans_double_create(cl_context context, cl_device_id device, kmeans_double_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    kmeans_double_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void kmeans_double_destroy(kmeans_double_handle *handle) {
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

static double tangram_min_of(double a, double b) {
  return a < b ? a : b;
}

// Whether no index of a kernel needs more than 31 bits.
static bool tangram_is_narrow(double points_size0, double points_size1, double centroids_size0,
    double centroids_size1, double labels_size, double p) {
  const double limit = 2147483648.0;
  return points_size0 * points_size1 < limit
      && centroids_size0 * centroids_size1 < limit
      && labels_size < limit
      && p * (NUM_THREADS * centroids_size0 * points_size1) < limit
      && centroids_size0 * points_size1 < limit
      && p * (NUM_THREADS * centroids_size0) < limit
      && centroids_size0 < limit
      && points_size0 + p < limit
      && tangram_min_of((points_size0 + p) / p, points_size0) + NUM_THREADS < limit
      && centroids_size0 + 1 < limit
      && points_size1 + NUM_THREADS < limit
      && p + NUM_THREADS < limit
      && (p + NUM_THREADS) / NUM_THREADS + 1 < limit
      && 1 < limit
      && NUM_THREADS * 2 < limit;
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
static bool tangram_serves(size_t points_size0, size_t points_size1, size_t centroids_size0,
    size_t centroids_size1, size_t labels_size, size_t largest_allocation, size_t all_memory,
    size_t p) {
  // temporaries fit into the memory of the device
  const size_t points_bytes = (points_size0 * points_size1) * sizeof(cl_double);
  const size_t centroids_bytes = (centroids_size0 * centroids_size1) * sizeof(cl_double);
  const size_t labels_bytes = (labels_size) * sizeof(cl_int);
  const size_t own_bytes = (p * centroids_size0 * points_size1) * sizeof(cl_double);
  if (own_bytes > largest_allocation)
    return false;
  const size_t own_counts_bytes = (p * centroids_size0) * sizeof(cl_int);
  if (own_counts_bytes > largest_allocation)
    return false;
  const size_t own_2_bytes =
      (max(p * (NUM_THREADS * centroids_size0 * points_size1), centroids_size0 * points_size1))
      * sizeof(cl_double);
  if (own_2_bytes > largest_allocation)
    return false;
  const size_t own_counts_2_bytes = (max(p * (NUM_THREADS * centroids_size0), centroids_size0))
      * sizeof(cl_int);
  if (own_counts_2_bytes > largest_allocation)
    return false;
  if (points_bytes + centroids_bytes + labels_bytes + own_bytes + own_counts_bytes + own_2_bytes
      + own_counts_2_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t points_size0, size_t points_size1, size_t centroids_size0,
    size_t centroids_size1, size_t labels_size, size_t largest_allocation, size_t all_memory,
    size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 65535UL);
    if (p != 0
        && tangram_serves(points_size0, points_size1, centroids_size0, centroids_size1,
        labels_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(const kmeans_double_handle *handle, size_t points_size0,
    size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size,
    size_t *p_settled) {
  size_t p = *p_settled;
  // kmeans<double> requires labels.size() == points.size(0) (kmeans.cpp:308:3)
  if (!(labels_size == points_size0))
    return 1;
  // kmeans<double> requires centroids.size(1) == points.size(1) (kmeans.cpp:309:3)
  if (!(centroids_size1 == points_size1))
    return 1;
  // kmeans<double> requires centroids.size(0) > 0 (kmeans.cpp:310:3)
  if (!(centroids_size0 > 0))
    return 1;
  if (p > 65535)
    p = 65535;
  if (!tangram_choose(points_size0, points_size1, centroids_size0, centroids_size1, labels_size,
      handle->largest_allocation, handle->all_memory, &p, 64))
    return 1;
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
    status = kmeans_double_small_buffer;
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
  struct tangram_place places[3];
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
        return kmeans_double_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem points, size_t points_size0, size_t points_size1,
    cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels,
    size_t labels_size) {
  const struct tangram_container containers[] = {
      {points, (double)points_size0 * (double)points_size1, sizeof(cl_double), false},
      {centroids, (double)centroids_size0 * (double)centroids_size1, sizeof(cl_double), true},
      {labels, (double)labels_size, sizeof(cl_int), true}};
  return tangram_check_containers(containers, 3);
}

enum { TANGRAM_TEMPORARIES = 4 };

static void tangram_bytes_of_temporaries(size_t points_size1, size_t centroids_size0, size_t p,
    size_t *bytes) {
  bytes[0] = max(p * centroids_size0 * points_size1, 1) * sizeof(cl_double); // own
  bytes[1] = max(p * centroids_size0, 1) * sizeof(cl_int); // own_counts
  bytes[2] =
      max(max(p * (NUM_THREADS * centroids_size0 * points_size1), centroids_size0 * points_size1),
      1) * sizeof(cl_double); // own_2
  bytes[3] = max(max(p * (NUM_THREADS * centroids_size0), centroids_size0), 1) * sizeof(cl_int); // own_counts_2
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t tangram_next_start(const kmeans_double_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Enqueues the kernels.
static int tangram_launch_kernels(kmeans_double_handle *handle, cl_command_queue queue,
    cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids,
    size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size, size_t p,
    const cl_mem *temporaries, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const cl_mem own = temporaries[0];
  const cl_mem own_counts = temporaries[1];
  const cl_mem own_2 = temporaries[2];
  const cl_mem own_counts_2 = temporaries[3];
  const bool narrow =
      tangram_is_narrow((double)points_size0, (double)points_size1, (double)centroids_size0,
      (double)centroids_size1, (double)labels_size, (double)p);
  pthread_mutex_lock(&handle->lock);
  struct tangram_kernels *const kernels = &handle->kernels[narrow];
  int status = CL_SUCCESS;
  if (!kernels->program)
    status = tangram_build_kernels(handle, TANGRAM_OPTIONS, kernels);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_1;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof points, &points);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof centroids, &centroids);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof labels, &labels);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof own_counts, &own_counts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 7, points_size0, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 8, points_size1, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 9, centroids_size0, narrow);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_2;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 2, points_size1, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 3, centroids_size0, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 4, p, narrow);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_3;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof own_counts, &own_counts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 2, centroids_size0, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 3, p, narrow);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->kmeans_double_4;
    const size_t group_size = 1;
    const size_t items = (min(max(centroids_size0, 1), 65535)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof centroids, &centroids);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own_2, &own_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof own_counts_2, &own_counts_2);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 3, points_size1, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 4, centroids_size0, narrow);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int kmeans_double_workspace_tuned(const kmeans_double_handle *handle, size_t points_size0,
    size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size,
    size_t p, size_t *bytes) {
  const int status =
      tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1,
      labels_size, &p);
  if (status != CL_SUCCESS)
    return status;
  size_t each[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(points_size1, centroids_size0, p, each);
  *bytes = 0;
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i)
    *bytes = tangram_next_start(handle, *bytes) + each[i];
  return CL_SUCCESS;
}

int kmeans_double_enqueue_tuned(kmeans_double_handle *handle, cl_command_queue queue,
    cl_mem points, size_t points_size0, size_t points_size1, cl_mem centroids,
    size_t centroids_size0, size_t centroids_size1, cl_mem labels, size_t labels_size, size_t p,
    cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  int status =
      tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1,
      labels_size, &p);
  if (status == CL_SUCCESS)
    status =
        tangram_check_call(points, points_size0, points_size1, centroids, centroids_size0,
        centroids_size1, labels, labels_size);
  if (status != CL_SUCCESS)
    return status;
  size_t bytes[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(points_size1, centroids_size0, p, bytes);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  cl_buffer_region region = {0, 0};
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i) {
    region.origin = tangram_next_start(handle, region.origin + region.size);
    region.size = bytes[i];
    temporaries[i] = clCreateSubBuffer(workspace, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
        &region, &status);
  }
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, points, points_size0, points_size1, centroids,
        centroids_size0, centroids_size1, labels, labels_size, p, temporaries, waits, wait_list,
        event);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  return status;
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static kmeans_double_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(kmeans_double_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    kmeans_double_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, kmeans_double_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  kmeans_double_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  kmeans_double_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int kmeans_double_tuned(cl_command_queue queue, cl_mem points, size_t points_size0,
    size_t points_size1, cl_mem centroids, size_t centroids_size0, size_t centroids_size1,
    cl_mem labels, size_t labels_size, size_t p) {
  kmeans_double_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status =
      tangram_settle(handle, points_size0, points_size1, centroids_size0, centroids_size1,
      labels_size, &p);
  if (status == CL_SUCCESS)
    status =
        tangram_check_call(points, points_size0, points_size1, centroids, centroids_size0,
        centroids_size1, labels, labels_size);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  size_t bytes[TANGRAM_TEMPORARIES];
  if (status == CL_SUCCESS)
    tangram_bytes_of_temporaries(points_size1, centroids_size0, p, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, points, points_size0, points_size1, centroids,
        centroids_size0, centroids_size1, labels, labels_size, p, temporaries, 0, NULL, NULL);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  tangram_give_back(handle);
  return status;
}

int kmeans_double_workspace(const kmeans_double_handle *handle, size_t points_size0,
    size_t points_size1, size_t centroids_size0, size_t centroids_size1, size_t labels_size,
    size_t *bytes) {
  return kmeans_double_workspace_tuned(handle, points_size0, points_size1, centroids_size0,
      centroids_size1, labels_size, 0, bytes);
}

int kmeans_double_enqueue(kmeans_double_handle *handle, cl_command_queue queue, cl_mem points,
    size_t points_size0, size_t points_size1, cl_mem centroids, size_t centroids_size0,
    size_t centroids_size1, cl_mem labels, size_t labels_size, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  return kmeans_double_enqueue_tuned(handle, queue, points, points_size0, points_size1, centroids,
      centroids_size0, centroids_size1, labels, labels_size, 0, workspace, waits, wait_list, event);
}

int kmeans_double(cl_command_queue queue, cl_mem points, size_t points_size0, size_t points_size1,
    cl_mem centroids, size_t centroids_size0, size_t centroids_size1, cl_mem labels,
    size_t labels_size) {
  return kmeans_double_tuned(queue, points, points_size0, points_size1, centroids, centroids_size0,
      centroids_size1, labels, labels_size, 0);
}

const char *kmeans_double_message(int status) {
  switch (status) {
  case kmeans_double_ok:
    return "success";
  case kmeans_double_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case kmeans_double_overlap:
    return "a container that is written shares memory with another one";
  case kmeans_double_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case kmeans_double_bad_data:
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

// Host code for the OpenCL kernels of histogram, composed for simple-gpu:
//   S_G, regroup(privatized, G), distribute(B), compute(count_lanes, VE_B), distribute(B),
//   select(plus_sum_reduce, B), select(sum_reduce, B), S_B, regroup(strided, B), distribute(T),
//   compute(reduce#1, SE_T), compute(tree, VE_B)
#include "histogram.h"

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
    "// OpenCL kernels of histogram, composed for simple-gpu:\n"
    "//   S_G, regroup(privatized, G), distribute(B), compute(count_lanes, VE_B), distribute(B),\n"
    "//   select(plus_sum_reduce, B), select(sum_reduce, B), S_B, regroup(strided, B), distribute(T),\n"
    "//   compute(reduce#1, SE_T), compute(tree, VE_B)\n"
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
    "__kernel void histogram_1(__global const int *restrict in,\n"
    "                          __global int *restrict own,\n"
    "                          ulong in_size,\n"
    "                          ulong bins_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(privatized, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong in_tile = (in_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * in_tile;\n"
    "  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));\n"
    "\n"
    "  // compute(count_lanes, VE_B)\n"
    "  for (ulong b = thread; b < bins_size; b += NUM_THREADS) {\n"
    "    own[block * bins_size + b] = 0;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  ulong i = thread;\n"
    "  for (; i + 7 * NUM_THREADS < in_len; i += 8 * NUM_THREADS) {\n"
    "    int ahead[8];\n"
    "    UNROLL(8)\n"
    "    for (ulong u = 0; u < 8; ++u) {\n"
    "      ahead[u] = in[in_start + (i + u * NUM_THREADS)];\n"
    "    }\n"
    "    UNROLL(8)\n"
    "    for (ulong u = 0; u < 8; ++u) {\n"
    "      atomic_add(&own[block * bins_size + (ulong)ahead[u]], 1);\n"
    "    }\n"
    "  }\n"
    "  for (; i < in_len; i += NUM_THREADS) {\n"
    "    atomic_add(&own[block * bins_size + (ulong)in[in_start + i]], 1);\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void histogram_2(__global int *restrict bins,\n"
    "                          __global const int *restrict own,\n"
    "                          ulong bins_size,\n"
    "                          ulong p) {\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < bins_size; block += get_num_groups(0)) {\n"
    "    const int start = bins[block];\n"
    "\n"
    "    // S_B, regroup(strided, B)\n"
    "    // distribute(T)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "    // compute(reduce#1, SE_T)\n"
    "    int accum = zero();\n"
    "    UNROLL(16)\n"
    "    for (ulong i = 0; i < in_len; ++i) {\n"
    "      accum = plus(accum, own[(thread + i * NUM_THREADS) * bins_size + block]);\n"
    "    }\n"
    "    const int reduce_of_thread = accum;\n"
    "\n"
    "    // compute(tree, VE_B)\n"
    "    tmp[thread] = reduce_of_thread;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      int tmp_read;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? plus(tmp[thread - s], tmp[thread]) : 0;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] = tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const int sum_result = tmp[NUM_THREADS - 1];\n"
    "    if (thread == 0) {\n"
    "      bins[block] = start + sum_result;\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TEXT(NUM_THREADS)

// The program for one context, built on first use. Not for several threads at once.
static cl_program program_of(cl_context context, cl_device_id device) {
  static cl_context built_for;
  static cl_device_id built_on;
  static cl_program program;
  if (program && built_for == context && built_on == device)
    return program;
  cl_int status = CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  if (status != CL_SUCCESS)
    return NULL;
  if (clBuildProgram(made, 1, &device, OPTIONS, NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(made);
    return NULL;
  }
  if (program)
    clReleaseProgram(program);
  built_for = context;
  built_on = device;
  return program = made;
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
static bool tangram_serves(size_t in_size, size_t bins_size, size_t largest_allocation, size_t all_memory, size_t p) {
  // temporaries fit into the memory of the device
  const size_t in_bytes = (in_size) * sizeof(cl_int);
  const size_t bins_bytes = (bins_size) * sizeof(cl_int);
  const size_t own_bytes = (p * bins_size) * sizeof(cl_int);
  if (own_bytes > largest_allocation)
    return false;
  if (in_bytes + bins_bytes + own_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t in_size, size_t bins_size, size_t largest_allocation, size_t all_memory, size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 65535UL);
    if (p != 0 && tangram_serves(in_size, bins_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int histogram_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem bins, size_t bins_size, size_t p) {
  cl_context context;
  cl_device_id device;
  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  cl_ulong largest_allocation = 0;
  status = clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest_allocation, &largest_allocation, NULL);
  if (status != CL_SUCCESS)
    return status;
  cl_ulong all_memory = 0;
  status = clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all_memory, &all_memory, NULL);
  if (status != CL_SUCCESS)
    return status;
  if (!tangram_choose(in_size, bins_size, largest_allocation, all_memory, &p, 64))
    return 1;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  cl_mem own = NULL;
  if (status == CL_SUCCESS)
    own = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p * bins_size, 1) * sizeof(cl_int), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "histogram_1", &status);
    const cl_ulong in_size_argument = in_size;
    const cl_ulong bins_size_argument = bins_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof bins_size_argument, &bins_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "histogram_2", &status);
    const cl_ulong bins_size_argument = bins_size;
    const cl_ulong p_argument = p;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max(bins_size, 1), 65535)) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof bins, &bins);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof own, &own);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof bins_size_argument, &bins_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (own)
    clReleaseMemObject(own);
  return status;
}

int histogram(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem bins, size_t bins_size) {
  return histogram_tuned(queue, in, in_size, bins, bins_size, 0);
}

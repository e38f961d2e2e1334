// Host code for the OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(stride_tiled, T), distribute(V),
//   S_V, regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),
//   compute(kog, VE_T), S_P, devolve(T), S_T, regroup(stride_tiled, T), distribute(V), S_V,
//   regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),
//   compute(kog, VE_T)
#include "sum.h"

#include <stdbool.h>
#include <stdlib.h>

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// chains in a lane
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of sum, composed for cpu:\n"
    "//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(stride_tiled, T), distribute(V),\n"
    "//   S_V, regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),\n"
    "//   compute(kog, VE_T), S_P, devolve(T), S_T, regroup(stride_tiled, T), distribute(V), S_V,\n"
    "//   regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),\n"
    "//   compute(kog, VE_T)\n"
    "\n"
    "// lanes in a thread\n"
    "#ifndef NUM_LANES\n"
    "#define NUM_LANES 16\n"
    "#endif\n"
    "// chains in a lane\n"
    "#ifndef NUM_CHAINS\n"
    "#define NUM_CHAINS 4\n"
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
    "__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))\n"
    "__kernel void sum_1(__global const int *restrict in,\n"
    "                    __global int *restrict sum_of_thread,\n"
    "                    ulong in_size) {\n"
    "  __local int tmp[NUM_LANES];\n"
    "  const ulong lane = get_local_id(0);\n"
    "\n"
    "  // S_P, regroup(asso_tiled, P)\n"
    "  // distribute(T)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (in_size + p - 1) / p;\n"
    "  const ulong thread = get_group_id(0);\n"
    "  const ulong in_start = thread * tile;\n"
    "  const ulong in_len = min(tile, in_size - min(in_start, in_size));\n"
    "\n"
    "  // S_T, regroup(stride_tiled, T)\n"
    "  // distribute(V)\n"
    "  const ulong in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;\n"
    "\n"
    "  // S_V, regroup(stride_tiled, V)\n"
    "  int sum_of_chain[NUM_CHAINS];\n"
    "\n"
    "  // distribute(I)\n"
    "  int accum[NUM_CHAINS];\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    // compute(sum#1, SE_I)\n"
    "    accum[chain] = 0;\n"
    "  }\n"
    "  const ulong common = in_len_2 / NUM_CHAINS;\n"
    "  UNROLL(4)\n"
    "  for (ulong i = 0; i < common; ++i) {\n"
    "    #pragma unroll\n"
    "    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "      accum[chain] += in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];\n"
    "    }\n"
    "  }\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    for (ulong i = common; i < (in_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {\n"
    "      accum[chain] += in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];\n"
    "    }\n"
    "    sum_of_chain[chain] = accum[chain];\n"
    "  }\n"
    "\n"
    "  // compute(sum#1, SE_V)\n"
    "  int accum_2 = 0;\n"
    "  for (ulong i = 0; i < NUM_CHAINS; ++i) {\n"
    "    accum_2 += sum_of_chain[i];\n"
    "  }\n"
    "  const int sum_of_lane = accum_2;\n"
    "\n"
    "  // compute(kog, VE_T)\n"
    "  tmp[lane] = sum_of_lane;\n"
    "  for (ulong s = 1; s < NUM_LANES; s *= 2) {\n"
    "    int tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read = lane >= s ? tmp[lane - s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane >= s) {\n"
    "      tmp[lane] += tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane == 0) {\n"
    "    sum_of_thread[thread] = tmp[NUM_LANES - 1];\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))\n"
    "__kernel void sum_2(__global int *restrict result,\n"
    "                    __global const int *restrict sum_of_thread,\n"
    "                    ulong p) {\n"
    "  __local int tmp[NUM_LANES];\n"
    "  const ulong lane = get_local_id(0);\n"
    "\n"
    "  // S_P, devolve(T)\n"
    "  // S_T, regroup(stride_tiled, T)\n"
    "  // distribute(V)\n"
    "  const ulong in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;\n"
    "\n"
    "  // S_V, regroup(stride_tiled, V)\n"
    "  int sum_of_chain[NUM_CHAINS];\n"
    "\n"
    "  // distribute(I)\n"
    "  int accum[NUM_CHAINS];\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    // compute(sum#1, SE_I)\n"
    "    accum[chain] = 0;\n"
    "  }\n"
    "  const ulong common = in_len / NUM_CHAINS;\n"
    "  UNROLL(4)\n"
    "  for (ulong i = 0; i < common; ++i) {\n"
    "    #pragma unroll\n"
    "    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "      accum[chain] += sum_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];\n"
    "    }\n"
    "  }\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    for (ulong i = common; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {\n"
    "      accum[chain] += sum_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];\n"
    "    }\n"
    "    sum_of_chain[chain] = accum[chain];\n"
    "  }\n"
    "\n"
    "  // compute(sum#1, SE_V)\n"
    "  int accum_2 = 0;\n"
    "  for (ulong i = 0; i < NUM_CHAINS; ++i) {\n"
    "    accum_2 += sum_of_chain[i];\n"
    "  }\n"
    "  const int sum_of_lane = accum_2;\n"
    "\n"
    "  // compute(kog, VE_T)\n"
    "  tmp[lane] = sum_of_lane;\n"
    "  for (ulong s = 1; s < NUM_LANES; s *= 2) {\n"
    "    int tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read = lane >= s ? tmp[lane - s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane >= s) {\n"
    "      tmp[lane] += tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane == 0) {\n"
    "    result[0] = tmp[NUM_LANES - 1];\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DNUM_LANES=" TEXT(NUM_LANES) " -DNUM_CHAINS=" TEXT(NUM_CHAINS)

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
static bool tangram_serves(size_t in_size, size_t largest_allocation, size_t all_memory, size_t p) {
  // temporaries fit into the memory of the device
  const size_t in_bytes = (in_size) * sizeof(cl_int);
  const size_t result_bytes = (1) * sizeof(cl_int);
  const size_t sum_of_thread_bytes = (p) * sizeof(cl_int);
  if (sum_of_thread_bytes > largest_allocation)
    return false;
  if (in_bytes + result_bytes + sum_of_thread_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t in_size, size_t largest_allocation, size_t all_memory, size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 4096UL);
    if (p != 0 && tangram_serves(in_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int sum_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, size_t p) {
  cl_context context;
  cl_device_id device;
  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  cl_uint threads = 0;
  status = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof threads, &threads, NULL);
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
  if (!tangram_choose(in_size, largest_allocation, all_memory, &p, threads))
    return 1;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  cl_mem sum_of_thread = NULL;
  if (status == CL_SUCCESS)
    sum_of_thread = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p, 1) * sizeof(cl_int), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "sum_1", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_LANES;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof sum_of_thread, &sum_of_thread);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "sum_2", &status);
    const cl_ulong p_argument = p;
    const size_t group_size = NUM_LANES;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof sum_of_thread, &sum_of_thread);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (sum_of_thread)
    clReleaseMemObject(sum_of_thread);
  return status;
}

int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result) {
  return sum_tuned(queue, in, in_size, result, 0);
}

// Host code for the OpenCL kernels of compact_int, composed for simple-gpu:
//   S_G, regroup(two_passes, G), distribute(B), compute(kept_lanes, VE_B), S_G, devolve(B),
//   compute(starts_lanes, VE_B), S_G, regroup(two_passes, G), distribute(B), S_B,
//   regroup(pack_tiles, B), distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B),
//   S_B, regroup(pack_tiles, B), distribute(T), compute(pack#1, SE_T)
#include "compact_int.h"

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
    "// OpenCL kernels of compact_int, composed for simple-gpu:\n"
    "//   S_G, regroup(two_passes, G), distribute(B), compute(kept_lanes, VE_B), S_G, devolve(B),\n"
    "//   compute(starts_lanes, VE_B), S_G, regroup(two_passes, G), distribute(B), S_B,\n"
    "//   regroup(pack_tiles, B), distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B),\n"
    "//   S_B, regroup(pack_tiles, B), distribute(T), compute(pack#1, SE_T)\n"
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
    "bool keep(int x) {\n"
    "  return x > 0;\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void compact_int_1(__global const int *restrict in,\n"
    "                            __global uint *restrict kept_of_block,\n"
    "                            ulong in_size) {\n"
    "  __local uint tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(two_passes, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong in_tile = (in_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * in_tile;\n"
    "  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));\n"
    "\n"
    "  // compute(kept_lanes, VE_B)\n"
    "  uint own = 0U;\n"
    "  UNROLL(16)\n"
    "  for (ulong round = 0; round < (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS; ++round) {\n"
    "    const ulong i = thread + round * NUM_THREADS;\n"
    "    own += keep(in[in_start + i]) ? 1 : 0;\n"
    "  }\n"
    "  tmp[thread] = own;\n"
    "  for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "    uint tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read = thread >= s ? tmp[thread - s] : 0U;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (thread >= s) {\n"
    "      tmp[thread] += tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    kept_of_block[block] = tmp[NUM_THREADS - 1];\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void compact_int_2(__global const uint *restrict kept_of_block,\n"
    "                            __global uint *restrict starts,\n"
    "                            ulong p) {\n"
    "  __local uint tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, devolve(B)\n"
    "  // compute(starts_lanes, VE_B)\n"
    "  uint before = 0U;\n"
    "  uint tmp_read;\n"
    "  for (ulong first = 0; first < p; first += NUM_THREADS) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    tmp[thread] = first + thread < p ? kept_of_block[first + thread] : 0U;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? tmp[thread - s] : 0U;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] += tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (first + thread < p) {\n"
    "      starts[first + thread] = before + (thread > 0 ? tmp[thread - 1] : 0U);\n"
    "    }\n"
    "    before += tmp[NUM_THREADS - 1];\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    starts[p] = before;\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void compact_int_3(__global const int *restrict in,\n"
    "                            __global int *restrict out,\n"
    "                            __global const uint *restrict starts,\n"
    "                            ulong in_size) {\n"
    "  __local uint kept_of_thread[NUM_THREADS];\n"
    "  __local uint starts_2[NUM_THREADS + 1];\n"
    "  __local uint tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(two_passes, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong in_tile = (in_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * in_tile;\n"
    "  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));\n"
    "  const ulong out_start = (ulong)starts[block];\n"
    "  const ulong out_len = max(min((ulong)starts[1 + block], in_size), out_start) - out_start;\n"
    "\n"
    "  // S_B, regroup(pack_tiles, B)\n"
    "  const ulong in_tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong in_start_2 = thread * in_tile_2;\n"
    "  const ulong in_len_2 = min(in_tile_2, in_len - min(in_start_2, in_len));\n"
    "\n"
    "  // compute(kept#1, SE_T)\n"
    "  uint count = 0U;\n"
    "  UNROLL(16)\n"
    "  for (ulong i = 0; i < in_len_2; ++i) {\n"
    "    count += keep(in[in_start + in_start_2 + i]) ? 1 : 0;\n"
    "  }\n"
    "  kept_of_thread[thread] = count;\n"
    "\n"
    "  // compute(starts_lanes, VE_B)\n"
    "  uint before = 0U;\n"
    "  uint tmp_read;\n"
    "  for (ulong first = 0; first < NUM_THREADS; first += NUM_THREADS) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp[thread] = first + thread < NUM_THREADS ? kept_of_thread[first + thread] : 0U;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? tmp[thread - s] : 0U;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] += tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (first + thread < NUM_THREADS) {\n"
    "      starts_2[first + thread] = before + (thread > 0 ? tmp[thread - 1] : 0U);\n"
    "    }\n"
    "    before += tmp[NUM_THREADS - 1];\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    starts_2[NUM_THREADS] = before;\n"
    "  }\n"
    "\n"
    "  // S_B, regroup(pack_tiles, B)\n"
    "  // distribute(T)\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const ulong in_start_3 = thread * in_tile_2;\n"
    "  const ulong in_len_3 = min(in_tile_2, in_len - min(in_start_3, in_len));\n"
    "  const ulong out_start_2 = (ulong)starts_2[thread];\n"
    "  const ulong out_len_2 = max(min((ulong)starts_2[1 + thread], out_len), out_start_2) - out_start_2;\n"
    "\n"
    "  // compute(pack#1, SE_T)\n"
    "  ulong at = 0;\n"
    "  UNROLL(16)\n"
    "  for (ulong i = 0; i < in_len_3; ++i) {\n"
    "    if (keep(in[in_start + in_start_3 + i]) && at < out_len_2) {\n"
    "      out[out_start + out_start_2 + at] = in[in_start + in_start_3 + i];\n"
    "      ++at;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void compact_int_4(__global uint *restrict result,\n"
    "                            __global const uint *restrict starts,\n"
    "                            ulong p) {\n"
    "  result[0] = starts[p];\n"
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
static bool tangram_serves(size_t in_size, size_t out_size, size_t largest_allocation, size_t all_memory, size_t p) {
  // temporaries fit into the memory of the device
  const size_t in_bytes = (in_size) * sizeof(cl_int);
  const size_t out_bytes = (out_size) * sizeof(cl_int);
  const size_t result_bytes = (1) * sizeof(cl_uint);
  const size_t kept_of_block_bytes = (p) * sizeof(cl_uint);
  if (kept_of_block_bytes > largest_allocation)
    return false;
  const size_t starts_bytes = (p + 1) * sizeof(cl_uint);
  if (starts_bytes > largest_allocation)
    return false;
  if (in_bytes + out_bytes + result_bytes + kept_of_block_bytes + starts_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t in_size, size_t out_size, size_t largest_allocation, size_t all_memory, size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 65535UL);
    if (p != 0 && tangram_serves(in_size, out_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int compact_int_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size, cl_mem result, size_t p) {
  // compact<int> requires out.size() == in.size() (codelets/compact.cpp:108:3)
  if (!(out_size == in_size))
    return 1;
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
  if (!tangram_choose(in_size, out_size, largest_allocation, all_memory, &p, 64))
    return 1;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  cl_mem kept_of_block = NULL;
  if (status == CL_SUCCESS)
    kept_of_block = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p, 1) * sizeof(cl_uint), NULL, &status);
  cl_mem starts = NULL;
  if (status == CL_SUCCESS)
    starts = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p + 1, 1) * sizeof(cl_uint), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "compact_int_1", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof kept_of_block, &kept_of_block);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "compact_int_2", &status);
    const cl_ulong p_argument = p;
    const size_t group_size = NUM_THREADS;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof kept_of_block, &kept_of_block);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof starts, &starts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "compact_int_3", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof starts, &starts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "compact_int_4", &status);
    const cl_ulong p_argument = p;
    const size_t group_size = 1;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof starts, &starts);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (kept_of_block)
    clReleaseMemObject(kept_of_block);
  if (starts)
    clReleaseMemObject(starts);
  return status;
}

int compact_int(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size, cl_mem result) {
  return compact_int_tuned(queue, in, in_size, out, out_size, result, 0);
}

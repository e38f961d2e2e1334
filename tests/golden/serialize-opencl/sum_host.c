// Host code for the OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(asso_tiled, T), serialize(T),
//   compute(kog, VE_T), compute(kog, VE_T), S_P, devolve(T), compute(kog, VE_T)
#include "sum.h"

#include <stdbool.h>
#include <stdlib.h>

// parts of asso_tiled done one after the other
#ifndef ASSO_TILED_P
#define ASSO_TILED_P 4
#endif
// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of sum, composed for cpu:\n"
    "//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(asso_tiled, T), serialize(T),\n"
    "//   compute(kog, VE_T), compute(kog, VE_T), S_P, devolve(T), compute(kog, VE_T)\n"
    "\n"
    "// parts of asso_tiled done one after the other\n"
    "#ifndef ASSO_TILED_P\n"
    "#define ASSO_TILED_P 4\n"
    "#endif\n"
    "// lanes in a thread\n"
    "#ifndef NUM_LANES\n"
    "#define NUM_LANES 16\n"
    "#endif\n"
    "\n"
    "// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#else\n"
    "#define POCL_BARRIER()\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))\n"
    "__kernel void sum_1(__global const int *restrict in,\n"
    "                    __global int *restrict sum_of_thread,\n"
    "                    ulong in_size) {\n"
    "  __local int sum_of_thread_2[ASSO_TILED_P];\n"
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
    "  const ulong tile_2 = (in_len + ASSO_TILED_P - 1) / ASSO_TILED_P;\n"
    "\n"
    "  // S_T, regroup(asso_tiled, T)\n"
    "  // serialize(T)\n"
    "  int tmp_read;\n"
    "  for (ulong part = 0; part < ASSO_TILED_P; ++part) {\n"
    "    const ulong in_start_2 = part * tile_2;\n"
    "    const ulong in_len_2 = min(tile_2, in_len - min(in_start_2, in_len));\n"
    "\n"
    "    // compute(kog, VE_T)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp[lane] = lane < in_len_2 ? in[in_start + in_start_2 + lane] : 0;\n"
    "    for (ulong s = 1; s < NUM_LANES; s *= 2) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      tmp_read = lane >= s ? tmp[lane - s] : 0;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      if (lane >= s) {\n"
    "        tmp[lane] += tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane == 0) {\n"
    "      sum_of_thread_2[part] = tmp[NUM_LANES - 1];\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "\n"
    "  // compute(kog, VE_T)\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  tmp[lane] = lane < ASSO_TILED_P ? sum_of_thread_2[lane] : 0;\n"
    "  for (ulong s = 1; s < NUM_LANES; s *= 2) {\n"
    "    int tmp_read_2;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read_2 = lane >= s ? tmp[lane - s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane >= s) {\n"
    "      tmp[lane] += tmp_read_2;\n"
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
    "  // compute(kog, VE_T)\n"
    "  tmp[lane] = lane < p ? sum_of_thread[lane] : 0;\n"
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

#define OPTIONS "-cl-std=CL1.2" " -DASSO_TILED_P=" TEXT(ASSO_TILED_P) " -DNUM_LANES=" TEXT(NUM_LANES)

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
  // kog at level T requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(((in_size + p - 1) / p + ASSO_TILED_P - 1) / ASSO_TILED_P <= NUM_LANES))
    return false;
  // kog at level T requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(p <= NUM_LANES))
    return false;
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
  const size_t p_first[] = {p_default, ASSO_TILED_P, NUM_LANES, (in_size + ASSO_TILED_P - 1) / ASSO_TILED_P, (in_size + NUM_LANES - 1) / NUM_LANES, in_size};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 72); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 6, 1UL, 4096UL);
    if (p != 0 && tangram_serves(in_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int sum_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, size_t p) {
  // kog at level T requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(ASSO_TILED_P <= NUM_LANES))
    return 1;
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

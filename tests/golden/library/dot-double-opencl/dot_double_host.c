// Host code for the OpenCL kernels of dot_double, composed for simple-gpu:
//   S_G, regroup(dot_tiled, G), distribute(B), S_B, regroup(dot_strided, B), distribute(T),
//   compute(dot#1, SE_T), S_B, devolve(T), compute(sum#1, SE_T), S_G, devolve(B),
//   select(sum_reduce, B), S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T),
//   compute(tree, VE_B)
#include "dot_double.h"

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
    "// OpenCL kernels of dot_double, composed for simple-gpu:\n"
    "//   S_G, regroup(dot_tiled, G), distribute(B), S_B, regroup(dot_strided, B), distribute(T),\n"
    "//   compute(dot#1, SE_T), S_B, devolve(T), compute(sum#1, SE_T), S_G, devolve(B),\n"
    "//   select(sum_reduce, B), S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T),\n"
    "//   compute(tree, VE_B)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
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
    "double zero_3(void) {\n"
    "  return 0.0;\n"
    "}\n"
    "\n"
    "double plus_3(double a, double b) {\n"
    "  return a + b;\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void dot_double_1(__global const double *restrict a,\n"
    "                           __global const double *restrict b,\n"
    "                           __global double *restrict dot_of_block,\n"
    "                           ulong a_size) {\n"
    "  __local double dot_of_thread[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(dot_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong a_tile = (a_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong a_start = block * a_tile;\n"
    "  const ulong a_len = min(a_tile, a_size - min(a_start, a_size));\n"
    "\n"
    "  // S_B, regroup(dot_strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong a_len_2 = (a_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(dot#1, SE_T)\n"
    "  double accum = 0.0;\n"
    "  UNROLL(8)\n"
    "  for (ulong i = 0; i < a_len_2; ++i) {\n"
    "    accum += a[a_start + thread + i * NUM_THREADS] * b[a_start + thread + i * NUM_THREADS];\n"
    "  }\n"
    "  dot_of_thread[thread] = accum;\n"
    "\n"
    "  // S_B, devolve(T)\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    // compute(sum#1, SE_T)\n"
    "    double accum_2 = 0.0;\n"
    "    for (ulong i = 0; i < NUM_THREADS; ++i) {\n"
    "      accum_2 += dot_of_thread[i];\n"
    "    }\n"
    "    dot_of_block[block] = accum_2;\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void dot_double_2(__global double *restrict result,\n"
    "                           __global const double *restrict dot_of_block,\n"
    "                           ulong p) {\n"
    "  __local double tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, devolve(B)\n"
    "  // S_B, regroup(strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(reduce#1, SE_T)\n"
    "  double accum = zero_3();\n"
    "  UNROLL(16)\n"
    "  for (ulong i = 0; i < in_len; ++i) {\n"
    "    accum = plus_3(accum, dot_of_block[thread + i * NUM_THREADS]);\n"
    "  }\n"
    "  const double reduce_of_thread = accum;\n"
    "\n"
    "  // compute(tree, VE_B)\n"
    "  tmp[thread] = reduce_of_thread;\n"
    "  for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "    double tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read = thread >= s ? plus_3(tmp[thread - s], tmp[thread]) : 0.0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (thread >= s) {\n"
    "      tmp[thread] = tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    result[0] = tmp[NUM_THREADS - 1];\n"
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
static bool tangram_serves(size_t a_size, size_t b_size, size_t largest_allocation, size_t all_memory, size_t p) {
  // temporaries fit into the memory of the device
  const size_t a_bytes = (a_size) * sizeof(cl_double);
  const size_t b_bytes = (b_size) * sizeof(cl_double);
  const size_t result_bytes = (1) * sizeof(cl_double);
  const size_t dot_of_block_bytes = (p) * sizeof(cl_double);
  if (dot_of_block_bytes > largest_allocation)
    return false;
  if (a_bytes + b_bytes + result_bytes + dot_of_block_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t a_size, size_t b_size, size_t largest_allocation, size_t all_memory, size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 65535UL);
    if (p != 0 && tangram_serves(a_size, b_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int dot_double_tuned(cl_command_queue queue, cl_mem a, size_t a_size, cl_mem b, size_t b_size, cl_mem result, size_t p) {
  // dot<double> requires b.size() == a.size() (codelets/dot.cpp:7:3)
  if (!(b_size == a_size))
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
  if (!tangram_choose(a_size, b_size, largest_allocation, all_memory, &p, 64))
    return 1;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  cl_mem dot_of_block = NULL;
  if (status == CL_SUCCESS)
    dot_of_block = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p, 1) * sizeof(cl_double), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "dot_double_1", &status);
    const cl_ulong a_size_argument = a_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof b, &b);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof dot_of_block, &dot_of_block);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof a_size_argument, &a_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "dot_double_2", &status);
    const cl_ulong p_argument = p;
    const size_t group_size = NUM_THREADS;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof dot_of_block, &dot_of_block);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (dot_of_block)
    clReleaseMemObject(dot_of_block);
  return status;
}

int dot_double(cl_command_queue queue, cl_mem a, size_t a_size, cl_mem b, size_t b_size, cl_mem result) {
  return dot_double_tuned(queue, a, a_size, b, b_size, result, 0);
}

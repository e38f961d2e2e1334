// Host code for the OpenCL kernels of gemm_float, composed for simple-gpu:
//   S_G, regroup(split_m, G), distribute(B), S_B, regroup(split_m, B), distribute(T),
//   compute(gemm#1, SE_T)
#include "gemm_float.h"

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
    "// OpenCL kernels of gemm_float, composed for simple-gpu:\n"
    "//   S_G, regroup(split_m, G), distribute(B), S_B, regroup(split_m, B), distribute(T),\n"
    "//   compute(gemm#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void gemm_float_kernel(__global const float *restrict a,\n"
    "                                __global const float *restrict b,\n"
    "                                __global float *restrict c,\n"
    "                                ulong a_size0,\n"
    "                                ulong a_size1,\n"
    "                                ulong b_size1) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(split_m, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong a_tile = (a_size0 + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong a_start = block * a_tile;\n"
    "  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));\n"
    "\n"
    "  // S_B, regroup(split_m, B)\n"
    "  const ulong a_tile_2 = (a_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong a_start_2 = thread * a_tile_2;\n"
    "  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));\n"
    "\n"
    "  // compute(gemm#1, SE_T)\n"
    "  for (ulong i = 0; i < a_len_2; ++i) {\n"
    "    for (ulong j = 0; j < b_size1; ++j) {\n"
    "      float accum = c[(a_start + a_start_2 + i) * b_size1 + j];\n"
    "      #pragma unroll 16\n"
    "      for (ulong k = 0; k < a_size1; ++k) {\n"
    "        accum += a[(a_start + a_start_2 + i) * a_size1 + k] * b[k * b_size1 + j];\n"
    "      }\n"
    "      c[(a_start + a_start_2 + i) * b_size1 + j] = accum;\n"
    "    }\n"
    "  }\n"
    "}\n";

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
  if (clBuildProgram(made, 1, &device, "-cl-std=CL1.2" " -DNUM_THREADS=" TEXT(NUM_THREADS), NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(made);
    return NULL;
  }
  if (program)
    clReleaseProgram(program);
  built_for = context;
  built_on = device;
  return program = made;
}

int gemm_float_tuned(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1, size_t p) {
  // gemm<float> requires c.size(0) == a.size(0) (codelets/gemm.cpp:6:3)
  if (!(c_size0 == a_size0))
    return 1;
  // gemm<float> requires b.size(0) == a.size(1) (codelets/gemm.cpp:7:3)
  if (!(b_size0 == a_size1))
    return 1;
  // gemm<float> requires c.size(1) == b.size(1) (codelets/gemm.cpp:8:3)
  if (!(c_size1 == b_size1))
    return 1;
  cl_context context;
  cl_device_id device;
  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  if (p == 0)
    p = 64;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "gemm_float_kernel", &status);
    const cl_ulong a_size0_argument = a_size0;
    const cl_ulong a_size1_argument = a_size1;
    const cl_ulong b_size1_argument = b_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof b, &b);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof c, &c);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof a_size0_argument, &a_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof a_size1_argument, &a_size1_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof b_size1_argument, &b_size1_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int gemm_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1) {
  return gemm_float_tuned(queue, a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1, 0);
}

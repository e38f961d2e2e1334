// Host code for the OpenCL kernels of gemv_float, composed for simple-gpu:
//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),
//   compute(gemv#1, SE_T)
#include "gemv_float.h"

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
    "// OpenCL kernels of gemv_float, composed for simple-gpu:\n"
    "//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),\n"
    "//   compute(gemv#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void gemv_float_kernel(__global const float *restrict a,\n"
    "                                __global const float *restrict x,\n"
    "                                __global float *restrict y,\n"
    "                                ulong a_size0,\n"
    "                                ulong a_size1) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(row_blocks, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong a_tile = (a_size0 + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong a_start = block * a_tile;\n"
    "  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));\n"
    "\n"
    "  // S_B, regroup(row_blocks, B)\n"
    "  const ulong a_tile_2 = (a_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong a_start_2 = thread * a_tile_2;\n"
    "  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));\n"
    "\n"
    "  // compute(gemv#1, SE_T)\n"
    "  for (ulong i = 0; i < a_len_2; ++i) {\n"
    "    float accum = 0.0f;\n"
    "    #pragma unroll 8\n"
    "    for (ulong j = 0; j < a_size1; ++j) {\n"
    "      accum += a[(a_start + a_start_2 + i) * a_size1 + j] * x[j];\n"
    "    }\n"
    "    y[a_start + a_start_2 + i] = accum;\n"
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

int gemv_float_tuned(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p) {
  // gemv<float> requires x.size() == a.size(1) (codelets/gemv.cpp:9:3)
  if (!(x_size == a_size1))
    return 1;
  // gemv<float> requires y.size() == a.size(0) (codelets/gemv.cpp:10:3)
  if (!(y_size == a_size0))
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
    cl_kernel kernel = clCreateKernel(program, "gemv_float_kernel", &status);
    const cl_ulong a_size0_argument = a_size0;
    const cl_ulong a_size1_argument = a_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof x, &x);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof y, &y);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof a_size0_argument, &a_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof a_size1_argument, &a_size1_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size) {
  return gemv_float_tuned(queue, a, a_size0, a_size1, x, x_size, y, y_size, 0);
}

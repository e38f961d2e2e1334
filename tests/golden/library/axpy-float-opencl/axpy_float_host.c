// Host code for the OpenCL kernels of axpy_float, composed for simple-gpu:
//   S_G, regroup(tiled, G), distribute(B), S_B, regroup(strided, B), distribute(T),
//   compute(axpy#1, SE_T)
#include "axpy_float.h"

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
    "// OpenCL kernels of axpy_float, composed for simple-gpu:\n"
    "//   S_G, regroup(tiled, G), distribute(B), S_B, regroup(strided, B), distribute(T),\n"
    "//   compute(axpy#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void axpy_float_kernel(__global const float *restrict x,\n"
    "                                __global float *restrict y,\n"
    "                                ulong x_size,\n"
    "                                float a) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong x_tile = (x_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong x_start = block * x_tile;\n"
    "  const ulong x_len = min(x_tile, x_size - min(x_start, x_size));\n"
    "\n"
    "  // S_B, regroup(strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong x_len_2 = (x_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(axpy#1, SE_T)\n"
    "  #pragma unroll 8\n"
    "  for (ulong i = 0; i < x_len_2; ++i) {\n"
    "    y[x_start + thread + i * NUM_THREADS] += a * x[x_start + thread + i * NUM_THREADS];\n"
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

int axpy_float_tuned(cl_command_queue queue, cl_float a, cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p) {
  // axpy<float> requires y.size() == x.size() (codelets/axpy.cpp:6:3)
  if (!(y_size == x_size))
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
    cl_kernel kernel = clCreateKernel(program, "axpy_float_kernel", &status);
    const cl_ulong x_size_argument = x_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof x, &x);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof y, &y);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof x_size_argument, &x_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int axpy_float(cl_command_queue queue, cl_float a, cl_mem x, size_t x_size, cl_mem y, size_t y_size) {
  return axpy_float_tuned(queue, a, x, x_size, y, y_size, 0);
}

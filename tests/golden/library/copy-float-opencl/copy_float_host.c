// Host code for the OpenCL kernels of copy_float, composed for simple-gpu:
//   S_G, regroup(copy_tiled, G), distribute(B), S_B, regroup(copy_strided, B), distribute(T),
//   compute(copy#1, SE_T)
#include "copy_float.h"

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
    "// OpenCL kernels of copy_float, composed for simple-gpu:\n"
    "//   S_G, regroup(copy_tiled, G), distribute(B), S_B, regroup(copy_strided, B), distribute(T),\n"
    "//   compute(copy#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void copy_float_kernel(__global const float *restrict in,\n"
    "                                __global float *restrict out,\n"
    "                                ulong in_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(copy_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong in_tile = (in_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * in_tile;\n"
    "  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));\n"
    "\n"
    "  // S_B, regroup(copy_strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(copy#1, SE_T)\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < in_len_2; ++i) {\n"
    "    out[in_start + thread + i * NUM_THREADS] = in[in_start + thread + i * NUM_THREADS];\n"
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

int copy_float_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size, size_t p) {
  // copy<float> requires out.size() == in.size() (codelets/copy.cpp:7:3)
  if (!(out_size == in_size))
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
    cl_kernel kernel = clCreateKernel(program, "copy_float_kernel", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int copy_float(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size) {
  return copy_float_tuned(queue, in, in_size, out, out_size, 0);
}

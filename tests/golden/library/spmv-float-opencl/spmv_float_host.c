// Host code for the OpenCL kernels of spmv_float, composed for simple-gpu:
//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),
//   compute(spmv#1, SE_T)
#include "spmv_float.h"

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
    "// OpenCL kernels of spmv_float, composed for simple-gpu:\n"
    "//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),\n"
    "//   compute(spmv#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void spmv_float_kernel(__global const float *restrict values,\n"
    "                                __global const int *restrict columns,\n"
    "                                __global const int *restrict offsets,\n"
    "                                __global const float *restrict x,\n"
    "                                __global float *restrict y,\n"
    "                                ulong y_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(row_blocks, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (y_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong offsets_start = block * tile;\n"
    "  const ulong y_len = min(tile, y_size - min(offsets_start, y_size));\n"
    "  const ulong tile_2 = (y_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // S_B, regroup(row_blocks, B)\n"
    "  // distribute(T)\n"
    "  const ulong offsets_start_2 = thread * tile_2;\n"
    "  const ulong y_len_2 = min(tile_2, y_len - min(offsets_start_2, y_len));\n"
    "\n"
    "  // compute(spmv#1, SE_T)\n"
    "  for (ulong r = 0; r < y_len_2; ++r) {\n"
    "    float accum = 0.0f;\n"
    "    #pragma unroll 8\n"
    "    for (int k = offsets[offsets_start + offsets_start_2 + r];\n"
    "        k < offsets[offsets_start + offsets_start_2 + (r + 1)]; ++k) {\n"
    "      accum += values[(ulong)k] * x[(ulong)columns[(ulong)k]];\n"
    "    }\n"
    "    y[offsets_start + offsets_start_2 + r] = accum;\n"
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

int spmv_float_tuned(cl_command_queue queue, cl_mem values, size_t values_size, cl_mem columns, size_t columns_size, cl_mem offsets, size_t offsets_size, cl_mem x, size_t x_size, cl_mem y, size_t y_size, size_t p) {
  // spmv<float> requires columns.size() == values.size() (codelets/spmv.cpp:35:3)
  if (!(columns_size == values_size))
    return 1;
  // spmv<float> requires offsets.size() == y.size() + 1 (codelets/spmv.cpp:36:3)
  if (!(offsets_size == y_size + 1))
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
    cl_kernel kernel = clCreateKernel(program, "spmv_float_kernel", &status);
    const cl_ulong y_size_argument = y_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof values, &values);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof columns, &columns);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof offsets, &offsets);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof x, &x);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof y, &y);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof y_size_argument, &y_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int spmv_float(cl_command_queue queue, cl_mem values, size_t values_size, cl_mem columns, size_t columns_size, cl_mem offsets, size_t offsets_size, cl_mem x, size_t x_size, cl_mem y, size_t y_size) {
  return spmv_float_tuned(queue, values, values_size, columns, columns_size, offsets, offsets_size, x, x_size, y, y_size, 0);
}

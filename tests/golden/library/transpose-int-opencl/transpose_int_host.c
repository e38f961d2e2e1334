// Host code for the OpenCL kernels of transpose_int, composed for simple-gpu:
//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B), distribute(T),
//   compute(copy_matrix#1, SE_T)
#include "transpose_int.h"

#include <stdbool.h>
#include <stdlib.h>

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of transpose_int, composed for simple-gpu:\n"
    "//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B), distribute(T),\n"
    "//   compute(copy_matrix#1, SE_T)\n"
    "\n"
    "// free parameter of tiled_chunks\n"
    "#ifndef TILED_CHUNKS_T\n"
    "#define TILED_CHUNKS_T 32\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void transpose_int_kernel(__global const int *restrict in,\n"
    "                                   __global int *restrict out,\n"
    "                                   ulong in_size0,\n"
    "                                   ulong in_size1) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(tiled_chunks, G)\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T\n"
    "      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); block += get_num_groups(0)) {\n"
    "    const ulong in0_part = block / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in0_start = in0_part * TILED_CHUNKS_T;\n"
    "    const ulong in0_len = min((ulong)TILED_CHUNKS_T, in_size0 - min(in0_start, in_size0));\n"
    "    const ulong in1_part = block % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in1_start = in1_part * TILED_CHUNKS_T;\n"
    "    const ulong in1_len = min((ulong)TILED_CHUNKS_T, in_size1 - min(in1_start, in_size1));\n"
    "\n"
    "    // S_B, regroup(copy_by_rows, B)\n"
    "    const ulong in_tile = (in0_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "    // distribute(T)\n"
    "    const ulong in_start = thread * in_tile;\n"
    "    const ulong in_len = min(in_tile, in0_len - min(in_start, in0_len));\n"
    "\n"
    "    // compute(copy_matrix#1, SE_T)\n"
    "    for (ulong i = 0; i < in_len; ++i) {\n"
    "      #pragma unroll 16\n"
    "      for (ulong j = 0; j < in1_len; ++j) {\n"
    "        out[(in1_start + j) * in_size0 + (in0_start + in_start + i)] =\n"
    "            in[(in0_start + in_start + i) * in_size1 + (in1_start + j)];\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DTILED_CHUNKS_T=" TEXT(TILED_CHUNKS_T) " -DNUM_THREADS=" TEXT(NUM_THREADS)

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

int transpose_int(cl_command_queue queue, cl_mem in, size_t in_size0, size_t in_size1, cl_mem out, size_t out_size0, size_t out_size1) {
  // transpose<int> requires out.size(0) == in.size(1) (codelets/transpose.cpp:6:3)
  if (!(out_size0 == in_size1))
    return 1;
  // transpose<int> requires out.size(1) == in.size(0) (codelets/transpose.cpp:7:3)
  if (!(out_size1 == in_size0))
    return 1;
  cl_context context;
  cl_device_id device;
  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "transpose_int_kernel", &status);
    const cl_ulong in_size0_argument = in_size0;
    const cl_ulong in_size1_argument = in_size1;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T), 1), 65535)) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size0_argument, &in_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size1_argument, &in_size1_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

// Host code for the OpenCL kernels of gemm_float, composed for pocl:
//   S_G, regroup(split_m, G), distribute(B.y), regroup(split_n, B.y), distribute(B), S_B,
//   regroup(split_m, B), distribute(T.y), regroup(split_n, T.y), distribute(T), S_T,
//   regroup(split_m, T), distribute(I), compute(gemm#1, SE_I)
#include "gemm_float.h"

#include <stdbool.h>
#include <stdlib.h>

// rows of items in a group
#ifndef NUM_ITEM_ROWS
#define NUM_ITEM_ROWS 4
#endif
// items in a row of items
#ifndef NUM_ITEMS
#define NUM_ITEMS 64
#endif
// chains in an item
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of gemm_float, composed for pocl:\n"
    "//   S_G, regroup(split_m, G), distribute(B.y), regroup(split_n, B.y), distribute(B), S_B,\n"
    "//   regroup(split_m, B), distribute(T.y), regroup(split_n, T.y), distribute(T), S_T,\n"
    "//   regroup(split_m, T), distribute(I), compute(gemm#1, SE_I)\n"
    "\n"
    "// rows of items in a group\n"
    "#ifndef NUM_ITEM_ROWS\n"
    "#define NUM_ITEM_ROWS 4\n"
    "#endif\n"
    "// items in a row of items\n"
    "#ifndef NUM_ITEMS\n"
    "#define NUM_ITEMS 64\n"
    "#endif\n"
    "// chains in an item\n"
    "#ifndef NUM_CHAINS\n"
    "#define NUM_CHAINS 4\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_ITEMS, NUM_ITEM_ROWS, 1)))\n"
    "__kernel void gemm_float_kernel(__global const float *restrict a,\n"
    "                                __global const float *restrict b,\n"
    "                                __global float *restrict c,\n"
    "                                ulong a_size0,\n"
    "                                ulong a_size1,\n"
    "                                ulong b_size1,\n"
    "                                ulong p_2) {\n"
    "  const ulong item = get_local_id(0);\n"
    "  const ulong row_of_items = get_local_id(1);\n"
    "\n"
    "  // S_G, regroup(split_m, G)\n"
    "  // distribute(B.y)\n"
    "  const ulong p = get_num_groups(1);\n"
    "  const ulong a_tile = (a_size0 + p - 1) / p;\n"
    "  const ulong row_of_groups = get_group_id(1);\n"
    "  const ulong a_start = row_of_groups * a_tile;\n"
    "  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));\n"
    "\n"
    "  // S_B.y, regroup(split_n, B.y)\n"
    "  const ulong b_tile = (b_size1 + p_2 - 1) / p_2;\n"
    "\n"
    "  // distribute(B)\n"
    "  const ulong group = get_group_id(0);\n"
    "  const ulong b1_start = group * b_tile;\n"
    "  const ulong b1_len = min(b_tile, b_size1 - min(b1_start, b_size1));\n"
    "\n"
    "  // S_B, regroup(split_m, B)\n"
    "  const ulong a_tile_2 = (a_len + NUM_ITEM_ROWS - 1) / NUM_ITEM_ROWS;\n"
    "\n"
    "  // distribute(T.y)\n"
    "  const ulong a_start_2 = row_of_items * a_tile_2;\n"
    "  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));\n"
    "\n"
    "  // S_T.y, regroup(split_n, T.y)\n"
    "  const ulong b_tile_2 = (b1_len + NUM_ITEMS - 1) / NUM_ITEMS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong b1_start_2 = item * b_tile_2;\n"
    "  const ulong b1_len_2 = min(b_tile_2, b1_len - min(b1_start_2, b1_len));\n"
    "\n"
    "  // S_T, regroup(split_m, T)\n"
    "  const ulong a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;\n"
    "\n"
    "  // distribute(I)\n"
    "  // compute(gemm#1, SE_I)\n"
    "  const ulong common = min(a_tile_3, a_len_2 - min((NUM_CHAINS - 1) * a_tile_3, a_len_2));\n"
    "  for (ulong i = 0; i < common; ++i) {\n"
    "    #pragma unroll\n"
    "    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "      for (ulong j = 0; j < b1_len_2; ++j) {\n"
    "        float accum =\n"
    "            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "        #pragma unroll 16\n"
    "        for (ulong k = 0; k < a_size1; ++k) {\n"
    "          accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]\n"
    "              * b[k * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "        }\n"
    "        c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)] =\n"
    "            accum;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  #pragma unroll\n"
    "  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "    for (ulong i = common; i < min(a_tile_3, a_len_2 - min(chain * a_tile_3, a_len_2)); ++i) {\n"
    "      for (ulong j = 0; j < b1_len_2; ++j) {\n"
    "        float accum =\n"
    "            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "        #pragma unroll 16\n"
    "        for (ulong k = 0; k < a_size1; ++k) {\n"
    "          accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]\n"
    "              * b[k * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "        }\n"
    "        c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)] =\n"
    "            accum;\n"
    "      }\n"
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
  if (clBuildProgram(made, 1, &device, "-cl-std=CL1.2" " -DNUM_ITEM_ROWS=" TEXT(NUM_ITEM_ROWS) " -DNUM_ITEMS=" TEXT(NUM_ITEMS) " -DNUM_CHAINS=" TEXT(NUM_CHAINS), NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(made);
    return NULL;
  }
  if (program)
    clReleaseProgram(program);
  built_for = context;
  built_on = device;
  return program = made;
}

int gemm_float_tuned(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1, size_t p, size_t p_2) {
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
  cl_uint compute_units = 0;
  status = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof compute_units, &compute_units, NULL);
  if (status != CL_SUCCESS)
    return status;
  if (p == 0)
    p = 4;
  if (p_2 == 0)
    p_2 = compute_units * 4;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "gemm_float_kernel", &status);
    const cl_ulong a_size0_argument = a_size0;
    const cl_ulong a_size1_argument = a_size1;
    const cl_ulong b_size1_argument = b_size1;
    const cl_ulong p_2_argument = p_2;
    const size_t group_size[2] = {NUM_ITEMS, NUM_ITEM_ROWS};
    const size_t items[2] = {(p_2) * group_size[0], (p) * group_size[1]};
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
      status = clSetKernelArg(kernel, 6, sizeof p_2_argument, &p_2_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int gemm_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1) {
  return gemm_float_tuned(queue, a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1, 0, 0);
}

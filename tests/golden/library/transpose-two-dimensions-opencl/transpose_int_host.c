// Host code for the OpenCL kernels of transpose_int, composed for pocl:
//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B),
//   distribute(T.y), regroup(copy_by_columns, T.y), distribute(T), S_T,
//   regroup(copy_by_rows, T), distribute(I), compute(copy_matrix#1, SE_I)
#include "transpose_int.h"

#include <stdbool.h>
#include <stdlib.h>

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
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
    "// OpenCL kernels of transpose_int, composed for pocl:\n"
    "//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B),\n"
    "//   distribute(T.y), regroup(copy_by_columns, T.y), distribute(T), S_T,\n"
    "//   regroup(copy_by_rows, T), distribute(I), compute(copy_matrix#1, SE_I)\n"
    "\n"
    "// free parameter of tiled_chunks\n"
    "#ifndef TILED_CHUNKS_T\n"
    "#define TILED_CHUNKS_T 32\n"
    "#endif\n"
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
    "__kernel void transpose_int_kernel(__global const int *restrict in,\n"
    "                                   __global int *restrict out,\n"
    "                                   ulong in_size0,\n"
    "                                   ulong in_size1) {\n"
    "  const ulong item = get_local_id(0);\n"
    "  const ulong row_of_items = get_local_id(1);\n"
    "\n"
    "  // S_G, regroup(tiled_chunks, G)\n"
    "  // distribute(B)\n"
    "  for (ulong group = get_group_id(0); group < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T\n"
    "      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); group += get_num_groups(0)) {\n"
    "    const ulong in0_part = group / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in0_start = in0_part * TILED_CHUNKS_T;\n"
    "    const ulong in0_len = min((ulong)TILED_CHUNKS_T, in_size0 - min(in0_start, in_size0));\n"
    "    const ulong in1_part = group % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);\n"
    "    const ulong in1_start = in1_part * TILED_CHUNKS_T;\n"
    "    const ulong in1_len = min((ulong)TILED_CHUNKS_T, in_size1 - min(in1_start, in_size1));\n"
    "\n"
    "    // S_B, regroup(copy_by_rows, B)\n"
    "    const ulong in_tile = (in0_len + NUM_ITEM_ROWS - 1) / NUM_ITEM_ROWS;\n"
    "\n"
    "    // distribute(T.y)\n"
    "    const ulong in_start = row_of_items * in_tile;\n"
    "    const ulong in_len = min(in_tile, in0_len - min(in_start, in0_len));\n"
    "\n"
    "    // S_T.y, regroup(copy_by_columns, T.y)\n"
    "    const ulong in_tile_2 = (in1_len + NUM_ITEMS - 1) / NUM_ITEMS;\n"
    "\n"
    "    // distribute(T)\n"
    "    const ulong in1_start_2 = item * in_tile_2;\n"
    "    const ulong in1_len_2 = min(in_tile_2, in1_len - min(in1_start_2, in1_len));\n"
    "\n"
    "    // S_T, regroup(copy_by_rows, T)\n"
    "    const ulong in_tile_3 = (in_len + NUM_CHAINS - 1) / NUM_CHAINS;\n"
    "\n"
    "    // distribute(I)\n"
    "    // compute(copy_matrix#1, SE_I)\n"
    "    const ulong common = min(in_tile_3, in_len - min((NUM_CHAINS - 1) * in_tile_3, in_len));\n"
    "    for (ulong i = 0; i < common; ++i) {\n"
    "      #pragma unroll\n"
    "      for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "        #pragma unroll 16\n"
    "        for (ulong j = 0; j < in1_len_2; ++j) {\n"
    "          out[(in1_start + in1_start_2 + j) * in_size0\n"
    "              + (in0_start + in_start + chain * in_tile_3 + i)] =\n"
    "              in[(in0_start + in_start + chain * in_tile_3 + i) * in_size1\n"
    "              + (in1_start + in1_start_2 + j)];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    #pragma unroll\n"
    "    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {\n"
    "      for (ulong i = common; i < min(in_tile_3, in_len - min(chain * in_tile_3, in_len)); ++i) {\n"
    "        #pragma unroll 16\n"
    "        for (ulong j = 0; j < in1_len_2; ++j) {\n"
    "          out[(in1_start + in1_start_2 + j) * in_size0\n"
    "              + (in0_start + in_start + chain * in_tile_3 + i)] =\n"
    "              in[(in0_start + in_start + chain * in_tile_3 + i) * in_size1\n"
    "              + (in1_start + in1_start_2 + j)];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DTILED_CHUNKS_T=" TEXT(TILED_CHUNKS_T) " -DNUM_ITEM_ROWS=" TEXT(NUM_ITEM_ROWS) " -DNUM_ITEMS=" TEXT(NUM_ITEMS) " -DNUM_CHAINS=" TEXT(NUM_CHAINS)

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
    const size_t group_size[2] = {NUM_ITEMS, NUM_ITEM_ROWS};
    const size_t items[2] = {(min(max((in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T), 1), 65535)) * group_size[0], (1) * group_size[1]};
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size0_argument, &in_size0_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size1_argument, &in_size1_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

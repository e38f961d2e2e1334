// Host code for the OpenCL kernels of bfs, composed for simple-gpu:
//   select(by_edge, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G, regroup(by_edge, G),
//   distribute(B), S_B, devolve(T), compute(visit_edges#1, SE_T)
#include "bfs.h"

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
    "// OpenCL kernels of bfs, composed for simple-gpu:\n"
    "//   select(by_edge, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,\n"
    "//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G, regroup(by_edge, G),\n"
    "//   distribute(B), S_B, devolve(T), compute(visit_edges#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void bfs_1(__global const int *restrict before,\n"
    "                    __global int *restrict after,\n"
    "                    ulong before_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(copy_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p_2 = get_num_groups(0);\n"
    "  const ulong before_tile = (before_size + p_2 - 1) / p_2;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * before_tile;\n"
    "  const ulong in_len = min(before_tile, before_size - min(in_start, before_size));\n"
    "\n"
    "  // S_B, regroup(copy_strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(copy#1, SE_T)\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < in_len_2; ++i) {\n"
    "    after[in_start + thread + i * NUM_THREADS] = before[in_start + thread + i * NUM_THREADS];\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void bfs_2(__global const int *restrict offsets,\n"
    "                    __global const int *restrict targets,\n"
    "                    __global const int *restrict before,\n"
    "                    __global int *restrict after,\n"
    "                    ulong targets_size,\n"
    "                    ulong before_size,\n"
    "                    int depth) {\n"
    "  // S_G, regroup(by_edge, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (targets_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong targets_start = block * tile;\n"
    "  const ulong targets_len = min(tile, targets_size - min(targets_start, targets_size));\n"
    "\n"
    "  // S_B, devolve(T)\n"
    "  // compute(visit_edges#1, SE_T)\n"
    "  ulong low = 0;\n"
    "  ulong high = before_size;\n"
    "  while (low + 1 < high) {\n"
    "    const ulong middle = (low + high) / 2;\n"
    "    if (offsets[middle] <= (uint)(block * tile)) {\n"
    "      low = middle;\n"
    "    } else {\n"
    "      high = middle;\n"
    "    }\n"
    "  }\n"
    "  ulong vertex = low;\n"
    "  for (ulong k = 0; k < targets_len; ++k) {\n"
    "    while (vertex + 1 < before_size && offsets[vertex + 1] <= (uint)(block * tile) + (uint)k) {\n"
    "      ++vertex;\n"
    "    }\n"
    "    if (before[vertex] == depth) {\n"
    "      atomic_min(&after[(ulong)targets[targets_start + k]], depth + 1);\n"
    "    }\n"
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

int bfs_tuned(cl_command_queue queue, cl_int depth, cl_mem offsets, size_t offsets_size, cl_mem targets, size_t targets_size, cl_mem before, size_t before_size, cl_mem after, size_t after_size, size_t p, size_t p_2) {
  // bfs requires offsets.size() == before.size() + 1 (codelets/bfs.cpp:54:3)
  if (!(offsets_size == before_size + 1))
    return 1;
  // bfs requires after.size() == before.size() (codelets/bfs.cpp:55:3)
  if (!(after_size == before_size))
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
  if (p_2 == 0)
    p_2 = 64;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "bfs_1", &status);
    const cl_ulong before_size_argument = before_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p_2) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof before, &before);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof after, &after);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof before_size_argument, &before_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "bfs_2", &status);
    const cl_ulong targets_size_argument = targets_size;
    const cl_ulong before_size_argument = before_size;
    const size_t group_size = 1;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof offsets, &offsets);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof targets, &targets);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof before, &before);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof after, &after);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof targets_size_argument, &targets_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof before_size_argument, &before_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof depth, &depth);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

int bfs(cl_command_queue queue, cl_int depth, cl_mem offsets, size_t offsets_size, cl_mem targets, size_t targets_size, cl_mem before, size_t before_size, cl_mem after, size_t after_size) {
  return bfs_tuned(queue, depth, offsets, offsets_size, targets, targets_size, before, before_size, after, after_size, 0, 0);
}

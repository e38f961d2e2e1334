// Host code for the OpenCL kernels of sum, composed for simple-cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),
//   compute(sum#1, SE_T)
#include "sum.h"

#include <stdbool.h>
#include <stdlib.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const source =
    "// OpenCL kernels of sum, composed for simple-cpu:\n"
    "//   S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),\n"
    "//   compute(sum#1, SE_T)\n"
    "\n"
    "__kernel void sum_1(__global const int *restrict in,\n"
    "                    __global int *restrict sum_of_thread,\n"
    "                    ulong in_size) {\n"
    "  // S_P, regroup(asso_tiled, P)\n"
    "  // distribute(T)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (in_size + p - 1) / p;\n"
    "  const ulong thread = get_group_id(0);\n"
    "  const ulong in_start = thread * tile;\n"
    "  const ulong in_len = min(tile, in_size - min(in_start, in_size));\n"
    "\n"
    "  // compute(sum#1, SE_T)\n"
    "  int accum = 0;\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < in_len; ++i) {\n"
    "    accum += in[in_start + i];\n"
    "  }\n"
    "  sum_of_thread[thread] = accum;\n"
    "}\n"
    "\n"
    "__kernel void sum_2(__global int *restrict result,\n"
    "                    __global const int *restrict sum_of_thread,\n"
    "                    ulong p) {\n"
    "  // S_P, devolve(T)\n"
    "  // compute(sum#1, SE_T)\n"
    "  int accum = 0;\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < p; ++i) {\n"
    "    accum += sum_of_thread[i];\n"
    "  }\n"
    "  result[0] = accum;\n"
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
  if (clBuildProgram(made, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(made);
    return NULL;
  }
  if (program)
    clReleaseProgram(program);
  built_for = context;
  built_on = device;
  return program = made;
}

int sum_tuned(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result, size_t p) {
  cl_context context;
  cl_device_id device;
  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  cl_uint threads = 0;
  status = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof threads, &threads, NULL);
  if (status != CL_SUCCESS)
    return status;
  if (p == 0)
    p = threads;
  cl_program program = program_of(context, device);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  cl_mem sum_of_thread = NULL;
  if (status == CL_SUCCESS)
    sum_of_thread = clCreateBuffer(context, CL_MEM_READ_WRITE, max(p, 1) * sizeof(cl_int), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "sum_1", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = 1;
    const size_t items = (p) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof sum_of_thread, &sum_of_thread);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "sum_2", &status);
    const cl_ulong p_argument = p;
    const size_t group_size = 1;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof sum_of_thread, &sum_of_thread);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof p_argument, &p_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (sum_of_thread)
    clReleaseMemObject(sum_of_thread);
  return status;
}

int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result) {
  return sum_tuned(queue, in, in_size, result, 0);
}

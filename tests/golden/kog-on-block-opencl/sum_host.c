// Host code for the OpenCL kernels of sum, composed for simple-gpu:
//   S_G, devolve(B), compute(kog, VE_B)
#include "sum.h"

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
    "// OpenCL kernels of sum, composed for simple-gpu:\n"
    "//   S_G, devolve(B), compute(kog, VE_B)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void sum_kernel(__global const int *restrict in,\n"
    "                         __global int *restrict result,\n"
    "                         ulong in_size) {\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, devolve(B)\n"
    "  // compute(kog, VE_B)\n"
    "  tmp[thread] = thread < in_size ? in[thread] : 0;\n"
    "  for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "    int tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tmp_read = thread >= s ? tmp[thread - s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (thread >= s) {\n"
    "      tmp[thread] += tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    result[0] = tmp[NUM_THREADS - 1];\n"
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

int sum(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem result) {
  // kog at level B requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(in_size <= NUM_THREADS))
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
    cl_kernel kernel = clCreateKernel(program, "sum_kernel", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (1) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

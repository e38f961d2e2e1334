// Host code for the OpenCL kernels of exclusive_scan_int, composed for simple-gpu:
//   S_G, regroup(exclusive_chained, G), distribute(B), S_B, regroup(exclusive_by_parts, B),
//   distribute(T), compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B,
//   regroup(exclusive_by_parts, B), distribute(T), compute(exclusive_after#1, SE_T)
#include "exclusive_scan_int.h"

#include <stdbool.h>
#include <stdlib.h>

// free parameter of exclusive_chained
#ifndef EXCLUSIVE_CHAINED_T
#define EXCLUSIVE_CHAINED_T 2048
#endif
// free parameter of exclusive_by_parts
#ifndef EXCLUSIVE_BY_PARTS_E
#define EXCLUSIVE_BY_PARTS_E 4
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
    "// OpenCL kernels of exclusive_scan_int, composed for simple-gpu:\n"
    "//   S_G, regroup(exclusive_chained, G), distribute(B), S_B, regroup(exclusive_by_parts, B),\n"
    "//   distribute(T), compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B,\n"
    "//   regroup(exclusive_by_parts, B), distribute(T), compute(exclusive_after#1, SE_T)\n"
    "\n"
    "// free parameter of exclusive_chained\n"
    "#ifndef EXCLUSIVE_CHAINED_T\n"
    "#define EXCLUSIVE_CHAINED_T 2048\n"
    "#endif\n"
    "// free parameter of exclusive_by_parts\n"
    "#ifndef EXCLUSIVE_BY_PARTS_E\n"
    "#define EXCLUSIVE_BY_PARTS_E 4\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "// Orders memory accesses of this work-item as all groups see them.\n"
    "static inline void fence_groups(void) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  asm volatile(\"membar.gl;\" ::: \"memory\");\n"
    "#elif __OPENCL_C_VERSION__ >= 200\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
    "#else\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "#endif\n"
    "}\n"
    "\n"
    "// Waits for another group to set the flag.\n"
    "static inline void await_flag(volatile __global uint *flag) {\n"
    "  while (atomic_or(flag, 0u) == 0u)\n"
    "    ;\n"
    "  fence_groups();\n"
    "}\n"
    "\n"
    "static inline int atomic_load_i32(volatile __global int *place) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits;\n"
    "  bits = atomic_or(words, 0u);\n"
    "  return as_int(bits);\n"
    "}\n"
    "\n"
    "static inline void set_flag(volatile __global uint *flag) {\n"
    "  fence_groups();\n"
    "  atomic_xchg(flag, 1u);\n"
    "}\n"
    "\n"
    "static inline void atomic_store_i32(volatile __global int *place, int value) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits = as_uint(value);\n"
    "  atomic_xchg(words, bits);\n"
    "}\n"
    "\n"
    "static inline int4 load_int4(const __global int *from) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  return *(const __global int4 *)from;\n"
    "#else\n"
    "  return vload4(0, from);\n"
    "#endif\n"
    "}\n"
    "\n"
    "static inline void store_int4(int4 value, __global int *to) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  *(__global int4 *)to = value;\n"
    "#else\n"
    "  vstore4(value, 0, to);\n"
    "#endif\n"
    "}\n"
    "\n"
    "// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#else\n"
    "#define POCL_BARRIER()\n"
    "#endif\n"
    "\n"
    "// PoCL cannot unroll every loop of kernels with barriers.\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define UNROLL(times)\n"
    "#else\n"
    "#define PRAGMA(text) _Pragma(#text)\n"
    "#define UNROLL(times) PRAGMA(unroll times)\n"
    "#endif\n"
    "\n"
    "__kernel void exclusive_scan_int_1(__global int *restrict carries,\n"
    "                                   __global uint *restrict flags,\n"
    "                                   __global uint *restrict ticket,\n"
    "                                   ulong in_size) {\n"
    "  // S_G, regroup(exclusive_chained, G)\n"
    "  for (ulong part = get_group_id(0); part < (in_size + EXCLUSIVE_CHAINED_T - 1)\n"
    "      / EXCLUSIVE_CHAINED_T + 1; part += get_num_groups(0)) {\n"
    "    carries[part] = 0;\n"
    "    flags[part] = (uint)(part == 0);\n"
    "    if (part == 0) {\n"
    "      ticket[0] = 0U;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void exclusive_scan_int_2(__global const int *restrict in,\n"
    "                                   __global int *out,\n"
    "                                   __global int *carries,\n"
    "                                   __global uint *flags,\n"
    "                                   __global uint *ticket,\n"
    "                                   ulong in_size) {\n"
    "  __local uint taken[1];\n"
    "  __local int sum_of_thread[(EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1)\n"
    "      / EXCLUSIVE_BY_PARTS_E];\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  __local int received[1];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B), each waiting for the one before it\n"
    "  for (ulong block = get_group_id(0); block < (in_size + EXCLUSIVE_CHAINED_T - 1)\n"
    "      / EXCLUSIVE_CHAINED_T; block += get_num_groups(0)) {\n"
    "    if (thread == 0) {\n"
    "      taken[0] = atomic_add(&ticket[0], 1U);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const ulong part = (ulong)taken[0];\n"
    "    const ulong in_start = part * EXCLUSIVE_CHAINED_T;\n"
    "    const ulong in_len = min((ulong)EXCLUSIVE_CHAINED_T, in_size - min(in_start, in_size));\n"
    "\n"
    "    // S_B, regroup(exclusive_by_parts, B)\n"
    "    // distribute(T)\n"
    "    int in_held[((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E\n"
    "        + NUM_THREADS - 1) / NUM_THREADS * EXCLUSIVE_BY_PARTS_E];\n"
    "    if (in_len == EXCLUSIVE_CHAINED_T\n"
    "        && EXCLUSIVE_CHAINED_T % (EXCLUSIVE_BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      UNROLL(64)\n"
    "      for (ulong turn = 0;\n"
    "          turn < ((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E\n"
    "          + NUM_THREADS - 1) / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;\n"
    "\n"
    "        // compute(sum#1, SE_T)\n"
    "        UNROLL(64)\n"
    "        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; i += 4) {\n"
    "          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0,\n"
    "              &in_held[turn * EXCLUSIVE_BY_PARTS_E + i]);\n"
    "        }\n"
    "        int accum = 0;\n"
    "        UNROLL(64)\n"
    "        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; ++i) {\n"
    "          accum += in_held[turn * EXCLUSIVE_BY_PARTS_E + i];\n"
    "        }\n"
    "        sum_of_thread[part_2] = accum;\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + EXCLUSIVE_BY_PARTS_E - 1)\n"
    "          / EXCLUSIVE_BY_PARTS_E; part_2 += NUM_THREADS) {\n"
    "        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)EXCLUSIVE_BY_PARTS_E, in_len - in_start_2);\n"
    "\n"
    "        // compute(sum#1, SE_T)\n"
    "        int accum = 0;\n"
    "        UNROLL(16)\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          accum += in[in_start + in_start_2 + i];\n"
    "        }\n"
    "        sum_of_thread[part_2] = accum;\n"
    "      }\n"
    "    }\n"
    "\n"
    "    // compute(offsets_lanes, VE_B)\n"
    "    const ulong each =\n"
    "        ((in_len + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E + NUM_THREADS - 1)\n"
    "        / NUM_THREADS;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    int own = 0;\n"
    "    for (ulong k = 0; k < each && each * thread + k < (in_len + EXCLUSIVE_BY_PARTS_E - 1)\n"
    "        / EXCLUSIVE_BY_PARTS_E; ++k) {\n"
    "      own += sum_of_thread[each * thread + k];\n"
    "    }\n"
    "    tmp[thread] = own;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      int tmp_read;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? tmp[thread - s] : 0;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] += tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    int accum = thread > 0 ? tmp[thread - 1] : 0;\n"
    "    for (ulong k = 0; k < each && each * thread + k < (in_len + EXCLUSIVE_BY_PARTS_E - 1)\n"
    "        / EXCLUSIVE_BY_PARTS_E; ++k) {\n"
    "      const int here = sum_of_thread[each * thread + k];\n"
    "      sum_of_thread[each * thread + k] = accum;\n"
    "      accum += here;\n"
    "    }\n"
    "    const int total = tmp[NUM_THREADS - 1];\n"
    "    if (thread == 0) {\n"
    "      await_flag(&flags[part]);\n"
    "      received[0] = atomic_load_i32(&carries[part]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const int carry = received[0];\n"
    "    const int next = carry + total;\n"
    "    if (thread == 0) {\n"
    "      atomic_store_i32(&carries[part + 1], next);\n"
    "      set_flag(&flags[part + 1]);\n"
    "    }\n"
    "\n"
    "    // S_B, regroup(exclusive_by_parts, B)\n"
    "    // distribute(T)\n"
    "    if (in_len == EXCLUSIVE_CHAINED_T\n"
    "        && EXCLUSIVE_CHAINED_T % (EXCLUSIVE_BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      UNROLL(64)\n"
    "      for (ulong turn = 0;\n"
    "          turn < ((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E\n"
    "          + NUM_THREADS - 1) / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const int before = sum_of_thread[part_2];\n"
    "        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;\n"
    "\n"
    "        // compute(exclusive_after#1, SE_T)\n"
    "        int out_kept[EXCLUSIVE_BY_PARTS_E];\n"
    "        int accum_2 = carry + before;\n"
    "        UNROLL(64)\n"
    "        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; ++i) {\n"
    "          out_kept[i] = accum_2;\n"
    "          accum_2 += in_held[turn * EXCLUSIVE_BY_PARTS_E + i];\n"
    "        }\n"
    "        UNROLL(64)\n"
    "        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; i += 4) {\n"
    "          store_int4(vload4(0, &out_kept[i]), &out[in_start + in_start_2 + i]);\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + EXCLUSIVE_BY_PARTS_E - 1)\n"
    "          / EXCLUSIVE_BY_PARTS_E; part_2 += NUM_THREADS) {\n"
    "        const int before = sum_of_thread[part_2];\n"
    "        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)EXCLUSIVE_BY_PARTS_E, in_len - in_start_2);\n"
    "\n"
    "        // compute(exclusive_after#1, SE_T)\n"
    "        int accum_2 = carry + before;\n"
    "        UNROLL(16)\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          out[in_start + in_start_2 + i] = accum_2;\n"
    "          accum_2 += in[in_start + in_start_2 + i];\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DEXCLUSIVE_CHAINED_T=" TEXT(EXCLUSIVE_CHAINED_T) " -DEXCLUSIVE_BY_PARTS_E=" TEXT(EXCLUSIVE_BY_PARTS_E) " -DNUM_THREADS=" TEXT(NUM_THREADS)

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

int exclusive_scan_int(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size) {
  // exclusive_scan<int> requires out.size() == in.size() (codelets/scan.cpp:310:3)
  if (!(out_size == in_size))
    return 1;
  // a chain counts its elements in 32 bits
  if (!((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T < 4294967296))
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
  cl_mem carries = NULL;
  if (status == CL_SUCCESS)
    carries = clCreateBuffer(context, CL_MEM_READ_WRITE, max((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1, 1) * sizeof(cl_int), NULL, &status);
  cl_mem flags = NULL;
  if (status == CL_SUCCESS)
    flags = clCreateBuffer(context, CL_MEM_READ_WRITE, max((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1, 1) * sizeof(cl_uint), NULL, &status);
  cl_mem ticket = NULL;
  if (status == CL_SUCCESS)
    ticket = clCreateBuffer(context, CL_MEM_READ_WRITE, max(1, 1) * sizeof(cl_uint), NULL, &status);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "exclusive_scan_int_1", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = 1;
    const size_t items = (min((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1, 65535)) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof carries, &carries);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof flags, &flags);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "exclusive_scan_int_2", &status);
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T, 1), 65535)) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof carries, &carries);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof flags, &flags);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  if (carries)
    clReleaseMemObject(carries);
  if (flags)
    clReleaseMemObject(flags);
  if (ticket)
    clReleaseMemObject(ticket);
  return status;
}

// Host code for the OpenCL kernels of gemm_float, composed for simple-gpu:
//   S_G, regroup(tile, G), distribute(B), S_B, regroup(step, B), serialize(B), S_B,
//   regroup(tile, B), distribute(T), compute(gemm#1, SE_T)
#include "gemm_float.h"

#include <stdbool.h>
#include <stdlib.h>

// free parameter of tile
#ifndef TILE_M
#define TILE_M 64
#endif
// free parameter of tile
#ifndef TILE_N
#define TILE_N 64
#endif
// free parameter of step
#ifndef STEP_K
#define STEP_K 32
#endif
// free parameter of tile
#ifndef TILE_M_2
#define TILE_M_2 4
#endif
// free parameter of tile
#ifndef TILE_N_2
#define TILE_N_2 4
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
    "// OpenCL kernels of gemm_float, composed for simple-gpu:\n"
    "//   S_G, regroup(tile, G), distribute(B), S_B, regroup(step, B), serialize(B), S_B,\n"
    "//   regroup(tile, B), distribute(T), compute(gemm#1, SE_T)\n"
    "\n"
    "// free parameter of tile\n"
    "#ifndef TILE_M\n"
    "#define TILE_M 64\n"
    "#endif\n"
    "// free parameter of tile\n"
    "#ifndef TILE_N\n"
    "#define TILE_N 64\n"
    "#endif\n"
    "// free parameter of step\n"
    "#ifndef STEP_K\n"
    "#define STEP_K 32\n"
    "#endif\n"
    "// free parameter of tile\n"
    "#ifndef TILE_M_2\n"
    "#define TILE_M_2 4\n"
    "#endif\n"
    "// free parameter of tile\n"
    "#ifndef TILE_N_2\n"
    "#define TILE_N_2 4\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "// Indexes take 32 bits where the sizes of a call allow it, says the host.\n"
    "#ifdef NARROW_INDEXES\n"
    "typedef uint index_t;\n"
    "#else\n"
    "typedef ulong index_t;\n"
    "#endif\n"
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
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void gemm_float_kernel(__global const float *restrict a,\n"
    "                                __global const float *restrict b,\n"
    "                                __global float *restrict c,\n"
    "                                index_t a_size0,\n"
    "                                index_t a_size1,\n"
    "                                index_t b_size1) {\n"
    "  __local __attribute__((aligned(16))) float a_tile[STEP_K * (TILE_M + 4)];\n"
    "  __local __attribute__((aligned(16))) float b_tile[STEP_K\n"
    "      * ((TILE_N_2 + 3) / 4\n"
    "      * (((TILE_N + TILE_N_2 - 1) / TILE_N_2 + 8 / ((TILE_N_2 + 3) / 4)) * 4))];\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(tile, G)\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < (a_size0 + TILE_M - 1) / TILE_M\n"
    "      * ((b_size1 + TILE_N - 1) / TILE_N); block += get_num_groups(0)) {\n"
    "    const index_t a0_part = block / ((b_size1 + TILE_N - 1) / TILE_N);\n"
    "    const index_t a0_start = a0_part * TILE_M;\n"
    "    const index_t a0_len = min((index_t)TILE_M, a_size0 - min(a0_start, a_size0));\n"
    "    const index_t a1_part = block % ((b_size1 + TILE_N - 1) / TILE_N);\n"
    "    const index_t b1_start = a1_part * TILE_N;\n"
    "    const index_t b1_len = min((index_t)TILE_N, b_size1 - min(b1_start, b_size1));\n"
    "\n"
    "    // S_B, regroup(step, B)\n"
    "    // serialize(B)\n"
    "    float c_tile[TILE_M_2 * TILE_N_2];\n"
    "    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2\n"
    "        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {\n"
    "      const index_t a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t a0_start_2 = a0_part_2 * TILE_M_2;\n"
    "      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "      const index_t a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t b1_start_2 = a1_part_2 * TILE_N_2;\n"
    "      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2 * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS\n"
    "          && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {\n"
    "        UNROLL(64)\n"
    "        for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "          UNROLL(64)\n"
    "          for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "            c_tile[i * TILE_N_2 + j] =\n"
    "                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    float a_tile_next[(TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS];\n"
    "    float b_tile_next[(STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS];\n"
    "    if (0 < (a_size1 + STEP_K - 1) / STEP_K) {\n"
    "      const index_t a1_start = 0;\n"
    "      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);\n"
    "      UNROLL(64)\n"
    "      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "          const index_t column = element % STEP_K;\n"
    "          const index_t row = element / STEP_K;\n"
    "          a_tile_next[r] = row < a0_len && column < a1_len\n"
    "              ? a[(a0_start + row) * a_size1 + (a1_start + column)] : 0.0f;\n"
    "        }\n"
    "      }\n"
    "      UNROLL(64)\n"
    "      for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {\n"
    "          const index_t column = element % TILE_N;\n"
    "          const index_t row = element / TILE_N;\n"
    "          b_tile_next[r] = row < a1_len && column < b1_len\n"
    "              ? b[(a1_start + row) * b_size1 + (b1_start + column)] : 0.0f;\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "    for (index_t part = 0; part < (a_size1 + STEP_K - 1) / STEP_K; ++part) {\n"
    "      const index_t a1_start = part * STEP_K;\n"
    "      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);\n"
    "      const index_t b_tile_pitch = ((TILE_N + TILE_N_2 - 1) / TILE_N_2 + 8 / ((TILE_N_2 + 3) / 4))\n"
    "          * 4;\n"
    "      const index_t b_tile_row = (TILE_N_2 + 3) / 4 * b_tile_pitch;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      UNROLL(64)\n"
    "      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "          const index_t column = element % STEP_K;\n"
    "          const index_t row = element / STEP_K;\n"
    "          a_tile[column * (TILE_M + 4) + row] = a_tile_next[r];\n"
    "        }\n"
    "      }\n"
    "      UNROLL(64)\n"
    "      for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {\n"
    "          const index_t column = element % TILE_N;\n"
    "          const index_t row = element / TILE_N;\n"
    "          b_tile[row * b_tile_row\n"
    "              + (column % TILE_N_2 / 4 * b_tile_pitch + column / TILE_N_2 * 4\n"
    "              + column % TILE_N_2 % 4)] = b_tile_next[r];\n"
    "        }\n"
    "      }\n"
    "      if (part + 1 < (a_size1 + STEP_K - 1) / STEP_K) {\n"
    "        const index_t a1_start_2 = (part + 1) * STEP_K;\n"
    "        const index_t a1_len_2 = min((index_t)STEP_K, a_size1 - a1_start_2);\n"
    "        UNROLL(64)\n"
    "        for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "          const index_t element = thread + r * NUM_THREADS;\n"
    "          if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "            const index_t column = element % STEP_K;\n"
    "            const index_t row = element / STEP_K;\n"
    "            a_tile_next[r] = row < a0_len && column < a1_len_2\n"
    "                ? a[(a0_start + row) * a_size1 + (a1_start_2 + column)] : 0.0f;\n"
    "          }\n"
    "        }\n"
    "        UNROLL(64)\n"
    "        for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "          const index_t element = thread + r * NUM_THREADS;\n"
    "          if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {\n"
    "            const index_t column = element % TILE_N;\n"
    "            const index_t row = element / TILE_N;\n"
    "            b_tile_next[r] = row < a1_len_2 && column < b1_len\n"
    "                ? b[(a1_start_2 + row) * b_size1 + (b1_start + column)] : 0.0f;\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "\n"
    "      // S_B, regroup(tile, B)\n"
    "      // distribute(T)\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2\n"
    "          * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {\n"
    "        const index_t a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "        const index_t a0_start_2 = a0_part_2 * TILE_M_2;\n"
    "        const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "        const index_t a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "        const index_t b1_start_2 = a1_part_2 * TILE_N_2;\n"
    "        const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "\n"
    "        // compute(gemm#1, SE_T)\n"
    "        if ((TILE_N + TILE_N_2 - 1) / TILE_N_2\n"
    "            * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS\n"
    "            && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {\n"
    "          if (a1_len == STEP_K) {\n"
    "            UNROLL(64)\n"
    "            for (index_t k = 0; k < STEP_K; ++k) {\n"
    "              UNROLL(64)\n"
    "              for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "                UNROLL(64)\n"
    "                for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                  c_tile[i * TILE_N_2 + j] += a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]\n"
    "                      * b_tile[k * b_tile_row + (j / 4 * b_tile_pitch + a1_part_2 * 4 + j % 4)];\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          } else {\n"
    "            for (index_t k = 0; k < a1_len; ++k) {\n"
    "              UNROLL(64)\n"
    "              for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "                UNROLL(64)\n"
    "                for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                  c_tile[i * TILE_N_2 + j] += a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]\n"
    "                      * b_tile[k * b_tile_row + (j / 4 * b_tile_pitch + a1_part_2 * 4 + j % 4)];\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        } else {\n"
    "          for (index_t k = 0; k < a1_len; ++k) {\n"
    "            for (index_t i = 0; i < a0_len_2; ++i) {\n"
    "              UNROLL(16)\n"
    "              for (index_t j = 0; j < b1_len_2; ++j) {\n"
    "                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] +=\n"
    "                    a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]\n"
    "                    * b_tile[k * b_tile_row + (j / 4 * b_tile_pitch + a1_part_2 * 4 + j % 4)];\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "      POCL_BARRIER();\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2\n"
    "        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {\n"
    "      const index_t a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t a0_start_2 = a0_part_2 * TILE_M_2;\n"
    "      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "      const index_t a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t b1_start_2 = a1_part_2 * TILE_N_2;\n"
    "      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2 * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS\n"
    "          && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {\n"
    "        UNROLL(64)\n"
    "        for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "          UNROLL(64)\n"
    "          for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "            c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =\n"
    "                c_tile[i * TILE_N_2 + j];\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    POCL_BARRIER();\n"
    "  }\n"
    "}\n";

#define OPTIONS "-cl-std=CL1.2" " -DTILE_M=" TEXT(TILE_M) " -DTILE_N=" TEXT(TILE_N) " -DSTEP_K=" TEXT(STEP_K) " -DTILE_M_2=" TEXT(TILE_M_2) " -DTILE_N_2=" TEXT(TILE_N_2) " -DNUM_THREADS=" TEXT(NUM_THREADS)

// The program for one context, built on first use. Not for several threads at once.
static cl_program program_of(cl_context context, cl_device_id device, bool narrow) {
  static cl_context built_for[2];
  static cl_device_id built_on[2];
  static cl_program program[2];
  if (program[narrow] && built_for[narrow] == context && built_on[narrow] == device)
    return program[narrow];
  cl_int status = CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  if (status != CL_SUCCESS)
    return NULL;
  const char *const options = narrow ? OPTIONS " -DNARROW_INDEXES" : OPTIONS;
  if (clBuildProgram(made, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(made);
    return NULL;
  }
  if (program[narrow])
    clReleaseProgram(program[narrow]);
  built_for[narrow] = context;
  built_on[narrow] = device;
  return program[narrow] = made;
}

static cl_int set_index(cl_kernel kernel, cl_uint argument, cl_ulong value, bool narrow) {
  const cl_uint narrowed = (cl_uint)value;
  return narrow ? clSetKernelArg(kernel, argument, sizeof narrowed, &narrowed)
                : clSetKernelArg(kernel, argument, sizeof value, &value);
}

static double min_of(double a, double b) {
  return a < b ? a : b;
}

// Whether no index of a kernel needs more than 31 bits.
static bool is_narrow(double a_size0, double a_size1, double b_size0, double b_size1, double c_size0, double c_size1) {
  const double limit = 2147483648.0;
  return a_size0 * a_size1 < limit
      && b_size0 * b_size1 < limit
      && c_size0 * c_size1 < limit
      && a_size0 + TILE_M < limit
      && b_size1 + TILE_N < limit
      && ((a_size0 + TILE_M) / TILE_M * ((b_size1 + TILE_N) / TILE_N) + (a_size0 + TILE_M) / TILE_M * ((b_size1 + TILE_N) / TILE_N)) * TILE_M < limit
      && ((min_of(TILE_M, a_size0) + TILE_M_2) / TILE_M_2 * ((min_of(TILE_N, b_size1) + TILE_N_2) / TILE_N_2) + NUM_THREADS) * TILE_M_2 < limit
      && (TILE_N + TILE_N_2) / TILE_N_2 * ((TILE_M + TILE_M_2) / TILE_M_2) < limit
      && TILE_N + TILE_N_2 < limit
      && TILE_M + TILE_M_2 < limit
      && NUM_THREADS + ((TILE_M * STEP_K + NUM_THREADS) / NUM_THREADS + 1) * NUM_THREADS < limit
      && NUM_THREADS + ((STEP_K * TILE_N + NUM_THREADS) / NUM_THREADS + 1) * NUM_THREADS < limit
      && TILE_N_2 + 3 < limit
      && ((a_size1 + STEP_K) / STEP_K + 2) * STEP_K < limit;
}

int gemm_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1) {
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
  const bool narrow = is_narrow((double)a_size0, (double)a_size1, (double)b_size0, (double)b_size1, (double)c_size0, (double)c_size1);
  cl_program program = program_of(context, device, narrow);
  if (!program)
    return CL_BUILD_PROGRAM_FAILURE;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "gemm_float_kernel", &status);
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((a_size0 + TILE_M - 1) / TILE_M * ((b_size1 + TILE_N - 1) / TILE_N), 1), 65535)) * group_size;
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof b, &b);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof c, &c);
    if (status == CL_SUCCESS)
      status = set_index(kernel, 3, a_size0, narrow);
    if (status == CL_SUCCESS)
      status = set_index(kernel, 4, a_size1, narrow);
    if (status == CL_SUCCESS)
      status = set_index(kernel, 5, b_size1, narrow);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (kernel)
      clReleaseKernel(kernel);
  }
  return status;
}

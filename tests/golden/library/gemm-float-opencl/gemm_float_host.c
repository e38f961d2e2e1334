// Host code for the OpenCL kernels of gemm_float, composed for simple-gpu:
//   S_G, regroup(tile, G), distribute(B), S_B, regroup(step, B), serialize(B), S_B,
//   regroup(tile, B), distribute(T), compute(gemm#1, SE_T)
#include "gemm_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
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
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void gemm_float_kernel(__global const float *restrict a,\n"
    "                                __global const float *restrict b,\n"
    "                                __global float *restrict c,\n"
    "                                index_t a_size0,\n"
    "                                index_t a_size1,\n"
    "                                index_t b_size1) {\n"
    "  enum { a_tile_pitch = (TILE_M - 1 + (STEP_K + 7) / STEP_K * 4) / ((STEP_K + 7) / STEP_K * 8)\n"
    "      * ((STEP_K + 7) / STEP_K * 8) + (STEP_K + 7) / STEP_K * 4 };\n"
    "  enum { b_tile_pitch =\n"
    "      (((TILE_N - 1) / TILE_N_2 + (TILE_N_2 + 31) / TILE_N_2) / ((TILE_N_2 + 31) / TILE_N_2 * 2)\n"
    "      * ((TILE_N_2 + 31) / TILE_N_2 * 2) + (TILE_N_2 + 31) / TILE_N_2) * 4 };\n"
    "  enum { b_tile_row = ((TILE_N_2 + 3) / 4 - 1) * b_tile_pitch + (TILE_N + TILE_N_2 - 1) / TILE_N_2\n"
    "      * 4 };\n"
    "  __local __attribute__((aligned(16))) float a_tile[STEP_K * a_tile_pitch];\n"
    "  __local __attribute__((aligned(16))) float b_tile[STEP_K * b_tile_row];\n"
    "  const index_t thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(tile, G)\n"
    "  // distribute(B)\n"
    "  for (index_t block = get_group_id(0); block < (a_size0 + TILE_M - 1) / TILE_M\n"
    "      * ((b_size1 + TILE_N - 1) / TILE_N); block += get_num_groups(0)) {\n"
    "    const index_t tile_row = block / ((b_size1 + TILE_N - 1) / TILE_N);\n"
    "    const index_t a0_start = tile_row * TILE_M;\n"
    "    const index_t a0_len = min((index_t)TILE_M, a_size0 - min(a0_start, a_size0));\n"
    "    const index_t tile_column = block % ((b_size1 + TILE_N - 1) / TILE_N);\n"
    "    const index_t b1_start = tile_column * TILE_N;\n"
    "    const index_t b1_len = min((index_t)TILE_N, b_size1 - min(b1_start, b_size1));\n"
    "\n"
    "    // S_B, regroup(step, B)\n"
    "    // serialize(B)\n"
    "    float c_tile[TILE_M_2 * TILE_N_2];\n"
    "    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2\n"
    "        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {\n"
    "      const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t a0_start_2 = tile_row_2 * TILE_M_2;\n"
    "      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "      const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t b1_start_2 = tile_column_2 * TILE_N_2;\n"
    "      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2\n"
    "          * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {\n"
    "        if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {\n"
    "          #pragma unroll 64\n"
    "          for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "            #pragma unroll 64\n"
    "            for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "              c_tile[i * TILE_N_2 + j] =\n"
    "                  c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "            }\n"
    "          }\n"
    "        } else {\n"
    "          #pragma unroll 64\n"
    "          for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "            if (i < a0_len_2) {\n"
    "              #pragma unroll 64\n"
    "              for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                if (j < b1_len_2) {\n"
    "                  c_tile[i * TILE_N_2 + j] =\n"
    "                      c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    float a_tile_next[(TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS];\n"
    "    float b_tile_next[(STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS];\n"
    "    if (0 < (a_size1 + STEP_K - 1) / STEP_K) {\n"
    "      const index_t a1_start = 0;\n"
    "      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);\n"
    "      #pragma unroll 64\n"
    "      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "          const index_t column = element % STEP_K;\n"
    "          const index_t row = element / STEP_K;\n"
    "          a_tile_next[r] = row < a0_len && column < a1_len\n"
    "              ? a[(a0_start + row) * a_size1 + (a1_start + column)] : 0.0f;\n"
    "        }\n"
    "      }\n"
    "      #pragma unroll 64\n"
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
    "    for (index_t part = 0; part < (a_size1 + STEP_K - 1) / STEP_K; ++part) {\n"
    "      const index_t a1_start = part * STEP_K;\n"
    "      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      #pragma unroll 64\n"
    "      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "        const index_t element = thread + r * NUM_THREADS;\n"
    "        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "          const index_t column = element % STEP_K;\n"
    "          const index_t row = element / STEP_K;\n"
    "          a_tile[column * a_tile_pitch + row] = a_tile_next[r];\n"
    "        }\n"
    "      }\n"
    "      #pragma unroll 64\n"
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
    "        #pragma unroll 64\n"
    "        for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {\n"
    "          const index_t element = thread + r * NUM_THREADS;\n"
    "          if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {\n"
    "            const index_t column = element % STEP_K;\n"
    "            const index_t row = element / STEP_K;\n"
    "            a_tile_next[r] = row < a0_len && column < a1_len_2\n"
    "                ? a[(a0_start + row) * a_size1 + (a1_start_2 + column)] : 0.0f;\n"
    "          }\n"
    "        }\n"
    "        #pragma unroll 64\n"
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
    "        const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "        const index_t a0_start_2 = tile_row_2 * TILE_M_2;\n"
    "        const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "        const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "        const index_t b1_start_2 = tile_column_2 * TILE_N_2;\n"
    "        const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "\n"
    "        // compute(gemm#1, SE_T)\n"
    "        if ((TILE_N + TILE_N_2 - 1) / TILE_N_2\n"
    "            * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {\n"
    "          if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {\n"
    "            if (a1_len == STEP_K) {\n"
    "              #pragma unroll 64\n"
    "              for (index_t k = 0; k < STEP_K; ++k) {\n"
    "                #pragma unroll 64\n"
    "                for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "                  #pragma unroll 64\n"
    "                  for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                    c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]\n"
    "                        * b_tile[k * b_tile_row\n"
    "                        + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];\n"
    "                  }\n"
    "                }\n"
    "              }\n"
    "            } else {\n"
    "              for (index_t k = 0; k < a1_len; ++k) {\n"
    "                #pragma unroll 64\n"
    "                for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "                  #pragma unroll 64\n"
    "                  for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                    c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]\n"
    "                        * b_tile[k * b_tile_row\n"
    "                        + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];\n"
    "                  }\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          } else {\n"
    "            for (index_t k = 0; k < a1_len; ++k) {\n"
    "              #pragma unroll 64\n"
    "              for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "                if (i < a0_len_2) {\n"
    "                  #pragma unroll 64\n"
    "                  for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                    if (j < b1_len_2) {\n"
    "                      c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]\n"
    "                          * b_tile[k * b_tile_row\n"
    "                          + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];\n"
    "                    }\n"
    "                  }\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        } else {\n"
    "          for (index_t k = 0; k < a1_len; ++k) {\n"
    "            for (index_t i = 0; i < a0_len_2; ++i) {\n"
    "              #pragma unroll 16\n"
    "              for (index_t j = 0; j < b1_len_2; ++j) {\n"
    "                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] +=\n"
    "                    a_tile[k * a_tile_pitch + (a0_start_2 + i)]\n"
    "                    * b_tile[k * b_tile_row + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2\n"
    "        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {\n"
    "      const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t a0_start_2 = tile_row_2 * TILE_M_2;\n"
    "      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));\n"
    "      const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);\n"
    "      const index_t b1_start_2 = tile_column_2 * TILE_N_2;\n"
    "      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));\n"
    "      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2\n"
    "          * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {\n"
    "        if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {\n"
    "          #pragma unroll 64\n"
    "          for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "            #pragma unroll 64\n"
    "            for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "              c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =\n"
    "                  c_tile[i * TILE_N_2 + j];\n"
    "            }\n"
    "          }\n"
    "        } else {\n"
    "          #pragma unroll 64\n"
    "          for (index_t i = 0; i < TILE_M_2; ++i) {\n"
    "            if (i < a0_len_2) {\n"
    "              #pragma unroll 64\n"
    "              for (index_t j = 0; j < TILE_N_2; ++j) {\n"
    "                if (j < b1_len_2) {\n"
    "                  c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =\n"
    "                      c_tile[i * TILE_N_2 + j];\n"
    "                }\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "gemm_float_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DTILE_M=" TANGRAM_TEXT(TILE_M) \
    " -DTILE_N=" TANGRAM_TEXT(TILE_N) " -DSTEP_K=" TANGRAM_TEXT(STEP_K) \
    " -DTILE_M_2=" TANGRAM_TEXT(TILE_M_2) " -DTILE_N_2=" TANGRAM_TEXT(TILE_N_2) \
    " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel gemm_float_kernel;
};

struct gemm_float_handle {
  cl_context context;
  cl_device_id device;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels[2]; ///< [1] has indexes of 32 bits; [0] is built when sizes need it
};

/// Whether a device is PoCL's, whose compiler makes wrong code of kernels that others run rightly.
static bool tangram_is_pocl(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[64] = "";
  return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
      NULL) == CL_SUCCESS &&
         clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

static void tangram_release_kernels(struct tangram_kernels *kernels) {
  if (kernels->gemm_float_kernel)
    clReleaseKernel(kernels->gemm_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const gemm_float_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->gemm_float_kernel = clCreateKernel(kernels->program, "gemm_float_kernel", &status);
  if (status != CL_SUCCESS)
    tangram_release_kernels(kernels);
  return status;
}

/// 1: the device has smaller groups, or less local memory for one, than a kernel needs.
static int tangram_check_device(cl_device_id device) {
  size_t most_items = 0;
  int status =
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most_items, &most_items,
                               NULL);
  if (status == CL_SUCCESS && NUM_THREADS > most_items)
    status = 1;
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS
      && (STEP_K
      * ((TILE_M - 1 + (STEP_K + 7) / STEP_K * 4) / ((STEP_K + 7) / STEP_K * 8)
      * ((STEP_K + 7) / STEP_K * 8) + (STEP_K + 7) / STEP_K * 4)) * sizeof(cl_float)
      + (STEP_K
      * (((TILE_N_2 + 3) / 4 - 1)
      * ((((TILE_N - 1) / TILE_N_2 + (TILE_N_2 + 31) / TILE_N_2) / ((TILE_N_2 + 31) / TILE_N_2 * 2)
      * ((TILE_N_2 + 31) / TILE_N_2 * 2) + (TILE_N_2 + 31) / TILE_N_2) * 4)
      + (TILE_N + TILE_N_2 - 1) / TILE_N_2 * 4)) * sizeof(cl_float) > most_bytes)
    status = 1;
  return status;
}

/// 1: the kernel, as it was built, cannot have groups of this size.
static int tangram_check_kernel(cl_kernel kernel, cl_device_id device, size_t group_size) {
  size_t most_items = 0;
  const int status = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most_items, &most_items, NULL);
  return status == CL_SUCCESS && group_size > most_items ? 1 : status;
}

/// A handle, also where it returns 1; none where it returns an error of OpenCL.
static int tangram_make_handle(cl_context context, cl_device_id device,
    gemm_float_handle **handle) {
  *handle = NULL;
  gemm_float_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
  if (status == CL_SUCCESS)
    status = tangram_build_kernels(made, TANGRAM_OPTIONS " -DNARROW_INDEXES", &made->kernels[1]);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels[1].gemm_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    gemm_float_destroy(made);
  return status;
}

int gemm_float_create(cl_context context, cl_device_id device, gemm_float_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    gemm_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void gemm_float_destroy(gemm_float_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels[0]);
  tangram_release_kernels(&handle->kernels[1]);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

static cl_int tangram_set_index(cl_kernel kernel, cl_uint argument, cl_ulong value, bool narrow) {
  const cl_uint narrowed = (cl_uint)value;
  return narrow ? clSetKernelArg(kernel, argument, sizeof narrowed, &narrowed)
                : clSetKernelArg(kernel, argument, sizeof value, &value);
}

static double tangram_min_of(double a, double b) {
  return a < b ? a : b;
}

// Whether no index of a kernel needs more than 31 bits.
static bool tangram_is_narrow(double a_size0, double a_size1, double b_size0, double b_size1,
    double c_size0, double c_size1) {
  const double limit = 2147483648.0;
  return a_size0 * a_size1 < limit
      && b_size0 * b_size1 < limit
      && c_size0 * c_size1 < limit
      && a_size0 + TILE_M < limit
      && b_size1 + TILE_N < limit
      && ((a_size0 + TILE_M) / TILE_M * ((b_size1 + TILE_N) / TILE_N) + (a_size0 + TILE_M) / TILE_M
          * ((b_size1 + TILE_N) / TILE_N)) * TILE_M < limit
      && ((tangram_min_of(TILE_M, a_size0) + TILE_M_2) / TILE_M_2
          * ((tangram_min_of(TILE_N, b_size1) + TILE_N_2) / TILE_N_2) + NUM_THREADS)
          * TILE_M_2 < limit
      && (TILE_N + TILE_N_2) / TILE_N_2 * ((TILE_M + TILE_M_2) / TILE_M_2) < limit
      && TILE_N + TILE_N_2 < limit
      && TILE_M + TILE_M_2 < limit
      && NUM_THREADS + ((TILE_M * STEP_K + NUM_THREADS) / NUM_THREADS + 1) * NUM_THREADS < limit
      && NUM_THREADS + ((STEP_K * TILE_N + NUM_THREADS) / NUM_THREADS + 1) * NUM_THREADS < limit
      && TILE_M + (STEP_K + 7) / STEP_K * 4 < limit
      && (STEP_K + 7) / STEP_K * 8 < limit
      && STEP_K + 7 < limit
      && TILE_N / TILE_N_2 + (TILE_N_2 + 31) / TILE_N_2 < limit
      && (TILE_N_2 + 31) / TILE_N_2 * 2 < limit
      && TILE_N_2 + 31 < limit
      && ((a_size1 + STEP_K) / STEP_K + 2) * STEP_K < limit;
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t a_size0, size_t a_size1, size_t b_size0, size_t b_size1,
    size_t c_size0, size_t c_size1) {
  // gemm<float> requires c.size(0) == a.size(0) (gemm.cpp:7:3)
  if (!(c_size0 == a_size0))
    return 1;
  // gemm<float> requires b.size(0) == a.size(1) (gemm.cpp:8:3)
  if (!(b_size0 == a_size1))
    return 1;
  // gemm<float> requires c.size(1) == b.size(1) (gemm.cpp:9:3)
  if (!(c_size1 == b_size1))
    return 1;
  return CL_SUCCESS;
}

/// A container of a call.
struct tangram_container {
  cl_mem buffer;
  double elements;
  size_t size; ///< of each
  bool is_written;
};

/// The memory that it has: of a part of a buffer that of the whole.
struct tangram_place {
  cl_mem memory;
  size_t begin, bytes;
};

static int tangram_find_place(const struct tangram_container *container,
    struct tangram_place *place) {
  *place = (struct tangram_place){container->buffer, 0, 0};
  const double bytes = container->elements * (double)container->size;
  if (bytes == 0)
    return CL_SUCCESS;
  size_t available = 0;
  cl_mem whole = NULL;
  int status =
      clGetMemObjectInfo(container->buffer, CL_MEM_SIZE, sizeof available, &available, NULL);
  if (status == CL_SUCCESS && bytes > (double)available)
    status = gemm_float_small_buffer;
  if (status == CL_SUCCESS)
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole,
        NULL);
  if (status == CL_SUCCESS && whole) {
    place->memory = whole;
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_OFFSET, sizeof place->begin, &place->begin,
        NULL);
  }
  place->bytes = status == CL_SUCCESS ? (size_t)bytes : 0;
  return status;
}

/// Each buffer holds its container, and what is written shares no memory with another container.
static int tangram_check_containers(const struct tangram_container *containers, unsigned count) {
  struct tangram_place places[3];
  for (unsigned i = 0; i < count; ++i) {
    const int status = tangram_find_place(&containers[i], &places[i]);
    if (status != CL_SUCCESS)
      return status;
    for (unsigned k = 0; k < i; ++k) {
      const bool is_same = places[i].memory == places[k].memory && places[i].bytes > 0
          && places[k].bytes > 0 &&
                           places[i].begin < places[k].begin + places[k].bytes &&
                           places[k].begin < places[i].begin + places[i].bytes;
      if (is_same && (containers[i].is_written || containers[k].is_written))
        return gemm_float_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem a, size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0,
    size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1) {
  const struct tangram_container containers[] = {
      {a, (double)a_size0 * (double)a_size1, sizeof(cl_float), false},
      {b, (double)b_size0 * (double)b_size1, sizeof(cl_float), false},
      {c, (double)c_size0 * (double)c_size1, sizeof(cl_float), true}};
  return tangram_check_containers(containers, 3);
}

/// Enqueues the kernels.
static int tangram_launch_kernels(gemm_float_handle *handle, cl_command_queue queue, cl_mem a,
    size_t a_size0, size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c,
    size_t c_size0, size_t c_size1, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const bool narrow =
      tangram_is_narrow((double)a_size0, (double)a_size1, (double)b_size0, (double)b_size1,
      (double)c_size0, (double)c_size1);
  pthread_mutex_lock(&handle->lock);
  struct tangram_kernels *const kernels = &handle->kernels[narrow];
  int status = CL_SUCCESS;
  if (!kernels->program)
    status = tangram_build_kernels(handle, TANGRAM_OPTIONS, kernels);
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->gemm_float_kernel;
    const size_t group_size = NUM_THREADS;
    const size_t items =
        (min(max((a_size0 + TILE_M - 1) / TILE_M * ((b_size1 + TILE_N - 1) / TILE_N), 1), 65535))
        * group_size;
    status = clSetKernelArg(kernel, 0, sizeof a, &a);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof b, &b);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof c, &c);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 3, a_size0, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 4, a_size1, narrow);
    if (status == CL_SUCCESS)
      status = tangram_set_index(kernel, 5, b_size1, narrow);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int gemm_float_workspace(const gemm_float_handle *handle, size_t a_size0, size_t a_size1,
    size_t b_size0, size_t b_size1, size_t c_size0, size_t c_size1, size_t *bytes) {
  (void)handle;
  const int status = tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1);
  if (status != CL_SUCCESS)
    return status;
  *bytes = 0;
  return CL_SUCCESS;
}

int gemm_float_enqueue(gemm_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0,
    size_t a_size1, cl_mem b, size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0,
    size_t c_size1, cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  (void)workspace;
  int status = tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1);
  if (status != CL_SUCCESS)
    return status;
  return tangram_launch_kernels(handle, queue, a, a_size0, a_size1, b, b_size0, b_size1, c,
      c_size0, c_size1, waits, wait_list, event);
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static gemm_float_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(gemm_float_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    gemm_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, gemm_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  gemm_float_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  gemm_float_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
  if (found) {
    status = found->status;
  } else {
    status = tangram_make_handle(context, device, &found);
    if (found) {
      oldest = tangram_handle_cache[TANGRAM_CACHED - 1];
      for (i = TANGRAM_CACHED - 1; i > 0; --i)
        tangram_handle_cache[i] = tangram_handle_cache[i - 1];
      tangram_handle_cache[0] = found;
      found->users = 1;
    }
  }
  if (status == CL_SUCCESS)
    ++found->users;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (oldest)
    tangram_give_back(oldest);
  *handle = found;
  return status;
}

int gemm_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem b,
    size_t b_size0, size_t b_size1, cl_mem c, size_t c_size0, size_t c_size1) {
  gemm_float_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1);
  if (status == CL_SUCCESS)
    status = tangram_check_call(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0,
        c_size1, 0, NULL, NULL);
  tangram_give_back(handle);
  return status;
}

const char *gemm_float_message(int status) {
  switch (status) {
  case gemm_float_ok:
    return "success";
  case gemm_float_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case gemm_float_overlap:
    return "a container that is written shares memory with another one";
  case gemm_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case gemm_float_bad_data:
    return "elements are not what is required of them";
  case CL_DEVICE_NOT_AVAILABLE:
    return "CL_DEVICE_NOT_AVAILABLE";
  case CL_COMPILER_NOT_AVAILABLE:
    return "CL_COMPILER_NOT_AVAILABLE";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
  case CL_OUT_OF_RESOURCES:
    return "CL_OUT_OF_RESOURCES";
  case CL_OUT_OF_HOST_MEMORY:
    return "CL_OUT_OF_HOST_MEMORY";
  case CL_BUILD_PROGRAM_FAILURE:
    return "CL_BUILD_PROGRAM_FAILURE";
  case CL_MISALIGNED_SUB_BUFFER_OFFSET:
    return "CL_MISALIGNED_SUB_BUFFER_OFFSET";
  case CL_INVALID_CONTEXT:
    return "CL_INVALID_CONTEXT";
  case CL_INVALID_COMMAND_QUEUE:
    return "CL_INVALID_COMMAND_QUEUE";
  case CL_INVALID_MEM_OBJECT:
    return "CL_INVALID_MEM_OBJECT";
  case CL_INVALID_EVENT_WAIT_LIST:
    return "CL_INVALID_EVENT_WAIT_LIST";
  case CL_INVALID_BUFFER_SIZE:
    return "CL_INVALID_BUFFER_SIZE";
  default:
    return "an error of OpenCL";
  }
}

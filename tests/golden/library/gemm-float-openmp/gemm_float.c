// C with OpenMP of gemm_float, composed for cpu:
//   S_P, regroup(tile, P), distribute(T), S_T, regroup(step, T), serialize(T), S_T,
//   regroup(tile, T), distribute(V), compute(gemm#1, SE_V)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "gemm_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// free parameter of tile
#ifndef TILE_M
#define TILE_M 132
#endif
// free parameter of tile
#ifndef TILE_N
#define TILE_N 256
#endif
// free parameter of step
#ifndef STEP_K
#define STEP_K 256
#endif
// free parameter of tile
#ifndef TILE_M_2
#define TILE_M_2 12
#endif
// free parameter of tile
#ifndef TILE_N_2
#define TILE_N_2 32
#endif
// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif

// 16 side by side, at any address
typedef float float16 __attribute__((vector_size(64), aligned(4), may_alias));

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
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
  // the arrays of a thread take at most 4194304 bytes of its stack
  if (!(TILE_M_2 * TILE_N_2 * 4 + TILE_M_2 * TILE_N_2 * 4 + TILE_M_2 * TILE_N_2 * 4 <= 4194304))
    return 1;
  return 0;
}

static void gemm_float_run(const float *a, size_t a_size0, size_t a_size1, const float *b,
    size_t b_size1, float *c) {
  // S_P, regroup(tile, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < (a_size0 + TILE_M - 1) / TILE_M
      * ((b_size1 + TILE_N - 1) / TILE_N); ++thread) {
    float b_tile[STEP_K * TILE_N];
    const size_t tile_row = thread / ((b_size1 + TILE_N - 1) / TILE_N);
    const size_t a0_start = tile_row * TILE_M;
    const size_t a0_len = min_index(TILE_M, a_size0 - min_index(a0_start, a_size0));
    const size_t tile_column = thread % ((b_size1 + TILE_N - 1) / TILE_N);
    const size_t b1_start = tile_column * TILE_N;
    const size_t b1_len = min_index(TILE_N, b_size1 - min_index(b1_start, b_size1));

    // S_T, regroup(step, T)
    // serialize(T)
    for (size_t part = 0; part < (a_size1 + STEP_K - 1) / STEP_K; ++part) {
      const size_t a1_start = part * STEP_K;
      const size_t a1_len = min_index(STEP_K, a_size1 - a1_start);
      for (size_t row = 0; row < a1_len; ++row) {
        for (size_t column = 0; column < b1_len; ++column) {
          b_tile[row * TILE_N + column] = b[(a1_start + row) * b_size1 + (b1_start + column)];
        }
      }

      // S_T, regroup(tile, T)
      // distribute(V)
      for (size_t lane = 0; lane < (a0_len + TILE_M_2 - 1) / TILE_M_2
          * ((b1_len + TILE_N_2 - 1) / TILE_N_2); ++lane) {
        const size_t tile_row_2 = lane / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const size_t a0_start_2 = tile_row_2 * TILE_M_2;
        const size_t a0_len_2 = min_index(TILE_M_2, a0_len - min_index(a0_start_2, a0_len));
        const size_t tile_column_2 = lane % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const size_t b1_start_2 = tile_column_2 * TILE_N_2;
        const size_t b1_len_2 = min_index(TILE_N_2, b1_len - min_index(b1_start_2, b1_len));

        // compute(gemm#1, SE_V)
        if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2 && TILE_N_2 % 16 == 0) {
          float c_tile[TILE_M_2 * TILE_N_2];
          #if TILE_M_2 * (TILE_N_2 / 16) <= 64
          #pragma GCC unroll 64
          #endif
          for (size_t i = 0; i < TILE_M_2; ++i) {
            #if TILE_M_2 * (TILE_N_2 / 16) <= 64
            #pragma GCC unroll 64
            #endif
            for (size_t j = 0; j < TILE_N_2; j += 16) {
              *(float16 *)&c_tile[i * TILE_N_2 + j] =
                  *(float16 *)&c[(a0_start + a0_start_2 + i) * b_size1
                  + (b1_start + b1_start_2 + j)];
            }
          }
          for (size_t k = 0; k < a1_len; ++k) {
            #if TILE_M_2 * (TILE_N_2 / 16) <= 64
            #pragma GCC unroll 64
            #endif
            for (size_t i = 0; i < TILE_M_2; ++i) {
              #if TILE_M_2 * (TILE_N_2 / 16) <= 64
              #pragma GCC unroll 64
              #endif
              for (size_t j = 0; j < TILE_N_2; j += 16) {
                *(float16 *)&c_tile[i * TILE_N_2 + j] +=
                    a[(a0_start + a0_start_2 + i) * a_size1 + (a1_start + k)]
                    * *(float16 *)&b_tile[k * TILE_N + (b1_start_2 + j)];
              }
            }
          }
          #if TILE_M_2 * (TILE_N_2 / 16) <= 64
          #pragma GCC unroll 64
          #endif
          for (size_t i = 0; i < TILE_M_2; ++i) {
            #if TILE_M_2 * (TILE_N_2 / 16) <= 64
            #pragma GCC unroll 64
            #endif
            for (size_t j = 0; j < TILE_N_2; j += 16) {
              *(float16 *)&c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
                  *(float16 *)&c_tile[i * TILE_N_2 + j];
            }
          }
        } else {
          if (b1_len_2 == TILE_N_2 && TILE_N_2 % 16 == 0) {
            float c_tile_2[TILE_M_2 * TILE_N_2];
            for (size_t i = 0; i < a0_len_2; ++i) {
              #pragma GCC unroll 64
              for (size_t j = 0; j < TILE_N_2; j += 16) {
                *(float16 *)&c_tile_2[i * TILE_N_2 + j] =
                    *(float16 *)&c[(a0_start + a0_start_2 + i) * b_size1
                    + (b1_start + b1_start_2 + j)];
              }
            }
            for (size_t k = 0; k < a1_len; ++k) {
              for (size_t i = 0; i < a0_len_2; ++i) {
                #pragma GCC unroll 64
                for (size_t j = 0; j < TILE_N_2; j += 16) {
                  *(float16 *)&c_tile_2[i * TILE_N_2 + j] +=
                      a[(a0_start + a0_start_2 + i) * a_size1 + (a1_start + k)]
                      * *(float16 *)&b_tile[k * TILE_N + (b1_start_2 + j)];
                }
              }
            }
            for (size_t i = 0; i < a0_len_2; ++i) {
              #pragma GCC unroll 64
              for (size_t j = 0; j < TILE_N_2; j += 16) {
                *(float16 *)&c[(a0_start + a0_start_2 + i) * b_size1
                    + (b1_start + b1_start_2 + j)] = *(float16 *)&c_tile_2[i * TILE_N_2 + j];
              }
            }
          } else {
            float c_tile_3[TILE_M_2 * TILE_N_2];
            for (size_t i = 0; i < a0_len_2; ++i) {
              for (size_t j = 0; j < b1_len_2; ++j) {
                c_tile_3[i * TILE_N_2 + j] =
                    c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];
              }
            }
            for (size_t k = 0; k < a1_len; ++k) {
              for (size_t i = 0; i < a0_len_2; ++i) {
                for (size_t j = 0; j < b1_len_2; ++j) {
                  c_tile_3[i * TILE_N_2 + j] +=
                      a[(a0_start + a0_start_2 + i) * a_size1 + (a1_start + k)]
                      * b_tile[k * TILE_N + (b1_start_2 + j)];
                }
              }
            }
            for (size_t i = 0; i < a0_len_2; ++i) {
              for (size_t j = 0; j < b1_len_2; ++j) {
                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
                    c_tile_3[i * TILE_N_2 + j];
              }
            }
          }
        }
      }
    }
  }
}

/// The threads of a call: as many as OpenMP takes where it is told 0. More than 64 are no more than there are
/// elements, nor than four a processor or 256.
static size_t tangram_threads(size_t threads, size_t elements) {
  if (threads == 0)
    return (size_t)omp_get_max_threads();
  if (threads <= 64)
    return threads;
  size_t most = 4 * (size_t)omp_get_num_procs();
  most = most < 256 ? 256 : most;
  most = elements < most ? elements : most;
  most = most < 64 ? 64 : most;
  return threads < most ? threads : most;
}

/// Whether memory that is written is that of another container, too.
static bool tangram_overlaps(const void *written, size_t bytes, const void *other,
    size_t other_bytes) {
  const uintptr_t begin = (uintptr_t)written;
  const uintptr_t other_begin = (uintptr_t)other;
  return bytes > 0 && other_bytes > 0 && begin < other_begin + other_bytes &&
         other_begin < begin + bytes;
}

static int tangram_check(const float *a, size_t a_size0, size_t a_size1, const float *b,
    size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1) {
  if (tangram_overlaps(c, c_size0 * c_size1 * sizeof *c, a, a_size0 * a_size1 * sizeof *a) ||
      tangram_overlaps(c, c_size0 * c_size1 * sizeof *c, b, b_size0 * b_size1 * sizeof *b))
    return gemm_float_overlap;
  return gemm_float_ok;
}

int gemm_float_workspace(size_t a_size0, size_t a_size1, size_t b_size0, size_t b_size1,
    size_t c_size0, size_t c_size1, size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1) != 0)
    return gemm_float_refused;
  *bytes = 0;
  return gemm_float_ok;
}

int gemm_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *b,
    size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1, size_t threads,
    void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, a_size0 * a_size1 + b_size0 * b_size1 + c_size0 * c_size1 + 1);
  if (tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1) != 0)
    return gemm_float_refused;
  const int status = tangram_check(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1);
  if (status != gemm_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  gemm_float_run(a, a_size0, a_size1, b, b_size1, c);
  omp_set_num_threads(before);
  return gemm_float_ok;
}

int gemm_float(const float *a, size_t a_size0, size_t a_size1, const float *b, size_t b_size0,
    size_t b_size1, float *c, size_t c_size0, size_t c_size1) {
  if (tangram_settle(a_size0, a_size1, b_size0, b_size1, c_size0, c_size1) != 0)
    return gemm_float_refused;
  const int status = tangram_check(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1);
  if (status != gemm_float_ok)
    return status;
  gemm_float_run(a, a_size0, a_size1, b, b_size1, c);
  return gemm_float_ok;
}

const char *gemm_float_message(int status) {
  switch (status) {
  case gemm_float_ok:
    return "success";
  case gemm_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case gemm_float_no_memory:
    return "there is no memory for temporaries";
  case gemm_float_small_workspace:
    return "the workspace is missing or too small";
  case gemm_float_overlap:
    return "a container that is written shares memory with another one";
  case gemm_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

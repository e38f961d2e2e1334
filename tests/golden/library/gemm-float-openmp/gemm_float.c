// C with OpenMP of gemm_float, composed for cpu:
//   S_P, regroup(split_m, P), distribute(T), S_T, regroup(split_m, T), distribute(V), S_V,
//   regroup(split_m, V), distribute(I), compute(gemm#1, SE_I)
#include "gemm_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// chains in a lane
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

int gemm_float_tuned(const float *a, size_t a_size0, size_t a_size1, const float *b, size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1, size_t p) {
  if (p == 0)
    return 1;
  // gemm<float> requires c.size(0) == a.size(0) (codelets/gemm.cpp:6:3)
  if (!(c_size0 == a_size0))
    return 1;
  // gemm<float> requires b.size(0) == a.size(1) (codelets/gemm.cpp:7:3)
  if (!(b_size0 == a_size1))
    return 1;
  // gemm<float> requires c.size(1) == b.size(1) (codelets/gemm.cpp:8:3)
  if (!(c_size1 == b_size1))
    return 1;


  // S_P, regroup(split_m, P)
  const size_t a_tile = (a_size0 + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t a_start = thread * a_tile;
    const size_t a_len = max_index(min_index(a_tile + thread * a_tile, a_size0), a_start) - a_start;

    // S_T, regroup(split_m, T)
    const size_t a_tile_2 = (a_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_start_2 = lane * a_tile_2;
      const size_t a_len_2 = max_index(min_index(a_tile_2 + lane * a_tile_2, a_len), a_start_2)
          - a_start_2;

      // S_V, regroup(split_m, V)
      const size_t a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(gemm#1, SE_I)
      const size_t common =
          max_index(min_index(a_tile_3 + (NUM_CHAINS - 1) * a_tile_3, a_len_2), (NUM_CHAINS - 1)
          * a_tile_3) - (NUM_CHAINS - 1) * a_tile_3;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t j = 0; j < b_size1; ++j) {
            float accum =
                c[a_start * b_size1 + a_start_2 * b_size1 + chain * a_tile_3 * b_size1 + i
                * b_size1 + j];
            for (size_t k = 0; k < a_size1; ++k) {
              accum +=
                  a[a_start * a_size1 + a_start_2 * a_size1 + chain * a_tile_3 * a_size1 + i
                  * a_size1 + k] * b[k * b_size1 + j];
            }
            c[a_start * b_size1 + a_start_2 * b_size1 + chain * a_tile_3 * b_size1 + i * b_size1
                + j] = accum;
          }
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < max_index(min_index(a_tile_3 + chain * a_tile_3, a_len_2), chain * a_tile_3)
            - chain * a_tile_3; ++i) {
          for (size_t j = 0; j < b_size1; ++j) {
            float accum =
                c[a_start * b_size1 + a_start_2 * b_size1 + chain * a_tile_3 * b_size1 + i
                * b_size1 + j];
            for (size_t k = 0; k < a_size1; ++k) {
              accum +=
                  a[a_start * a_size1 + a_start_2 * a_size1 + chain * a_tile_3 * a_size1 + i
                  * a_size1 + k] * b[k * b_size1 + j];
            }
            c[a_start * b_size1 + a_start_2 * b_size1 + chain * a_tile_3 * b_size1 + i * b_size1
                + j] = accum;
          }
        }
      }
    }
  }
  return 0;
}

int gemm_float(const float *a, size_t a_size0, size_t a_size1, const float *b, size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1) {
  int status = gemm_float_tuned(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1, (size_t)omp_get_max_threads());
  // The default may not suit this size; look for a number that does.
  for (size_t workers = 1; status == 1 && workers <= 65536; workers *= 2)
    status = gemm_float_tuned(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1, workers);
  return status;
}

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

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

int gemm_float_tuned(const float *a, size_t a_size0, size_t a_size1, const float *b, size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1, size_t p) {
  // gemm<float> requires c.size(0) == a.size(0) (codelets/gemm.cpp:6:3)
  if (!(c_size0 == a_size0))
    return 1;
  // gemm<float> requires b.size(0) == a.size(1) (codelets/gemm.cpp:7:3)
  if (!(b_size0 == a_size1))
    return 1;
  // gemm<float> requires c.size(1) == b.size(1) (codelets/gemm.cpp:8:3)
  if (!(c_size1 == b_size1))
    return 1;
  if (p == 0)
    p = (size_t)omp_get_max_threads();


  // S_P, regroup(split_m, P)
  const size_t a_tile = (a_size0 + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t a_start = thread * a_tile;
    const size_t a_len = min_index(a_tile, a_size0 - min_index(a_start, a_size0));

    // S_T, regroup(split_m, T)
    const size_t a_tile_2 = (a_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_start_2 = lane * a_tile_2;
      const size_t a_len_2 = min_index(a_tile_2, a_len - min_index(a_start_2, a_len));

      // S_V, regroup(split_m, V)
      const size_t a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(gemm#1, SE_I)
      const size_t common =
          min_index(a_tile_3, a_len_2 - min_index((NUM_CHAINS - 1) * a_tile_3, a_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t j = 0; j < b_size1; ++j) {
            float accum = c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + j];
            for (size_t k = 0; k < a_size1; ++k) {
              accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]
                  * b[k * b_size1 + j];
            }
            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + j] = accum;
          }
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(a_tile_3, a_len_2 - min_index(chain * a_tile_3, a_len_2)); ++i) {
          for (size_t j = 0; j < b_size1; ++j) {
            float accum = c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + j];
            for (size_t k = 0; k < a_size1; ++k) {
              accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]
                  * b[k * b_size1 + j];
            }
            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + j] = accum;
          }
        }
      }
    }
  }
  return 0;
}

int gemm_float(const float *a, size_t a_size0, size_t a_size1, const float *b, size_t b_size0, size_t b_size1, float *c, size_t c_size0, size_t c_size1) {
  return gemm_float_tuned(a, a_size0, a_size1, b, b_size0, b_size1, c, c_size0, c_size1, 0);
}

// C with OpenMP of gemv_float, composed for cpu:
//   S_P, regroup(row_blocks, P), distribute(T), S_T, regroup(row_blocks, T), distribute(V),
//   S_V, regroup(row_blocks, V), distribute(I), compute(gemv#1, SE_I)
#include "gemv_float.h"

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

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // gemv<float> requires x.size() == a.size(1) (codelets/gemv.cpp:9:3)
  if (!(x_size == a_size1))
    return 1;
  // gemv<float> requires y.size() == a.size(0) (codelets/gemv.cpp:10:3)
  if (!(y_size == a_size0))
    return 1;
  if (p == 0)
    p = 8 * threads < 4096 ? 8 * threads : 4096;
  *p_settled = p;
  return 0;
}

static void gemv_float_run(const float *a, size_t a_size0, size_t a_size1, const float *x, float *y, size_t p) {
  // S_P, regroup(row_blocks, P)
  const size_t a_tile = (a_size0 + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t a_start = thread * a_tile;
    const size_t a_len = min_index(a_tile, a_size0 - min_index(a_start, a_size0));

    // S_T, regroup(row_blocks, T)
    const size_t a_tile_2 = (a_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_start_2 = lane * a_tile_2;
      const size_t a_len_2 = min_index(a_tile_2, a_len - min_index(a_start_2, a_len));

      // S_V, regroup(row_blocks, V)
      const size_t a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(gemv#1, SE_I)
      const size_t common =
          min_index(a_tile_3, a_len_2 - min_index((NUM_CHAINS - 1) * a_tile_3, a_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          float accum = 0.0f;
          for (size_t j = 0; j < a_size1; ++j) {
            accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + j] * x[j];
          }
          y[a_start + a_start_2 + chain * a_tile_3 + i] = accum;
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(a_tile_3, a_len_2 - min_index(chain * a_tile_3, a_len_2)); ++i) {
          float accum = 0.0f;
          for (size_t j = 0; j < a_size1; ++j) {
            accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + j] * x[j];
          }
          y[a_start + a_start_2 + chain * a_tile_3 + i] = accum;
        }
      }
    }
  }
}

int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t threads, size_t *bytes) {
  if (threads == 0)
    threads = (size_t)omp_get_max_threads();
  size_t p = 0;
  if (tangram_settle(threads, a_size0, a_size1, x_size, y_size, &p) != 0)
    return 1;
  *bytes = 0;
  return 0;
}

int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  if (threads == 0)
    threads = (size_t)before;
  size_t p = 0;
  if (tangram_settle(threads, a_size0, a_size1, x_size, y_size, &p) != 0)
    return 1;
  omp_set_num_threads((int)threads);
  gemv_float_run(a, a_size0, a_size1, x, y, p);
  omp_set_num_threads(before);
  return 0;
}

int gemv_float_tuned(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), a_size0, a_size1, x_size, y_size, &p) != 0)
    return 1;
  gemv_float_run(a, a_size0, a_size1, x, y, p);
  return 0;
}

int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size) {
  return gemv_float_tuned(a, a_size0, a_size1, x, x_size, y, y_size, 0);
}

// C with OpenMP of axpy_float, composed for cpu:
//   S_P, regroup(tiled, P), distribute(T), S_T, regroup(strided, T), distribute(V), S_V,
//   regroup(strided, V), distribute(I), compute(axpy#1, SE_I)
#include "axpy_float.h"

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
static int tangram_settle(size_t threads, size_t x_size, size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // axpy<float> requires y.size() == x.size() (codelets/axpy.cpp:6:3)
  if (!(y_size == x_size))
    return 1;
  if (p == 0)
    p = 8 * threads < 4096 ? 8 * threads : 4096;
  *p_settled = p;
  return 0;
}

static void axpy_float_run(float a, const float *x, size_t x_size, float *y, size_t p) {
  // S_P, regroup(tiled, P)
  const size_t x_tile = (x_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t x_start = thread * x_tile;
    const size_t x_len = min_index(x_tile, x_size - min_index(x_start, x_size));

    // S_T, regroup(strided, T)
    // distribute(V)
    // S_V, regroup(strided, V)
    // distribute(I)
    // compute(axpy#1, SE_I)
    const size_t all_have = x_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (x_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t x_len_2 = (x_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = x_len_2 / NUM_CHAINS; i < (x_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }
}

int axpy_float_workspace(float a, size_t x_size, size_t y_size, size_t threads, size_t *bytes) {
  (void)a;
  if (threads == 0)
    threads = (size_t)omp_get_max_threads();
  size_t p = 0;
  if (tangram_settle(threads, x_size, y_size, &p) != 0)
    return 1;
  *bytes = 0;
  return 0;
}

int axpy_float_on_threads(float a, const float *x, size_t x_size, float *y, size_t y_size, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  if (threads == 0)
    threads = (size_t)before;
  size_t p = 0;
  if (tangram_settle(threads, x_size, y_size, &p) != 0)
    return 1;
  omp_set_num_threads((int)threads);
  axpy_float_run(a, x, x_size, y, p);
  omp_set_num_threads(before);
  return 0;
}

int axpy_float_tuned(float a, const float *x, size_t x_size, float *y, size_t y_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), x_size, y_size, &p) != 0)
    return 1;
  axpy_float_run(a, x, x_size, y, p);
  return 0;
}

int axpy_float(float a, const float *x, size_t x_size, float *y, size_t y_size) {
  return axpy_float_tuned(a, x, x_size, y, y_size, 0);
}

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

int axpy_float_tuned(float a, const float *x, size_t x_size, float *y, size_t y_size, size_t p) {
  // axpy<float> requires y.size() == x.size() (codelets/axpy.cpp:6:3)
  if (!(y_size == x_size))
    return 1;
  if (p == 0)
    p = (size_t)omp_get_max_threads();


  // S_P, regroup(tiled, P)
  const size_t x_tile = (x_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t x_start = thread * x_tile;
    const size_t x_len = min_index(x_tile, x_size - min_index(x_start, x_size));

    // S_T, regroup(strided, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t x_len_2 = (x_len + NUM_LANES - 1 - lane) / NUM_LANES;

      // S_V, regroup(strided, V)
      // distribute(I)
      // compute(axpy#1, SE_I)
      const size_t common = x_len_2 / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (x_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }
  return 0;
}

int axpy_float(float a, const float *x, size_t x_size, float *y, size_t y_size) {
  return axpy_float_tuned(a, x, x_size, y, y_size, 0);
}

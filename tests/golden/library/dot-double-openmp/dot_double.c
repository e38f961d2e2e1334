// C with OpenMP of dot_double, composed for cpu:
//   S_P, regroup(dot_tiled, P), distribute(T), S_T, regroup(dot_strided, T), distribute(V),
//   S_V, regroup(dot_strided, V), distribute(I), compute(dot#1, SE_I), compute(sum#1, SE_V),
//   S_T, devolve(V), select(sum_reduce, V), S_V, regroup(strided, V), distribute(I),
//   compute(reduce#1, SE_I), compute(reduce#1, SE_V), S_P, devolve(T), select(sum_reduce, T),
//   S_T, regroup(strided, T), distribute(V), S_V, regroup(strided, V), distribute(I),
//   compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T)
#include "dot_double.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

static inline double zero_3(void) {
  return 0.0;
}

static inline double plus_3(double a, double b) {
  return a + b;
}

int dot_double_tuned(const double *a, size_t a_size, const double *b, size_t b_size, double *result, size_t p) {
  // dot<double> requires b.size() == a.size() (codelets/dot.cpp:7:3)
  if (!(b_size == a_size))
    return 1;
  if (p == 0)
    p = (size_t)omp_get_max_threads();

  double *dot_of_thread = malloc(p * sizeof *dot_of_thread);
  if (!dot_of_thread)
    return 2;

  // S_P, regroup(dot_tiled, P)
  const size_t a_tile = (a_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    double dot_of_lane[NUM_LANES];
    const size_t a_start = thread * a_tile;
    const size_t a_len = min_index(a_tile, a_size - min_index(a_start, a_size));

    // S_T, regroup(dot_strided, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_len_2 = (a_len + NUM_LANES - 1 - lane) / NUM_LANES;

      // S_V, regroup(dot_strided, V)
      double dot_of_chain[NUM_CHAINS];

      // distribute(I)
      double accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(dot#1, SE_I)
        accum[chain] = 0.0;
      }
      const size_t common = a_len_2 / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] += a[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]
              * b[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (a_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          accum[chain] += a[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]
              * b[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
        dot_of_chain[chain] = accum[chain];
      }

      // compute(sum#1, SE_V)
      double accum_2 = 0.0;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 += dot_of_chain[i];
      }
      dot_of_lane[lane] = accum_2;
    }

    // S_T, devolve(V)
    // S_V, regroup(strided, V)
    double reduce_of_chain[NUM_CHAINS];

    // distribute(I)
    double accum[NUM_CHAINS];
    #pragma GCC unroll 16
    for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
      // compute(reduce#1, SE_I)
      accum[chain] = zero_3();
    }
    const size_t common = NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < common; ++i) {
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        accum[chain] = plus_3(accum[chain], dot_of_lane[chain + i * NUM_CHAINS]);
      }
    }
    #pragma GCC unroll 16
    for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
      for (size_t i = common; i < (NUM_LANES + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
        accum[chain] = plus_3(accum[chain], dot_of_lane[chain + i * NUM_CHAINS]);
      }
      reduce_of_chain[chain] = accum[chain];
    }

    // compute(reduce#1, SE_V)
    double accum_2 = zero_3();
    for (size_t i = 0; i < NUM_CHAINS; ++i) {
      accum_2 = plus_3(accum_2, reduce_of_chain[i]);
    }
    dot_of_thread[thread] = accum_2;
  }

  // S_P, devolve(T)
  {
    double tmp[NUM_LANES];

    // S_T, regroup(strided, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;

      // S_V, regroup(strided, V)
      double reduce_of_chain[NUM_CHAINS];

      // distribute(I)
      double accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain] = zero_3();
      }
      const size_t common = in_len / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] =
              plus_3(accum[chain],
              dot_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          accum[chain] =
              plus_3(accum[chain],
              dot_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain] = accum[chain];
      }

      // compute(reduce#1, SE_V)
      double accum_2 = zero_3();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus_3(accum_2, reduce_of_chain[i]);
      }
      const double reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp[lane] = reduce_of_lane;
    }
    double tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? plus_3(tmp[lane - s], tmp[lane]) : 0.0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] = tmp_read[lane];
        }
      }
    }
    result[0] = tmp[NUM_LANES - 1];
  }
  free(dot_of_thread);
  return 0;
}

int dot_double(const double *a, size_t a_size, const double *b, size_t b_size, double *result) {
  return dot_double_tuned(a, a_size, b, b_size, result, 0);
}

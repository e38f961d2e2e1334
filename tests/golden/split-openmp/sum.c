// C with OpenMP of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), split(P), distribute(T), distribute(V), compute(sum#1, SE_V),
//   S_P, devolve(T), compute(kog, VE_T)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

int sum_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (p == 0)
    return 1;
  // kog at level T requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(p * NUM_LANES <= NUM_LANES))
    return 1;

  int *sum_of_thread = malloc((p * NUM_LANES + 1) * sizeof *sum_of_thread);
  if (!sum_of_thread)
    return 2;
  const size_t p_2 = p * NUM_LANES;
  const size_t tile = (in_size + p_2 - 1) / p_2;

  // S_P, regroup(asso_tiled, P)
  // split(P), distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    // distribute(V)
    int accum[NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // compute(sum#1, SE_V)
      accum[lane] = 0;
    }
    const size_t all_have =
        max_index(min_index(tile + (thread * NUM_LANES + (NUM_LANES - 1)) * tile, in_size),
        (thread * NUM_LANES + (NUM_LANES - 1)) * tile) - (thread * NUM_LANES + (NUM_LANES - 1))
        * tile;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        accum[lane] += in[(thread * NUM_LANES + lane) * tile + i];
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have;
          i < max_index(min_index(tile + (thread * NUM_LANES + lane) * tile, in_size),
          (thread * NUM_LANES + lane) * tile) - (thread * NUM_LANES + lane) * tile; ++i) {
        accum[lane] += in[(thread * NUM_LANES + lane) * tile + i];
      }
      sum_of_thread[thread * NUM_LANES + lane] = accum[lane];
    }
  }

  // S_P, devolve(T)
  {
    int tmp[NUM_LANES];

    // compute(kog, VE_T)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      tmp[lane] = lane < p_2 ? sum_of_thread[lane] : 0;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? tmp[lane - s] : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] += tmp_read[lane];
        }
      }
    }
    result[0] = tmp[NUM_LANES - 1];
  }
  free(sum_of_thread);
  return 0;
}

int sum(const int *in, size_t in_size, int *result) {
  int status = sum_tuned(in, in_size, result, (size_t)omp_get_max_threads());
  // The default may not suit this size; look for a number that does.
  for (size_t workers = 1; status == 1 && workers <= 65536; workers *= 2)
    status = sum_tuned(in, in_size, result, workers);
  return status;
}

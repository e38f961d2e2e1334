// C with OpenMP of sum, composed for simple-cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),
//   compute(sum#1, SE_T)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

int sum_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (p == 0)
    p = (size_t)omp_get_max_threads();

  int *sum_of_thread = malloc(p * sizeof *sum_of_thread);
  if (!sum_of_thread)
    return 2;
  const size_t tile = (in_size + p - 1) / p;

  // S_P, regroup(asso_tiled, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * tile;
    const size_t in_len = min_index(tile, in_size - min_index(in_start, in_size));

    // compute(sum#1, SE_T)
    int accum = 0;
    for (size_t i = 0; i < in_len; ++i) {
      accum += in[in_start + i];
    }
    sum_of_thread[thread] = accum;
  }

  // S_P, devolve(T)
  // compute(sum#1, SE_T)
  int accum = 0;
  for (size_t i = 0; i < p; ++i) {
    accum += sum_of_thread[i];
  }
  result[0] = accum;
  free(sum_of_thread);
  return 0;
}

int sum(const int *in, size_t in_size, int *result) {
  return sum_tuned(in, in_size, result, 0);
}

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

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t *p_settled) {
  size_t p = *p_settled;
  if (p == 0)
    p = 8 * threads < 4096 ? 8 * threads : 4096;
  *p_settled = p;
  return 0;
}

static size_t tangram_workspace(size_t p) {
  return p * sizeof(int);
}

static void sum_run(const int *in, size_t in_size, int *result, size_t p, void *workspace) {
  int *sum_of_thread = workspace;
  const size_t tile = (in_size + p - 1) / p;

  // S_P, regroup(asso_tiled, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * tile;
    const size_t in_len = min_index(tile, in_size - min_index(in_start, in_size));

    // compute(sum#1, SE_T)
    int accum = 0;
    for (size_t i = 0; i < in_len; ++i) {
      accum += (unsigned int)in[in_start + i];
    }
    sum_of_thread[thread] = accum;
  }

  // S_P, devolve(T)
  // compute(sum#1, SE_T)
  int accum = 0;
  for (size_t i = 0; i < p; ++i) {
    accum += (unsigned int)sum_of_thread[i];
  }
  result[0] = accum;
}

int sum_workspace(size_t in_size, size_t threads, size_t *bytes) {
  (void)in_size;
  if (threads == 0)
    threads = (size_t)omp_get_max_threads();
  size_t p = 0;
  if (tangram_settle(threads, &p) != 0)
    return 1;
  *bytes = tangram_workspace(p);
  return 0;
}

int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  if (threads == 0)
    threads = (size_t)before;
  size_t p = 0;
  if (tangram_settle(threads, &p) != 0)
    return 1;
  if (!workspace || workspace_bytes < tangram_workspace(p))
    return 3;
  omp_set_num_threads((int)threads);
  sum_run(in, in_size, result, p, workspace);
  omp_set_num_threads(before);
  return 0;
}

int sum_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), &p) != 0)
    return 1;
  void *workspace = malloc(tangram_workspace(p));
  if (!workspace)
    return 2;
  sum_run(in, in_size, result, p, workspace);
  free(workspace);
  return 0;
}

int sum(const int *in, size_t in_size, int *result) {
  return sum_tuned(in, in_size, result, 0);
}

// C with OpenMP of sum, composed for simple-gpu:
//   S_G, devolve(B), compute(kog, VE_B)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size) {
  // kog at level B requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(in_size <= NUM_THREADS))
    return 1;
  return 0;
}

static void sum_run(const int *in, size_t in_size, int *result) {
  // S_G, devolve(B)
  {
    int tmp[NUM_THREADS];

    // compute(kog, VE_B)
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      tmp[thread] = thread < in_size ? in[thread] : 0;
    }
    int tmp_read[NUM_THREADS];
    for (size_t s = 1; s < NUM_THREADS; s *= 2) {
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        tmp_read[thread] = thread >= s ? tmp[thread - s] : 0;
      }
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        if (thread >= s) {
          tmp[thread] += (unsigned int)tmp_read[thread];
        }
      }
    }
    result[0] = tmp[NUM_THREADS - 1];
  }
}

int sum_workspace(size_t in_size, size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size) != 0)
    return 1;
  *bytes = 0;
  return 0;
}

int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  if (threads == 0)
    threads = (size_t)before;
  if (tangram_settle(in_size) != 0)
    return 1;
  omp_set_num_threads((int)threads);
  sum_run(in, in_size, result);
  omp_set_num_threads(before);
  return 0;
}

int sum(const int *in, size_t in_size, int *result) {
  if (tangram_settle(in_size) != 0)
    return 1;
  sum_run(in, in_size, result);
  return 0;
}

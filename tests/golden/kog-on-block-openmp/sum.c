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

int sum(const int *in, size_t in_size, int *result) {
  // kog at level B requires in.size() <= coopDim() (codelets/sum.cpp:19:3)
  if (!(in_size <= NUM_THREADS))
    return 1;


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
          tmp[thread] += tmp_read[thread];
        }
      }
    }
    result[0] = tmp[NUM_THREADS - 1];
  }
  return 0;
}

// C with OpenMP of sum, composed for simple-gpu:
//   S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), distribute(T),
//   compute(sum#1, SE_T), compute(kog, VE_B), S_G, devolve(B), S_B, regroup(stride_tiled, B),
//   distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

int sum_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (p == 0)
    p = 64;

  int *sum_of_block = malloc(p * sizeof *sum_of_block);
  if (!sum_of_block)
    return 2;
  const size_t tile = (in_size + p - 1) / p;

  // S_G, regroup(asso_tiled, G)
  // distribute(B)
  #pragma omp parallel for schedule(static)
  for (size_t block = 0; block < p; ++block) {
    int tmp[NUM_THREADS];
    const size_t in_start = block * tile;
    const size_t in_len = min_index(tile, in_size - min_index(in_start, in_size));

    // S_B, regroup(stride_tiled, B)
    // distribute(T)
    int accum[NUM_THREADS];
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      // compute(sum#1, SE_T)
      accum[thread] = 0;
    }
    const size_t all_have = in_len / NUM_THREADS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        accum[thread] += in[in_start + thread + i * NUM_THREADS];
      }
    }
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      for (size_t i = all_have; i < (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS; ++i) {
        accum[thread] += in[in_start + thread + i * NUM_THREADS];
      }
      const int sum_of_thread = accum[thread];

      // compute(kog, VE_B)
      tmp[thread] = sum_of_thread;
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
    sum_of_block[block] = tmp[NUM_THREADS - 1];
  }

  // S_G, devolve(B)
  {
    int tmp_2[NUM_THREADS];

    // S_B, regroup(stride_tiled, B)
    // distribute(T)
    int accum[NUM_THREADS];
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      // compute(sum#1, SE_T)
      accum[thread] = 0;
    }
    const size_t all_have = p / NUM_THREADS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        accum[thread] += sum_of_block[thread + i * NUM_THREADS];
      }
    }
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      for (size_t i = all_have; i < (p + NUM_THREADS - 1 - thread) / NUM_THREADS; ++i) {
        accum[thread] += sum_of_block[thread + i * NUM_THREADS];
      }
      const int sum_of_thread = accum[thread];

      // compute(kog, VE_B)
      tmp_2[thread] = sum_of_thread;
    }
    int tmp_read[NUM_THREADS];
    for (size_t s = 1; s < NUM_THREADS; s *= 2) {
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        tmp_read[thread] = thread >= s ? tmp_2[thread - s] : 0;
      }
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        if (thread >= s) {
          tmp_2[thread] += tmp_read[thread];
        }
      }
    }
    result[0] = tmp_2[NUM_THREADS - 1];
  }
  free(sum_of_block);
  return 0;
}

int sum(const int *in, size_t in_size, int *result) {
  return sum_tuned(in, in_size, result, 0);
}

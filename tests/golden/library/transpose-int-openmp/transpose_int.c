// C with OpenMP of transpose_int, composed for cpu:
//   S_P, regroup(tiled_chunks, P), distribute(T), S_T, regroup(copy_by_rows, T), distribute(V),
//   S_V, regroup(copy_by_rows, V), distribute(I), compute(copy_matrix#1, SE_I)
#include "transpose_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
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

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1) {
  // transpose<int> requires out.size(0) == in.size(1) (codelets/transpose.cpp:6:3)
  if (!(out_size0 == in_size1))
    return 1;
  // transpose<int> requires out.size(1) == in.size(0) (codelets/transpose.cpp:7:3)
  if (!(out_size1 == in_size0))
    return 1;
  return 0;
}

static void transpose_int_run(const int *in, size_t in_size0, size_t in_size1, int *out) {
  // S_P, regroup(tiled_chunks, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T
      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); ++thread) {
    const size_t in0_part = thread / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const size_t in0_start = in0_part * TILED_CHUNKS_T;
    const size_t in0_len = min_index(TILED_CHUNKS_T, in_size0 - min_index(in0_start, in_size0));
    const size_t in1_part = thread % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const size_t in1_start = in1_part * TILED_CHUNKS_T;
    const size_t in1_len = min_index(TILED_CHUNKS_T, in_size1 - min_index(in1_start, in_size1));

    // S_T, regroup(copy_by_rows, T)
    const size_t in_tile = (in0_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start = lane * in_tile;
      const size_t in_len = min_index(in_tile, in0_len - min_index(in_start, in0_len));

      // S_V, regroup(copy_by_rows, V)
      const size_t in_tile_2 = (in_len + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(copy_matrix#1, SE_I)
      const size_t common =
          min_index(in_tile_2, in_len - min_index((NUM_CHAINS - 1) * in_tile_2, in_len));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t j = 0; j < in1_len; ++j) {
            out[(in1_start + j) * in_size0 + (in0_start + in_start + chain * in_tile_2 + i)] =
                in[(in0_start + in_start + chain * in_tile_2 + i) * in_size1 + (in1_start + j)];
          }
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(in_tile_2, in_len - min_index(chain * in_tile_2, in_len)); ++i) {
          for (size_t j = 0; j < in1_len; ++j) {
            out[(in1_start + j) * in_size0 + (in0_start + in_start + chain * in_tile_2 + i)] =
                in[(in0_start + in_start + chain * in_tile_2 + i) * in_size1 + (in1_start + j)];
          }
        }
      }
    }
  }
}

int transpose_int_workspace(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1, size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return 1;
  *bytes = 0;
  return 0;
}

int transpose_int_on_threads(const int *in, size_t in_size0, size_t in_size1, int *out, size_t out_size0, size_t out_size1, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  if (threads == 0)
    threads = (size_t)before;
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return 1;
  omp_set_num_threads((int)threads);
  transpose_int_run(in, in_size0, in_size1, out);
  omp_set_num_threads(before);
  return 0;
}

int transpose_int(const int *in, size_t in_size0, size_t in_size1, int *out, size_t out_size0, size_t out_size1) {
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return 1;
  transpose_int_run(in, in_size0, in_size1, out);
  return 0;
}

// C with OpenMP of transpose_int, composed for cpu:
//   S_P, regroup(tiled_chunks, P), distribute(T), S_T, regroup(copy_by_rows, T), distribute(V),
//   S_V, regroup(copy_by_rows, V), distribute(I), compute(copy_matrix#1, SE_I)
#include "transpose_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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
  // transpose<int> requires out.size(0) == in.size(1) (transpose.cpp:6:3)
  if (!(out_size0 == in_size1))
    return 1;
  // transpose<int> requires out.size(1) == in.size(0) (transpose.cpp:7:3)
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
    const size_t tile_row = thread / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const size_t in0_start = tile_row * TILED_CHUNKS_T;
    const size_t in0_len = min_index(TILED_CHUNKS_T, in_size0 - min_index(in0_start, in_size0));
    const size_t tile_column = thread % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const size_t in1_start = tile_column * TILED_CHUNKS_T;
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

/// The threads of a call: as many as OpenMP takes where it is told 0. More than 64 are no more than there are
/// elements, nor than four a processor or 256.
static size_t tangram_threads(size_t threads, size_t elements) {
  if (threads == 0)
    return (size_t)omp_get_max_threads();
  if (threads <= 64)
    return threads;
  size_t most = 4 * (size_t)omp_get_num_procs();
  most = most < 256 ? 256 : most;
  most = elements < most ? elements : most;
  most = most < 64 ? 64 : most;
  return threads < most ? threads : most;
}

/// Whether memory that is written is that of another container, too.
static bool tangram_overlaps(const void *written, size_t bytes, const void *other,
    size_t other_bytes) {
  const uintptr_t begin = (uintptr_t)written;
  const uintptr_t other_begin = (uintptr_t)other;
  return bytes > 0 && other_bytes > 0 && begin < other_begin + other_bytes &&
         other_begin < begin + bytes;
}

static int tangram_check(const int *in, size_t in_size0, size_t in_size1, int *out,
    size_t out_size0, size_t out_size1) {
  if (tangram_overlaps(out, out_size0 * out_size1 * sizeof *out, in, in_size0 * in_size1
      * sizeof *in))
    return transpose_int_overlap;
  return transpose_int_ok;
}

int transpose_int_workspace(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1,
    size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return transpose_int_refused;
  *bytes = 0;
  return transpose_int_ok;
}

int transpose_int_on_threads(const int *in, size_t in_size0, size_t in_size1, int *out,
    size_t out_size0, size_t out_size1, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size0 * in_size1 + out_size0 * out_size1 + 1);
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return transpose_int_refused;
  const int status = tangram_check(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != transpose_int_ok)
    return status;
  omp_set_num_threads((int)threads);
  transpose_int_run(in, in_size0, in_size1, out);
  omp_set_num_threads(before);
  return transpose_int_ok;
}

int transpose_int(const int *in, size_t in_size0, size_t in_size1, int *out, size_t out_size0,
    size_t out_size1) {
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return transpose_int_refused;
  const int status = tangram_check(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != transpose_int_ok)
    return status;
  transpose_int_run(in, in_size0, in_size1, out);
  return transpose_int_ok;
}

const char *transpose_int_message(int status) {
  switch (status) {
  case transpose_int_ok:
    return "success";
  case transpose_int_refused:
    return "no call with these sizes or numbers of workers can be served";
  case transpose_int_no_memory:
    return "there is no memory for temporaries";
  case transpose_int_small_workspace:
    return "the workspace is missing or too small";
  case transpose_int_overlap:
    return "a container that is written shares memory with another one";
  case transpose_int_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

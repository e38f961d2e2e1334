// C with OpenMP of jacobi_float, composed for cpu:
//   select(jacobi_padded, P), S_P, regroup(jacobi_tiles, P), distribute(T), S_T,
//   regroup(jacobi_parts, T), distribute(V), S_V, regroup(jacobi_tiles, V), distribute(I),
//   compute(jacobi_inside#1, SE_I)
#include "jacobi_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_T
#define JACOBI_TILES_T 64
#endif
// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_U
#define JACOBI_TILES_U 256
#endif
// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_T_2
#define JACOBI_TILES_T_2 8
#endif
// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_U_2
#define JACOBI_TILES_U_2 32
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1) {
  // jacobi<float> requires out.size(0) == in.size(0) (stencil.cpp:130:3)
  if (!(out_size0 == in_size0))
    return 1;
  // jacobi<float> requires out.size(1) == in.size(1) (stencil.cpp:131:3)
  if (!(out_size1 == in_size1))
    return 1;
  return 0;
}

static void jacobi_float_run(const float *in, size_t in_size0, size_t in_size1, float *out) {
  // S_P, regroup(jacobi_tiles, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < (in_size0 + JACOBI_TILES_T - 1) / JACOBI_TILES_T
      * ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U); ++thread) {
    const size_t tile_row = thread / ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const size_t in0_start = tile_row * JACOBI_TILES_T;
    const size_t in0_len =
        min_index(JACOBI_TILES_T + 2, in_size0 + 2 - min_index(in0_start, in_size0 + 2));
    const size_t tile_column = thread % ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const size_t in1_start = tile_column * JACOBI_TILES_U;
    const size_t in1_len =
        min_index(JACOBI_TILES_U + 2, in_size1 + 2 - min_index(in1_start, in_size1 + 2));
    const size_t out0_len = min_index(JACOBI_TILES_T, in_size0 - min_index(in0_start, in_size0));
    const size_t out1_len = min_index(JACOBI_TILES_U, in_size1 - min_index(in1_start, in_size1));

    // S_T, regroup(jacobi_parts, T)
    const size_t in_tile = (max_index(in0_len, 2) + NUM_LANES - 3) / NUM_LANES;
    const size_t out_tile = (out0_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start = lane * in_tile;
      const size_t in_len = min_index(in_tile + 2, in0_len - min_index(in_start, in0_len));
      const size_t out_start = lane * out_tile;

      // S_V, regroup(jacobi_tiles, V)
      // distribute(I)
      for (size_t chain = 0; chain < (max_index(in_len, 2) + JACOBI_TILES_T_2 - 3)
          / JACOBI_TILES_T_2 * ((max_index(in1_len, 2) + JACOBI_TILES_U_2 - 3) / JACOBI_TILES_U_2);
          ++chain) {
        const size_t tile_row_2 = chain
            / ((max_index(in1_len, 2) + JACOBI_TILES_U_2 - 3) / JACOBI_TILES_U_2);
        const size_t in0_start_2 = tile_row_2 * JACOBI_TILES_T_2;
        const size_t in0_len_2 =
            min_index(JACOBI_TILES_T_2 + 2, in_len - min_index(in0_start_2, in_len));
        const size_t tile_column_2 =
            chain % ((max_index(in1_len, 2) + JACOBI_TILES_U_2 - 3) / JACOBI_TILES_U_2);
        const size_t in1_start_2 = tile_column_2 * JACOBI_TILES_U_2;
        const size_t in1_len_2 =
            min_index(JACOBI_TILES_U_2 + 2, in1_len - min_index(in1_start_2, in1_len));
        const size_t tile_row_3 = chain / ((out1_len + JACOBI_TILES_U_2 - 1) / JACOBI_TILES_U_2);
        const size_t out0_start = tile_row_3 * JACOBI_TILES_T_2;
        const size_t tile_column_3 = chain % ((out1_len + JACOBI_TILES_U_2 - 1) / JACOBI_TILES_U_2);
        const size_t out1_start = tile_column_3 * JACOBI_TILES_U_2;

        // compute(jacobi_inside#1, SE_I)
        for (size_t i = 0; i + 2 < in0_len_2; ++i) {
          const size_t inside =
              min_index(max_index(1, in1_start + in1_start_2) - (in1_start + in1_start_2),
              max_index(in1_len_2, 2) - 2);
          const size_t outside =
              max_index(inside,
              min_index(max_index(in_size1, in1_start + in1_start_2 + 1)
              - (in1_start + in1_start_2 + 1), max_index(in1_len_2, 2) - 2));
          for (size_t j = 0; j < inside; ++j) {
            out[(in0_start + out_start + out0_start + i) * in_size1
                + (in1_start + out1_start + j)] =
                ((1 <= in0_start + in_start + in0_start_2 + i && in0_start + in_start + in0_start_2
                + i < in_size0 + 1
                ? in[(in0_start + in_start + in0_start_2 + i - 1) * in_size1
                + (in1_start + in1_start_2 + j)] : 0.0f)
                + (1 <= in1_start + in1_start_2 + j && in0_start + in_start + in0_start_2
                + i < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                + (in1_start + in1_start_2 + j - 1)] : 0.0f)
                + (in1_start + in1_start_2 + j + 1 < in_size1 && in0_start + in_start + in0_start_2
                + i < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                + (in1_start + in1_start_2 + j + 1)] : 0.0f)
                + (in0_start + in_start + in0_start_2 + i + 1 < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i + 1) * in_size1
                + (in1_start + in1_start_2 + j)] : 0.0f)) / 4.0f;
          }
          const bool inside_2 = 1 <= in0_start + in_start + in0_start_2 + i && in0_start + in_start
              + in0_start_2 + i + 1 < in_size0;
          if (inside_2) {
            for (size_t j = inside; j < outside; ++j) {
              out[(in0_start + out_start + out0_start + i) * in_size1
                  + (in1_start + out1_start + j)] =
                  (in[(in0_start + in_start + in0_start_2 + i - 1) * in_size1
                  + (in1_start + in1_start_2 + j)]
                  + in[(in0_start + in_start + in0_start_2 + i) * in_size1
                  + (in1_start + in1_start_2 + j - 1)]
                  + in[(in0_start + in_start + in0_start_2 + i) * in_size1
                  + (in1_start + in1_start_2 + j + 1)]
                  + in[(in0_start + in_start + in0_start_2 + i + 1) * in_size1
                  + (in1_start + in1_start_2 + j)]) / 4.0f;
            }
          } else {
            for (size_t j = inside; j < outside; ++j) {
              out[(in0_start + out_start + out0_start + i) * in_size1
                  + (in1_start + out1_start + j)] =
                  ((1 <= in0_start + in_start + in0_start_2 + i && in0_start + in_start
                  + in0_start_2 + i < in_size0 + 1
                  ? in[(in0_start + in_start + in0_start_2 + i - 1) * in_size1
                  + (in1_start + in1_start_2 + j)] : 0.0f)
                  + (in0_start + in_start + in0_start_2 + i < in_size0
                  ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                  + (in1_start + in1_start_2 + j - 1)] : 0.0f)
                  + (in0_start + in_start + in0_start_2 + i < in_size0
                  ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                  + (in1_start + in1_start_2 + j + 1)] : 0.0f)
                  + (in0_start + in_start + in0_start_2 + i + 1 < in_size0
                  ? in[(in0_start + in_start + in0_start_2 + i + 1) * in_size1
                  + (in1_start + in1_start_2 + j)] : 0.0f)) / 4.0f;
            }
          }
          for (size_t j = outside; j < max_index(in1_len_2, 2) - 2; ++j) {
            out[(in0_start + out_start + out0_start + i) * in_size1
                + (in1_start + out1_start + j)] =
                ((1 <= in0_start + in_start + in0_start_2 + i && in0_start + in_start + in0_start_2
                + i < in_size0 + 1
                ? in[(in0_start + in_start + in0_start_2 + i - 1) * in_size1
                + (in1_start + in1_start_2 + j)] : 0.0f)
                + (1 <= in1_start + in1_start_2 + j && in0_start + in_start + in0_start_2
                + i < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                + (in1_start + in1_start_2 + j - 1)] : 0.0f)
                + (in1_start + in1_start_2 + j + 1 < in_size1 && in0_start + in_start + in0_start_2
                + i < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i) * in_size1
                + (in1_start + in1_start_2 + j + 1)] : 0.0f)
                + (in0_start + in_start + in0_start_2 + i + 1 < in_size0
                ? in[(in0_start + in_start + in0_start_2 + i + 1) * in_size1
                + (in1_start + in1_start_2 + j)] : 0.0f)) / 4.0f;
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

static int tangram_check(const float *in, size_t in_size0, size_t in_size1, float *out,
    size_t out_size0, size_t out_size1) {
  if (tangram_overlaps(out, out_size0 * out_size1 * sizeof *out, in, in_size0 * in_size1
      * sizeof *in))
    return jacobi_float_overlap;
  return jacobi_float_ok;
}

int jacobi_float_workspace(size_t in_size0, size_t in_size1, size_t out_size0, size_t out_size1,
    size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return jacobi_float_refused;
  *bytes = 0;
  return jacobi_float_ok;
}

int jacobi_float_on_threads(const float *in, size_t in_size0, size_t in_size1, float *out,
    size_t out_size0, size_t out_size1, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size0 * in_size1 + out_size0 * out_size1 + 1);
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return jacobi_float_refused;
  const int status = tangram_check(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != jacobi_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  jacobi_float_run(in, in_size0, in_size1, out);
  omp_set_num_threads(before);
  return jacobi_float_ok;
}

int jacobi_float(const float *in, size_t in_size0, size_t in_size1, float *out, size_t out_size0,
    size_t out_size1) {
  if (tangram_settle(in_size0, in_size1, out_size0, out_size1) != 0)
    return jacobi_float_refused;
  const int status = tangram_check(in, in_size0, in_size1, out, out_size0, out_size1);
  if (status != jacobi_float_ok)
    return status;
  jacobi_float_run(in, in_size0, in_size1, out);
  return jacobi_float_ok;
}

const char *jacobi_float_message(int status) {
  switch (status) {
  case jacobi_float_ok:
    return "success";
  case jacobi_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case jacobi_float_no_memory:
    return "there is no memory for temporaries";
  case jacobi_float_small_workspace:
    return "the workspace is missing or too small";
  case jacobi_float_overlap:
    return "a container that is written shares memory with another one";
  case jacobi_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

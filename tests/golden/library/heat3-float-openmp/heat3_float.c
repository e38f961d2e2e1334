// C with OpenMP of heat3_float, composed for cpu:
//   select(heat3_padded, P), S_P, regroup(heat3_tiles, P), distribute(T), S_T,
//   regroup(heat3_tiles, T), distribute(V), S_V, regroup(heat3_tiles, V), distribute(I),
//   compute(heat3_inside#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "heat3_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// free parameter of heat3_tiles
#ifndef HEAT3_TILES_T
#define HEAT3_TILES_T 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_U
#define HEAT3_TILES_U 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_T_2
#define HEAT3_TILES_T_2 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_U_2
#define HEAT3_TILES_U_2 4
#endif
// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_T_3
#define HEAT3_TILES_T_3 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_U_3
#define HEAT3_TILES_U_3 4
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size0, size_t in_size1, size_t in_size2, size_t out_size0,
    size_t out_size1, size_t out_size2) {
  // heat3<float> requires out.size(0) == in.size(0) (stencil.cpp:233:3)
  if (!(out_size0 == in_size0))
    return 1;
  // heat3<float> requires out.size(1) == in.size(1) (stencil.cpp:234:3)
  if (!(out_size1 == in_size1))
    return 1;
  // heat3<float> requires out.size(2) == in.size(2) (stencil.cpp:235:3)
  if (!(out_size2 == in_size2))
    return 1;
  return 0;
}

static void heat3_float_run(float c, const float *in, size_t in_size0, size_t in_size1,
    size_t in_size2, float *out) {
  // S_P, regroup(heat3_tiles, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < (in_size0 + HEAT3_TILES_T - 1) / HEAT3_TILES_T
      * ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U); ++thread) {
    const size_t tile_row = thread / ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U);
    const size_t in0_start = tile_row * HEAT3_TILES_T;
    const size_t in0_len =
        min_index(HEAT3_TILES_T + 2, in_size0 + 2 - min_index(in0_start, in_size0 + 2));
    const size_t tile_column = thread % ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U);
    const size_t in1_start = tile_column * HEAT3_TILES_U;
    const size_t in1_len =
        min_index(HEAT3_TILES_U + 2, in_size1 + 2 - min_index(in1_start, in_size1 + 2));
    const size_t out1_len = min_index(HEAT3_TILES_U, in_size1 - min_index(in1_start, in_size1));

    // S_T, regroup(heat3_tiles, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < (max_index(in0_len, 2) + HEAT3_TILES_T_2 - 3) / HEAT3_TILES_T_2
        * ((max_index(in1_len, 2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2); ++lane) {
      const size_t tile_row_2 = lane
          / ((max_index(in1_len, 2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
      const size_t in0_start_2 = tile_row_2 * HEAT3_TILES_T_2;
      const size_t in0_len_2 =
          min_index(HEAT3_TILES_T_2 + 2, in0_len - min_index(in0_start_2, in0_len));
      const size_t tile_column_2 =
          lane % ((max_index(in1_len, 2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
      const size_t in1_start_2 = tile_column_2 * HEAT3_TILES_U_2;
      const size_t in1_len_2 =
          min_index(HEAT3_TILES_U_2 + 2, in1_len - min_index(in1_start_2, in1_len));
      const size_t tile_row_3 = lane / ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
      const size_t out0_start = tile_row_3 * HEAT3_TILES_T_2;
      const size_t tile_column_3 = lane % ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
      const size_t out1_start = tile_column_3 * HEAT3_TILES_U_2;
      const size_t out1_len_2 =
          min_index(HEAT3_TILES_U_2, out1_len - min_index(out1_start, out1_len));

      // S_V, regroup(heat3_tiles, V)
      // distribute(I)
      for (size_t chain = 0; chain < (max_index(in0_len_2, 2) + HEAT3_TILES_T_3 - 3)
          / HEAT3_TILES_T_3 * ((max_index(in1_len_2, 2) + HEAT3_TILES_U_3 - 3) / HEAT3_TILES_U_3);
          ++chain) {
        const size_t tile_row_4 = chain
            / ((max_index(in1_len_2, 2) + HEAT3_TILES_U_3 - 3) / HEAT3_TILES_U_3);
        const size_t in0_start_3 = tile_row_4 * HEAT3_TILES_T_3;
        const size_t in0_len_3 =
            min_index(HEAT3_TILES_T_3 + 2, in0_len_2 - min_index(in0_start_3, in0_len_2));
        const size_t tile_column_4 =
            chain % ((max_index(in1_len_2, 2) + HEAT3_TILES_U_3 - 3) / HEAT3_TILES_U_3);
        const size_t in1_start_3 = tile_column_4 * HEAT3_TILES_U_3;
        const size_t in1_len_3 =
            min_index(HEAT3_TILES_U_3 + 2, in1_len_2 - min_index(in1_start_3, in1_len_2));
        const size_t tile_row_5 = chain / ((out1_len_2 + HEAT3_TILES_U_3 - 1) / HEAT3_TILES_U_3);
        const size_t out0_start_2 = tile_row_5 * HEAT3_TILES_T_3;
        const size_t tile_column_5 = chain % ((out1_len_2 + HEAT3_TILES_U_3 - 1) / HEAT3_TILES_U_3);
        const size_t out1_start_2 = tile_column_5 * HEAT3_TILES_U_3;

        // compute(heat3_inside#1, SE_I)
        for (size_t i = 0; i + 2 < in0_len_3; ++i) {
          for (size_t j = 0; j + 2 < in1_len_3; ++j) {
            const size_t inside = min_index(1, in_size2);
            const size_t outside =
                max_index(inside, min_index(max_index(in_size2, 1) - 1, in_size2));
            const size_t row =
                (in0_start + in0_start_2 + in0_start_3 + i < 1 ? in_size0 - 1 : in0_start
                + in0_start_2 + in0_start_3 + i < in_size0 + 1 ? in0_start + in0_start_2
                + in0_start_3 + i - 1 : 0) * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
            const size_t row_2 = (in0_start + in0_start_2 + in0_start_3 + i)
                * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j < 1 ? in_size1 - 1 : in1_start
                + in1_start_2 + in1_start_3 + j < in_size1 + 1 ? in1_start + in1_start_2
                + in1_start_3 + j - 1 : 0) * in_size2;
            const size_t row_3 = (in0_start + in0_start_2 + in0_start_3 + i)
                * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j + 1 < in_size1 ? in1_start
                + in1_start_2 + in1_start_3 + j + 1 : 0) * in_size2;
            const size_t row_4 =
                (in0_start + in0_start_2 + in0_start_3 + i + 1 < in_size0 ? in0_start + in0_start_2
                + in0_start_3 + i + 1 : 0) * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
            for (size_t k = 0; k < inside; ++k) {
              const float around = (0 < in_size1 && 0 < in_size0 ? in[row + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_2 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2
                  + (k < 1 ? in_size2 - 1 : k - 1)] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2
                  + (k + 1 < in_size2 ? k + 1 : 0)] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_3 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_4 + k] : 0.0f);
              out[(in0_start + out0_start + out0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + out1_start + out1_start_2 + j) * in_size2 + k] =
                  (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f) + c
                  * (around - 6.0f
                  * (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f));
            }
            const bool inside_2 = 0 < in_size1 && 0 < in_size0;
            if (inside_2) {
              const size_t row_5 =
                  (in0_start + in0_start_2 + in0_start_3 + i < 1 ? in_size0 - 1 : in0_start
                  + in0_start_2 + in0_start_3 + i < in_size0 + 1 ? in0_start + in0_start_2
                  + in0_start_3 + i - 1 : 0) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
              const size_t row_6 = (in0_start + in0_start_2 + in0_start_3 + i)
                  * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j < 1 ? in_size1 - 1 : in1_start
                  + in1_start_2 + in1_start_3 + j < in_size1 + 1 ? in1_start + in1_start_2
                  + in1_start_3 + j - 1 : 0) * in_size2;
              const size_t row_7 = (in0_start + in0_start_2 + in0_start_3 + i)
                  * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j + 1 < in_size1 ? in1_start
                  + in1_start_2 + in1_start_3 + j + 1 : 0) * in_size2;
              const size_t row_8 =
                  (in0_start + in0_start_2 + in0_start_3 + i + 1 < in_size0 ? in0_start
                  + in0_start_2 + in0_start_3 + i + 1 : 0) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
              for (size_t k = inside; k < outside; ++k) {
                const float around = in[row_5 + k] + in[row_6 + k]
                    + in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + (k - 1)]
                    + in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + (k + 1)]
                    + in[row_7 + k] + in[row_8 + k];
                out[(in0_start + out0_start + out0_start_2 + i) * (in_size1 * in_size2)
                    + (in1_start + out1_start + out1_start_2 + j) * in_size2 + k] =
                    in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] + c
                    * (around - 6.0f
                    * in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k]);
              }
            } else {
              const size_t row_9 =
                  (in0_start + in0_start_2 + in0_start_3 + i < 1 ? in_size0 - 1 : in0_start
                  + in0_start_2 + in0_start_3 + i < in_size0 + 1 ? in0_start + in0_start_2
                  + in0_start_3 + i - 1 : 0) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
              const size_t row_10 = (in0_start + in0_start_2 + in0_start_3 + i)
                  * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j < 1 ? in_size1 - 1 : in1_start
                  + in1_start_2 + in1_start_3 + j < in_size1 + 1 ? in1_start + in1_start_2
                  + in1_start_3 + j - 1 : 0) * in_size2;
              const size_t row_11 = (in0_start + in0_start_2 + in0_start_3 + i)
                  * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j + 1 < in_size1 ? in1_start
                  + in1_start_2 + in1_start_3 + j + 1 : 0) * in_size2;
              const size_t row_12 =
                  (in0_start + in0_start_2 + in0_start_3 + i + 1 < in_size0 ? in0_start
                  + in0_start_2 + in0_start_3 + i + 1 : 0) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
              for (size_t k = inside; k < outside; ++k) {
                const float around = (0 < in_size1 && 0 < in_size0 ? in[row_9 + k] : 0.0f)
                    + (0 < in_size1 && 0 < in_size0 ? in[row_10 + k] : 0.0f)
                    + (0 < in_size1 && 0 < in_size0
                    ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + (k - 1)] : 0.0f)
                    + (0 < in_size1 && 0 < in_size0
                    ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + (k + 1)] : 0.0f)
                    + (0 < in_size1 && 0 < in_size0 ? in[row_11 + k] : 0.0f)
                    + (0 < in_size1 && 0 < in_size0 ? in[row_12 + k] : 0.0f);
                out[(in0_start + out0_start + out0_start_2 + i) * (in_size1 * in_size2)
                    + (in1_start + out1_start + out1_start_2 + j) * in_size2 + k] =
                    (0 < in_size1 && 0 < in_size0
                    ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f) + c
                    * (around - 6.0f
                    * (0 < in_size1 && 0 < in_size0
                    ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                    + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f));
              }
            }
            const size_t row_5 =
                (in0_start + in0_start_2 + in0_start_3 + i < 1 ? in_size0 - 1 : in0_start
                + in0_start_2 + in0_start_3 + i < in_size0 + 1 ? in0_start + in0_start_2
                + in0_start_3 + i - 1 : 0) * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
            const size_t row_6 = (in0_start + in0_start_2 + in0_start_3 + i)
                * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j < 1 ? in_size1 - 1 : in1_start
                + in1_start_2 + in1_start_3 + j < in_size1 + 1 ? in1_start + in1_start_2
                + in1_start_3 + j - 1 : 0) * in_size2;
            const size_t row_7 = (in0_start + in0_start_2 + in0_start_3 + i)
                * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j + 1 < in_size1 ? in1_start
                + in1_start_2 + in1_start_3 + j + 1 : 0) * in_size2;
            const size_t row_8 =
                (in0_start + in0_start_2 + in0_start_3 + i + 1 < in_size0 ? in0_start + in0_start_2
                + in0_start_3 + i + 1 : 0) * (in_size1 * in_size2)
                + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2;
            for (size_t k = outside; k < in_size2; ++k) {
              const float around = (0 < in_size1 && 0 < in_size0 ? in[row_5 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_6 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2
                  + (k < 1 ? in_size2 - 1 : k - 1)] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2
                  + (k + 1 < in_size2 ? k + 1 : 0)] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_7 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0 ? in[row_8 + k] : 0.0f);
              out[(in0_start + out0_start + out0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + out1_start + out1_start_2 + j) * in_size2 + k] =
                  (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f) + c
                  * (around - 6.0f
                  * (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_2 + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + in1_start_3 + j) * in_size2 + k] : 0.0f));
            }
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

static int tangram_check(const float *in, size_t in_size0, size_t in_size1, size_t in_size2,
    float *out, size_t out_size0, size_t out_size1, size_t out_size2) {
  if (tangram_overlaps(out, out_size0 * out_size1 * out_size2 * sizeof *out, in, in_size0
      * in_size1 * in_size2 * sizeof *in))
    return heat3_float_overlap;
  return heat3_float_ok;
}

int heat3_float_workspace(float c, size_t in_size0, size_t in_size1, size_t in_size2,
    size_t out_size0, size_t out_size1, size_t out_size2, size_t threads, size_t *bytes) {
  (void)c;
  (void)threads;
  if (tangram_settle(in_size0, in_size1, in_size2, out_size0, out_size1, out_size2) != 0)
    return heat3_float_refused;
  *bytes = 0;
  return heat3_float_ok;
}

int heat3_float_on_threads(float c, const float *in, size_t in_size0, size_t in_size1,
    size_t in_size2, float *out, size_t out_size0, size_t out_size1, size_t out_size2,
    size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads =
      tangram_threads(threads, in_size0 * in_size1 * in_size2 + out_size0 * out_size1 * out_size2
      + 1);
  if (tangram_settle(in_size0, in_size1, in_size2, out_size0, out_size1, out_size2) != 0)
    return heat3_float_refused;
  const int status =
      tangram_check(in, in_size0, in_size1, in_size2, out, out_size0, out_size1, out_size2);
  if (status != heat3_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  heat3_float_run(c, in, in_size0, in_size1, in_size2, out);
  omp_set_num_threads(before);
  return heat3_float_ok;
}

int heat3_float(float c, const float *in, size_t in_size0, size_t in_size1, size_t in_size2,
    float *out, size_t out_size0, size_t out_size1, size_t out_size2) {
  if (tangram_settle(in_size0, in_size1, in_size2, out_size0, out_size1, out_size2) != 0)
    return heat3_float_refused;
  const int status =
      tangram_check(in, in_size0, in_size1, in_size2, out, out_size0, out_size1, out_size2);
  if (status != heat3_float_ok)
    return status;
  heat3_float_run(c, in, in_size0, in_size1, in_size2, out);
  return heat3_float_ok;
}

const char *heat3_float_message(int status) {
  switch (status) {
  case heat3_float_ok:
    return "success";
  case heat3_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case heat3_float_no_memory:
    return "there is no memory for temporaries";
  case heat3_float_small_workspace:
    return "the workspace is missing or too small";
  case heat3_float_overlap:
    return "a container that is written shares memory with another one";
  case heat3_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

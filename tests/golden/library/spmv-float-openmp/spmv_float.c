// C with OpenMP of spmv_float, composed for cpu:
//   S_P, regroup(row_blocks, P), distribute(T), S_T, regroup(row_blocks, T), distribute(V),
//   S_V, regroup(row_blocks, V), distribute(I), compute(spmv#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "spmv_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t values_size, size_t columns_size,
    size_t offsets_size, size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // spmv<float> requires columns.size() == values.size() (spmv.cpp:35:3)
  if (!(columns_size == values_size))
    return 1;
  // spmv<float> requires offsets.size() == y.size() + 1 (spmv.cpp:36:3)
  if (!(offsets_size == y_size + 1))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0)
    p = 8 * threads < 4096 ? 8 * threads : 4096;
  *p_settled = p;
  return 0;
}

static void spmv_float_run(const float *values, const int *columns, const int *offsets,
    const float *x, float *y, size_t y_size, size_t p) {
  const size_t tile = (y_size + p - 1) / p;

  // S_P, regroup(row_blocks, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t offsets_start = thread * tile;
    const size_t y_len = min_index(tile, y_size - min_index(offsets_start, y_size));
    const size_t tile_2 = (y_len + NUM_LANES - 1) / NUM_LANES;

    // S_T, regroup(row_blocks, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t offsets_start_2 = lane * tile_2;
      const size_t y_len_2 = min_index(tile_2, y_len - min_index(offsets_start_2, y_len));
      const size_t tile_3 = (y_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // S_V, regroup(row_blocks, V)
      // distribute(I)
      // compute(spmv#1, SE_I)
      const size_t common =
          min_index(tile_3, y_len_2 - min_index((NUM_CHAINS - 1) * tile_3, y_len_2));
      for (size_t r = 0; r < common; ++r) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          float accum = 0.0f;
          for (int k = offsets[offsets_start + offsets_start_2 + chain * tile_3 + r];
              k < offsets[offsets_start + offsets_start_2 + chain * tile_3 + (r + 1)]; ++k) {
            accum += values[(size_t)k] * x[(size_t)columns[(size_t)k]];
          }
          y[offsets_start + offsets_start_2 + chain * tile_3 + r] = accum;
        }
      }
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t r = common;
            r < min_index(tile_3, y_len_2 - min_index(chain * tile_3, y_len_2)); ++r) {
          float accum = 0.0f;
          for (int k = offsets[offsets_start + offsets_start_2 + chain * tile_3 + r];
              k < offsets[offsets_start + offsets_start_2 + chain * tile_3 + (r + 1)]; ++k) {
            accum += values[(size_t)k] * x[(size_t)columns[(size_t)k]];
          }
          y[offsets_start + offsets_start_2 + chain * tile_3 + r] = accum;
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

static int tangram_check(const float *values, size_t values_size, const int *columns,
    size_t columns_size, const int *offsets, size_t offsets_size, const float *x, size_t x_size,
    float *y, size_t y_size) {
  if (tangram_overlaps(y, y_size * sizeof *y, values, values_size * sizeof *values) ||
      tangram_overlaps(y, y_size * sizeof *y, columns, columns_size * sizeof *columns) ||
      tangram_overlaps(y, y_size * sizeof *y, offsets, offsets_size * sizeof *offsets) ||
      tangram_overlaps(y, y_size * sizeof *y, x, x_size * sizeof *x))
    return spmv_float_overlap;
  return spmv_float_ok;
}

int spmv_float_workspace(size_t values_size, size_t columns_size, size_t offsets_size,
    size_t x_size, size_t y_size, size_t threads, size_t *bytes) {
  threads =
      tangram_threads(threads, values_size + columns_size + offsets_size + x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, values_size, columns_size, offsets_size, y_size, &p) != 0)
    return spmv_float_refused;
  *bytes = 0;
  return spmv_float_ok;
}

int spmv_float_on_threads(const float *values, size_t values_size, const int *columns,
    size_t columns_size, const int *offsets, size_t offsets_size, const float *x, size_t x_size,
    float *y, size_t y_size, size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads =
      tangram_threads(threads, values_size + columns_size + offsets_size + x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, values_size, columns_size, offsets_size, y_size, &p) != 0)
    return spmv_float_refused;
  const int status =
      tangram_check(values, values_size, columns, columns_size, offsets, offsets_size, x, x_size,
      y, y_size);
  if (status != spmv_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  spmv_float_run(values, columns, offsets, x, y, y_size, p);
  omp_set_num_threads(before);
  return spmv_float_ok;
}

int spmv_float_tuned(const float *values, size_t values_size, const int *columns,
    size_t columns_size, const int *offsets, size_t offsets_size, const float *x, size_t x_size,
    float *y, size_t y_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), values_size, columns_size, offsets_size,
      y_size, &p) != 0)
    return spmv_float_refused;
  const int status =
      tangram_check(values, values_size, columns, columns_size, offsets, offsets_size, x, x_size,
      y, y_size);
  if (status != spmv_float_ok)
    return status;
  spmv_float_run(values, columns, offsets, x, y, y_size, p);
  return spmv_float_ok;
}

int spmv_float(const float *values, size_t values_size, const int *columns, size_t columns_size,
    const int *offsets, size_t offsets_size, const float *x, size_t x_size, float *y,
    size_t y_size) {
  return spmv_float_tuned(values, values_size, columns, columns_size, offsets, offsets_size, x,
      x_size, y, y_size, 0);
}

const char *spmv_float_message(int status) {
  switch (status) {
  case spmv_float_ok:
    return "success";
  case spmv_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case spmv_float_no_memory:
    return "there is no memory for temporaries";
  case spmv_float_small_workspace:
    return "the workspace is missing or too small";
  case spmv_float_overlap:
    return "a container that is written shares memory with another one";
  case spmv_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

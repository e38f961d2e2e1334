// C with OpenMP of gemv_float, composed for cpu:
//   S_P, regroup(row_blocks, P), distribute(T), S_T, regroup(row_blocks, T), distribute(V),
//   S_V, regroup(row_blocks, V), distribute(I), compute(gemv#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "gemv_float.h"

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

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t a_size0, size_t a_size1, size_t x_size,
    size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // gemv<float> requires x.size() == a.size(1) (gemv.cpp:9:3)
  if (!(x_size == a_size1))
    return 1;
  // gemv<float> requires y.size() == a.size(0) (gemv.cpp:10:3)
  if (!(y_size == a_size0))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0) {
    p = max_index(threads, min_index(8 * threads, a_size0 / 8));
    if (p > 4096)
      p = 4096;
  }
  *p_settled = p;
  return 0;
}

static void gemv_float_run(const float *a, size_t a_size0, size_t a_size1, const float *x,
    float *y, size_t p) {
  // S_P, regroup(row_blocks, P)
  const size_t a_tile = (a_size0 + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t a_start = thread * a_tile;
    const size_t a_len = min_index(a_tile, a_size0 - min_index(a_start, a_size0));

    // S_T, regroup(row_blocks, T)
    const size_t a_tile_2 = (a_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_start_2 = lane * a_tile_2;
      const size_t a_len_2 = min_index(a_tile_2, a_len - min_index(a_start_2, a_len));

      // S_V, regroup(row_blocks, V)
      const size_t a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(gemv#1, SE_I)
      const size_t common =
          min_index(a_tile_3, a_len_2 - min_index((NUM_CHAINS - 1) * a_tile_3, a_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          float accum = 0.0f;
          for (size_t j = 0; j < a_size1; ++j) {
            accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + j] * x[j];
          }
          y[a_start + a_start_2 + chain * a_tile_3 + i] = accum;
        }
      }
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(a_tile_3, a_len_2 - min_index(chain * a_tile_3, a_len_2)); ++i) {
          float accum = 0.0f;
          for (size_t j = 0; j < a_size1; ++j) {
            accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + j] * x[j];
          }
          y[a_start + a_start_2 + chain * a_tile_3 + i] = accum;
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

static int tangram_check(const float *a, size_t a_size0, size_t a_size1, const float *x,
    size_t x_size, float *y, size_t y_size) {
  if (tangram_overlaps(y, y_size * sizeof *y, a, a_size0 * a_size1 * sizeof *a) ||
      tangram_overlaps(y, y_size * sizeof *y, x, x_size * sizeof *x))
    return gemv_float_overlap;
  return gemv_float_ok;
}

int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size,
    size_t threads, size_t *bytes) {
  threads = tangram_threads(threads, a_size0 * a_size1 + x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, a_size0, a_size1, x_size, y_size, &p) != 0)
    return gemv_float_refused;
  *bytes = 0;
  return gemv_float_ok;
}

int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x,
    size_t x_size, float *y, size_t y_size, size_t threads, void *workspace,
    size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, a_size0 * a_size1 + x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, a_size0, a_size1, x_size, y_size, &p) != 0)
    return gemv_float_refused;
  const int status = tangram_check(a, a_size0, a_size1, x, x_size, y, y_size);
  if (status != gemv_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  gemv_float_run(a, a_size0, a_size1, x, y, p);
  omp_set_num_threads(before);
  return gemv_float_ok;
}

int gemv_float_tuned(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size,
    float *y, size_t y_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), a_size0, a_size1, x_size, y_size, &p) != 0)
    return gemv_float_refused;
  const int status = tangram_check(a, a_size0, a_size1, x, x_size, y, y_size);
  if (status != gemv_float_ok)
    return status;
  gemv_float_run(a, a_size0, a_size1, x, y, p);
  return gemv_float_ok;
}

int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size,
    float *y, size_t y_size) {
  return gemv_float_tuned(a, a_size0, a_size1, x, x_size, y, y_size, 0);
}

const char *gemv_float_message(int status) {
  switch (status) {
  case gemv_float_ok:
    return "success";
  case gemv_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case gemv_float_no_memory:
    return "there is no memory for temporaries";
  case gemv_float_small_workspace:
    return "the workspace is missing or too small";
  case gemv_float_overlap:
    return "a container that is written shares memory with another one";
  case gemv_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

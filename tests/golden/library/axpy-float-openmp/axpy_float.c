// C with OpenMP of axpy_float, composed for cpu:
//   S_P, regroup(tiled, P), distribute(T), S_T, regroup(strided, T), distribute(V), S_V,
//   regroup(strided, V), distribute(I), compute(axpy#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "axpy_float.h"

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
static int tangram_settle(size_t threads, size_t x_size, size_t y_size, size_t *p_settled) {
  size_t p = *p_settled;
  // axpy<float> requires y.size() == x.size() (axpy.cpp:6:3)
  if (!(y_size == x_size))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0) {
    p = max_index(threads, min_index(8 * threads, x_size / 8));
    if (p > 4096)
      p = 4096;
  }
  *p_settled = p;
  return 0;
}

static void axpy_float_run(float a, const float *x, size_t x_size, float *y, size_t p) {
  // S_P, regroup(tiled, P)
  const size_t x_tile = (x_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t x_start = thread * x_tile;
    const size_t x_len = min_index(x_tile, x_size - min_index(x_start, x_size));

    // S_T, regroup(strided, T)
    // distribute(V)
    // S_V, regroup(strided, V)
    // distribute(I)
    // compute(axpy#1, SE_I)
    const size_t all_have = x_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (x_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t x_len_2 = (x_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = x_len_2 / NUM_CHAINS; i < (x_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          y[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += a
              * x[x_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
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

static int tangram_check(const float *x, size_t x_size, float *y, size_t y_size) {
  if (tangram_overlaps(y, y_size * sizeof *y, x, x_size * sizeof *x))
    return axpy_float_overlap;
  return axpy_float_ok;
}

int axpy_float_workspace(float a, size_t x_size, size_t y_size, size_t threads, size_t *bytes) {
  (void)a;
  threads = tangram_threads(threads, x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, x_size, y_size, &p) != 0)
    return axpy_float_refused;
  *bytes = 0;
  return axpy_float_ok;
}

int axpy_float_on_threads(float a, const float *x, size_t x_size, float *y, size_t y_size,
    size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, x_size + y_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, x_size, y_size, &p) != 0)
    return axpy_float_refused;
  const int status = tangram_check(x, x_size, y, y_size);
  if (status != axpy_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  axpy_float_run(a, x, x_size, y, p);
  omp_set_num_threads(before);
  return axpy_float_ok;
}

int axpy_float_tuned(float a, const float *x, size_t x_size, float *y, size_t y_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), x_size, y_size, &p) != 0)
    return axpy_float_refused;
  const int status = tangram_check(x, x_size, y, y_size);
  if (status != axpy_float_ok)
    return status;
  axpy_float_run(a, x, x_size, y, p);
  return axpy_float_ok;
}

int axpy_float(float a, const float *x, size_t x_size, float *y, size_t y_size) {
  return axpy_float_tuned(a, x, x_size, y, y_size, 0);
}

const char *axpy_float_message(int status) {
  switch (status) {
  case axpy_float_ok:
    return "success";
  case axpy_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case axpy_float_no_memory:
    return "there is no memory for temporaries";
  case axpy_float_small_workspace:
    return "the workspace is missing or too small";
  case axpy_float_overlap:
    return "a container that is written shares memory with another one";
  case axpy_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

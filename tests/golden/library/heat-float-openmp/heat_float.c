// C with OpenMP of heat_float, composed for cpu:
//   select(heat_padded, P), S_P, regroup(heat_parts, P), distribute(T), S_T,
//   regroup(heat_parts, T), distribute(V), S_V, regroup(heat_parts, V), distribute(I),
//   compute(heat_inside#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "heat_float.h"

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
static int tangram_settle(size_t threads, size_t in_size, size_t out_size, size_t *p_settled) {
  size_t p = *p_settled;
  // heat<float> requires out.size() == in.size() (stencil.cpp:50:3)
  if (!(out_size == in_size))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0) {
    p = max_index(threads, min_index(8 * threads, in_size / 8));
    if (p > 4096)
      p = 4096;
  }
  *p_settled = p;
  return 0;
}

static void heat_float_run(float c, const float *in, size_t in_size, float *out, size_t p) {
  // S_P, regroup(heat_parts, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile + 2, in_size + 2 - min_index(in_start, in_size + 2));
    const size_t out_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, regroup(heat_parts, T)
    const size_t in_tile_2 = (max_index(in_len, 2) + NUM_LANES - 3) / NUM_LANES;
    const size_t out_tile = (out_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2 + 2, in_len - min_index(in_start_2, in_len));
      const size_t out_start = lane * out_tile;
      const size_t out_len_2 = min_index(out_tile, out_len - min_index(out_start, out_len));

      // S_V, regroup(heat_parts, V)
      const size_t in_tile_3 = (max_index(in_len_2, 2) + NUM_CHAINS - 3) / NUM_CHAINS;
      const size_t out_tile_2 = (out_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const size_t in_start_3 = chain * in_tile_3;
        const size_t in_len_3 =
            min_index(in_tile_3 + 2, in_len_2 - min_index(in_start_3, in_len_2));
        const size_t out_start_2 = chain * out_tile_2;

        // compute(heat_inside#1, SE_I)
        const size_t inside =
            min_index(max_index(1, in_start + in_start_2 + in_start_3)
            - (in_start + in_start_2 + in_start_3), max_index(in_len_3, 2) - 2);
        const size_t outside =
            max_index(inside,
            min_index(max_index(in_size, in_start + in_start_2 + in_start_3 + 1)
            - (in_start + in_start_2 + in_start_3 + 1), max_index(in_len_3, 2) - 2));
        for (size_t i = 0; i < inside; ++i) {
          out[in_start + out_start + out_start_2 + i] =
              (0 < in_size ? in[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
              : 0.0f) + c
              * ((0 < in_size
              ? in[min_index(max_index(in_start + in_start_2 + in_start_3 + i, 1) - 1, in_size
              - 1)] : 0.0f) - 2.0f
              * (0 < in_size ? in[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
              : 0.0f)
              + (0 < in_size
              ? in[min_index(in_start + in_start_2 + in_start_3 + i + 1, in_size - 1)] : 0.0f));
        }
        for (size_t i = inside; i < outside; ++i) {
          out[in_start + out_start + out_start_2 + i] = in[in_start + in_start_2 + in_start_3 + i]
              + c
              * (in[in_start + in_start_2 + in_start_3 + i - 1] - 2.0f
              * in[in_start + in_start_2 + in_start_3 + i]
              + in[in_start + in_start_2 + in_start_3 + i + 1]);
        }
        for (size_t i = outside; i < max_index(in_len_3, 2) - 2; ++i) {
          out[in_start + out_start + out_start_2 + i] =
              (0 < in_size ? in[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
              : 0.0f) + c
              * ((0 < in_size
              ? in[min_index(max_index(in_start + in_start_2 + in_start_3 + i, 1) - 1, in_size
              - 1)] : 0.0f) - 2.0f
              * (0 < in_size ? in[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
              : 0.0f)
              + (0 < in_size
              ? in[min_index(in_start + in_start_2 + in_start_3 + i + 1, in_size - 1)] : 0.0f));
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

static int tangram_check(const float *in, size_t in_size, float *out, size_t out_size) {
  if (tangram_overlaps(out, out_size * sizeof *out, in, in_size * sizeof *in))
    return heat_float_overlap;
  return heat_float_ok;
}

int heat_float_workspace(float c, size_t in_size, size_t out_size, size_t threads, size_t *bytes) {
  (void)c;
  threads = tangram_threads(threads, in_size + out_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, out_size, &p) != 0)
    return heat_float_refused;
  *bytes = 0;
  return heat_float_ok;
}

int heat_float_on_threads(float c, const float *in, size_t in_size, float *out, size_t out_size,
    size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + out_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, out_size, &p) != 0)
    return heat_float_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != heat_float_ok)
    return status;
  omp_set_num_threads((int)threads);
  heat_float_run(c, in, in_size, out, p);
  omp_set_num_threads(before);
  return heat_float_ok;
}

int heat_float_tuned(float c, const float *in, size_t in_size, float *out, size_t out_size,
    size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), in_size, out_size, &p) != 0)
    return heat_float_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != heat_float_ok)
    return status;
  heat_float_run(c, in, in_size, out, p);
  return heat_float_ok;
}

int heat_float(float c, const float *in, size_t in_size, float *out, size_t out_size) {
  return heat_float_tuned(c, in, in_size, out, out_size, 0);
}

const char *heat_float_message(int status) {
  switch (status) {
  case heat_float_ok:
    return "success";
  case heat_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case heat_float_no_memory:
    return "there is no memory for temporaries";
  case heat_float_small_workspace:
    return "the workspace is missing or too small";
  case heat_float_overlap:
    return "a container that is written shares memory with another one";
  case heat_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

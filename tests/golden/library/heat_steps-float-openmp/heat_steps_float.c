// C with OpenMP of heat_steps_float, composed for cpu:
//   select(heat_rounds, P), S_P, regroup(copy_tiled, P), distribute(T), S_T,
//   regroup(copy_strided, T), distribute(V), S_V, regroup(copy_strided, V), distribute(I),
//   compute(copy#1, SE_I), select(heat_padded, P), S_P, regroup(heat_parts, P), distribute(T),
//   S_T, regroup(heat_parts, T), distribute(V), S_V, regroup(heat_parts, V), distribute(I),
//   compute(heat_inside#1, SE_I), S_P, regroup(copy_tiled, P), distribute(T), S_T,
//   regroup(copy_strided, T), distribute(V), S_V, regroup(copy_strided, V), distribute(I),
//   compute(copy#1, SE_I)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "heat_steps_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

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
static int tangram_settle(size_t threads, size_t in_size, size_t out_size, size_t *p_settled,
    size_t *p_2_settled) {
  size_t p = *p_settled;
  size_t p_2 = *p_2_settled;
  // heat_steps<float> requires out.size() == in.size() (rounds.cpp:14:3)
  if (!(out_size == in_size))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p_2 > 4096)
    p_2 = 4096;
  if (p == 0)
    p = threads < 4096 ? threads : 4096;
  if (p_2 == 0)
    p_2 = threads < 4096 ? threads : 4096;
  *p_settled = p;
  *p_2_settled = p_2;
  return 0;
}

static size_t tangram_workspace(size_t in_size) {
  if ((double)in_size * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return (in_size + 1) * sizeof(float);
}

static void heat_steps_float_run(float c, unsigned int steps, const float *in, size_t in_size,
    float *out, size_t p, size_t p_2, void *workspace) {
  float *next = workspace;

  // now is out after all rounds
  if ((size_t)steps % 2 == 1) {
    {
      float *const held = out;
      out = next;
      next = held;
    }
  }

  // S_P, regroup(copy_tiled, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, regroup(copy_strided, T)
    // distribute(V)
    // S_V, regroup(copy_strided, V)
    // distribute(I)
    // compute(copy#1, SE_I)
    const size_t all_have = in_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (in_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          out[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }
  for (unsigned int t = 0U; t < steps; ++t) {
    // S_P, regroup(heat_parts, P)
    const size_t out_tile = (in_size + p_2 - 1) / p_2;

    // distribute(T)
    #pragma omp parallel for schedule(static)
    for (size_t thread = 0; thread < p_2; ++thread) {
      const size_t in_start = thread * out_tile;
      const size_t in_len = min_index(out_tile + 2, in_size + 2 - min_index(in_start, in_size + 2));
      const size_t out_len = min_index(out_tile, in_size - min_index(in_start, in_size));

      // S_T, regroup(heat_parts, T)
      const size_t out_tile_2 = (max_index(in_len, 2) + NUM_LANES - 3) / NUM_LANES;
      const size_t next_tile = (out_len + NUM_LANES - 1) / NUM_LANES;

      // distribute(V)
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t in_start_2 = lane * out_tile_2;
        const size_t in_len_2 = min_index(out_tile_2 + 2, in_len - min_index(in_start_2, in_len));
        const size_t out_start = lane * next_tile;
        const size_t out_len_2 = min_index(next_tile, out_len - min_index(out_start, out_len));

        // S_V, regroup(heat_parts, V)
        const size_t out_tile_3 = (max_index(in_len_2, 2) + NUM_CHAINS - 3) / NUM_CHAINS;
        const size_t next_tile_2 = (out_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

        // distribute(I)
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          const size_t in_start_3 = chain * out_tile_3;
          const size_t in_len_3 =
              min_index(out_tile_3 + 2, in_len_2 - min_index(in_start_3, in_len_2));
          const size_t out_start_2 = chain * next_tile_2;

          // compute(heat_inside#1, SE_I)
          const size_t inside =
              min_index(max_index(1, in_start + in_start_2 + in_start_3)
              - (in_start + in_start_2 + in_start_3), max_index(in_len_3, 2) - 2);
          const size_t outside =
              max_index(inside,
              min_index(max_index(in_size, in_start + in_start_2 + in_start_3 + 1)
              - (in_start + in_start_2 + in_start_3 + 1), max_index(in_len_3, 2) - 2));
          for (size_t i = 0; i < inside; ++i) {
            next[in_start + out_start + out_start_2 + i] =
                (0 < in_size ? out[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
                : 0.0f) + c
                * ((0 < in_size
                ? out[min_index(max_index(in_start + in_start_2 + in_start_3 + i, 1) - 1, in_size
                - 1)] : 0.0f) - 2.0f
                * (0 < in_size
                ? out[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)] : 0.0f)
                + (0 < in_size
                ? out[min_index(in_start + in_start_2 + in_start_3 + i + 1, in_size - 1)] : 0.0f));
          }
          for (size_t i = inside; i < outside; ++i) {
            next[in_start + out_start + out_start_2 + i] =
                out[in_start + in_start_2 + in_start_3 + i] + c
                * (out[in_start + in_start_2 + in_start_3 + i - 1] - 2.0f
                * out[in_start + in_start_2 + in_start_3 + i]
                + out[in_start + in_start_2 + in_start_3 + i + 1]);
          }
          for (size_t i = outside; i < max_index(in_len_3, 2) - 2; ++i) {
            next[in_start + out_start + out_start_2 + i] =
                (0 < in_size ? out[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)]
                : 0.0f) + c
                * ((0 < in_size
                ? out[min_index(max_index(in_start + in_start_2 + in_start_3 + i, 1) - 1, in_size
                - 1)] : 0.0f) - 2.0f
                * (0 < in_size
                ? out[min_index(in_start + in_start_2 + in_start_3 + i, in_size - 1)] : 0.0f)
                + (0 < in_size
                ? out[min_index(in_start + in_start_2 + in_start_3 + i + 1, in_size - 1)] : 0.0f));
          }
        }
      }
    }
    {
      float *const held = out;
      out = next;
      next = held;
    }
  }
}

/// Memory that begins a cache line, since C11; in large pages, where there are any: each page costs time when it is touched first.
static void *tangram_allocate(size_t bytes) {
  if (bytes > (size_t)-1 / 2)
    return NULL;
#ifdef MADV_HUGEPAGE
  const size_t page = (size_t)1 << 21;
  if (bytes >= page) {
    const size_t whole = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
    if (memory)
      madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
  }
#endif
#if __STDC_VERSION__ >= 201112L
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
#else
  return malloc(bytes);
#endif
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
    return heat_steps_float_overlap;
  return heat_steps_float_ok;
}

int heat_steps_float_workspace(float c, unsigned int steps, size_t in_size, size_t out_size,
    size_t threads, size_t *bytes) {
  (void)c;
  (void)steps;
  threads = tangram_threads(threads, in_size + out_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, in_size, out_size, &p, &p_2) != 0)
    return heat_steps_float_refused;
  *bytes = tangram_workspace(in_size);
  if (*bytes == SIZE_MAX)
    return heat_steps_float_refused;
  return heat_steps_float_ok;
}

int heat_steps_float_on_threads(float c, unsigned int steps, const float *in, size_t in_size,
    float *out, size_t out_size, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + out_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, in_size, out_size, &p, &p_2) != 0)
    return heat_steps_float_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != heat_steps_float_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(in_size))
    return heat_steps_float_small_workspace;
  omp_set_num_threads((int)threads);
  heat_steps_float_run(c, steps, in, in_size, out, p, p_2, workspace);
  omp_set_num_threads(before);
  return heat_steps_float_ok;
}

int heat_steps_float_tuned(float c, unsigned int steps, const float *in, size_t in_size,
    float *out, size_t out_size, size_t p, size_t p_2) {
  if (tangram_settle((size_t)omp_get_max_threads(), in_size, out_size, &p, &p_2) != 0)
    return heat_steps_float_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != heat_steps_float_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(in_size));
  if (!workspace)
    return heat_steps_float_no_memory;
  heat_steps_float_run(c, steps, in, in_size, out, p, p_2, workspace);
  free(workspace);
  return heat_steps_float_ok;
}

int heat_steps_float(float c, unsigned int steps, const float *in, size_t in_size, float *out,
    size_t out_size) {
  return heat_steps_float_tuned(c, steps, in, in_size, out, out_size, 0, 0);
}

const char *heat_steps_float_message(int status) {
  switch (status) {
  case heat_steps_float_ok:
    return "success";
  case heat_steps_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case heat_steps_float_no_memory:
    return "there is no memory for temporaries";
  case heat_steps_float_small_workspace:
    return "the workspace is missing or too small";
  case heat_steps_float_overlap:
    return "a container that is written shares memory with another one";
  case heat_steps_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

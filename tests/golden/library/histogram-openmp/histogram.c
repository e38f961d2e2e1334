// C with OpenMP of histogram, composed for cpu:
//   S_P, regroup(privatized, P), distribute(T), compute(count_lanes, VE_T), distribute(T),
//   select(plus_sum_reduce, T), select(sum_reduce, T), S_T, regroup(strided, T), distribute(V),
//   S_V, regroup(strided, V), distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V),
//   compute(tree, VE_T)
#include "histogram.h"

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

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

static inline int atomic_add_i32(int *place, int value) {
  return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

static inline int zero(void) {
  return 0;
}

static inline int plus(int a, int b) {
  return (int)((unsigned int)a + b);
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t *p_settled) {
  size_t p = *p_settled;
  if (p > 4096)
    p = 4096;
  if (p == 0)
    p = threads < 4096 ? threads : 4096;
  *p_settled = p;
  return 0;
}

static size_t tangram_workspace(size_t bins_size, size_t p) {
  if ((double)p * (((double)bins_size + (double)15) / (double)16 * (double)16) * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return (p * ((bins_size + 15) / 16 * 16) + 1) * sizeof(int);
}

static void histogram_run(const int *in, size_t in_size, int *bins, size_t bins_size, size_t p,
    void *workspace) {
  int *own = workspace;
  const size_t own_row = (bins_size + 15) / 16 * 16;

  // S_P, regroup(privatized, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    int *own_of_thread = own + thread * own_row;
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // compute(count_lanes, VE_T)
    const size_t full_rounds = bins_size / NUM_LANES;
    for (size_t round = 0; round < full_rounds; ++round) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        own_of_thread[round * NUM_LANES + lane] = 0;
      }
    }
    if (full_rounds * NUM_LANES < bins_size) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t b = full_rounds * NUM_LANES + lane;
        if (b < bins_size) {
          own_of_thread[b] = 0;
        }
      }
    }
    const size_t full_rounds_2 = in_len / NUM_LANES;
    for (size_t round = 0; round < full_rounds_2; ++round) {
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        atomic_add_i32(&own_of_thread[(size_t)in[in_start + (round * NUM_LANES + lane)]], 1);
      }
    }
    if (full_rounds_2 * NUM_LANES < in_len) {
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t i = full_rounds_2 * NUM_LANES + lane;
        if (i < in_len) {
          atomic_add_i32(&own_of_thread[(size_t)in[in_start + i]], 1);
        }
      }
    }
  }

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < bins_size; ++thread) {
    int tmp[NUM_LANES];
    const int start = bins[thread];

    // S_T, regroup(strided, T)
    // distribute(V)
    int reduce_of_chain[NUM_CHAINS * NUM_LANES];
    int accum[NUM_CHAINS * NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // S_V, regroup(strided, V)
      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain * NUM_LANES + lane] = zero();
      }
    }
    const size_t all_have = p / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)) * own_row + thread]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (p + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)) * own_row + thread]);
        }
      }
      const size_t in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len / NUM_CHAINS; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)) * own_row + thread]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
      }
      const int reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp[lane] = reduce_of_lane;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? plus(tmp[lane - s], tmp[lane]) : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] = tmp_read[lane];
        }
      }
    }
    const int sum_result = tmp[NUM_LANES - 1];
    bins[thread] = (int)((unsigned int)start + sum_result);
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

static int tangram_check(const int *in, size_t in_size, int *bins, size_t bins_size) {
  if (tangram_overlaps(bins, bins_size * sizeof *bins, in, in_size * sizeof *in))
    return histogram_overlap;
  return histogram_ok;
}

int histogram_workspace(size_t in_size, size_t bins_size, size_t threads, size_t *bytes) {
  threads = tangram_threads(threads, in_size + bins_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, &p) != 0)
    return histogram_refused;
  *bytes = tangram_workspace(bins_size, p);
  if (*bytes == SIZE_MAX)
    return histogram_refused;
  return histogram_ok;
}

int histogram_on_threads(const int *in, size_t in_size, int *bins, size_t bins_size,
    size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + bins_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, &p) != 0)
    return histogram_refused;
  const int status = tangram_check(in, in_size, bins, bins_size);
  if (status != histogram_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(bins_size, p))
    return histogram_small_workspace;
  omp_set_num_threads((int)threads);
  histogram_run(in, in_size, bins, bins_size, p, workspace);
  omp_set_num_threads(before);
  return histogram_ok;
}

int histogram_tuned(const int *in, size_t in_size, int *bins, size_t bins_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), &p) != 0)
    return histogram_refused;
  const int status = tangram_check(in, in_size, bins, bins_size);
  if (status != histogram_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(bins_size, p));
  if (!workspace)
    return histogram_no_memory;
  histogram_run(in, in_size, bins, bins_size, p, workspace);
  free(workspace);
  return histogram_ok;
}

int histogram(const int *in, size_t in_size, int *bins, size_t bins_size) {
  return histogram_tuned(in, in_size, bins, bins_size, 0);
}

const char *histogram_message(int status) {
  switch (status) {
  case histogram_ok:
    return "success";
  case histogram_refused:
    return "no call with these sizes or numbers of workers can be served";
  case histogram_no_memory:
    return "there is no memory for temporaries";
  case histogram_small_workspace:
    return "the workspace is missing or too small";
  case histogram_overlap:
    return "a container that is written shares memory with another one";
  case histogram_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

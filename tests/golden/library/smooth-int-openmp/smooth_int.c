// C with OpenMP of smooth_int, composed for cpu:
//   select(smooth_rounds, P), S_P, regroup(copy_tiled, P), distribute(T), S_T,
//   regroup(copy_strided, T), distribute(V), S_V, regroup(copy_strided, V), distribute(I),
//   compute(copy#1, SE_I), S_P, regroup(smooth_rounds, P), distribute(T), S_T, devolve(V),
//   compute(mean_at#1, SE_V), S_P, devolve(T), S_T, regroup(apart_parts, T), distribute(V),
//   S_V, regroup(apart_parts, V), distribute(I), compute(most_apart#1, SE_I),
//   compute(reduce#1, SE_V), compute(tree, VE_T), S_P, regroup(copy_tiled, P), distribute(T),
//   S_T, regroup(copy_strided, T), distribute(V), S_V, regroup(copy_strided, V), distribute(I),
//   compute(copy#1, SE_I)
#include "smooth_int.h"

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

static inline int larger_2(int a, int b) {
  return a < b ? b : a;
}

static inline int none(void) {
  return 0;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t *p_settled, size_t *p_2_settled) {
  size_t p = *p_settled;
  size_t p_2 = *p_2_settled;
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

/// The bytes of an array in a workspace, in which each begins a cache line.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 63) / 64 * 64;
}

static size_t tangram_workspace(size_t values_size) {
  if ((double)values_size * 4 + (double)values_size * 4 + (double)1 * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return tangram_bytes(values_size + 1, sizeof(int)) + tangram_bytes(values_size + 1, sizeof(int))
      + tangram_bytes(1, sizeof(int));
}

static void smooth_int_run(int by, unsigned int most, int *values, size_t values_size,
    unsigned int *result, size_t p, size_t p_2, void *workspace) {
  int *now = workspace;
  int *next = (void *)((char *)now + tangram_bytes(values_size + 1, sizeof *now));
  int *changed_cell = (void *)((char *)next + tangram_bytes(values_size + 1, sizeof *next));

  // S_P, regroup(copy_tiled, P)
  const size_t values_tile = (values_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * values_tile;
    const size_t in_len = min_index(values_tile, values_size - min_index(in_start, values_size));

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
          now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (in_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }
  unsigned int rounds = 0U;
  int changed = (int)((unsigned int)by + 1);
  while (changed > by && rounds < most) {
    // S_P, regroup(smooth_rounds, P)
    // distribute(T)
    #pragma omp parallel for schedule(static)
    for (size_t thread = 0; thread < values_size; ++thread) {
      // S_T, devolve(V)
      // compute(mean_at#1, SE_V)
      next[thread] =
          (int)((unsigned int)now[min_index(max_index(thread, 1) - 1, values_size - 1)]
          + now[thread] + now[min_index(thread + 1, values_size - 1)]) / 3;
    }

    // S_P, devolve(T)
    {
      int tmp[NUM_LANES];

      // S_T, regroup(apart_parts, T)
      const size_t now_tile = (values_size + NUM_LANES - 1) / NUM_LANES;

      // distribute(V)
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t a_start = lane * now_tile;
        const size_t a_len = min_index(now_tile, values_size - min_index(a_start, values_size));

        // S_V, regroup(apart_parts, V)
        const size_t now_tile_2 = (a_len + NUM_CHAINS - 1) / NUM_CHAINS;
        int most_apart_of_chain[NUM_CHAINS];

        // distribute(I)
        int most_2[NUM_CHAINS];
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          // compute(most_apart#1, SE_I)
          most_2[chain] = 0;
        }
        const size_t common =
            min_index(now_tile_2, a_len - min_index((NUM_CHAINS - 1) * now_tile_2, a_len));
        for (size_t i = 0; i < common; ++i) {
          #pragma GCC unroll 16
          for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
            const int distance =
                now[a_start + chain * now_tile_2 + i] < next[a_start + chain * now_tile_2 + i]
                ? (int)((unsigned int)next[a_start + chain * now_tile_2 + i]
                - now[a_start + chain * now_tile_2 + i])
                : (int)((unsigned int)now[a_start + chain * now_tile_2 + i]
                - next[a_start + chain * now_tile_2 + i]);
            most_2[chain] = larger_2(most_2[chain], distance);
          }
        }
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t i = common;
              i < min_index(now_tile_2, a_len - min_index(chain * now_tile_2, a_len)); ++i) {
            const int distance =
                now[a_start + chain * now_tile_2 + i] < next[a_start + chain * now_tile_2 + i]
                ? (int)((unsigned int)next[a_start + chain * now_tile_2 + i]
                - now[a_start + chain * now_tile_2 + i])
                : (int)((unsigned int)now[a_start + chain * now_tile_2 + i]
                - next[a_start + chain * now_tile_2 + i]);
            most_2[chain] = larger_2(most_2[chain], distance);
          }
          most_apart_of_chain[chain] = most_2[chain];
        }

        // compute(reduce#1, SE_V)
        int accum = none();
        for (size_t i = 0; i < NUM_CHAINS; ++i) {
          accum = larger_2(accum, most_apart_of_chain[i]);
        }
        const int most_apart_of_lane = accum;

        // compute(tree, VE_T)
        tmp[lane] = most_apart_of_lane;
      }
      int tmp_read[NUM_LANES];
      for (size_t s = 1; s < NUM_LANES; s *= 2) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          tmp_read[lane] = lane >= s ? larger_2(tmp[lane - s], tmp[lane]) : 0;
        }
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          if (lane >= s) {
            tmp[lane] = tmp_read[lane];
          }
        }
      }
      changed_cell[0] = tmp[NUM_LANES - 1];
    }
    changed = changed_cell[0];
    {
      int *const held = now;
      now = next;
      next = held;
    }
    ++rounds;
  }

  // S_P, regroup(copy_tiled, P)
  const size_t now_tile = (values_size + p_2 - 1) / p_2;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p_2; ++thread) {
    const size_t in_start = thread * now_tile;
    const size_t in_len = min_index(now_tile, values_size - min_index(in_start, values_size));

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
          values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (in_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          values[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              now[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }
  result[0] = rounds;
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

static int tangram_check(int *values, size_t values_size, unsigned int *result) {
  if (tangram_overlaps(values, values_size * sizeof *values, result, sizeof *result))
    return smooth_int_overlap;
  return smooth_int_ok;
}

int smooth_int_workspace(int by, unsigned int most, size_t values_size, size_t threads,
    size_t *bytes) {
  (void)by;
  (void)most;
  threads = tangram_threads(threads, values_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, &p, &p_2) != 0)
    return smooth_int_refused;
  *bytes = tangram_workspace(values_size);
  if (*bytes == SIZE_MAX)
    return smooth_int_refused;
  return smooth_int_ok;
}

int smooth_int_on_threads(int by, unsigned int most, int *values, size_t values_size,
    unsigned int *result, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, values_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, &p, &p_2) != 0)
    return smooth_int_refused;
  const int status = tangram_check(values, values_size, result);
  if (status != smooth_int_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(values_size))
    return smooth_int_small_workspace;
  omp_set_num_threads((int)threads);
  smooth_int_run(by, most, values, values_size, result, p, p_2, workspace);
  omp_set_num_threads(before);
  return smooth_int_ok;
}

int smooth_int_tuned(int by, unsigned int most, int *values, size_t values_size,
    unsigned int *result, size_t p, size_t p_2) {
  if (tangram_settle((size_t)omp_get_max_threads(), &p, &p_2) != 0)
    return smooth_int_refused;
  const int status = tangram_check(values, values_size, result);
  if (status != smooth_int_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(values_size));
  if (!workspace)
    return smooth_int_no_memory;
  smooth_int_run(by, most, values, values_size, result, p, p_2, workspace);
  free(workspace);
  return smooth_int_ok;
}

int smooth_int(int by, unsigned int most, int *values, size_t values_size, unsigned int *result) {
  return smooth_int_tuned(by, most, values, values_size, result, 0, 0);
}

const char *smooth_int_message(int status) {
  switch (status) {
  case smooth_int_ok:
    return "success";
  case smooth_int_refused:
    return "no call with these sizes or numbers of workers can be served";
  case smooth_int_no_memory:
    return "there is no memory for temporaries";
  case smooth_int_small_workspace:
    return "the workspace is missing or too small";
  case smooth_int_overlap:
    return "a container that is written shares memory with another one";
  case smooth_int_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

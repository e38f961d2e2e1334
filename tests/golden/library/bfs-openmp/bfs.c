// C with OpenMP of bfs, composed for cpu:
//   select(by_edge, P), S_P, regroup(copy_tiled, P), distribute(T), S_T,
//   regroup(copy_strided, T), distribute(V), S_V, regroup(copy_strided, V), distribute(I),
//   compute(copy#1, SE_I), S_P, regroup(by_edge, P), distribute(T), S_T, devolve(V),
//   compute(visit_edges#1, SE_V)
#include "bfs.h"

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

static inline int atomic_min_i32(int *place, int value) {
  int before;
  __atomic_load(place, &before, __ATOMIC_RELAXED);
  while (value < before &&
         !__atomic_compare_exchange(place, &before, &value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return before;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t offsets_size, size_t before_size,
    size_t after_size, size_t *p_settled, size_t *p_2_settled) {
  size_t p = *p_settled;
  size_t p_2 = *p_2_settled;
  // bfs requires offsets.size() == before.size() + 1 (bfs.cpp:54:3)
  if (!(offsets_size == before_size + 1))
    return 1;
  // bfs requires after.size() == before.size() (bfs.cpp:55:3)
  if (!(after_size == before_size))
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

static void bfs_run(int depth, const int *offsets, const int *targets, size_t targets_size,
    const int *before, size_t before_size, int *after, size_t p, size_t p_2) {
  const size_t tile = (targets_size + p - 1) / p;

  // S_P, regroup(copy_tiled, P)
  const size_t before_tile = (before_size + p_2 - 1) / p_2;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p_2; ++thread) {
    const size_t in_start = thread * before_tile;
    const size_t in_len = min_index(before_tile, before_size - min_index(in_start, before_size));

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
          after[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              before[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (in_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          after[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              before[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          after[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] =
              before[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
  }

  // S_P, regroup(by_edge, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t targets_start = thread * tile;
    const size_t targets_len =
        min_index(tile, targets_size - min_index(targets_start, targets_size));

    // S_T, devolve(V)
    // compute(visit_edges#1, SE_V)
    size_t low = 0;
    size_t high = before_size;
    while (low + 1 < high) {
      const size_t middle = (low + high) / 2;
      if (offsets[middle] <= (unsigned int)(thread * tile)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    size_t vertex = low;
    for (size_t k = 0; k < targets_len; ++k) {
      while (vertex + 1 < before_size && offsets[vertex + 1] <= (unsigned int)(thread * tile)
          + (unsigned int)k) {
        ++vertex;
      }
      if (before[vertex] == depth) {
        atomic_min_i32(&after[(size_t)targets[targets_start + k]], (int)((unsigned int)depth + 1));
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

static int tangram_check(const int *offsets, size_t offsets_size, const int *targets,
    size_t targets_size, const int *before, size_t before_size, int *after, size_t after_size) {
  if (tangram_overlaps(after, after_size * sizeof *after, offsets, offsets_size
      * sizeof *offsets) ||
      tangram_overlaps(after, after_size * sizeof *after, targets, targets_size
          * sizeof *targets) ||
      tangram_overlaps(after, after_size * sizeof *after, before, before_size * sizeof *before))
    return bfs_overlap;
  return bfs_ok;
}

int bfs_workspace(int depth, size_t offsets_size, size_t targets_size, size_t before_size,
    size_t after_size, size_t threads, size_t *bytes) {
  (void)depth;
  threads = tangram_threads(threads, offsets_size + targets_size + before_size + after_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, offsets_size, before_size, after_size, &p, &p_2) != 0)
    return bfs_refused;
  *bytes = 0;
  return bfs_ok;
}

int bfs_on_threads(int depth, const int *offsets, size_t offsets_size, const int *targets,
    size_t targets_size, const int *before, size_t before_size, int *after, size_t after_size,
    size_t threads, void *workspace, size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before_2 = omp_get_max_threads();
  threads = tangram_threads(threads, offsets_size + targets_size + before_size + after_size + 1);
  size_t p = 0;
  size_t p_2 = 0;
  if (tangram_settle(threads, offsets_size, before_size, after_size, &p, &p_2) != 0)
    return bfs_refused;
  const int status =
      tangram_check(offsets, offsets_size, targets, targets_size, before, before_size, after,
      after_size);
  if (status != bfs_ok)
    return status;
  omp_set_num_threads((int)threads);
  bfs_run(depth, offsets, targets, targets_size, before, before_size, after, p, p_2);
  omp_set_num_threads(before_2);
  return bfs_ok;
}

int bfs_tuned(int depth, const int *offsets, size_t offsets_size, const int *targets,
    size_t targets_size, const int *before, size_t before_size, int *after, size_t after_size,
    size_t p, size_t p_2) {
  if (tangram_settle((size_t)omp_get_max_threads(), offsets_size, before_size, after_size, &p,
      &p_2) != 0)
    return bfs_refused;
  const int status =
      tangram_check(offsets, offsets_size, targets, targets_size, before, before_size, after,
      after_size);
  if (status != bfs_ok)
    return status;
  bfs_run(depth, offsets, targets, targets_size, before, before_size, after, p, p_2);
  return bfs_ok;
}

int bfs(int depth, const int *offsets, size_t offsets_size, const int *targets,
    size_t targets_size, const int *before, size_t before_size, int *after, size_t after_size) {
  return bfs_tuned(depth, offsets, offsets_size, targets, targets_size, before, before_size, after,
      after_size, 0, 0);
}

const char *bfs_message(int status) {
  switch (status) {
  case bfs_ok:
    return "success";
  case bfs_refused:
    return "no call with these sizes or numbers of workers can be served";
  case bfs_no_memory:
    return "there is no memory for temporaries";
  case bfs_small_workspace:
    return "the workspace is missing or too small";
  case bfs_overlap:
    return "a container that is written shares memory with another one";
  case bfs_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

// C with OpenMP of argmin_float, composed for cpu:
//   S_P, regroup(argmin_tiled, P), distribute(T), S_T, regroup(argmin_tiled, T), distribute(V),
//   S_V, regroup(argmin_tiled, V), distribute(I), compute(argmin#1, SE_I),
//   compute(smallest_of#1, SE_V), compute(smallest_lanes, VE_T), S_P, devolve(T),
//   compute(smallest_lanes, VE_T)
#include "argmin_float.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

static inline bool comes_before(float a, float b) {
  return a < b || (a != a && b == b);
}

static inline bool stands_before(float a, unsigned int i, float b, unsigned int k) {
  const bool equal = !comes_before(a, b) && !comes_before(b, a);
  return i != 4294967295U && (k == 4294967295U || comes_before(a, b) || (equal && i < k));
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t in_size, size_t *p_settled) {
  size_t p = *p_settled;
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

/// The bytes of an array in a workspace, in which each begins a cache line.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 63) / 64 * 64;
}

static size_t tangram_workspace(size_t p) {
  return tangram_bytes(p, sizeof(unsigned int)) + tangram_bytes(1, sizeof(unsigned int));
}

static void argmin_float_run(unsigned int from, const float *in, size_t in_size,
    unsigned int *result, size_t p, void *workspace) {
  unsigned int *argmin_of_thread = workspace;
  unsigned int *best_cell =
      (void *)((char *)argmin_of_thread + tangram_bytes(p, sizeof *argmin_of_thread));
  const size_t tile = (in_size + p - 1) / p;

  // S_P, regroup(argmin_tiled, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    unsigned int argmin_of_lane[NUM_LANES];
    unsigned int place[NUM_LANES];
    float value[NUM_LANES];
    const size_t in_start = thread * tile;
    const size_t in_len = min_index(tile, in_size - min_index(in_start, in_size));
    const size_t tile_2 = (in_len + NUM_LANES - 1) / NUM_LANES;

    // S_T, regroup(argmin_tiled, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * tile_2;
      const size_t in_len_2 = min_index(tile_2, in_len - min_index(in_start_2, in_len));
      const size_t tile_3 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // S_V, regroup(argmin_tiled, V)
      unsigned int argmin_of_chain[NUM_CHAINS];

      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const size_t in_start_3 = chain * tile_3;
        const size_t in_len_3 = min_index(tile_3, in_len_2 - min_index(in_start_3, in_len_2));

        // compute(argmin#1, SE_I)
        size_t best = 0;
        for (size_t i = 1; i < in_len_3; ++i) {
          if (comes_before(in[in_start + in_start_2 + in_start_3 + i],
              in[in_start + in_start_2 + in_start_3 + best])) {
            best = i;
          }
        }
        argmin_of_chain[chain] = in_len_3 == 0 ? 4294967295U : (unsigned int)(chain * tile_3)
            + (unsigned int)best;
      }

      // compute(smallest_of#1, SE_V)
      unsigned int best = 4294967295U;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        if ((size_t)argmin_of_chain[i] < in_len_2) {
          if (best == 4294967295U
              || comes_before(in[in_start + in_start_2 + (size_t)argmin_of_chain[i]],
              in[in_start + in_start_2 + (size_t)best])) {
            best = argmin_of_chain[i];
          }
        }
      }
      const unsigned int best_2 = best;
      argmin_of_lane[lane] = best_2 == 4294967295U ? best_2 : (unsigned int)(lane * tile_2)
          + best_2;
    }

    // compute(smallest_lanes, VE_T)
    unsigned int best[NUM_LANES];
    float least[NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      best[lane] = 4294967295U;
      least[lane] = 0.0f;
    }
    const size_t full_rounds = NUM_LANES / NUM_LANES;
    for (size_t round = 0; round < full_rounds; ++round) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const unsigned int position = argmin_of_lane[round * NUM_LANES + lane];
        if ((size_t)position < in_len) {
          const float element = in[in_start + (size_t)position];
          if (stands_before(element, position, least[lane], best[lane])) {
            best[lane] = position;
            least[lane] = element;
          }
        }
      }
    }
    if (full_rounds * NUM_LANES < NUM_LANES) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t i = full_rounds * NUM_LANES + lane;
        if (i < NUM_LANES) {
          const unsigned int position = argmin_of_lane[i];
          if ((size_t)position < in_len) {
            const float element = in[in_start + (size_t)position];
            if (stands_before(element, position, least[lane], best[lane])) {
              best[lane] = position;
              least[lane] = element;
            }
          }
        }
        place[lane] = best[lane];
        value[lane] = least[lane];
      }
    } else {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        place[lane] = best[lane];
        value[lane] = least[lane];
      }
    }
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          const unsigned int position = place[lane - s];
          const float element = value[lane - s];
          if (stands_before(element, position, least[lane], best[lane])) {
            best[lane] = position;
            least[lane] = element;
          }
        }
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        place[lane] = best[lane];
        value[lane] = least[lane];
      }
    }
    const unsigned int best_2 = place[NUM_LANES - 1];
    argmin_of_thread[thread] = best_2 == 4294967295U ? best_2 : (unsigned int)(thread * tile)
        + best_2;
  }

  // S_P, devolve(T)
  {
    unsigned int place_2[NUM_LANES];
    float value_2[NUM_LANES];

    // compute(smallest_lanes, VE_T)
    unsigned int best[NUM_LANES];
    float least[NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      best[lane] = 4294967295U;
      least[lane] = 0.0f;
    }
    const size_t full_rounds = p / NUM_LANES;
    for (size_t round = 0; round < full_rounds; ++round) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const unsigned int position = argmin_of_thread[round * NUM_LANES + lane];
        if ((size_t)position < in_size) {
          const float element = in[(size_t)position];
          if (stands_before(element, position, least[lane], best[lane])) {
            best[lane] = position;
            least[lane] = element;
          }
        }
      }
    }
    if (full_rounds * NUM_LANES < p) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t i = full_rounds * NUM_LANES + lane;
        if (i < p) {
          const unsigned int position = argmin_of_thread[i];
          if ((size_t)position < in_size) {
            const float element = in[(size_t)position];
            if (stands_before(element, position, least[lane], best[lane])) {
              best[lane] = position;
              least[lane] = element;
            }
          }
        }
        place_2[lane] = best[lane];
        value_2[lane] = least[lane];
      }
    } else {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        place_2[lane] = best[lane];
        value_2[lane] = least[lane];
      }
    }
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          const unsigned int position = place_2[lane - s];
          const float element = value_2[lane - s];
          if (stands_before(element, position, least[lane], best[lane])) {
            best[lane] = position;
            least[lane] = element;
          }
        }
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        place_2[lane] = best[lane];
        value_2[lane] = least[lane];
      }
    }
    best_cell[0] = place_2[NUM_LANES - 1];
  }
  const unsigned int best = best_cell[0];
  result[0] = best == 4294967295U ? best : from + best;
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

static int tangram_check(const float *in, size_t in_size, unsigned int *result) {
  if (tangram_overlaps(result, sizeof *result, in, in_size * sizeof *in))
    return argmin_float_overlap;
  return argmin_float_ok;
}

int argmin_float_workspace(unsigned int from, size_t in_size, size_t threads, size_t *bytes) {
  (void)from;
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return argmin_float_refused;
  *bytes = tangram_workspace(p);
  return argmin_float_ok;
}

int argmin_float_on_threads(unsigned int from, const float *in, size_t in_size,
    unsigned int *result, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return argmin_float_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != argmin_float_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(p))
    return argmin_float_small_workspace;
  omp_set_num_threads((int)threads);
  argmin_float_run(from, in, in_size, result, p, workspace);
  omp_set_num_threads(before);
  return argmin_float_ok;
}

int argmin_float_tuned(unsigned int from, const float *in, size_t in_size, unsigned int *result,
    size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), in_size, &p) != 0)
    return argmin_float_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != argmin_float_ok)
    return status;
  void *workspace = malloc(tangram_workspace(p));
  if (!workspace)
    return argmin_float_no_memory;
  argmin_float_run(from, in, in_size, result, p, workspace);
  free(workspace);
  return argmin_float_ok;
}

int argmin_float(unsigned int from, const float *in, size_t in_size, unsigned int *result) {
  return argmin_float_tuned(from, in, in_size, result, 0);
}

const char *argmin_float_message(int status) {
  switch (status) {
  case argmin_float_ok:
    return "success";
  case argmin_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case argmin_float_no_memory:
    return "there is no memory for temporaries";
  case argmin_float_small_workspace:
    return "the workspace is missing or too small";
  case argmin_float_overlap:
    return "a container that is written shares memory with another one";
  case argmin_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

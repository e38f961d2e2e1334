// C with OpenMP of minimum_int, composed for cpu:
//   select(minimum_reduce, P), S_P, regroup(tiled, P), distribute(T), S_T, regroup(strided, T),
//   distribute(V), S_V, regroup(strided, V), distribute(I), compute(reduce#1, SE_I),
//   compute(reduce#1, SE_V), compute(tree, VE_T), S_P, devolve(T), S_T, regroup(strided, T),
//   distribute(V), S_V, regroup(strided, V), distribute(I), compute(reduce#1, SE_I),
//   compute(reduce#1, SE_V), compute(tree, VE_T)
#include "minimum_int.h"

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

static inline int greatest(void) {
  return 2147483647;
}

static inline int smaller(int a, int b) {
  return b < a ? b : a;
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

static size_t tangram_workspace(size_t p) {
  return p * sizeof(int);
}

static void minimum_int_run(const int *in, size_t in_size, int *result, size_t p, void *workspace) {
  int *reduce_of_thread = workspace;

  // S_P, regroup(tiled, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    int tmp[NUM_LANES];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

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
        accum[chain * NUM_LANES + lane] = greatest();
      }
    }
    const size_t all_have = in_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (in_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = greatest();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = smaller(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
      }
      const int reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp[lane] = reduce_of_lane;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? smaller(tmp[lane - s], tmp[lane]) : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] = tmp_read[lane];
        }
      }
    }
    reduce_of_thread[thread] = tmp[NUM_LANES - 1];
  }

  // S_P, devolve(T)
  {
    int tmp_2[NUM_LANES];

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
        accum[chain * NUM_LANES + lane] = greatest();
      }
    }
    const size_t all_have = p / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              reduce_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (p + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              reduce_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      const size_t in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len / NUM_CHAINS; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          accum[chain * NUM_LANES + lane] =
              smaller(accum[chain * NUM_LANES + lane],
              reduce_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = greatest();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = smaller(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
      }
      const int reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp_2[lane] = reduce_of_lane;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? smaller(tmp_2[lane - s], tmp_2[lane]) : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp_2[lane] = tmp_read[lane];
        }
      }
    }
    result[0] = tmp_2[NUM_LANES - 1];
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

static int tangram_check(const int *in, size_t in_size, int *result) {
  if (tangram_overlaps(result, sizeof *result, in, in_size * sizeof *in))
    return minimum_int_overlap;
  return minimum_int_ok;
}

int minimum_int_workspace(size_t in_size, size_t threads, size_t *bytes) {
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return minimum_int_refused;
  *bytes = tangram_workspace(p);
  return minimum_int_ok;
}

int minimum_int_on_threads(const int *in, size_t in_size, int *result, size_t threads,
    void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return minimum_int_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != minimum_int_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(p))
    return minimum_int_small_workspace;
  omp_set_num_threads((int)threads);
  minimum_int_run(in, in_size, result, p, workspace);
  omp_set_num_threads(before);
  return minimum_int_ok;
}

int minimum_int_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), in_size, &p) != 0)
    return minimum_int_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != minimum_int_ok)
    return status;
  void *workspace = malloc(tangram_workspace(p));
  if (!workspace)
    return minimum_int_no_memory;
  minimum_int_run(in, in_size, result, p, workspace);
  free(workspace);
  return minimum_int_ok;
}

int minimum_int(const int *in, size_t in_size, int *result) {
  return minimum_int_tuned(in, in_size, result, 0);
}

const char *minimum_int_message(int status) {
  switch (status) {
  case minimum_int_ok:
    return "success";
  case minimum_int_refused:
    return "no call with these sizes or numbers of workers can be served";
  case minimum_int_no_memory:
    return "there is no memory for temporaries";
  case minimum_int_small_workspace:
    return "the workspace is missing or too small";
  case minimum_int_overlap:
    return "a container that is written shares memory with another one";
  case minimum_int_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

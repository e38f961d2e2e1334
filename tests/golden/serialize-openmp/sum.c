// C with OpenMP of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(asso_tiled, T), serialize(T),
//   compute(kog, VE_T), compute(kog, VE_T), S_P, devolve(T), compute(kog, VE_T)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// parts of asso_tiled done one after the other
#ifndef ASSO_TILED_P
#define ASSO_TILED_P 4
#endif
// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

/// Value number i to try for a number of workers: those in `first` (the default leads), powers of
/// two from the nearest below the default down to 1 and then up, the bounds. 0: there is none.
static size_t tangram_attempt(unsigned i, const size_t *first, unsigned count, size_t least,
                              size_t most) {
  size_t value = i == count + 64 ? least : most;
  if (i < count) {
    value = first[i];
    if (i == 0)
      value = value < least ? least : value > most ? most : value;
  } else if (i < count + 64) {
    unsigned top = 0;
    while (top < 63 && first[0] >> (top + 1) != 0)
      ++top;
    value = (size_t)1 << (i - count <= top ? top - (i - count) : i - count);
  }
  return value < least || value > most ? 0 : value;
}

/// Whether the plan serves these sizes with these numbers of workers.
static bool tangram_serves(size_t in_size, size_t p) {
  // kog at level T requires in.size() <= coopDim() (sum.cpp:19:3)
  if (!(((in_size + p - 1) / p + ASSO_TILED_P - 1) / ASSO_TILED_P <= NUM_LANES))
    return false;
  // kog at level T requires in.size() <= coopDim() (sum.cpp:19:3)
  if (!(p <= NUM_LANES))
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t in_size, size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default, ASSO_TILED_P, NUM_LANES, (in_size + ASSO_TILED_P - 1)
      / ASSO_TILED_P, (in_size + NUM_LANES - 1) / NUM_LANES, in_size};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 72); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 6, 1UL, 4096UL);
    if (p != 0 && tangram_serves(in_size, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t in_size, size_t *p_settled) {
  size_t p = *p_settled;
  // kog at level T requires in.size() <= coopDim() (sum.cpp:19:3)
  if (!(ASSO_TILED_P <= NUM_LANES))
    return 1;
  if (p > 4096)
    p = 4096;
  const size_t p_default = max_index(threads, min_index(8 * threads, in_size / 8));
  if (!tangram_choose(in_size, &p, p_default))
    return 1;
  *p_settled = p;
  return 0;
}

static size_t tangram_workspace(size_t p) {
  return p * sizeof(int);
}

static void sum_run(const int *in, size_t in_size, int *result, size_t p, void *workspace) {
  int *sum_of_thread = workspace;
  const size_t tile = (in_size + p - 1) / p;

  // S_P, regroup(asso_tiled, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    int sum_of_thread_2[ASSO_TILED_P];
    int tmp[NUM_LANES];
    const size_t in_start = thread * tile;
    const size_t in_len = min_index(tile, in_size - min_index(in_start, in_size));
    const size_t tile_2 = (in_len + ASSO_TILED_P - 1) / ASSO_TILED_P;

    // S_T, regroup(asso_tiled, T)
    // serialize(T)
    int tmp_read[NUM_LANES];
    for (size_t part = 0; part < ASSO_TILED_P; ++part) {
      const size_t in_start_2 = part * tile_2;
      const size_t in_len_2 = min_index(tile_2, in_len - min_index(in_start_2, in_len));

      // compute(kog, VE_T)
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp[lane] = lane < in_len_2 ? in[in_start + in_start_2 + lane] : 0;
      }
      for (size_t s = 1; s < NUM_LANES; s *= 2) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          tmp_read[lane] = lane >= s ? tmp[lane - s] : 0;
        }
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          if (lane >= s) {
            tmp[lane] += (unsigned int)tmp_read[lane];
          }
        }
      }
      sum_of_thread_2[part] = tmp[NUM_LANES - 1];
    }

    // compute(kog, VE_T)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      tmp[lane] = lane < ASSO_TILED_P ? sum_of_thread_2[lane] : 0;
    }
    int tmp_read_2[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read_2[lane] = lane >= s ? tmp[lane - s] : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] += (unsigned int)tmp_read_2[lane];
        }
      }
    }
    sum_of_thread[thread] = tmp[NUM_LANES - 1];
  }

  // S_P, devolve(T)
  {
    int tmp_2[NUM_LANES];

    // compute(kog, VE_T)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      tmp_2[lane] = lane < p ? sum_of_thread[lane] : 0;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? tmp_2[lane - s] : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp_2[lane] += (unsigned int)tmp_read[lane];
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
    return sum_overlap;
  return sum_ok;
}

int sum_workspace(size_t in_size, size_t threads, size_t *bytes) {
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return sum_refused;
  *bytes = tangram_workspace(p);
  return sum_ok;
}

int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace,
    size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, in_size, &p) != 0)
    return sum_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != sum_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(p))
    return sum_small_workspace;
  omp_set_num_threads((int)threads);
  sum_run(in, in_size, result, p, workspace);
  omp_set_num_threads(before);
  return sum_ok;
}

int sum_tuned(const int *in, size_t in_size, int *result, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), in_size, &p) != 0)
    return sum_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != sum_ok)
    return status;
  void *workspace = malloc(tangram_workspace(p));
  if (!workspace)
    return sum_no_memory;
  sum_run(in, in_size, result, p, workspace);
  free(workspace);
  return sum_ok;
}

int sum(const int *in, size_t in_size, int *result) {
  return sum_tuned(in, in_size, result, 0);
}

const char *sum_message(int status) {
  switch (status) {
  case sum_ok:
    return "success";
  case sum_refused:
    return "no call with these sizes or numbers of workers can be served";
  case sum_no_memory:
    return "there is no memory for temporaries";
  case sum_small_workspace:
    return "the workspace is missing or too small";
  case sum_overlap:
    return "a container that is written shares memory with another one";
  case sum_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

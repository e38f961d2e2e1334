// C with OpenMP of dot_double, composed for cpu:
//   S_P, regroup(dot_tiled, P), distribute(T), S_T, regroup(dot_strided, T), distribute(V),
//   S_V, regroup(dot_strided, V), distribute(I), compute(dot#1, SE_I), compute(sum#1, SE_V),
//   S_T, devolve(V), select(sum_reduce, V), S_V, regroup(strided, V), distribute(I),
//   compute(reduce#1, SE_I), compute(reduce#1, SE_V), S_P, devolve(T), select(sum_reduce, T),
//   S_T, regroup(strided, T), distribute(V), S_V, regroup(strided, V), distribute(I),
//   compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T)
// A product may be rounded together with the sum that it goes into.
#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include "dot_double.h"

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

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

static inline double zero_3(void) {
  return 0.0;
}

static inline double plus_3(double a, double b) {
  return a + b;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t a_size, size_t b_size, size_t *p_settled) {
  size_t p = *p_settled;
  // dot<double> requires b.size() == a.size() (dot.cpp:7:3)
  if (!(b_size == a_size))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0)
    p = 8 * threads < 4096 ? 8 * threads : 4096;
  *p_settled = p;
  return 0;
}

static size_t tangram_workspace(size_t p) {
  return p * sizeof(double);
}

static void dot_double_run(const double *a, size_t a_size, const double *b, double *result,
    size_t p, void *workspace) {
  double *dot_of_thread = workspace;
  const size_t tile = (a_size + 4 * p - 1) / (4 * p) * 4;

  // S_P, regroup(dot_tiled, P)
  // distribute(T)
  #pragma omp parallel for schedule(dynamic)
  for (size_t thread = 0; thread < p; ++thread) {
    double dot_of_lane[NUM_LANES];
    const size_t a_start = thread * tile;
    const size_t a_len = min_index(tile, a_size - min_index(a_start, a_size));

    // S_T, regroup(dot_strided, T)
    // distribute(V)
    double dot_of_chain[NUM_CHAINS * NUM_LANES];
    double accum[NUM_CHAINS * NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // S_V, regroup(dot_strided, V)
      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(dot#1, SE_I)
        accum[chain * NUM_LANES + lane] = 0.0;
      }
    }
    const size_t all_have = a_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] +=
              a[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]
              * b[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (a_len + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] +=
              a[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]
              * b[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
      }
      const size_t a_len_2 = (a_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = a_len_2 / NUM_CHAINS; i < (a_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          accum[chain * NUM_LANES + lane] +=
              a[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]
              * b[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
        }
        dot_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(sum#1, SE_V)
      double accum_2 = 0.0;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 += dot_of_chain[i * NUM_LANES + lane];
      }
      dot_of_lane[lane] = accum_2;
    }

    // S_T, devolve(V)
    // S_V, regroup(strided, V)
    double reduce_of_chain[NUM_CHAINS];

    // distribute(I)
    double accum_2[NUM_CHAINS];
    #pragma GCC unroll 16
    for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
      // compute(reduce#1, SE_I)
      accum_2[chain] = zero_3();
    }
    const size_t common = NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < common; ++i) {
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        accum_2[chain] = plus_3(accum_2[chain], dot_of_lane[chain + i * NUM_CHAINS]);
      }
    }
    #pragma GCC unroll 16
    for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
      for (size_t i = common; i < (NUM_LANES + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
        accum_2[chain] = plus_3(accum_2[chain], dot_of_lane[chain + i * NUM_CHAINS]);
      }
      reduce_of_chain[chain] = accum_2[chain];
    }

    // compute(reduce#1, SE_V)
    double accum_3 = zero_3();
    for (size_t i = 0; i < NUM_CHAINS; ++i) {
      accum_3 = plus_3(accum_3, reduce_of_chain[i]);
    }
    dot_of_thread[thread] = accum_3;
  }

  // S_P, devolve(T)
  {
    double tmp[NUM_LANES];

    // S_T, regroup(strided, T)
    // distribute(V)
    double reduce_of_chain[NUM_CHAINS * NUM_LANES];
    double accum[NUM_CHAINS * NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // S_V, regroup(strided, V)
      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain * NUM_LANES + lane] = zero_3();
      }
    }
    const size_t all_have = p / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus_3(accum[chain * NUM_LANES + lane],
              dot_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (p + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus_3(accum[chain * NUM_LANES + lane],
              dot_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      const size_t in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len / NUM_CHAINS; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          accum[chain * NUM_LANES + lane] =
              plus_3(accum[chain * NUM_LANES + lane],
              dot_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      double accum_2 = zero_3();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus_3(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
      }
      const double reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp[lane] = reduce_of_lane;
    }
    double tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? plus_3(tmp[lane - s], tmp[lane]) : 0.0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] = tmp_read[lane];
        }
      }
    }
    result[0] = tmp[NUM_LANES - 1];
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

static int tangram_check(const double *a, size_t a_size, const double *b, size_t b_size,
    double *result) {
  if (tangram_overlaps(result, sizeof *result, a, a_size * sizeof *a) ||
      tangram_overlaps(result, sizeof *result, b, b_size * sizeof *b))
    return dot_double_overlap;
  return dot_double_ok;
}

int dot_double_workspace(size_t a_size, size_t b_size, size_t threads, size_t *bytes) {
  threads = tangram_threads(threads, a_size + b_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, a_size, b_size, &p) != 0)
    return dot_double_refused;
  *bytes = tangram_workspace(p);
  return dot_double_ok;
}

int dot_double_on_threads(const double *a, size_t a_size, const double *b, size_t b_size,
    double *result, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, a_size + b_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, a_size, b_size, &p) != 0)
    return dot_double_refused;
  const int status = tangram_check(a, a_size, b, b_size, result);
  if (status != dot_double_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(p))
    return dot_double_small_workspace;
  omp_set_num_threads((int)threads);
  dot_double_run(a, a_size, b, result, p, workspace);
  omp_set_num_threads(before);
  return dot_double_ok;
}

int dot_double_tuned(const double *a, size_t a_size, const double *b, size_t b_size,
    double *result, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), a_size, b_size, &p) != 0)
    return dot_double_refused;
  const int status = tangram_check(a, a_size, b, b_size, result);
  if (status != dot_double_ok)
    return status;
  void *workspace = malloc(tangram_workspace(p));
  if (!workspace)
    return dot_double_no_memory;
  dot_double_run(a, a_size, b, result, p, workspace);
  free(workspace);
  return dot_double_ok;
}

int dot_double(const double *a, size_t a_size, const double *b, size_t b_size, double *result) {
  return dot_double_tuned(a, a_size, b, b_size, result, 0);
}

const char *dot_double_message(int status) {
  switch (status) {
  case dot_double_ok:
    return "success";
  case dot_double_refused:
    return "no call with these sizes or numbers of workers can be served";
  case dot_double_no_memory:
    return "there is no memory for temporaries";
  case dot_double_small_workspace:
    return "the workspace is missing or too small";
  case dot_double_overlap:
    return "a container that is written shares memory with another one";
  case dot_double_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

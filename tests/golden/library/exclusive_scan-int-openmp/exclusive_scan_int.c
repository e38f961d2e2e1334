// C with OpenMP of exclusive_scan_int, composed for cpu:
//   select(exclusive_from_zero, P), S_P, regroup(exclusive_reduce_scan_scan, P), distribute(T),
//   select(sum_reduce, T), S_T, regroup(strided, T), distribute(V), S_V, regroup(strided, V),
//   distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T), S_P,
//   devolve(T), compute(starts_lanes, VE_T), S_P, regroup(exclusive_reduce_scan_scan, P),
//   distribute(T), S_T, regroup(exclusive_reduce_scan_scan, T), distribute(V),
//   select(sum_reduce, V), S_V, regroup(strided, V), distribute(I), compute(reduce#1, SE_I),
//   compute(reduce#1, SE_V), compute(starts_lanes, VE_T), S_T,
//   regroup(exclusive_reduce_scan_scan, T), distribute(V), S_V,
//   regroup(exclusive_reduce_scan_scan, V), distribute(I), compute(sum#1, SE_I),
//   compute(starts_from#1, SE_V), S_V, regroup(exclusive_reduce_scan_scan, V), distribute(I),
//   compute(exclusive_from#1, SE_I)
#include "exclusive_scan_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
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

static inline int zero(void) {
  return 0;
}

static inline int plus(int a, int b) {
  return a + b;
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
static bool tangram_serves(size_t p) {
  // starts_lanes at level T requires a.size() <= coopDim() (codelets/scan.cpp:44:3)
  if (!(p <= NUM_LANES))
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default, NUM_LANES};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 68); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 2, 1UL, 64UL);
    if (p != 0 && tangram_serves(p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

int exclusive_scan_int_tuned(const int *in, size_t in_size, int *out, size_t out_size, size_t p) {
  // exclusive_scan<int> requires out.size() == in.size() (codelets/scan.cpp:271:3)
  if (!(out_size == in_size))
    return 1;
  if (!tangram_choose(&p, (size_t)omp_get_max_threads()))
    return 1;

  int *sum_of_thread = malloc(p * sizeof *sum_of_thread);
  if (!sum_of_thread)
    return 2;

  // S_P, regroup(exclusive_reduce_scan_scan, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    int tmp[NUM_LANES];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, regroup(strided, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;

      // S_V, regroup(strided, V)
      int reduce_of_chain[NUM_CHAINS];

      // distribute(I)
      int accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain] = zero();
      }
      const size_t common = in_len_2 / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] =
              plus(accum[chain],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (in_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          accum[chain] =
              plus(accum[chain],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain] = accum[chain];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i]);
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
    sum_of_thread[thread] = tmp[NUM_LANES - 1];
  }

  // S_P, devolve(T)
  {
    int tmp_2[NUM_LANES];

    // compute(starts_lanes, VE_T)
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
          tmp_2[lane] += tmp_read[lane];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      if (lane < p) {
        sum_of_thread[lane] = lane > 0 ? tmp_2[lane - 1] : 0;
      }
    }
  }

  // S_P, regroup(exclusive_reduce_scan_scan, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    int tmp_3[NUM_LANES];
    int sum_of_lane[NUM_LANES];
    const int start = sum_of_thread[thread];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, regroup(exclusive_reduce_scan_scan, T)
    const size_t in_tile_2 = (in_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2, in_len - min_index(in_start_2, in_len));

      // S_V, regroup(strided, V)
      int reduce_of_chain[NUM_CHAINS];

      // distribute(I)
      int accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain] = zero();
      }
      const size_t common = in_len_2 / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] = plus(accum[chain], in[in_start + in_start_2 + chain + i * NUM_CHAINS]);
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (in_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          accum[chain] = plus(accum[chain], in[in_start + in_start_2 + chain + i * NUM_CHAINS]);
        }
        reduce_of_chain[chain] = accum[chain];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i]);
      }
      sum_of_lane[lane] = accum_2;

      // compute(starts_lanes, VE_T)
      tmp_3[lane] = sum_of_lane[lane];
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? tmp_3[lane - s] : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp_3[lane] += tmp_read[lane];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      sum_of_lane[lane] = start + (lane > 0 ? tmp_3[lane - 1] : 0);

      // S_T, regroup(exclusive_reduce_scan_scan, T)
      // distribute(V)
      const int start_2 = sum_of_lane[lane];
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2, in_len - min_index(in_start_2, in_len));

      // S_V, regroup(exclusive_reduce_scan_scan, V)
      const size_t in_tile_3 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;
      int sum_of_chain[NUM_CHAINS];

      // distribute(I)
      int accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(sum#1, SE_I)
        accum[chain] = 0;
      }
      const size_t common =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          accum[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
        }
        sum_of_chain[chain] = accum[chain];
      }

      // compute(starts_from#1, SE_V)
      int accum_2 = start_2;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        const int own = sum_of_chain[i];
        sum_of_chain[i] = accum_2;
        accum_2 += own;
      }

      // S_V, regroup(exclusive_reduce_scan_scan, V)
      // distribute(I)
      int accum_3[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const int start_3 = sum_of_chain[chain];

        // compute(exclusive_from#1, SE_I)
        accum_3[chain] = start_3;
      }
      const size_t common_2 =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common_2; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + in_start_2 + chain * in_tile_3 + i] = accum_3[chain];
          accum_3[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common_2;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          out[in_start + in_start_2 + chain * in_tile_3 + i] = accum_3[chain];
          accum_3[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
        }
      }
    }
  }
  free(sum_of_thread);
  return 0;
}

int exclusive_scan_int(const int *in, size_t in_size, int *out, size_t out_size) {
  return exclusive_scan_int_tuned(in, in_size, out, out_size, 0);
}

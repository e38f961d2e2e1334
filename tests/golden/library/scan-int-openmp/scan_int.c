// C with OpenMP of scan_int, composed for cpu:
//   S_P, regroup(scan_scan_add, P), distribute(T), S_T, regroup(scan_scan_add, T),
//   distribute(V), S_V, regroup(scan_scan_add, V), distribute(I), compute(scan#1, SE_I), S_V,
//   regroup(scan_scan_add, V), distribute(I), compute(last#1, SE_I),
//   compute(starts_from#1, SE_V), S_V, regroup(scan_scan_add, V), distribute(I),
//   compute(add_to#1, SE_I), S_T, regroup(scan_scan_add, T), distribute(V),
//   compute(last#1, SE_V), compute(starts_lanes, VE_T), S_T, regroup(scan_scan_add, T),
//   distribute(V), S_V, regroup(add_strided, V), distribute(I), compute(add_to#1, SE_I), S_P,
//   regroup(scan_scan_add, P), distribute(T), S_T, devolve(V), compute(last#1, SE_V), S_P,
//   devolve(T), compute(starts_lanes, VE_T), S_P, regroup(scan_scan_add, P), distribute(T),
//   S_T, regroup(add_strided, T), distribute(V), S_V, regroup(add_strided, V), distribute(I),
//   compute(add_to#1, SE_I)
#include "scan_int.h"

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
  // starts_lanes at level T requires a.size() <= coopDim() (codelets/scan.cpp:21:3)
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

int scan_int_tuned(const int *in, size_t in_size, int *out, size_t out_size, size_t p) {
  // scan<int> requires out.size() == in.size() (codelets/scan.cpp:136:3)
  if (!(out_size == in_size))
    return 1;
  if (!tangram_choose(&p, (size_t)omp_get_max_threads()))
    return 1;

  int *last_of_thread = malloc(p * sizeof *last_of_thread);
  if (!last_of_thread)
    return 2;

  // S_P, regroup(scan_scan_add, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    int tmp[NUM_LANES];
    int last_of_lane[NUM_LANES];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, regroup(scan_scan_add, T)
    const size_t in_tile_2 = (in_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2, in_len - min_index(in_start_2, in_len));

      // S_V, regroup(scan_scan_add, V)
      const size_t in_tile_3 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      int accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(scan#1, SE_I)
        accum[chain] = 0;
      }
      const size_t common =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
          out[in_start + in_start_2 + chain * in_tile_3 + i] = accum[chain];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          accum[chain] += in[in_start + in_start_2 + chain * in_tile_3 + i];
          out[in_start + in_start_2 + chain * in_tile_3 + i] = accum[chain];
        }
      }

      // S_V, regroup(scan_scan_add, V)
      int last_of_chain[NUM_CHAINS];

      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const size_t in_start_3 = chain * in_tile_3;
        const size_t in_len_3 = min_index(in_tile_3, in_len_2 - min_index(in_start_3, in_len_2));

        // compute(last#1, SE_I)
        last_of_chain[chain] = in_len_3 == 0 ? 0
            : out[in_start + in_start_2 + in_start_3 + (in_len_3 - 1)];
      }

      // compute(starts_from#1, SE_V)
      int accum_2 = 0;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        const int own = last_of_chain[i];
        last_of_chain[i] = accum_2;
        accum_2 += own;
      }

      // S_V, regroup(scan_scan_add, V)
      // distribute(I)
      int value[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        value[chain] = last_of_chain[chain];

        // compute(add_to#1, SE_I)
      }
      const size_t common_2 =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common_2; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + in_start_2 + chain * in_tile_3 + i] += value[chain];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common_2;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          out[in_start + in_start_2 + chain * in_tile_3 + i] += value[chain];
        }
      }
    }

    // S_T, regroup(scan_scan_add, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2, in_len - min_index(in_start_2, in_len));

      // compute(last#1, SE_V)
      last_of_lane[lane] = in_len_2 == 0 ? 0 : out[in_start + in_start_2 + (in_len_2 - 1)];

      // compute(starts_lanes, VE_T)
      tmp[lane] = last_of_lane[lane];
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? tmp[lane - s] : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] += tmp_read[lane];
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      last_of_lane[lane] = lane > 0 ? tmp[lane - 1] : 0;

      // S_T, regroup(scan_scan_add, T)
      // distribute(V)
      const int value = last_of_lane[lane];
      const size_t a_start = lane * in_tile_2;
      const size_t a_len = min_index(in_tile_2, in_len - min_index(a_start, in_len));

      // S_V, regroup(add_strided, V)
      // distribute(I)
      // compute(add_to#1, SE_I)
      const size_t common = a_len / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + a_start + chain + i * NUM_CHAINS] += value;
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (a_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          out[in_start + a_start + chain + i * NUM_CHAINS] += value;
        }
      }
    }
  }

  // S_P, regroup(scan_scan_add, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // S_T, devolve(V)
    // compute(last#1, SE_V)
    last_of_thread[thread] = in_len == 0 ? 0 : out[in_start + (in_len - 1)];
  }

  // S_P, devolve(T)
  {
    int tmp_2[NUM_LANES];

    // compute(starts_lanes, VE_T)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      tmp_2[lane] = lane < p ? last_of_thread[lane] : 0;
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
        last_of_thread[lane] = lane > 0 ? tmp_2[lane - 1] : 0;
      }
    }
  }

  // S_P, regroup(scan_scan_add, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    const int value = last_of_thread[thread];
    const size_t a_start = thread * in_tile;
    const size_t a_len = min_index(in_tile, in_size - min_index(a_start, in_size));

    // S_T, regroup(add_strided, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t a_len_2 = (a_len + NUM_LANES - 1 - lane) / NUM_LANES;

      // S_V, regroup(add_strided, V)
      // distribute(I)
      // compute(add_to#1, SE_I)
      const size_t common = a_len_2 / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += value;
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (a_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          out[a_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)] += value;
        }
      }
    }
  }
  free(last_of_thread);
  return 0;
}

int scan_int(const int *in, size_t in_size, int *out, size_t out_size) {
  return scan_int_tuned(in, in_size, out, out_size, 0);
}

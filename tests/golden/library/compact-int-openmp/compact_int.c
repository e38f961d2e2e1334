// C with OpenMP of compact_int, composed for cpu:
//   S_P, regroup(two_passes, P), distribute(T), compute(kept_lanes, VE_T), S_P, devolve(T),
//   compute(starts_lanes, VE_T), S_P, regroup(two_passes, P), distribute(T), S_T,
//   regroup(pack_tiles, T), distribute(V), compute(kept#1, SE_V), compute(starts_lanes, VE_T),
//   S_T, regroup(pack_tiles, T), distribute(V), S_V, regroup(pack_tiles, V), distribute(I),
//   compute(kept#1, SE_I), compute(starts_of#1, SE_V), S_V, regroup(pack_tiles, V),
//   distribute(I), compute(pack#1, SE_I)
#include "compact_int.h"

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

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

static inline bool keep(int x) {
  return x > 0;
}

int compact_int_tuned(const int *in, size_t in_size, int *out, size_t out_size, unsigned int *result, size_t p) {
  // compact<int> requires out.size() == in.size() (codelets/compact.cpp:108:3)
  if (!(out_size == in_size))
    return 1;
  if (p == 0)
    p = (size_t)omp_get_max_threads();

  unsigned int *kept_of_thread = malloc(p * sizeof *kept_of_thread);
  unsigned int *starts = malloc((p + 1 + 1) * sizeof *starts);
  if (!kept_of_thread || !starts) {
    free(kept_of_thread);
    free(starts);
    return 2;
  }

  // S_P, regroup(two_passes, P)
  const size_t in_tile = (in_size + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    unsigned int tmp[NUM_LANES];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // compute(kept_lanes, VE_T)
    unsigned int own[NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      own[lane] = 0U;
    }
    const size_t full_rounds = in_len / NUM_LANES;
    for (size_t round = 0; round < full_rounds; ++round) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        own[lane] += keep(in[in_start + (round * NUM_LANES + lane)]) ? 1 : 0;
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t i = full_rounds * NUM_LANES + lane;
      if (i < in_len) {
        own[lane] += keep(in[in_start + i]) ? 1 : 0;
      }
      tmp[lane] = own[lane];
    }
    unsigned int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? tmp[lane - s] : 0U;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] += tmp_read[lane];
        }
      }
    }
    kept_of_thread[thread] = tmp[NUM_LANES - 1];
  }

  // S_P, devolve(T)
  {
    unsigned int tmp_2[NUM_LANES];

    // compute(starts_lanes, VE_T)
    unsigned int before = 0U;
    unsigned int tmp_read[NUM_LANES];
    for (size_t first = 0; first < p; first += NUM_LANES) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_2[lane] = first + lane < p ? kept_of_thread[first + lane] : 0U;
      }
      for (size_t s = 1; s < NUM_LANES; s *= 2) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          tmp_read[lane] = lane >= s ? tmp_2[lane - s] : 0U;
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
        if (first + lane < p) {
          starts[first + lane] = before + (lane > 0 ? tmp_2[lane - 1] : 0U);
        }
      }
      before += tmp_2[NUM_LANES - 1];
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      if (lane == 0) {
        starts[p] = before;
      }
    }
  }

  // S_P, regroup(two_passes, P)
  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    unsigned int kept_of_lane[NUM_LANES];
    unsigned int starts_2[NUM_LANES + 1];
    unsigned int tmp_3[NUM_LANES];
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));
    const size_t out_start = (size_t)starts[thread];
    const size_t out_len = max_index(min_index((size_t)starts[1 + thread], in_size), out_start)
        - out_start;

    // S_T, regroup(pack_tiles, T)
    const size_t in_tile_2 = (in_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    unsigned int count[NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // compute(kept#1, SE_V)
      count[lane] = 0U;
    }
    const size_t all_have =
        min_index(in_tile_2, in_len - min_index((NUM_LANES - 1) * in_tile_2, in_len));
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        count[lane] += keep(in[in_start + lane * in_tile_2 + i]) ? 1 : 0;
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have;
          i < min_index(in_tile_2, in_len - min_index(lane * in_tile_2, in_len)); ++i) {
        count[lane] += keep(in[in_start + lane * in_tile_2 + i]) ? 1 : 0;
      }
      kept_of_lane[lane] = count[lane];
    }

    // compute(starts_lanes, VE_T)
    unsigned int before = 0U;
    unsigned int tmp_read[NUM_LANES];
    for (size_t first = 0; first < NUM_LANES; first += NUM_LANES) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_3[lane] = first + lane < NUM_LANES ? kept_of_lane[first + lane] : 0U;
      }
      for (size_t s = 1; s < NUM_LANES; s *= 2) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          tmp_read[lane] = lane >= s ? tmp_3[lane - s] : 0U;
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
        if (first + lane < NUM_LANES) {
          starts_2[first + lane] = before + (lane > 0 ? tmp_3[lane - 1] : 0U);
        }
      }
      before += tmp_3[NUM_LANES - 1];
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      if (lane == 0) {
        starts_2[NUM_LANES] = before;
      }
    }

    // S_T, regroup(pack_tiles, T)
    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t in_start_2 = lane * in_tile_2;
      const size_t in_len_2 = min_index(in_tile_2, in_len - min_index(in_start_2, in_len));
      const size_t out_start_2 = (size_t)starts_2[lane];
      const size_t out_len_2 =
          max_index(min_index((size_t)starts_2[1 + lane], out_len), out_start_2) - out_start_2;

      // S_V, regroup(pack_tiles, V)
      const size_t in_tile_3 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;
      unsigned int kept_of_chain[NUM_CHAINS];

      // distribute(I)
      unsigned int count_2[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(kept#1, SE_I)
        count_2[chain] = 0U;
      }
      const size_t common =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          count_2[chain] += keep(in[in_start + in_start_2 + chain * in_tile_3 + i]) ? 1 : 0;
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          count_2[chain] += keep(in[in_start + in_start_2 + chain * in_tile_3 + i]) ? 1 : 0;
        }
        kept_of_chain[chain] = count_2[chain];
      }
      unsigned int starts_3[NUM_CHAINS + 1];

      // compute(starts_of#1, SE_V)
      unsigned int accum = 0U;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        starts_3[i] = accum;
        accum += kept_of_chain[i];
      }
      starts_3[NUM_CHAINS] = accum;

      // S_V, regroup(pack_tiles, V)
      // distribute(I)
      size_t out_start_3[NUM_CHAINS];
      size_t out_len_3[NUM_CHAINS];
      size_t at[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        out_start_3[chain] = (size_t)starts_3[chain];
        out_len_3[chain] =
            max_index(min_index((size_t)starts_3[1 + chain], out_len_2), out_start_3[chain])
            - out_start_3[chain];

        // compute(pack#1, SE_I)
        at[chain] = 0;
      }
      const size_t common_2 =
          min_index(in_tile_3, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_3, in_len_2));
      for (size_t i = 0; i < common_2; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          if (keep(in[in_start + in_start_2 + chain * in_tile_3 + i])
              && at[chain] < out_len_3[chain]) {
            out[out_start + out_start_2 + out_start_3[chain] + at[chain]] =
                in[in_start + in_start_2 + chain * in_tile_3 + i];
            ++at[chain];
          }
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common_2;
            i < min_index(in_tile_3, in_len_2 - min_index(chain * in_tile_3, in_len_2)); ++i) {
          if (keep(in[in_start + in_start_2 + chain * in_tile_3 + i])
              && at[chain] < out_len_3[chain]) {
            out[out_start + out_start_2 + out_start_3[chain] + at[chain]] =
                in[in_start + in_start_2 + chain * in_tile_3 + i];
            ++at[chain];
          }
        }
      }
    }
  }
  result[0] = starts[p];
  free(kept_of_thread);
  free(starts);
  return 0;
}

int compact_int(const int *in, size_t in_size, int *out, size_t out_size, unsigned int *result) {
  return compact_int_tuned(in, in_size, out, out_size, result, 0);
}

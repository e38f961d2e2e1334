// C with OpenMP of compact_int, composed for cpu:
//   S_P, regroup(chained_packs, P), distribute(T), select(count_then_pack, T),
//   compute(kept_lanes, VE_T), S_T, regroup(count_then_pack, T), serialize(T), S_T,
//   regroup(pack_tiles, T), distribute(V), compute(kept#1, SE_V), compute(starts_lanes, VE_T),
//   S_T, regroup(pack_tiles, T), distribute(V), S_V, regroup(pack_tiles, V), distribute(I),
//   compute(kept#1, SE_I), compute(starts_of#1, SE_V), S_V, regroup(pack_tiles, V),
//   distribute(I), compute(pack#1, SE_I)
#include "compact_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sched.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// free parameter of chained_packs
#ifndef CHAINED_PACKS_T
#define CHAINED_PACKS_T 65536
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

// Waits for another thread to set the flag, and lets it run where threads are many.
static inline void await_flag(unsigned int *flag) {
  for (unsigned tries = 0; !__atomic_load_n(flag, __ATOMIC_ACQUIRE); ++tries)
    if (tries > 1000)
      sched_yield();
}

static inline unsigned int atomic_load_u32(unsigned int *place) {
  unsigned int value;
  __atomic_load(place, &value, __ATOMIC_RELAXED);
  return value;
}

static inline void set_flag(unsigned int *flag) {
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline void atomic_store_u32(unsigned int *place, unsigned int value) {
  __atomic_store(place, &value, __ATOMIC_RELAXED);
}

static inline bool keep(int x) {
  return x > 0;
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size, size_t out_size) {
  // compact<int> requires out.size() == in.size() (compact.cpp:165:3)
  if (!(out_size == in_size))
    return 1;
  return 0;
}

/// The bytes of an array in a workspace, in which each begins a cache line.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 63) / 64 * 64;
}

static size_t tangram_workspace(size_t in_size) {
  if ((((double)in_size + (double)CHAINED_PACKS_T - (double)1) / (double)CHAINED_PACKS_T
      + (double)1) * 4
      + (((double)in_size + (double)CHAINED_PACKS_T - (double)1) / (double)CHAINED_PACKS_T
      + (double)1) * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return tangram_bytes((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1 + 1,
      sizeof(unsigned int))
      + tangram_bytes((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1 + 1,
      sizeof(unsigned int));
}

static void compact_int_run(const int *in, size_t in_size, int *out, unsigned int *result,
    void *workspace) {
  unsigned int *carries = workspace;
  unsigned int *flags =
      (void *)((char *)carries
      + tangram_bytes((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1 + 1, sizeof *carries));

  // S_P, regroup(chained_packs, P)
  carries[0] = 0U;
  for (size_t part = 0; part < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1; ++part) {
    flags[part] = (unsigned int)(part == 0);
  }

  // distribute(T), each waiting for the one before it
  #pragma omp parallel for schedule(static, 1)
  for (size_t thread = 0; thread < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T; ++thread) {
    unsigned int tmp[NUM_LANES];
    unsigned int received[1];
    unsigned int starts[NUM_LANES + 1];
    unsigned int tmp_2[NUM_LANES];
    const size_t in_start = thread * CHAINED_PACKS_T;
    const size_t in_len = min_index(CHAINED_PACKS_T, in_size - in_start);

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
    if (full_rounds * NUM_LANES < in_len) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t i = full_rounds * NUM_LANES + lane;
        if (i < in_len) {
          own[lane] += keep(in[in_start + i]) ? 1 : 0;
        }
        tmp[lane] = own[lane];
      }
    } else {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp[lane] = own[lane];
      }
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
    const unsigned int total = tmp[NUM_LANES - 1];
    await_flag(&flags[thread]);
    received[0] = atomic_load_u32(&carries[thread]);
    const unsigned int carry = received[0];
    const unsigned int next = carry + total;
    atomic_store_u32(&carries[thread + 1], next);
    set_flag(&flags[thread + 1]);

    // S_T, regroup(count_then_pack, T)
    // serialize(T)
    unsigned int count[NUM_LANES];
    unsigned int tmp_read_2[NUM_LANES];
    for (size_t part = 0; part < 1; ++part) {
      const size_t out_start = (size_t)carry;
      const size_t out_len = max_index(min_index((size_t)next, in_size), out_start) - out_start;

      // S_T, regroup(pack_tiles, T)
      const size_t in_tile = (in_len + NUM_LANES - 1) / NUM_LANES;

      // distribute(V)
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        // compute(kept#1, SE_V)
        count[lane] = 0U;
      }
      const size_t all_have =
          min_index(in_tile, in_len - min_index((NUM_LANES - 1) * in_tile, in_len));
      for (size_t i = 0; i < all_have; ++i) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          count[lane] += keep(in[in_start + lane * in_tile + i]) ? 1 : 0;
        }
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        for (size_t i = all_have;
            i < min_index(in_tile, in_len - min_index(lane * in_tile, in_len)); ++i) {
          count[lane] += keep(in[in_start + lane * in_tile + i]) ? 1 : 0;
        }
        tmp[lane] = count[lane];
      }

      // compute(starts_lanes, VE_T)
      const size_t each = (NUM_LANES + NUM_LANES - 1) / NUM_LANES;
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        unsigned int own_2 = 0U;
        for (size_t k = 0; k < each && each * lane + k < NUM_LANES; ++k) {
          own_2 += tmp[each * lane + k];
        }
        tmp_2[lane] = own_2;
      }
      for (size_t s = 1; s < NUM_LANES; s *= 2) {
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          tmp_read_2[lane] = lane >= s ? tmp_2[lane - s] : 0U;
        }
        #pragma omp simd
        for (size_t lane = 0; lane < NUM_LANES; ++lane) {
          if (lane >= s) {
            tmp_2[lane] += tmp_read_2[lane];
          }
        }
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        unsigned int accum = lane > 0 ? tmp_2[lane - 1] : 0U;
        for (size_t k = 0; k < each && each * lane + k < NUM_LANES; ++k) {
          starts[each * lane + k] = accum;
          accum += tmp[each * lane + k];
        }
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane == 0) {
          starts[NUM_LANES] = tmp_2[NUM_LANES - 1];
        }
      }

      // S_T, regroup(pack_tiles, T)
      // distribute(V)
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        const size_t in_start_2 = lane * in_tile;
        const size_t in_len_2 = min_index(in_tile, in_len - min_index(in_start_2, in_len));
        const size_t out_start_2 = (size_t)starts[lane];
        const size_t out_len_2 =
            max_index(min_index((size_t)starts[1 + lane], out_len), out_start_2) - out_start_2;

        // S_V, regroup(pack_tiles, V)
        const size_t in_tile_2 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;
        unsigned int kept_of_chain[NUM_CHAINS];

        // distribute(I)
        unsigned int count_2[NUM_CHAINS];
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          // compute(kept#1, SE_I)
          count_2[chain] = 0U;
        }
        const size_t common =
            min_index(in_tile_2, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_2, in_len_2));
        for (size_t i = 0; i < common; ++i) {
          #pragma GCC unroll 16
          for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
            count_2[chain] += keep(in[in_start + in_start_2 + chain * in_tile_2 + i]) ? 1 : 0;
          }
        }
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t i = common;
              i < min_index(in_tile_2, in_len_2 - min_index(chain * in_tile_2, in_len_2)); ++i) {
            count_2[chain] += keep(in[in_start + in_start_2 + chain * in_tile_2 + i]) ? 1 : 0;
          }
          kept_of_chain[chain] = count_2[chain];
        }
        unsigned int starts_2[NUM_CHAINS + 1];

        // compute(starts_of#1, SE_V)
        unsigned int accum = 0U;
        for (size_t i = 0; i < NUM_CHAINS; ++i) {
          starts_2[i] = accum;
          accum += kept_of_chain[i];
        }
        starts_2[NUM_CHAINS] = accum;

        // S_V, regroup(pack_tiles, V)
        // distribute(I)
        size_t out_start_3[NUM_CHAINS];
        size_t out_len_3[NUM_CHAINS];
        size_t at[NUM_CHAINS];
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out_start_3[chain] = (size_t)starts_2[chain];
          out_len_3[chain] =
              max_index(min_index((size_t)starts_2[1 + chain], out_len_2), out_start_3[chain])
              - out_start_3[chain];

          // compute(pack#1, SE_I)
          at[chain] = 0;
        }
        const size_t common_2 =
            min_index(in_tile_2, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_2, in_len_2));
        for (size_t i = 0; i < common_2; ++i) {
          #pragma GCC unroll 16
          for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
            if (keep(in[in_start + in_start_2 + chain * in_tile_2 + i])
                && at[chain] < out_len_3[chain]) {
              out[out_start + out_start_2 + out_start_3[chain] + at[chain]] =
                  in[in_start + in_start_2 + chain * in_tile_2 + i];
              ++at[chain];
            }
          }
        }
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          for (size_t i = common_2;
              i < min_index(in_tile_2, in_len_2 - min_index(chain * in_tile_2, in_len_2)); ++i) {
            if (keep(in[in_start + in_start_2 + chain * in_tile_2 + i])
                && at[chain] < out_len_3[chain]) {
              out[out_start + out_start_2 + out_start_3[chain] + at[chain]] =
                  in[in_start + in_start_2 + chain * in_tile_2 + i];
              ++at[chain];
            }
          }
        }
      }
    }
  }
  result[0] = carries[(in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T];
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

static int tangram_check(const int *in, size_t in_size, int *out, size_t out_size,
    unsigned int *result) {
  if (tangram_overlaps(out, out_size * sizeof *out, in, in_size * sizeof *in) ||
      tangram_overlaps(out, out_size * sizeof *out, result, sizeof *result) ||
      tangram_overlaps(result, sizeof *result, in, in_size * sizeof *in))
    return compact_int_overlap;
  return compact_int_ok;
}

int compact_int_workspace(size_t in_size, size_t out_size, size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size, out_size) != 0)
    return compact_int_refused;
  *bytes = tangram_workspace(in_size);
  if (*bytes == SIZE_MAX)
    return compact_int_refused;
  return compact_int_ok;
}

int compact_int_on_threads(const int *in, size_t in_size, int *out, size_t out_size,
    unsigned int *result, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + out_size + 1);
  if (tangram_settle(in_size, out_size) != 0)
    return compact_int_refused;
  const int status = tangram_check(in, in_size, out, out_size, result);
  if (status != compact_int_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(in_size))
    return compact_int_small_workspace;
  omp_set_num_threads((int)threads);
  compact_int_run(in, in_size, out, result, workspace);
  omp_set_num_threads(before);
  return compact_int_ok;
}

int compact_int(const int *in, size_t in_size, int *out, size_t out_size, unsigned int *result) {
  if (tangram_settle(in_size, out_size) != 0)
    return compact_int_refused;
  const int status = tangram_check(in, in_size, out, out_size, result);
  if (status != compact_int_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(in_size));
  if (!workspace)
    return compact_int_no_memory;
  compact_int_run(in, in_size, out, result, workspace);
  free(workspace);
  return compact_int_ok;
}

const char *compact_int_message(int status) {
  switch (status) {
  case compact_int_ok:
    return "success";
  case compact_int_refused:
    return "no call with these sizes or numbers of workers can be served";
  case compact_int_no_memory:
    return "there is no memory for temporaries";
  case compact_int_small_workspace:
    return "the workspace is missing or too small";
  case compact_int_overlap:
    return "a container that is written shares memory with another one";
  case compact_int_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

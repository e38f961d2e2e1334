// C with OpenMP of exclusive_scan_int, composed for cpu:
//   S_P, regroup(exclusive_chained, P), distribute(T), select(total_then_exclusive, T),
//   select(sum_reduce, T), S_T, regroup(strided, T), distribute(V), S_V, regroup(strided, V),
//   distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T), S_T,
//   regroup(exclusive_reduce_scan_scan, T), distribute(V), select(sum_reduce, V), S_V,
//   regroup(strided, V), distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V),
//   compute(starts_lanes, VE_T), S_T, regroup(exclusive_reduce_scan_scan, T), distribute(V),
//   S_V, regroup(exclusive_reduce_scan_scan, V), distribute(I), compute(sum#1, SE_I),
//   compute(starts_from#1, SE_V), S_V, regroup(exclusive_reduce_scan_scan, V), distribute(I),
//   compute(exclusive_from#1, SE_I)
#include "exclusive_scan_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sched.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// free parameter of exclusive_chained
#ifndef EXCLUSIVE_CHAINED_T
#define EXCLUSIVE_CHAINED_T 65536
#endif
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

// Waits for another thread to set the flag, and lets it run where threads are many.
static inline void await_flag(unsigned int *flag) {
  for (unsigned tries = 0; !__atomic_load_n(flag, __ATOMIC_ACQUIRE); ++tries)
    if (tries > 1000)
      sched_yield();
}

static inline int atomic_load_i32(int *place) {
  int value;
  __atomic_load(place, &value, __ATOMIC_RELAXED);
  return value;
}

static inline void set_flag(unsigned int *flag) {
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static inline void atomic_store_i32(int *place, int value) {
  __atomic_store(place, &value, __ATOMIC_RELAXED);
}

static inline int zero(void) {
  return 0;
}

static inline int plus(int a, int b) {
  return (int)((unsigned int)a + b);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size, size_t out_size) {
  // exclusive_scan<int> requires out.size() == in.size() (scan.cpp:310:3)
  if (!(out_size == in_size))
    return 1;
  return 0;
}

/// The bytes of an array in a workspace, in which each begins a cache line.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 63) / 64 * 64;
}

static size_t tangram_workspace(size_t in_size) {
  if ((((double)in_size + (double)EXCLUSIVE_CHAINED_T - (double)1) / (double)EXCLUSIVE_CHAINED_T
      + (double)1) * 4
      + (((double)in_size + (double)EXCLUSIVE_CHAINED_T - (double)1) / (double)EXCLUSIVE_CHAINED_T
      + (double)1) * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return tangram_bytes((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1 + 1,
      sizeof(int))
      + tangram_bytes((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1 + 1,
      sizeof(unsigned int));
}

static void exclusive_scan_int_run(const int *in, size_t in_size, int *out, void *workspace) {
  int *carries = workspace;
  unsigned int *flags =
      (void *)((char *)carries
      + tangram_bytes((in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1 + 1,
      sizeof *carries));

  // S_P, regroup(exclusive_chained, P)
  carries[0] = 0;
  for (size_t part = 0; part < (in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T + 1;
      ++part) {
    flags[part] = (unsigned int)(part == 0);
  }

  // distribute(T), each waiting for the one before it
  #pragma omp parallel for schedule(static, 1)
  for (size_t thread = 0; thread < (in_size + EXCLUSIVE_CHAINED_T - 1) / EXCLUSIVE_CHAINED_T;
      ++thread) {
    int tmp[NUM_LANES];
    int received[1];
    int sum_of_lane[NUM_LANES];
    const size_t in_start = thread * EXCLUSIVE_CHAINED_T;
    const size_t in_len = min_index(EXCLUSIVE_CHAINED_T, in_size - in_start);

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
        accum[chain * NUM_LANES + lane] = zero();
      }
    }
    const size_t all_have = in_len / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
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
              plus(accum[chain * NUM_LANES + lane],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
      }
      const size_t in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
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
    const int total = tmp[NUM_LANES - 1];
    await_flag(&flags[thread]);
    received[0] = atomic_load_i32(&carries[thread]);
    const int carry = received[0];
    const int next = (int)((unsigned int)carry + total);
    atomic_store_i32(&carries[thread + 1], next);
    set_flag(&flags[thread + 1]);
    const int start = carry;

    // S_T, regroup(exclusive_reduce_scan_scan, T)
    const size_t in_tile = (in_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    int reduce_of_chain_2[NUM_CHAINS * NUM_LANES];
    int accum_2[NUM_CHAINS * NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // S_V, regroup(strided, V)
      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum_2[chain * NUM_LANES + lane] = zero();
      }
    }
    const size_t all_have_2 =
        min_index(in_tile, in_len - min_index((NUM_LANES - 1) * in_tile, in_len)) / NUM_CHAINS;
    for (size_t i = 0; i < all_have_2; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum_2[chain * NUM_LANES + lane] =
              plus(accum_2[chain * NUM_LANES + lane],
              in[in_start + lane * in_tile + chain + i * NUM_CHAINS]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have_2;
          i < min_index(in_tile, in_len - min_index(lane * in_tile, in_len)) / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum_2[chain * NUM_LANES + lane] =
              plus(accum_2[chain * NUM_LANES + lane],
              in[in_start + lane * in_tile + chain + i * NUM_CHAINS]);
        }
      }
      const size_t in_start_2 = lane * in_tile;
      const size_t in_len_2 = min_index(in_tile, in_len - min_index(in_start_2, in_len));
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len_2 / NUM_CHAINS; i < (in_len_2 + NUM_CHAINS - 1 - chain)
            / NUM_CHAINS; ++i) {
          accum_2[chain * NUM_LANES + lane] =
              plus(accum_2[chain * NUM_LANES + lane],
              in[in_start + in_start_2 + chain + i * NUM_CHAINS]);
        }
        reduce_of_chain_2[chain * NUM_LANES + lane] = accum_2[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_3 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_3 = plus(accum_3, reduce_of_chain_2[i * NUM_LANES + lane]);
      }
      sum_of_lane[lane] = accum_3;

      // compute(starts_lanes, VE_T)
      tmp[lane] = sum_of_lane[lane];
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
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      sum_of_lane[lane] = (int)((unsigned int)start + (lane > 0 ? tmp[lane - 1] : 0));

      // S_T, regroup(exclusive_reduce_scan_scan, T)
      // distribute(V)
      const int start_2 = sum_of_lane[lane];
      const size_t in_start_2 = lane * in_tile;
      const size_t in_len_2 = min_index(in_tile, in_len - min_index(in_start_2, in_len));

      // S_V, regroup(exclusive_reduce_scan_scan, V)
      const size_t in_tile_2 = (in_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;
      int sum_of_chain[NUM_CHAINS];

      // distribute(I)
      unsigned int accum_3[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(sum#1, SE_I)
        accum_3[chain] = 0;
      }
      const size_t common =
          min_index(in_tile_2, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_2, in_len_2));
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum_3[chain] += in[in_start + in_start_2 + chain * in_tile_2 + i];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common;
            i < min_index(in_tile_2, in_len_2 - min_index(chain * in_tile_2, in_len_2)); ++i) {
          accum_3[chain] += in[in_start + in_start_2 + chain * in_tile_2 + i];
        }
        sum_of_chain[chain] = (int)accum_3[chain];
      }

      // compute(starts_from#1, SE_V)
      unsigned int accum_4 = start_2;
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        const int own = sum_of_chain[i];
        sum_of_chain[i] = (int)accum_4;
        accum_4 += own;
      }

      // S_V, regroup(exclusive_reduce_scan_scan, V)
      // distribute(I)
      unsigned int accum_5[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const int start_3 = sum_of_chain[chain];

        // compute(exclusive_from#1, SE_I)
        accum_5[chain] = start_3;
      }
      const size_t common_2 =
          min_index(in_tile_2, in_len_2 - min_index((NUM_CHAINS - 1) * in_tile_2, in_len_2));
      for (size_t i = 0; i < common_2; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          out[in_start + in_start_2 + chain * in_tile_2 + i] = (int)accum_5[chain];
          accum_5[chain] += in[in_start + in_start_2 + chain * in_tile_2 + i];
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common_2;
            i < min_index(in_tile_2, in_len_2 - min_index(chain * in_tile_2, in_len_2)); ++i) {
          out[in_start + in_start_2 + chain * in_tile_2 + i] = (int)accum_5[chain];
          accum_5[chain] += in[in_start + in_start_2 + chain * in_tile_2 + i];
        }
      }
    }
  }
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

static int tangram_check(const int *in, size_t in_size, int *out, size_t out_size) {
  if (tangram_overlaps(out, out_size * sizeof *out, in, in_size * sizeof *in))
    return exclusive_scan_int_overlap;
  return exclusive_scan_int_ok;
}

int exclusive_scan_int_workspace(size_t in_size, size_t out_size, size_t threads, size_t *bytes) {
  (void)threads;
  if (tangram_settle(in_size, out_size) != 0)
    return exclusive_scan_int_refused;
  *bytes = tangram_workspace(in_size);
  if (*bytes == SIZE_MAX)
    return exclusive_scan_int_refused;
  return exclusive_scan_int_ok;
}

int exclusive_scan_int_on_threads(const int *in, size_t in_size, int *out, size_t out_size,
    size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + out_size + 1);
  if (tangram_settle(in_size, out_size) != 0)
    return exclusive_scan_int_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != exclusive_scan_int_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(in_size))
    return exclusive_scan_int_small_workspace;
  omp_set_num_threads((int)threads);
  exclusive_scan_int_run(in, in_size, out, workspace);
  omp_set_num_threads(before);
  return exclusive_scan_int_ok;
}

int exclusive_scan_int(const int *in, size_t in_size, int *out, size_t out_size) {
  if (tangram_settle(in_size, out_size) != 0)
    return exclusive_scan_int_refused;
  const int status = tangram_check(in, in_size, out, out_size);
  if (status != exclusive_scan_int_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(in_size));
  if (!workspace)
    return exclusive_scan_int_no_memory;
  exclusive_scan_int_run(in, in_size, out, workspace);
  free(workspace);
  return exclusive_scan_int_ok;
}

const char *exclusive_scan_int_message(int status) {
  switch (status) {
  case exclusive_scan_int_ok:
    return "success";
  case exclusive_scan_int_refused:
    return "no call with these sizes or numbers of workers can be served";
  case exclusive_scan_int_no_memory:
    return "there is no memory for temporaries";
  case exclusive_scan_int_small_workspace:
    return "the workspace is missing or too small";
  case exclusive_scan_int_overlap:
    return "a container that is written shares memory with another one";
  case exclusive_scan_int_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}

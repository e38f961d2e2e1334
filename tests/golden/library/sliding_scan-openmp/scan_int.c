// C with OpenMP of scan_int, composed for simple-cpu:
//   S_P, regroup(chained, P), distribute(T), select(total_then_scan, T), compute(sum#1, SE_T),
//   compute(scan_from#1, SE_T)
#include "scan_int.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <sched.h>
#include <stdlib.h>

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

int scan_int_tuned(const int *in, size_t in_size, int *out, size_t out_size, size_t p) {
  // scan<int> requires out.size() == in.size() (codelets/scan.cpp:136:3)
  if (!(out_size == in_size))
    return 1;
  if (p == 0)
    p = (size_t)omp_get_max_threads();

  int *carries = malloc((p + 1 + 1) * sizeof *carries);
  unsigned int *flags = malloc((p + 1 + 1) * sizeof *flags);
  if (!carries || !flags) {
    free(carries);
    free(flags);
    return 2;
  }

  // S_P, regroup(chained, P)
  const size_t in_tile = (in_size + p - 1) / p;
  carries[0] = 0;
  for (size_t part = 0; part < p + 1; ++part) {
    flags[part] = (unsigned int)(part == 0);
  }

  // distribute(T), each waiting for the one before it
  #pragma omp parallel for schedule(static, 1)
  for (size_t thread = 0; thread < p; ++thread) {
    const size_t in_start = thread * in_tile;
    const size_t in_len = min_index(in_tile, in_size - min_index(in_start, in_size));

    // compute(sum#1, SE_T)
    int accum = 0;
    for (size_t i = 0; i < in_len; ++i) {
      accum += in[in_start + i];
    }
    const int total = accum;
    await_flag(&flags[thread]);
    const int carry = atomic_load_i32(&carries[thread]);
    const int next = carry + total;
    atomic_store_i32(&carries[thread + 1], next);
    set_flag(&flags[thread + 1]);
    const int start = carry;

    // compute(scan_from#1, SE_T)
    int accum_2 = start;
    for (size_t i = 0; i < in_len; ++i) {
      accum_2 += in[in_start + i];
      out[in_start + i] = accum_2;
    }
  }
  free(carries);
  free(flags);
  return 0;
}

int scan_int(const int *in, size_t in_size, int *out, size_t out_size) {
  return scan_int_tuned(in, in_size, out, out_size, 0);
}

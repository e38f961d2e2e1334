// C with OpenMP of sum, composed for simple-gpu:
//   S_G, devolve(B), compute(kog, VE_B)
#include "sum.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size) {
  // kog at level B requires in.size() <= coopDim() (sum.cpp:19:3)
  if (!(in_size <= NUM_THREADS))
    return 1;
  return 0;
}

static void sum_run(const int *in, size_t in_size, int *result) {
  // S_G, devolve(B)
  {
    int tmp[NUM_THREADS];

    // compute(kog, VE_B)
    #pragma omp simd
    for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
      tmp[thread] = thread < in_size ? in[thread] : 0;
    }
    int tmp_read[NUM_THREADS];
    for (size_t s = 1; s < NUM_THREADS; s *= 2) {
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        tmp_read[thread] = thread >= s ? tmp[thread - s] : 0;
      }
      #pragma omp simd
      for (size_t thread = 0; thread < NUM_THREADS; ++thread) {
        if (thread >= s) {
          tmp[thread] += (unsigned int)tmp_read[thread];
        }
      }
    }
    result[0] = tmp[NUM_THREADS - 1];
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
  (void)threads;
  if (tangram_settle(in_size) != 0)
    return sum_refused;
  *bytes = 0;
  return sum_ok;
}

int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace,
    size_t workspace_bytes) {
  (void)workspace;
  (void)workspace_bytes;
  const int before = omp_get_max_threads();
  threads = tangram_threads(threads, in_size + 1);
  if (tangram_settle(in_size) != 0)
    return sum_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != sum_ok)
    return status;
  omp_set_num_threads((int)threads);
  sum_run(in, in_size, result);
  omp_set_num_threads(before);
  return sum_ok;
}

int sum(const int *in, size_t in_size, int *result) {
  if (tangram_settle(in_size) != 0)
    return sum_refused;
  const int status = tangram_check(in, in_size, result);
  if (status != sum_ok)
    return status;
  sum_run(in, in_size, result);
  return sum_ok;
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

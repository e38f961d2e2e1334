#ifndef TANGRAM_sum_H
#define TANGRAM_sum_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the functions return.
enum sum_status {
  sum_ok = 0,
  /* no call with these sizes or numbers of workers can be served */
  sum_refused = 1,
  /* there is no memory for temporaries */
  sum_no_memory = 2,
  /* the workspace is missing or too small */
  sum_small_workspace = 3,
  /* a container that is written shares memory with another one */
  sum_overlap = 4,
  /* elements are not what is required of them */
  sum_bad_data = 6
};

/// A status in words, which are never freed.
const char *sum_message(int status);

/// in: in_size elements; read.
/// What is written shares no memory with another container: sum_overlap otherwise, before anything is written.
int sum(const int *in, size_t in_size, int *result);

/// The bytes of the workspace that a call with these sizes on so many threads needs; 0: none. 0 threads
/// are as many as OpenMP takes. Returns sum_refused when no call with them can be served.
int sum_workspace(size_t in_size, size_t threads, size_t *bytes);

/// The same on so many threads, in memory of the caller, which no other call uses meanwhile; it begins
/// where that of malloc may. Allocates none. A child of fork calls it with one thread: those of OpenMP
/// are its parent's. Returns sum_small_workspace when the workspace is too small.
int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace,
    size_t workspace_bytes);

/// The first one with the number of workers chosen by the caller.
/// p: number of threads that share the work, or 0 for what suits the size.
int sum_tuned(const int *in, size_t in_size, int *result, size_t p);

#ifdef __cplusplus
}
#endif

#endif

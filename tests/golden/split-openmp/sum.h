#ifndef TANGRAM_sum_H
#define TANGRAM_sum_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 0, 1 when this plan cannot serve the size, 2 when memory ran out.
int sum(const int *in, size_t in_size, int *result);

/// The bytes of the workspace that a call with these sizes on so many threads needs; 0: none. 0 threads
/// are as many as OpenMP takes. Returns 1 when no call with them can be served.
int sum_workspace(size_t in_size, size_t threads, size_t *bytes);

/// The same on so many threads, in memory of the caller, which no other call uses meanwhile; it begins
/// where that of malloc may. Allocates none. Returns 0, 1 when the size cannot be served, 3 when the
/// workspace is too small.
int sum_on_threads(const int *in, size_t in_size, int *result, size_t threads, void *workspace, size_t workspace_bytes);

/// The first one with the number of workers chosen by the caller.
/// p: number of threads that share the work, or 0 for what suits the size.
int sum_tuned(const int *in, size_t in_size, int *result, size_t p);

#ifdef __cplusplus
}
#endif

#endif

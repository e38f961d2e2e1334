#ifndef TANGRAM_gemv_float_H
#define TANGRAM_gemv_float_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 0, 1 when no version can serve the size, 2 when memory ran out.
int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size);

/// The bytes of the workspace that a call with these sizes on so many threads needs; 0: none. 0 threads
/// are as many as OpenMP takes. Returns 1 when no call with them can be served.
int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t threads, size_t *bytes);

/// The same on so many threads, in memory of the caller, which no other call uses meanwhile; it begins
/// where that of malloc may. Allocates none. Returns 0, 1 when the size cannot be served, 3 when the
/// workspace is too small.
int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size, size_t threads, void *workspace, size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif

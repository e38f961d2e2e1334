#ifndef TANGRAM_gemv_float_H
#define TANGRAM_gemv_float_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the functions return.
enum gemv_float_status {
  gemv_float_ok = 0,
  /* no call with these sizes or numbers of workers can be served */
  gemv_float_refused = 1,
  /* there is no memory for temporaries */
  gemv_float_no_memory = 2,
  /* the workspace is missing or too small */
  gemv_float_small_workspace = 3,
  /* a container that is written shares memory with another one */
  gemv_float_overlap = 4,
  /* elements are not what is required of them */
  gemv_float_bad_data = 6
};

/// A status in words, which are never freed.
const char *gemv_float_message(int status);

/// a: a_size0 x a_size1 elements, row by row; read.
/// x: x_size elements; read.
/// y: y_size elements; written.
/// Requires x_size == a_size1.
/// Requires y_size == a_size0.
/// What is written shares no memory with another container: gemv_float_overlap otherwise, before anything is written.
int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size,
    float *y, size_t y_size);

/// The bytes of the workspace that a call with these sizes on so many threads needs; 0: none. 0 threads
/// are as many as OpenMP takes. Returns gemv_float_refused when no call with them can be served.
int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size,
    size_t threads, size_t *bytes);

/// The same on so many threads, in memory of the caller, which no other call uses meanwhile; it begins
/// where that of malloc may. Allocates none. A child of fork calls it with one thread: those of OpenMP
/// are its parent's. Returns gemv_float_small_workspace when the workspace is too small.
int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x,
    size_t x_size, float *y, size_t y_size, size_t threads, void *workspace,
    size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif

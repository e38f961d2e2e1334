#ifndef TANGRAM_gemv_float_H
#define TANGRAM_gemv_float_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 0, 1 when no version can serve the size, 2 when memory ran out.
int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size);

#ifdef __cplusplus
}
#endif

#endif

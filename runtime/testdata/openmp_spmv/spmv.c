#include <stddef.h>

/* y = A x, A in compressed rows */
void spmv(const float *values, const unsigned *columns, const unsigned *offsets, const float *x,
          float *y, size_t rows) {
#pragma omp parallel for
  for (size_t i = 0; i < rows; ++i) {
    float sum = 0;
    for (unsigned k = offsets[i]; k < offsets[i + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}

#include <stddef.h>

/* y = factor * x + y */
void scale(int factor, const double *x, double *y, size_t count) {
#pragma omp parallel for
  for (size_t i = 0; i < count; ++i)
    y[i] = factor * x[i] + y[i];
}

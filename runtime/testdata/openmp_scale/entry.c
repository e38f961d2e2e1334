#include <stddef.h>

void scale(int factor, const double *x, double *y, size_t count);

int tangram_call(void *const *a) {
  const size_t rows = *(const size_t *)a[2], cols = *(const size_t *)a[3];
  const size_t out_rows = *(const size_t *)a[5], out_cols = *(const size_t *)a[6];
  if (rows != out_rows || cols != out_cols)
    return 1;
  scale(*(const int *)a[0], *(const double *const *)a[1], *(double *const *)a[4], rows * cols);
  return 0;
}

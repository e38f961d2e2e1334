#include <stddef.h>

int tangram_reference(void *const *a) {
  const double *x = *(const double *const *)a[1];
  double *y = *(double *const *)a[4];
  const size_t count = *(const size_t *)a[2] * *(const size_t *)a[3];
  for (size_t i = 0; i < count; ++i)
    y[i] = *(const int *)a[0] * x[i] + y[i];
  return 0;
}

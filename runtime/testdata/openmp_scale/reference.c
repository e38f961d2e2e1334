#include <math.h>
#include <stddef.h>

int tangram_reference(void *const *a) {
  const double *x = *(const double *const *)a[1];
  long double *y = *(long double *const *)a[4];
  const size_t count = *(const size_t *)a[2] * *(const size_t *)a[3];
  for (size_t i = 0; i < count; ++i)
    y[i] = (long double)*(const int *)a[0] * x[i] + y[i];
  return 0;
}

int tangram_magnitude(void *const *a) {
  const double *x = *(const double *const *)a[1];
  long double *y = *(long double *const *)a[4];
  const size_t count = *(const size_t *)a[2] * *(const size_t *)a[3];
  for (size_t i = 0; i < count; ++i)
    y[i] = fabsl((long double)*(const int *)a[0] * x[i]) + fabsl(y[i]);
  return 0;
}

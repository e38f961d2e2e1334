#include <stddef.h>

int tangram_reference(void *const *a) {
  const float *values = *(const float *const *)a[0], *x = *(const float *const *)a[6];
  const unsigned *columns = *(const unsigned *const *)a[2], *offsets = *(const unsigned *const *)a[4];
  float *y = *(float *const *)a[8];
  for (size_t i = 0; i < *(const size_t *)a[9]; ++i) {
    y[i] = 0;
    for (unsigned k = offsets[i]; k < offsets[i + 1]; ++k)
      y[i] += values[k] * x[columns[k]];
  }
  return 0;
}

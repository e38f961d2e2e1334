#include <math.h>
#include <stddef.h>

static int spmv(void *const *a, int magnitude) {
  const float *values = *(const float *const *)a[0], *x = *(const float *const *)a[6];
  const unsigned *columns = *(const unsigned *const *)a[2], *offsets = *(const unsigned *const *)a[4];
  double *y = *(double *const *)a[8];
  for (size_t i = 0; i < *(const size_t *)a[9]; ++i) {
    y[i] = 0;
    for (unsigned k = offsets[i]; k < offsets[i + 1]; ++k) {
      const double product = (double)values[k] * x[columns[k]];
      y[i] += magnitude ? fabs(product) : product;
    }
  }
  return 0;
}

int tangram_reference(void *const *a) { return spmv(a, 0); }

int tangram_magnitude(void *const *a) { return spmv(a, 1); }

#include <stddef.h>

void spmv(const float *values, const unsigned *columns, const unsigned *offsets, const float *x,
          float *y, size_t rows);

int tangram_call(void *const *a) {
  spmv(*(const float *const *)a[0], *(const unsigned *const *)a[2], *(const unsigned *const *)a[4],
       *(const float *const *)a[6], *(float *const *)a[8], *(const size_t *)a[9]);
  return 0;
}

/* The sum, one element after the other. */
#include <stddef.h>

int tangram_reference(void *const *a) {
  const double *in = *(const double *const *)a[0];
  const size_t in_size = *(const size_t *)a[1];
  double accum = 0;
  for (size_t i = 0; i < in_size; ++i)
    accum += in[i];
  **(double *const *)a[2] = accum;
  return 0;
}

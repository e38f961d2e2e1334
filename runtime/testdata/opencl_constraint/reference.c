/* The sum, one element after the other. */
#include <stddef.h>

static int sum(const int *in, size_t in_size) {
  int accum = 0;
  for (size_t i = 0; i < in_size; ++i)
    accum += in[i];
  return accum;
}

int tangram_reference(void *const *a) {
  **(int *const *)a[2] = sum(*(const int *const *)a[0], *(const size_t *)a[1]);
  return 0;
}

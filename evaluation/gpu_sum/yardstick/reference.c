#include <stddef.h>

int tangram_reference(void *const *a) {
  const int *in = *(const int **)a[0];
  const size_t in_size = *(const size_t *)a[1];
  int sum = 0;
  for (size_t i = 0; i < in_size; ++i)
    sum += in[i];
  **(int **)a[2] = sum;
  return 0;
}

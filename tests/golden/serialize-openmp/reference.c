// What sum means: codelet sum#1 of sum.cpp on one thread.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static int reference(const int *in, size_t in_size) {
  const size_t len = in_size;
  unsigned int accum = 0;
  for (size_t i = 0; i < len; ++i) {
    accum += in[i];
  }
  return (int)accum;
}

int tangram_reference(void *const *a) {
  **(int *const *)a[2] = reference(*(const int * const *)a[0],
      *(size_t const *)a[1]);
  return 0;
}

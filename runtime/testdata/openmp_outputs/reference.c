#include <math.h>
#include <stddef.h>

static int turn_and_add(void *const *arguments, int magnitude) {
  const short *a = *(const short *const *)arguments[0];
  const size_t n = *(const size_t *)arguments[1], m = *(const size_t *)arguments[2];
  const size_t l = *(const size_t *)arguments[3];
  short *turned = *(short *const *)arguments[4];
  long double *sums = *(long double *const *)arguments[8];
  unsigned long *counts = *(unsigned long *const *)arguments[11];
  for (size_t i = 0; i < n; ++i) {
    counts[i] += m * l;
    for (size_t j = 0; j < m; ++j) {
      long double *sum = &sums[i * m + j];
      *sum = magnitude ? fabsl(*sum) : *sum;
      for (size_t k = 0; k < l; ++k) {
        const long double value = a[(i * m + j) * l + k];
        turned[(k * m + j) * n + i] = a[(i * m + j) * l + k];
        *sum += magnitude ? fabsl(value) : value;
      }
    }
  }
  return 0;
}

int tangram_reference(void *const *a) { return turn_and_add(a, 0); }

int tangram_magnitude(void *const *a) { return turn_and_add(a, 1); }

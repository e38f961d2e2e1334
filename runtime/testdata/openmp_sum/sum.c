#include "sum.h"

#include <stdlib.h>

int sum(const int *in, size_t in_size, int *result, size_t p) {
  int *partial = malloc(p * sizeof *partial);
  if (!partial)
    return 2;
  const size_t tile = (in_size + p - 1) / p;
#pragma omp parallel for
  for (size_t t = 0; t < p; ++t) {
    const size_t end = (t + 1) * tile < in_size ? (t + 1) * tile : in_size;
    int accum = 0;
    for (size_t i = t * tile; i < end; ++i)
      accum += in[i];
    partial[t] = accum;
  }
  int accum = 0;
  for (size_t t = 0; t < p; ++t)
    accum += partial[t];
  *result = accum;
  free(partial);
  return 0;
}

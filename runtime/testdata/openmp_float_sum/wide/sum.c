#include "sum.h"

int sum(const double *in, size_t in_size, double *result) {
  double partial[P];
  const size_t tile = (in_size + P - 1) / P;
#pragma omp parallel for
  for (size_t t = 0; t < P; ++t) {
    const size_t end = (t + 1) * tile < in_size ? (t + 1) * tile : in_size;
    double accum = 0;
    for (size_t i = t * tile; i < end; ++i)
      accum += in[i];
    partial[t] = accum;
  }
  double accum = 0;
  for (size_t t = 0; t < P; ++t)
    accum += partial[t];
  *result = accum;
  return 0;
}

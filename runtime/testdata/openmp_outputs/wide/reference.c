#include <stddef.h>

int tangram_reference(void *const *arguments) {
  const short *a = *(const short *const *)arguments[0];
  const size_t n = *(const size_t *)arguments[1], m = *(const size_t *)arguments[2];
  const size_t l = *(const size_t *)arguments[3];
  short *turned = *(short *const *)arguments[4];
  __float128 *sums = *(__float128 *const *)arguments[8];
  unsigned long *counts = *(unsigned long *const *)arguments[11];
  for (size_t i = 0; i < n; ++i) {
    counts[i] += m * l;
    for (size_t j = 0; j < m; ++j) {
      for (size_t k = 0; k < l; ++k) {
        turned[(k * m + j) * n + i] = a[(i * m + j) * l + k];
        sums[i * m + j] += a[(i * m + j) * l + k];
      }
    }
  }
  return 0;
}

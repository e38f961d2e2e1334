#include <stddef.h>

/* turned[k][j][i] = a[i][j][k]; sums[i][j] += a[i][j][...]; counts[i] += elements of a[i] */
void turn_and_add(const short *a, size_t n, size_t m, size_t l, short *turned, __float128 *sums,
                  unsigned long *counts) {
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) {
    counts[i] += m * l;
    for (size_t j = 0; j < m; ++j) {
      for (size_t k = 0; k < l; ++k) {
        turned[(k * m + j) * n + i] = a[(i * m + j) * l + k];
        sums[i * m + j] += a[(i * m + j) * l + k];
      }
    }
  }
}

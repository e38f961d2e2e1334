#include <stddef.h>

void turn_and_add(const short *a, size_t n, size_t m, size_t l, short *turned, __float128 *sums,
                  unsigned long *counts);

int tangram_call(void *const *a) {
  turn_and_add(*(const short *const *)a[0], *(const size_t *)a[1], *(const size_t *)a[2],
               *(const size_t *)a[3], *(short *const *)a[4], *(__float128 *const *)a[8],
               *(unsigned long *const *)a[11]);
  return 0;
}

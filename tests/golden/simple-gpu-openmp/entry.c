// The library's function behind one uniform call, for tangram-run.
#include "sum.h"

int tangram_call(void *const *a) {
  return sum_tuned(*(const int * const *)a[0],
      *(size_t const *)a[1],
      *(int * const *)a[2],
      *(size_t const *)a[3]);
}

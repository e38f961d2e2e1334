/* cc -O3 -march=native -fopenmp example.c gemv_float.c 4aa68bff/gemv_float_4aa68bff.c \
       71326ed6/gemv_float_71326ed6.c 31a7701f/gemv_float_31a7701f.c -lm && ./a.out */
#include "gemv_float.h"

#include <stdio.h>

enum { SIZE = 40 };

int main(void) {
  static float a[SIZE * SIZE];
  for (size_t i = 0; i < SIZE * SIZE; ++i)
    a[i] = (float)(i % 7);
  static float x[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    x[i] = (float)(i % 7);
  static float y[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    y[i] = (float)(i % 7);
  int status = gemv_float(a, SIZE, SIZE, x, SIZE, y, SIZE);
  if (status != 0) {
    fprintf(stderr, "gemv_float: %s\n", gemv_float_message(status));
    return 1;
  }
  printf("y[0] = %g\n", (double)y[0]);
  return 0;
}

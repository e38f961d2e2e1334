// cc -O3 -march=native -fopenmp example.c sum.c -lm && ./a.out
#include "sum.h"

#include <stdio.h>

enum { SIZE = 1000 };

int main(void) {
  static int in[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    in[i] = (int)(i % 7);
  int result = 0;
  int status = sum(in, SIZE, &result);
  if (status != 0) {
    fprintf(stderr, "sum: %s\n", sum_message(status));
    return 1;
  }
  printf("sum = %ld\n", (long)result);
  return 0;
}

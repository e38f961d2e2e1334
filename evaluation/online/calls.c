// How long calls of a library take: measured in batches, in turns with calls of one of its versions.
//   calls SIZE BATCHES CALLS
// Prints, for each batch, the seconds of a call of the library that compares its versions (and has done so), of
// the same version called directly, and of the library told to call that version.
#define _POSIX_C_SOURCE 199309L
#include "sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int Sum(const int *in, size_t in_size, int *result);

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double timed(Sum *function, const int *in, size_t size, long calls) {
  int result;
  const double start = seconds();
  for (long i = 0; i < calls; ++i) {
    if (function(in, size, &result) != 0)
      exit(1);
  }
  return (seconds() - start) / (double)calls;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  static Sum *const versions[] = {VERSIONS};
  const size_t size = strtoull(argv[1], NULL, 10);
  const long batches = atol(argv[2]), calls = atol(argv[3]);
  int *in = malloc((size + 1) * sizeof *in);
  for (size_t i = 0; i < size; ++i)
    in[i] = (int)(i % 7);
  while (sum_chosen(size, 0) < 0)
    timed(sum, in, size, 1);
  const int chosen = sum_chosen(size, 0);
  for (long i = 0; i < batches; ++i) {
    sum_choose(sum_by_measurement);
    const double online = timed(sum, in, size, calls);
    const double direct = timed(versions[chosen], in, size, calls);
    sum_choose(chosen);
    const double fixed = timed(sum, in, size, calls);
    printf("%d %.9g %.9g %.9g\n", chosen, online, direct, fixed);
  }
  free(in);
  return 0;
}

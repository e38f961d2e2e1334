#include "points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void malformed(const char *file, const char *expected) {
  fprintf(stderr, "%s: expected %s\n", file, expected);
  exit(1);
}

struct points read_points(const char *file) {
  FILE *in = fopen(file, "rb");
  if (!in) {
    perror(file);
    exit(1);
  }
  // "\x93NUMPY", version 1.0, the length of the header in two bytes, the header
  unsigned char start[10];
  char header[65536] = "";
  if (fread(start, 1, sizeof start, in) != sizeof start || memcmp(start, "\x93NUMPY\1", 7) != 0)
    malformed(file, "a NumPy file of version 1");
  const size_t length = start[8] + 256u * start[9];
  if (fread(header, 1, length, in) != length || !strstr(header, "'<f4'") ||
      !strstr(header, "'fortran_order': False"))
    malformed(file, "float32 in C order");
  struct points points;
  const char *shape = strstr(header, "'shape': (");
  if (!shape || sscanf(shape, "'shape': (%zu, %zu)", &points.count, &points.dimensions) != 2 ||
      points.count == 0 || points.dimensions == 0)
    malformed(file, "two dimensions, not empty");

  const size_t numbers = points.count * points.dimensions;
  points.values = malloc(numbers * sizeof *points.values);
  if (!points.values)
    abort();
  for (size_t i = 0; i < numbers; ++i) {
    float value;
    if (fread(&value, sizeof value, 1, in) != 1)
      malformed(file, "as many numbers as the header says");
    points.values[i] = value;
  }
  fclose(in);
  return points;
}

void free_points(struct points points) { free(points.values); }

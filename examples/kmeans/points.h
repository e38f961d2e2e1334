#ifndef EXAMPLES_KMEANS_POINTS_H
#define EXAMPLES_KMEANS_POINTS_H

#include <stddef.h>

/// `count` points of `dimensions` numbers each, one after the other.
struct points {
  size_t count, dimensions;
  double *values;
};

/// Reads a NumPy file of two-dimensional little-endian float32, one row a point. Ends the program
/// with a message when it is not one.
struct points read_points(const char *file);
void free_points(struct points points);

#endif

// Clusters the points of a file with k-means, until no centroid moves.
//
//     cluster FILE.npy [K]
//
// Each iteration is a call of kernels that tangram made of codelets/kmeans.cpp; the answer is
// compared with that of plain C. Ends with status 1 when they differ.
#include "clustering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ITERATIONS = 1000 };

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *need_memory(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory)
    abort();
  return memory;
}

/// The first k points; to be freed.
static double *first_centroids(struct points points, size_t k) {
  double *centroids = need_memory(k * points.dimensions, sizeof *centroids);
  memcpy(centroids, points.values, k * points.dimensions * sizeof *centroids);
  return centroids;
}

/// The largest change of a coordinate.
static double movement(size_t count, const double *before, const double *after) {
  double most = 0;
  for (size_t i = 0; i < count; ++i)
    most = fmax(most, fabs(after[i] - before[i]));
  return most;
}

/// The number of iterations.
static int cluster(struct points points, size_t k, double *centroids, int *labels) {
  const size_t numbers = k * points.dimensions;
  double *before = need_memory(numbers, sizeof *before);
  struct clustering *clustering = start_clustering(points, k, centroids);
  int iterations = 0;
  do {
    memcpy(before, centroids, numbers * sizeof *before);
    clustering_step(clustering, centroids);
    ++iterations;
  } while (movement(numbers, before, centroids) > 0 && iterations < MOST_ITERATIONS);
  finish_clustering(clustering, labels);
  free(before);
  return iterations;
}

static int nearest(const double *point, size_t dimensions, size_t k, const double *centroids) {
  int best = 0;
  double least = INFINITY;
  for (size_t c = 0; c < k; ++c) {
    double distance = 0;
    for (size_t d = 0; d < dimensions; ++d) {
      const double difference = point[d] - centroids[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = (int)c;
    }
  }
  return best;
}

/// The same in plain C, as often.
static void cluster_plainly(struct points points, size_t k, int iterations, double *centroids,
                            int *labels) {
  const size_t dimensions = points.dimensions;
  double *sums = need_memory(k * dimensions, sizeof *sums);
  int *counts = need_memory(k, sizeof *counts);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    memset(sums, 0, k * dimensions * sizeof *sums);
    memset(counts, 0, k * sizeof *counts);
    for (size_t i = 0; i < points.count; ++i) {
      const double *point = &points.values[i * dimensions];
      labels[i] = nearest(point, dimensions, k, centroids);
      counts[labels[i]] += 1;
      for (size_t d = 0; d < dimensions; ++d)
        sums[(size_t)labels[i] * dimensions + d] += point[d];
    }
    for (size_t c = 0; c < k; ++c) {
      for (size_t d = 0; counts[c] > 0 && d < dimensions; ++d)
        centroids[c * dimensions + d] = sums[c * dimensions + d] / counts[c];
    }
  }
  free(sums);
  free(counts);
}

static void print_clusters(struct points points, size_t k, const double *centroids,
                           const int *labels) {
  for (size_t c = 0; c < k; ++c) {
    size_t size = 0;
    for (size_t i = 0; i < points.count; ++i)
      size += labels[i] == (int)c;
    printf("cluster %zu: %zu points around (", c, size);
    for (size_t d = 0; d < points.dimensions; ++d)
      printf("%s%.4f", d > 0 ? ", " : "", centroids[c * points.dimensions + d]);
    printf(")\n");
  }
}

int main(int count, char **arguments) {
  if (count < 2 || count > 3) {
    fprintf(stderr, "usage: %s FILE.npy [K]\n", arguments[0]);
    return 2;
  }
  struct points points = read_points(arguments[1]);
  const size_t k = count == 3 ? strtoul(arguments[2], NULL, 10) : 8;
  if (k == 0 || k > points.count) {
    fprintf(stderr, "expected a number of clusters from 1 to %zu\n", points.count);
    return 2;
  }
  printf("points: %zu of %zu numbers\n", points.count, points.dimensions);

  double *centroids = first_centroids(points, k);
  int *labels = need_memory(points.count, sizeof *labels);
  double began = seconds();
  const int iterations = cluster(points, k, centroids, labels);
  printf("clustered: %.1f ms everything included, %d iterations\n", (seconds() - began) * 1e3,
         iterations);

  double *expected = first_centroids(points, k);
  int *expected_labels = need_memory(points.count, sizeof *labels);
  began = seconds();
  cluster_plainly(points, k, iterations, expected, expected_labels);
  printf("plainly: %.1f ms\n", (seconds() - began) * 1e3);

  print_clusters(points, k, centroids, labels);
  size_t wrong = 0;
  for (size_t i = 0; i < points.count; ++i)
    wrong += labels[i] != expected_labels[i];
  const double off = movement(k * points.dimensions, expected, centroids);
  if (wrong > 0 || !(off < 1e-9))
    fprintf(stderr, "%zu labels differ, a centroid is off by %g\n", wrong, off);
  const int right = wrong == 0 && off < 1e-9 && iterations < MOST_ITERATIONS;
  printf("%s\n", right ? "right" : "wrong");
  free(centroids);
  free(labels);
  free(expected);
  free(expected_labels);
  free_points(points);
  return right ? 0 : 1;
}

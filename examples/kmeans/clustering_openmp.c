#include "clustering.h"

#include "kmeans_double.h" // made by tangram synth

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clustering {
  struct points points;
  size_t k;
  double *centroids;
  int *labels;
};

struct clustering *start_clustering(struct points points, size_t k, const double *centroids) {
  struct clustering *clustering = malloc(sizeof *clustering);
  if (!clustering)
    abort();
  const size_t bytes = k * points.dimensions * sizeof(double);
  clustering->points = points;
  clustering->k = k;
  clustering->centroids = malloc(bytes);
  clustering->labels = malloc(points.count * sizeof(int));
  if (!clustering->centroids || !clustering->labels)
    abort();
  memcpy(clustering->centroids, centroids, bytes);
  return clustering;
}

void clustering_step(struct clustering *clustering, double *centroids) {
  const size_t n = clustering->points.count, dimensions = clustering->points.dimensions;
  const int status = kmeans_double(clustering->points.values, n, dimensions, clustering->centroids,
                                   clustering->k, dimensions, clustering->labels, n);
  if (status != 0) {
    fprintf(stderr, "kmeans_double failed: %s\n",
            status == 1 ? "the plan cannot serve this size" : "out of memory");
    exit(1);
  }
  memcpy(centroids, clustering->centroids, clustering->k * dimensions * sizeof(double));
}

void finish_clustering(struct clustering *clustering, int *labels) {
  memcpy(labels, clustering->labels, clustering->points.count * sizeof(int));
  free(clustering->centroids);
  free(clustering->labels);
  free(clustering);
}

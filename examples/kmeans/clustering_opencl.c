#include "clustering.h"

#include "../opencl_device.h"
#include "kmeans_double.h" // made by tangram synth

#include <stdlib.h>

struct clustering {
  struct opencl_device device;
  size_t count, dimensions, k;
  cl_mem points, centroids, labels;
};

struct clustering *start_clustering(struct points points, size_t k, const double *centroids) {
  struct clustering *clustering = calloc(1, sizeof *clustering);
  if (!clustering)
    abort();
  clustering->device = open_device();
  clustering->count = points.count;
  clustering->dimensions = points.dimensions;
  clustering->k = k;
  const size_t row = points.dimensions * sizeof(double);
  clustering->points = device_memory(clustering->device, points.count * row, points.values);
  clustering->centroids = device_memory(clustering->device, k * row, centroids);
  clustering->labels = device_memory(clustering->device, points.count * sizeof(int), NULL);
  return clustering;
}

void clustering_step(struct clustering *clustering, double *centroids) {
  const size_t n = clustering->count, dimensions = clustering->dimensions, k = clustering->k;
  need_success(kmeans_double(clustering->device.queue, clustering->points, n, dimensions,
                             clustering->centroids, k, dimensions, clustering->labels, n),
               "kmeans_double");
  // All that is read in a step: points and labels stay where they are.
  read_back(clustering->device, clustering->centroids, k * dimensions * sizeof(double), centroids);
}

void finish_clustering(struct clustering *clustering, int *labels) {
  read_back(clustering->device, clustering->labels, clustering->count * sizeof(int), labels);
  clReleaseMemObject(clustering->points);
  clReleaseMemObject(clustering->centroids);
  clReleaseMemObject(clustering->labels);
  close_device(clustering->device);
  free(clustering);
}

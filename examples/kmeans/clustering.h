#ifndef EXAMPLES_KMEANS_CLUSTERING_H
#define EXAMPLES_KMEANS_CLUSTERING_H

#include "points.h"

/// Points and their labels, wherever the kernels run: clustering_opencl.c keeps them in the memory
/// of a device, clustering_openmp.c in that of the process.
struct clustering;

/// `centroids`: k rows of `points.dimensions` numbers to start from.
struct clustering *start_clustering(struct points points, size_t k, const double *centroids);

/// Labels every point and moves the centroids; `centroids` gets where they are now.
void clustering_step(struct clustering *clustering, double *centroids);

/// Ends it and copies the labels, one a point.
void finish_clustering(struct clustering *clustering, int *labels);

#endif

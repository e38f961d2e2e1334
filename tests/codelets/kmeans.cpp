// One iteration of KMeans: the nearest centroid of each point, then the centroids' new sums.
#include <tangram.h>

__codelet
unsigned nearest(const Array<1, float> point, const Array<2, float> centroids) {
  unsigned best = 0;
  float least = 0;
  for (unsigned c = 0; c < centroids.size(0); ++c) {
    float d = 0;
    for (unsigned j = 0; j < point.size(); ++j)
      d += (point[j] - centroids[c][j]) * (point[j] - centroids[c][j]);
    if (c == 0 || d < least) {
      least = d;
      best = c;
    }
  }
  return best;
}

__codelet
void assign(const Array<2, float> points, const Array<2, float> centroids,
            Array<1, unsigned> labels) {
  require(centroids.size(1) == points.size(1));
  require(labels.size() == points.size(0));
  for (unsigned i = 0; i < points.size(0); ++i)
    labels[i] = nearest(points[i], centroids);
}

__codelet __tag(each)
void assign(const Array<2, float> points, const Array<2, float> centroids,
            Array<1, unsigned> labels) {
  labels = map(nearest, points, all(centroids));
}

__codelet
void update(const Array<2, float> points, const Array<1, unsigned> labels, Array<2, float> sums,
            Array<1, unsigned> counts) {
  require(sums.size(1) == points.size(1));
  require(counts.size() == sums.size(0));
  require(labels.size() == points.size(0));
  require(within(labels, 0, counts.size()));
  for (unsigned i = 0; i < points.size(0); ++i) {
    counts[labels[i]] += 1;
    for (unsigned j = 0; j < points.size(1); ++j)
      sums[labels[i]][j] += points[i][j];
  }
}

__codelet __coop __tag(atomics)
void update(const Array<2, float> points, const Array<1, unsigned> labels, Array<2, float> sums,
            Array<1, unsigned> counts) {
  for (unsigned i = coopIdx(); i < points.size(0); i += coopDim()) {
    unsigned c = labels[i];
    atomicAdd(counts[c], 1);
    for (unsigned j = 0; j < points.size(1); ++j)
      atomicAdd(sums[c][j], points[i][j]);
  }
}

__codelet
void step(const Array<2, float> points, const Array<2, float> centroids,
          Array<1, unsigned> labels, Array<2, float> sums, Array<1, unsigned> counts) {
  for (unsigned i = 0; i < points.size(0); ++i) {
    unsigned best = 0;
    float least = 0;
    for (unsigned c = 0; c < centroids.size(0); ++c) {
      float d = 0;
      for (unsigned j = 0; j < points.size(1); ++j)
        d += (points[i][j] - centroids[c][j]) * (points[i][j] - centroids[c][j]);
      if (c == 0 || d < least) {
        least = d;
        best = c;
      }
    }
    labels[i] = best;
    counts[best] += 1;
    for (unsigned j = 0; j < points.size(1); ++j)
      sums[best][j] += points[i][j];
  }
}

__codelet __tag(two_steps)
void step(const Array<2, float> points, const Array<2, float> centroids,
          Array<1, unsigned> labels, Array<2, float> sums, Array<1, unsigned> counts) {
  assign(points, centroids, labels);
  update(points, labels, sums, counts);
}

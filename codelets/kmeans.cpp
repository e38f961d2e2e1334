// k-means: each point gets the label of its nearest centroid, then each centroid moves to the
// middle of its points. `kmeans` is one iteration; the loop around it is the application's (see
// docs/codelets/kmeans.md).
//
// Labels are decided by comparing distances: with float, rounding may decide between centroids
// that are equally near to about 1e-6, so that other orders of summation label a point otherwise.
#include "reduce.cpp"

template <class T> __codelet
int nearest(const Array<1, T> point, const Array<2, T> centroids) {
  int best = 0;
  T least = 0;
  for (unsigned c = 0; c < centroids.size(0); ++c) {
    T distance = 0;
    for (unsigned d = 0; d < point.size(); ++d) {
      T difference = point[d] - centroids[c][d];
      distance += difference * difference;
    }
    if (c == 0 || distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

template <class T> __codelet
void assign(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels) {
  require(labels.size() == points.size(0));
  require(centroids.size(1) == points.size(1));
  require(centroids.size(0) > 0);
  for (unsigned i = 0; i < points.size(0); ++i) {
    int best = 0;
    T least = 0;
    for (unsigned c = 0; c < centroids.size(0); ++c) {
      T distance = 0;
      for (unsigned d = 0; d < points.size(1); ++d) {
        T difference = points[i][d] - centroids[c][d];
        distance += difference * difference;
      }
      if (c == 0 || distance < least) {
        least = distance;
        best = c;
      }
    }
    labels[i] = best;
  }
}
template <class T> __codelet __tag(by_point)
void assign(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels) {
  labels = map(nearest<T>, points, all(centroids));
}
template <class T> __codelet __tag(blocks)
void assign(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels) {
  __tunable unsigned p;
  map(assign<T>, rows(points, p), all(centroids), rows(labels, p));
}

// Points of at most d numbers: the lanes bring as many of them as there are lanes, along their numbers, and then each
// has one of them to itself.
template <class T> __codelet __coop __tag(staged_points)
void assign(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels) {
  __tunable unsigned d = choice(40, 20, 80);
  require(points.size(1) <= d);
  __shared T tile[d * coopDim()];
  unsigned id = coopIdx();
  unsigned dims = points.size(1);
  for (unsigned first = 0; first < labels.size(); first += coopDim()) {
    unsigned numbers = min((unsigned)labels.size() - first, coopDim()) * dims;
    for (unsigned e = id; e < numbers; e += coopDim())
      tile[e] = points[first + e / dims][e % dims];
    if (first + id < labels.size()) {
      int best = 0;
      T least = 0;
      for (unsigned c = 0; c < centroids.size(0); ++c) {
        T distance = 0;
        for (unsigned k = 0; k < dims; ++k) {
          T difference = tile[id * dims + k] - centroids[c][k];
          distance += difference * difference;
        }
        if (c == 0 || distance < least) {
          least = distance;
          best = c;
        }
      }
      labels[first + id] = best;
    }
  }
}

// Sums and counts of the points of each label, into containers that start from anything.
template <class T> __codelet
void accumulate(const Array<2, T> points, const Array<1, int> labels, Array<2, T> sums, Array<1, int> counts) {
  require(labels.size() == points.size(0));
  require(sums.size(1) == points.size(1));
  require(counts.size() == sums.size(0));
  require(within(labels, 0, counts.size()));
  for (unsigned c = 0; c < counts.size(); ++c) {
    counts[c] = 0;
    for (unsigned d = 0; d < sums.size(1); ++d)
      sums[c][d] = 0;
  }
  for (unsigned i = 0; i < labels.size(); ++i) {
    counts[labels[i]] += 1;
    for (unsigned d = 0; d < sums.size(1); ++d)
      sums[labels[i]][d] += points[i][d];
  }
}
// sum := the rows c of all parts, added up.
template <class T> __codelet
void merge(unsigned c, const Array<3, T> parts, Array<1, T> sum) {
  require(sum.size() == parts.size(2));
  for (unsigned d = 0; d < sum.size(); ++d) {
    T accum = 0;
    for (unsigned i = 0; i < parts.size(0); ++i)
      accum += parts[i][c][d];
    sum[d] = accum;
  }
}
template <class T> __codelet __tag(privatized)
void accumulate(const Array<2, T> points, const Array<1, int> labels, Array<2, T> sums, Array<1, int> counts) {
  __tunable unsigned p;
  unsigned k = counts.size();
  unsigned dims = sums.size(1);
  Array<3, T> own(p, k, dims);
  Array<2, int> own_counts(p, k);
  map(accumulate<T>, rows(points, p), rows(labels, p), own, own_counts);
  map(merge<T>, sequence(0, 1, k), all(own), sums);
  counts = map(sum<int>, transpose(own_counts));
}

// centroid := sum / count; a cluster without points stays where it is.
template <class T> __codelet
void move(const Array<1, T> sum, int count, Array<1, T> centroid) {
  require(centroid.size() == sum.size());
  if (count > 0) {
    for (unsigned d = 0; d < centroid.size(); ++d)
      centroid[d] = sum[d] / count;
  }
}

// One iteration of k-means.
template <class T> __codelet
void kmeans(const Array<2, T> points, Array<2, T> centroids, Array<1, int> labels) {
  require(labels.size() == points.size(0));
  require(centroids.size(1) == points.size(1));
  require(centroids.size(0) > 0);
  for (unsigned i = 0; i < points.size(0); ++i) {
    int best = 0;
    T least = 0;
    for (unsigned c = 0; c < centroids.size(0); ++c) {
      T distance = 0;
      for (unsigned d = 0; d < points.size(1); ++d) {
        T difference = points[i][d] - centroids[c][d];
        distance += difference * difference;
      }
      if (c == 0 || distance < least) {
        least = distance;
        best = c;
      }
    }
    labels[i] = best;
  }
  for (unsigned c = 0; c < centroids.size(0); ++c) {
    for (unsigned d = 0; d < points.size(1); ++d) {
      T sum = 0;
      int count = 0;
      for (unsigned i = 0; i < labels.size(); ++i) {
        if (labels[i] == c) {
          sum += points[i][d];
          count += 1;
        }
      }
      if (count > 0)
        centroids[c][d] = sum / count;
    }
  }
}
template <class T> __codelet __tag(iteration)
void kmeans(const Array<2, T> points, Array<2, T> centroids, Array<1, int> labels) {
  Array<2, T> sums(centroids.size(0), centroids.size(1));
  Array<1, int> counts(centroids.size(0));
  assign<T>(points, centroids, labels);
  accumulate<T>(points, labels, sums, counts);
  map(move<T>, sums, counts, centroids);
}

template void kmeans<double>(const Array<2, double>, Array<2, double>, Array<1, int>);

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
  require(c < parts.size(1) && sum.size() == parts.size(2));
  for (unsigned d = 0; d < sum.size(); ++d) {
    T accum = 0;
    for (unsigned i = 0; i < parts.size(0); ++i)
      accum += parts[i][c][d];
    sum[d] = accum;
  }
}
// Lanes beside each other have the dimensions, and behind those are others for the next parts.
template <class T> __codelet __coop __tag(merge_lanes)
void merge(unsigned c, const Array<3, T> parts, Array<1, T> sum) {
  __shared T partial[coopDim()];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < sum.size(); first += coopDim()) {
    unsigned width = min((unsigned)sum.size() - first, coopDim());
    unsigned rows = coopDim() / width;
    unsigned row = id / width;
    unsigned d = first + id % width;
    T accum = 0;
    if (row < rows) {
      for (unsigned i = row; i < parts.size(0); i += rows)
        accum += parts[i][c][d];
    }
    partial[id] = accum;
    if (row == 0) {
      for (unsigned next = 1; next < rows; ++next)
        accum += partial[next * width + id];
      sum[d] = accum;
    }
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

// `assign` and `accumulate` in one.
template <class T> __codelet
void gather(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels, Array<2, T> sums,
            Array<1, int> counts) {
  require(labels.size() == points.size(0));
  require(centroids.size(1) == points.size(1));
  require(centroids.size(0) > 0);
  require(sums.size(0) == centroids.size(0));
  require(sums.size(1) == points.size(1));
  require(counts.size() == centroids.size(0));
  typical(centroids.size(0), 8);
  typical(points.size(1), 32);
  for (unsigned c = 0; c < counts.size(); ++c) {
    counts[c] = 0;
    for (unsigned d = 0; d < sums.size(1); ++d)
      sums[c][d] = 0;
  }
  for (unsigned i = 0; i < points.size(0); ++i) {
    unsigned best = 0;
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
    counts[best] += 1;
    for (unsigned d = 0; d < sums.size(1); ++d)
      sums[best][d] += points[i][d];
  }
}
template <class T> __codelet __tag(label_then_add)
void gather(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels, Array<2, T> sums,
            Array<1, int> counts) {
  assign<T>(points, centroids, labels);
  accumulate<T>(points, labels, sums, counts);
}
template <class T> __codelet __tag(gather_parts)
void gather(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels, Array<2, T> sums,
            Array<1, int> counts) {
  __tunable unsigned p;
  unsigned k = counts.size();
  unsigned dims = sums.size(1);
  Array<3, T> own(p, k, dims);
  Array<2, int> own_counts(p, k);
  map(gather<T>, rows(points, p), all(centroids), rows(labels, p), own, own_counts);
  map(merge<T>, sequence(0, 1, k), all(own), sums);
  counts = map(sum<int>, transpose(own_counts));
}

// Points of fewer than d numbers, at most k clusters. The lanes bring as many points as there are lanes, along
// their numbers; then each labels one of them, and then each adds up one dimension of every so-many-th point.
template <class T> __codelet __coop __tag(gather_lanes)
void gather(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels, Array<2, T> sums,
            Array<1, int> counts) {
  __tunable unsigned d = choice(40, 20, 80);
  __tunable unsigned k = choice(8, 4, 16);
  unsigned dims = points.size(1);
  unsigned clusters = counts.size();
  require(points.size(1) < d);
  require(points.size(1) <= coopDim());
  require(counts.size() <= k);
  __shared T tile[d * coopDim()];
  __shared T near[d * k];
  __shared T own[k * coopDim()];
  __shared int members[k];
  __shared int label[coopDim()];
  unsigned id = coopIdx();
  unsigned pitch = dims | 1;
  unsigned rows = coopDim() / max(dims, 1u);
  for (unsigned e = id; e < clusters * dims; e += coopDim())
    near[e] = centroids[e / dims][e % dims];
  for (unsigned c = 0; c < clusters; ++c)
    own[c * coopDim() + id] = 0;
  for (unsigned c = id; c < clusters; c += coopDim())
    members[c] = 0;
  for (unsigned first = 0; first < labels.size(); first += coopDim()) {
    unsigned held = min((unsigned)labels.size() - first, coopDim());
    for (unsigned e = id; e < held * dims; e += coopDim())
      tile[e / dims * pitch + e % dims] = points[first + e / dims][e % dims];
    if (id < held) {
      unsigned best = 0;
      T least = 0;
      for (unsigned c = 0; c < clusters; ++c) {
        T distance = 0;
        for (unsigned j = 0; j < dims; ++j) {
          T difference = tile[id * pitch + j] - near[c * dims + j];
          distance += difference * difference;
        }
        if (c == 0 || distance < least) {
          least = distance;
          best = c;
        }
      }
      label[id] = best;
      labels[first + id] = best;
      atomicAdd(members[best], 1);
    }
    if (id < rows * dims) {
      for (unsigned i = id / dims; i < held; i += rows)
        own[label[i] * coopDim() + id] += tile[i * pitch + id % dims];
    }
  }
  for (unsigned e = id; e < clusters * dims; e += coopDim()) {
    T accum = 0;
    for (unsigned row = 0; row < rows; ++row)
      accum += own[e / dims * coopDim() + row * dims + e % dims];
    sums[e / dims][e % dims] = accum;
  }
  for (unsigned c = id; c < clusters; c += coopDim())
    counts[c] = members[c];
}

// At most k clusters. A lane labels a point: it goes along its numbers once, and is on its way to all centroids. Then the
// lanes add up these points one after the other, a dimension each.
template <class T> __codelet __coop __tag(point_lanes) __env(openmp)
void gather(const Array<2, T> points, const Array<2, T> centroids, Array<1, int> labels, Array<2, T> sums,
            Array<1, int> counts) {
  __tunable unsigned k = choice(8, 4, 16);
  unsigned dims = points.size(1);
  unsigned clusters = counts.size();
  require(labels.size() == points.size(0));
  require(centroids.size(1) == points.size(1));
  require(centroids.size(0) > 0);
  require(sums.size(0) == centroids.size(0));
  require(sums.size(1) == points.size(1));
  require(counts.size() == centroids.size(0));
  require(counts.size() <= k);
  __shared T way[k * coopDim()];
  __shared int label[coopDim()];
  unsigned id = coopIdx();
  for (unsigned e = id; e < clusters * dims; e += coopDim())
    sums[e / dims][e % dims] = 0;
  for (unsigned c = id; c < clusters; c += coopDim())
    counts[c] = 0;
  for (unsigned first = 0; first < labels.size(); first += coopDim()) {
    unsigned held = min((unsigned)labels.size() - first, coopDim());
    unsigned own = first + min(id, held - 1);
    for (unsigned c = 0; c < clusters; ++c)
      way[c * coopDim() + id] = 0;
    for (unsigned j = 0; j < dims; ++j) {
      T at = points[own][j];
      for (unsigned c = 0; c < clusters; ++c) {
        T difference = at - centroids[c][j];
        way[c * coopDim() + id] += difference * difference;
      }
    }
    unsigned best = 0;
    T least = way[id];
    for (unsigned c = 1; c < clusters; ++c) {
      T distance = way[c * coopDim() + id];
      best = distance < least ? c : best;
      least = distance < least ? distance : least;
    }
    label[id] = best;
    if (id < held)
      labels[first + id] = best;
    for (unsigned i = 0; i < held; ++i) {
      for (unsigned d = id; d < dims; d += coopDim())
        sums[label[i]][d] += points[first + i][d];
      if (id == 0)
        counts[label[i]] += 1;
    }
  }
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
  typical(centroids.size(0), 8);
  typical(points.size(1), 32);
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
  gather<T>(points, centroids, labels, sums, counts);
  map(move<T>, sums, counts, centroids);
}

template void kmeans<double>(const Array<2, double>, Array<2, double>, Array<1, int>);

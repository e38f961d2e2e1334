// Rounds around kernels: many steps of the heat equation, steps until nothing moves any more, a
// breadth-first search until the frontier is empty, and k-means until no label changes. What one
// round does stands in stencil.cpp, reduce.cpp, bfs.cpp and kmeans.cpp.
//
// A host goes round and launches; two containers are exchanged from round to round.
#include "bfs.cpp"
#include "kmeans.cpp"
#include "stencil.cpp"

// A number of steps of u' = u + c (left - 2 u + right) on a rod with insulated ends, in place: the
// old value of the element to the left is kept.
template <class T> __codelet
void heat_steps(T c, unsigned steps, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  typical(steps, 100);
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i];
  for (unsigned t = 0; t < steps; ++t) {
    T left = in.size() > 0 ? out[0] : 0;
    for (unsigned i = 0; i < in.size(); ++i) {
      T here = out[i];
      T right = i + 1 < in.size() ? out[i + 1] : here;
      out[i] = here + c * (left - 2 * here + right);
      left = here;
    }
  }
}

template <class T> __codelet __tag(heat_rounds)
void heat_steps(T c, unsigned steps, const Array<1, T> in, Array<1, T> out) {
  Array<1, T> now(in.size());
  Array<1, T> next(in.size());
  copy<T>(in, now);
  for (unsigned t = 0; t < steps; ++t) {
    heat<T>(c, now, next);
    swap(now, next);
  }
  copy<T>(now, out);
}

// Four steps of elements that have four neighbours on each side. What lies between two steps stays with
// the workers that have made it: a tile's halo shrinks by an element a step.
template <class T> __codelet
void heat4_tile(T c, const Array<1, T> in, Array<1, T> out) {
  require(in.size() == out.size() + 8);
  for (unsigned i = 0; i < out.size(); ++i) {
    T near[9];
    for (unsigned k = 0; k < 9; ++k)
      near[k] = in[i + k];
    for (unsigned step = 1; step <= 4; ++step) {
      T left = near[step - 1];
      for (unsigned k = step; k + step < 9; ++k) {
        T here = near[k];
        near[k] = here + c * (left - 2 * here + near[k + 1]);
        left = here;
      }
    }
    out[i] = near[4];
  }
}

template <class T> __codelet __tag(four_steps)
void heat4_tile(T c, const Array<1, T> in, Array<1, T> out) {
  Array<1, T> one(out.size() + 6);
  Array<1, T> two(out.size() + 4);
  Array<1, T> three(out.size() + 2);
  heat_inside<T>(c, in, one);
  heat_inside<T>(c, one, two);
  heat_inside<T>(c, two, three);
  heat_inside<T>(c, three, out);
}

template <class T> __codelet
void heat4_inside(T c, const Array<1, T> in, Array<1, T> out);

template <class T> __codelet __tag(time_tiles)
void heat4_inside(T c, const Array<1, T> in, Array<1, T> out) {
  require(in.size() == out.size() + 8);
  __tunable unsigned t = choice(2048, 256, 512, 1024, 4096);
  map(heat4_tile<T>, c, chunks(in, t, 8), chunks(out, t));
}

// A rod with insulated ends is the middle of one that goes on as its own mirror image, whose elements
// have the same on either side, step by step. A shorter rod than four has more than one image.
template <class T> __codelet __tag(heat_time_tiles)
void heat_steps(T c, unsigned steps, const Array<1, T> in, Array<1, T> out) {
  unsigned four = in.size() < 4 ? 0 : steps / 4;
  Array<1, T> now(in.size());
  Array<1, T> next(in.size());
  copy<T>(in, now);
  for (unsigned t = 0; t < four; ++t) {
    heat4_inside<T>(c, pad(now, 4, 4, mirror), next);
    swap(now, next);
  }
  for (unsigned t = 4 * four; t < steps; ++t) {
    heat<T>(c, now, next);
    swap(now, next);
  }
  copy<T>(now, out);
}

template void heat_steps<float>(float, unsigned, const Array<1, float>, Array<1, float>);
template void heat_steps<int>(int, unsigned, const Array<1, int>, Array<1, int>);

// The largest distance between elements at the same place; 0 of none.
template <class T> __codelet
T most_apart(const Array<1, T> a, const Array<1, T> b) {
  require(b.size() == a.size());
  T most = 0;
  for (unsigned i = 0; i < a.size(); ++i) {
    T distance = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    most = larger(most, distance);
  }
  return most;
}

template <class T> T none() { return 0; }

template <class T> __codelet __tag(apart_parts)
T most_apart(const Array<1, T> a, const Array<1, T> b) {
  __tunable unsigned p;
  return reduce<T, larger<T>, none<T>>(map(most_apart<T>, rows(a, p), rows(b, p)));
}

// Each element becomes the mean of its neighbours and itself, until none changes by more than `by`,
// at most `most` times. Returns how often.
template <class T> __codelet
unsigned smooth(T by, unsigned most, Array<1, T> values) {
  unsigned rounds = 0;
  T changed = by + 1;
  while (changed > by && rounds < most) {
    changed = 0;
    T left = values.size() > 0 ? values[0] : 0;
    for (unsigned i = 0; i < values.size(); ++i) {
      T here = values[i];
      T right = i + 1 < values.size() ? values[i + 1] : here;
      T mean = (left + here + right) / 3;
      changed = larger(changed, mean < here ? here - mean : mean - here);
      values[i] = mean;
      left = here;
    }
    rounds += 1;
  }
  return rounds;
}

template <class T> __codelet
T mean_at(const Array<1, T> near) { return (near[0] + near[1] + near[2]) / 3; }

template <class T> __codelet __tag(smooth_rounds)
unsigned smooth(T by, unsigned most, Array<1, T> values) {
  Array<1, T> now(values.size());
  Array<1, T> next(values.size());
  copy<T>(values, now);
  unsigned rounds = 0;
  T changed = by + 1;
  while (changed > by && rounds < most) {
    next = map(mean_at<T>, slide(pad(now, 1, 1, clamp), 3, 1));
    changed = most_apart<T>(now, next);
    swap(now, next);
    rounds += 1;
  }
  copy<T>(now, values);
  return rounds;
}

template unsigned smooth<int>(int, unsigned, Array<1, int>);

// Breadth-first search from the vertices whose distance is 0, until the frontier is empty: distances
// that are not known yet are larger than all that are, and those that are too large become right.
__codelet
void search(const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance) {
  require(offsets.size() == distance.size() + 1);
  require(ascending(offsets, 0, targets.size()));
  require(within(targets, 0, distance.size()));
  int reached = 1;
  for (int depth = 0; reached > 0; ++depth) {
    reached = 0;
    for (unsigned v = 0; v < distance.size(); ++v) {
      if (distance[v] == depth) {
        for (int k = offsets[v]; k < offsets[v + 1]; ++k) {
          if (distance[targets[k]] > depth + 1)
            distance[targets[k]] = depth + 1;
        }
      }
    }
    for (unsigned v = 0; v < distance.size(); ++v)
      reached += distance[v] == depth + 1 ? 1 : 0;
  }
}

__codelet __tag(search_rounds)
void search(const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance) {
  Array<1, int> now(distance.size());
  Array<1, int> next(distance.size());
  copy<int>(distance, now);
  int depth = 0;
  int reached = 1;
  while (reached > 0) {
    bfs(depth, offsets, targets, now, next);
    swap(now, next);
    depth += 1;
    reached = frontier(depth, now);
  }
  copy<int>(now, distance);
}

// A search with queues: a step goes over the vertices that the last one has found, and over no others.

__codelet
int known(int vertex, int source) { return vertex == source ? 0 : 2147483647; }

// The vertex at a place of a queue where none was yet.
__codelet
int no_vertex(int place) { return -1; }

// A vertex at distance `depth`: each neighbour that nobody has found before goes to the end of `next`, in any order.
// `found` says how many are there.
__codelet
void expand_vertex(int depth, int vertex, const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance,
                   Array<1, int> next, Array<1, int> found) {
  require(offsets.size() == distance.size() + 1);
  require(found.size() == 1);
  require(within(targets, 0, distance.size()));
  if (vertex >= 0 && vertex < distance.size()) {
    for (int k = offsets[vertex]; k < offsets[vertex + 1]; ++k) {
      int before = atomicMin(distance[targets[k]], depth + 1);
      if (before > depth + 1) {
        int at = atomicAdd(found[0], 1);
        if (at >= 0 && at < next.size())
          atomicExchange(next[at], targets[k]);
      }
    }
  }
}

// All vertices of a frontier. (Threads of a CPU would wait for the one count more than for anything else.)
__codelet __tag(expand_each) __env(opencl, cuda)
void expand(int depth, const Array<1, int> frontier, const Array<1, int> offsets, const Array<1, int> targets,
            Array<1, int> distance, Array<1, int> next, Array<1, int> found) {
  map(expand_vertex, depth, frontier, all(offsets), all(targets), all(distance), all(next), all(found));
}

// The same in batches: places are asked for when a batch is full, and not one after the other, which all threads wait
// for.
__codelet __tag(expand_batches) __env(openmp)
void expand(int depth, const Array<1, int> frontier, const Array<1, int> offsets, const Array<1, int> targets,
            Array<1, int> distance, Array<1, int> next, Array<1, int> found) {
  require(offsets.size() == distance.size() + 1);
  require(found.size() == 1);
  require(within(targets, 0, distance.size()));
  int batch[64];
  int held = 0;
  for (unsigned i = 0; i < frontier.size(); ++i) {
    int vertex = frontier[i];
    if (vertex >= 0 && vertex < distance.size()) {
      for (int k = offsets[vertex]; k < offsets[vertex + 1]; ++k) {
        int before = atomicMin(distance[targets[k]], depth + 1);
        if (before > depth + 1) {
          batch[held] = targets[k];
          held += 1;
          if (held == 64) {
            int at = atomicAdd(found[0], 64);
            for (int j = 0; j < 64; ++j) {
              if (at >= 0 && at + j < next.size())
                atomicExchange(next[at + j], batch[j]);
            }
            held = 0;
          }
        }
      }
    }
  }
  if (held > 0) {
    int at = atomicAdd(found[0], held);
    for (int j = 0; j < held; ++j) {
      if (at >= 0 && at + j < next.size())
        atomicExchange(next[at + j], batch[j]);
    }
  }
}

// The first vertex, as far as there is one; how many.
__codelet
int begin(int source, Array<1, int> queue) {
  int count = 0;
  if (source >= 0 && source < queue.size()) {
    queue[0] = source;
    count = 1;
  }
  return count;
}

__codelet
void nobody(Array<1, int> found) {
  require(found.size() == 1);
  found[0] = 0;
}

__codelet
int count_of(const Array<1, int> found) {
  require(found.size() == 1);
  return found[0];
}

// How many edges all vertices are from `source`; 2147483647 where no way leads.
__codelet
void levels(int source, const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance) {
  require(offsets.size() == distance.size() + 1);
  require(ascending(offsets, 0, targets.size()));
  require(within(targets, 0, distance.size()));
  for (unsigned v = 0; v < distance.size(); ++v)
    distance[v] = v == source ? 0 : 2147483647;
  int reached = 1;
  for (int depth = 0; reached > 0; ++depth) {
    reached = 0;
    for (unsigned v = 0; v < distance.size(); ++v) {
      if (distance[v] == depth) {
        for (int k = offsets[v]; k < offsets[v + 1]; ++k) {
          if (distance[targets[k]] > depth + 1) {
            distance[targets[k]] = depth + 1;
            reached += 1;
          }
        }
      }
    }
  }
}

__codelet __tag(levels_search)
void levels(int source, const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance) {
  distance = map(known, sequence(0, 1, distance.size()), source);
  search(offsets, targets, distance);
}

// A queue of the vertices that were found last, in as many parts as there are workers, and the next one.
__codelet __tag(levels_queues)
void levels(int source, const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance) {
  __tunable unsigned p;
  unsigned n = distance.size();
  Array<1, int> queue(n);
  Array<1, int> next(n);
  Array<1, int> found(1);
  distance = map(known, sequence(0, 1, n), source);
  queue = map(no_vertex, sequence(0, 1, n));
  next = map(no_vertex, sequence(0, 1, n));
  int held = begin(source, queue);
  int depth = 0;
  while (held > 0) {
    nobody(found);
    map(expand, depth, rows(slice(queue, 0, held), p), all(offsets), all(targets), all(distance), all(next), all(found));
    swap(queue, next);
    depth += 1;
    held = count_of(found);
  }
}

// At how many places two containers differ.
__codelet
int differing(const Array<1, int> a, const Array<1, int> b) {
  require(b.size() == a.size());
  int count = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    count += a[i] != b[i] ? 1 : 0;
  return count;
}

__codelet __tag(differing_parts)
int differing(const Array<1, int> a, const Array<1, int> b) {
  __tunable unsigned p;
  return sum<int>(map(differing, rows(a, p), rows(b, p)));
}

// k-means until no point gets another label, at most `most` iterations. Returns how many.
template <class T> __codelet
unsigned cluster(unsigned most, const Array<2, T> points, Array<2, T> centroids, Array<1, int> labels) {
  require(labels.size() == points.size(0));
  require(centroids.size(1) == points.size(1));
  require(centroids.size(0) > 0);
  typical(centroids.size(0), 8);
  typical(points.size(1), 32);
  unsigned rounds = 0;
  int moved = 1;
  while (moved > 0 && rounds < most) {
    moved = 0;
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
      moved += labels[i] != best ? 1 : 0;
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
    rounds += 1;
  }
  return rounds;
}

template <class T> __codelet __tag(cluster_rounds)
unsigned cluster(unsigned most, const Array<2, T> points, Array<2, T> centroids, Array<1, int> labels) {
  Array<1, int> now(labels.size());
  Array<1, int> next(labels.size());
  copy<int>(labels, now);
  unsigned rounds = 0;
  int moved = 1;
  while (moved > 0 && rounds < most) {
    kmeans<T>(points, centroids, next);
    moved = differing(now, next);
    swap(now, next);
    rounds += 1;
  }
  copy<int>(now, labels);
  return rounds;
}

template unsigned cluster<double>(unsigned, const Array<2, double>, Array<2, double>, Array<1, int>);

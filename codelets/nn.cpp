// Nearest neighbour: the distances of points to one point, and the number of the nearest point.
#include "reduce.cpp"

template <class T> __codelet
T distance(T x, T y, T to_x, T to_y) {
  return sqrt((x - to_x) * (x - to_x) + (y - to_y) * (y - to_y));
}

// out[i] = the distance of (xs[i], ys[i]) to (x, y).
template <class T> __codelet
void distances(const Array<1, T> xs, const Array<1, T> ys, T x, T y, Array<1, T> out) {
  require(ys.size() == xs.size());
  require(out.size() == xs.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = sqrt((xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y));
}
template <class T> __codelet __coop __tag(distance_lanes)
void distances(const Array<1, T> xs, const Array<1, T> ys, T x, T y, Array<1, T> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim())
    out[i] = sqrt((xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y));
}
template <class T> __codelet __tag(distance_parts)
void distances(const Array<1, T> xs, const Array<1, T> ys, T x, T y, Array<1, T> out) {
  __tunable unsigned p;
  map(distances<T>, rows(xs, p), rows(ys, p), x, y, rows(out, p));
}
template <class T> __codelet __tag(by_point)
void distances(const Array<1, T> xs, const Array<1, T> ys, T x, T y, Array<1, T> out) {
  out = map(distance<T>, xs, ys, x, y);
}

// The position of the point that is nearest to (x, y), the first of equally near ones; 2^32 - 1 of none.
template <class T> __codelet
unsigned nearest(const Array<1, T> xs, const Array<1, T> ys, T x, T y) {
  require(ys.size() == xs.size());
  unsigned best = 4294967295u;
  T least = 0;
  for (unsigned i = 0; i < xs.size(); ++i) {
    T own = sqrt((xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y));
    if (best == 4294967295u || own < least) {
      best = i;
      least = own;
    }
  }
  return best;
}
template <class T> __codelet __tag(distances_first)
unsigned nearest(const Array<1, T> xs, const Array<1, T> ys, T x, T y) {
  Array<1, T> out(xs.size());
  distances<T>(xs, ys, x, y, out);
  return argmin<T>(0, out);
}

template void distances<float>(const Array<1, float>, const Array<1, float>, float, float, Array<1, float>);
template unsigned nearest<float>(const Array<1, float>, const Array<1, float>, float, float);

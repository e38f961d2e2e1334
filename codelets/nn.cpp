// Nearest neighbour: the distances of points to one point, and the number of the nearest point.
#include <cmath>
#include <tangram.h>

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

// Of points with the numbers from `from` on: the square of the least distance to (x, y), and the number of the first that is
// as near; infinity and 2^32 - 1 of none.
template <class T> __codelet
void nearest_in(unsigned from, const Array<1, T> xs, const Array<1, T> ys, T x, T y, T &least, unsigned &number) {
  require(ys.size() == xs.size());
  T best = INFINITY;
  unsigned place = xs.size() == 0 ? 4294967295u : from;
  for (unsigned i = 0; i < xs.size(); ++i) {
    T own = (xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y);
    if (own < best) {
      best = own;
      place = from + i;
    }
  }
  least = best;
  number = place;
}

// Each lane keeps the nearest of its points.
template <class T> __codelet __coop __tag(nearest_lanes)
void nearest_in(unsigned from, const Array<1, T> xs, const Array<1, T> ys, T x, T y, T &least, unsigned &number) {
  __shared T leasts[coopDim()];
  __shared unsigned places[coopDim()];
  unsigned id = coopIdx();
  T best = INFINITY;
  unsigned place = id < xs.size() ? from + id : 4294967295u;
  for (unsigned i = id; i < xs.size(); i += coopDim()) {
    T own = (xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y);
    if (own < best) {
      best = own;
      place = from + i;
    }
  }
  leasts[id] = best;
  places[id] = place;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id % (2 * s) == 0 && id + s < coopDim() &&
        (leasts[id + s] < leasts[id] || (leasts[id + s] == leasts[id] && places[id + s] < places[id]))) {
      leasts[id] = leasts[id + s];
      places[id] = places[id + s];
    }
  }
  if (id == 0) {
    least = leasts[0];
    number = places[0];
  }
}

// Of the places, that of the least number, the smallest of equal ones; 2^32 - 1 of none.
template <class T> __codelet
unsigned place_of_least(const Array<1, T> numbers, const Array<1, unsigned> places) {
  require(places.size() == numbers.size());
  T best = INFINITY;
  unsigned place = 4294967295u;
  for (unsigned i = 0; i < places.size(); ++i) {
    if (numbers[i] < best || (numbers[i] == best && places[i] < place)) {
      best = numbers[i];
      place = places[i];
    }
  }
  return place;
}
template <class T> __codelet __coop __tag(least_lanes)
unsigned place_of_least(const Array<1, T> numbers, const Array<1, unsigned> places) {
  __shared T leasts[coopDim()];
  __shared unsigned of[coopDim()];
  unsigned id = coopIdx();
  T best = INFINITY;
  unsigned place = 4294967295u;
  for (unsigned i = id; i < places.size(); i += coopDim()) {
    if (numbers[i] < best || (numbers[i] == best && places[i] < place)) {
      best = numbers[i];
      place = places[i];
    }
  }
  leasts[id] = best;
  of[id] = place;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id % (2 * s) == 0 && id + s < coopDim() &&
        (leasts[id + s] < leasts[id] || (leasts[id + s] == leasts[id] && of[id + s] < of[id]))) {
      leasts[id] = leasts[id + s];
      of[id] = of[id + s];
    }
  }
  return of[0];
}

// The number of the point that is nearest to (x, y), the first of equally near ones; 2^32 - 1 of none.
template <class T> __codelet
unsigned nearest(const Array<1, T> xs, const Array<1, T> ys, T x, T y) {
  require(ys.size() == xs.size());
  T best = INFINITY;
  unsigned place = xs.size() == 0 ? 4294967295u : 0;
  for (unsigned i = 0; i < xs.size(); ++i) {
    T own = (xs[i] - x) * (xs[i] - x) + (ys[i] - y) * (ys[i] - y);
    if (own < best) {
      best = own;
      place = i;
    }
  }
  return place;
}
template <class T> __codelet __tag(nearest_parts)
unsigned nearest(const Array<1, T> xs, const Array<1, T> ys, T x, T y) {
  __tunable unsigned p;
  unsigned len = xs.size();
  unsigned tile = (len + p - 1) / p;
  Array<1, T> leasts(p);
  Array<1, unsigned> places(p);
  map(nearest_in<T>, sequence(0, tile, len), rows(xs, p), rows(ys, p), x, y, leasts, places);
  return place_of_least<T>(leasts, places);
}

template void distances<float>(const Array<1, float>, const Array<1, float>, float, float, Array<1, float>);
template unsigned nearest<float>(const Array<1, float>, const Array<1, float>, float, float);

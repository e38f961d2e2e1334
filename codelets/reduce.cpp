// Reductions: over any operator, and the sum, smallest, largest and first smallest element.
//
// The operator has to be associative, and `identity` its neutral element. The tree combines
// neighbours in order, the interleaved tiles do not: leave them out for an operator that is
// not commutative (--without strided).
//
// NaN comes through on every plan: the smallest and largest of elements with a NaN is NaN, and the first NaN is the
// smallest element.
#pragma once
#include <cmath>
#include <tangram.h>

template <class T> T plus(T a, T b) { return a + b; }
template <class T> T zero() { return 0; }

template <class T> T smaller(T a, T b) { return b < a ? b : a; }
template <class T> T larger(T a, T b) { return a < b ? b : a; }
template <> float smaller<float>(float a, float b) { return a <= b || a != a ? a : b; }
template <> float larger<float>(float a, float b) { return a >= b || a != a ? a : b; }
template <> double smaller<double>(double a, double b) { return a <= b || a != a ? a : b; }
template <> double larger<double>(double a, double b) { return a >= b || a != a ? a : b; }
template <class T> T greatest();
template <class T> T least();
template <> int greatest<int>() { return 2147483647; }
template <> int least<int>() { return -2147483647 - 1; }
template <> float greatest<float>() { return INFINITY; }
template <> float least<float>() { return -INFINITY; }
template <> double greatest<double>() { return INFINITY; }
template <> double least<double>() { return -INFINITY; }

template <class T, T (*op)(T, T), T (*identity)()> __codelet
T reduce(const Array<1, T> in) {
  T accum = identity();
  for (unsigned i = 0; i < in.size(); ++i)
    accum = op(accum, in[i]);
  return accum;
}

// Neighbouring lanes combine, then those two apart, four, ...
template <class T, T (*op)(T, T), T (*identity)()> __codelet __coop __tag(tree)
T reduce(const Array<1, T> in) {
  require(in.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? in[id] : identity();
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] = op(tmp[id - s], tmp[id]);
  }
  return tmp[coopDim() - 1];
}

// Contiguous tiles: suits workers with caches of their own.
template <class T, T (*op)(T, T), T (*identity)()> __codelet __tag(tiled)
T reduce(const Array<1, T> in) {
  __tunable unsigned p;
  return reduce<T, op, identity>(map(reduce<T, op, identity>, rows(in, p)));
}

// Tiles of one size, whatever the size of the array.
template <class T, T (*op)(T, T), T (*identity)()> __codelet __tag(chunked)
T reduce(const Array<1, T> in) {
  __tunable unsigned t = choice(8192, 1024, 2048, 4096, 16384, 65536);
  return reduce<T, op, identity>(map(reduce<T, op, identity>, chunks(in, t)));
}

// Interleaved tiles: suits workers that step together and share a cache.
template <class T, T (*op)(T, T), T (*identity)()> __codelet __tag(strided)
T reduce(const Array<1, T> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return reduce<T, op, identity>(map(reduce<T, op, identity>, partition(in, p,
      sequence(0, 1, p), sequence(p), sequence(len))));
}

template <class T> __codelet
T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

template <class T> __codelet __tag(sum_reduce)
T sum(const Array<1, T> in) {
  return reduce<T, plus<T>, zero<T>>(in);
}

// The smallest element; greatest<T>() of none.
template <class T> __codelet
T minimum(const Array<1, T> in) {
  T accum = greatest<T>();
  for (unsigned i = 0; i < in.size(); ++i)
    accum = smaller(accum, in[i]);
  return accum;
}

template <class T> __codelet __tag(minimum_reduce)
T minimum(const Array<1, T> in) {
  return reduce<T, smaller<T>, greatest<T>>(in);
}

// The largest element; least<T>() of none.
template <class T> __codelet
T maximum(const Array<1, T> in) {
  T accum = least<T>();
  for (unsigned i = 0; i < in.size(); ++i)
    accum = larger(accum, in[i]);
  return accum;
}

template <class T> __codelet __tag(maximum_reduce)
T maximum(const Array<1, T> in) {
  return reduce<T, larger<T>, least<T>>(in);
}

// Whether a is smaller, where NaN is smaller than every number.
template <class T> bool comes_before(T a, T b) { return a < b; }
template <> bool comes_before<float>(float a, float b) { return a < b || (a != a && b == b); }
template <> bool comes_before<double>(double a, double b) { return a < b || (a != a && b == b); }

// Of the positions listed, the one of the smallest element, the first of equal ones; those that
// are no positions do not count.
template <class T> __codelet
unsigned smallest_of(const Array<1, T> in, const Array<1, unsigned> positions) {
  unsigned best = 4294967295u;
  for (unsigned i = 0; i < positions.size(); ++i) {
    if (positions[i] < in.size()) {
      if (best == 4294967295u || comes_before(in[positions[i]], in[best]))
        best = positions[i];
    }
  }
  return best;
}

// Whether the element at one position, and its value, stand before those of another: a smaller one, or the first of equal
// ones; 2^32 - 1 is no position.
template <class T> bool stands_before(T a, unsigned i, T b, unsigned k) {
  bool equal = !comes_before(a, b) && !comes_before(b, a);
  return i != 4294967295u && (k == 4294967295u || comes_before(a, b) || (equal && i < k));
}

// Keeps the one of two elements, with their positions, that stands before the other.
template <class T> void keep_first(unsigned &best, T &least, unsigned position, T element) {
  if (stands_before(element, position, least, best)) {
    best = position;
    least = element;
  }
}

// A lane takes every coopDim()-th of the positions; then lanes combine in a tree.
template <class T> __codelet __coop __tag(smallest_lanes)
unsigned smallest_of(const Array<1, T> in, const Array<1, unsigned> positions) {
  __shared unsigned place[coopDim()];
  __shared T value[coopDim()];
  unsigned id = coopIdx();
  unsigned best = 4294967295u;
  T least = 0;
  for (unsigned i = id; i < positions.size(); i += coopDim()) {
    unsigned position = positions[i];
    if (position < in.size())
      keep_first<T>(best, least, position, in[position]);
  }
  place[id] = best;
  value[id] = least;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      keep_first<T>(best, least, place[id - s], value[id - s]);
    place[id] = best;
    value[id] = least;
  }
  return place[coopDim() - 1];
}

// `from` plus the position of the smallest element, the first of equal ones; 2^32 - 1 of none.
template <class T> __codelet
unsigned argmin(unsigned from, const Array<1, T> in) {
  unsigned best = 0;
  for (unsigned i = 1; i < in.size(); ++i) {
    if (comes_before(in[i], in[best]))
      best = i;
  }
  return in.size() == 0 ? 4294967295u : from + best;
}

template <class T> __codelet __tag(argmin_tiled)
unsigned argmin(unsigned from, const Array<1, T> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  Array<1, unsigned> found = map(argmin<T>, sequence(0, tile, len), rows(in, p));
  unsigned best = smallest_of<T>(in, found);
  return best == 4294967295u ? best : from + best;
}

// A lane takes every coopDim()-th element, so that neighbours read neighbours; then lanes combine in a tree.
template <class T> __codelet __coop __tag(argmin_lanes)
unsigned argmin(unsigned from, const Array<1, T> in) {
  __shared unsigned place[coopDim()];
  __shared T value[coopDim()];
  unsigned id = coopIdx();
  unsigned best = id < in.size() ? id : 4294967295u;
  T least = id < in.size() ? in[id] : T(0);
  for (unsigned i = id + coopDim(); i < in.size(); i += coopDim()) {
    T element = in[i];
    bool before = comes_before(element, least);
    best = before ? i : best;
    least = before ? element : least;
  }
  place[id] = best;
  value[id] = least;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      keep_first<T>(best, least, place[id - s], value[id - s]);
    place[id] = best;
    value[id] = least;
  }
  return in.size() == 0 ? 4294967295u : from + place[coopDim() - 1];
}

template int sum<int>(const Array<1, int>);
template float sum<float>(const Array<1, float>);
template int minimum<int>(const Array<1, int>);
template float maximum<float>(const Array<1, float>);
template unsigned argmin<float>(unsigned, const Array<1, float>);

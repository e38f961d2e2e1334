// The dot product.
#pragma once
#include "reduce.cpp"

template <class T> __codelet
T dot(const Array<1, T> a, const Array<1, T> b) {
  require(b.size() == a.size());
  T accum = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    accum += a[i] * b[i];
  return accum;
}

// Every lane adds up its own products, then a tree over the lanes.
template <class T> __codelet __coop __tag(dot_lanes)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  T own = 0;
  for (unsigned i = id; i < a.size(); i += coopDim())
    own += a[i] * b[i];
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

// Contiguous tiles, whose results are reduced.
template <class T> __codelet __tag(dot_tiled)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __tunable unsigned p;
  return sum<T>(map(dot<T>, rows(a, p), rows(b, p)));
}

// Interleaved tiles, whose results are reduced.
template <class T> __codelet __tag(dot_strided)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __tunable unsigned p;
  unsigned len = a.size();
  return sum<T>(map(dot<T>, partition(a, p, sequence(0, 1, p), sequence(p), sequence(len)),
      partition(b, p, sequence(0, 1, p), sequence(p), sequence(len))));
}

template float dot<float>(const Array<1, float>, const Array<1, float>);
template double dot<double>(const Array<1, double>, const Array<1, double>);
template int dot<int>(const Array<1, int>, const Array<1, int>);

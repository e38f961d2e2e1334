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

// Every lane takes four neighbours at a time, which are one vector.
template <class T> __codelet __coop __tag(dot_fours) __env(opencl, cuda)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned whole = a.size() / 4;
  T own = 0;
  for (unsigned i = id; i < whole; i += coopDim()) {
    T left[4];
    T right[4];
    for (unsigned v = 0; v < 4; ++v)
      left[v] = a[4 * i + v];
    for (unsigned v = 0; v < 4; ++v)
      right[v] = b[4 * i + v];
    own += (left[0] * right[0] + left[1] * right[1]) + (left[2] * right[2] + left[3] * right[3]);
  }
  for (unsigned i = 4 * whole + id; i < a.size(); i += coopDim())
    own += a[i] * b[i];
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

// Contiguous tiles of whole vectors, whose results are reduced.
template <class T> __codelet __tag(dot_tiled)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __tunable unsigned p;
  unsigned len = a.size();
  unsigned tile = (len + 4 * p - 1) / (4 * p) * 4;
  return sum<T>(map(dot<T>,
      partition(a, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)),
      partition(b, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))));
}

// Tiles of one size, whatever the size of the arrays.
template <class T> __codelet __tag(dot_chunked)
T dot(const Array<1, T> a, const Array<1, T> b) {
  __tunable unsigned t = choice(8192, 1024, 2048, 4096, 16384, 65536);
  return sum<T>(map(dot<T>, chunks(a, t), chunks(b, t)));
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

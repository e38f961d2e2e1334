// y = alpha A x + beta B x for dense matrices.
#include "dot.cpp"

// A row of both.
template <class T> __codelet
T two_dots(T alpha, const Array<1, T> a, T beta, const Array<1, T> b, const Array<1, T> x) {
  require(a.size() == x.size());
  require(b.size() == x.size());
  T of_a = 0;
  T of_b = 0;
  for (unsigned j = 0; j < x.size(); ++j) {
    of_a += a[j] * x[j];
    of_b += b[j] * x[j];
  }
  return alpha * of_a + beta * of_b;
}

// Every lane adds up its own products, then a tree over the lanes.
template <class T> __codelet __coop __tag(two_dots_lanes)
T two_dots(T alpha, const Array<1, T> a, T beta, const Array<1, T> b, const Array<1, T> x) {
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  T of_a = 0;
  T of_b = 0;
  for (unsigned j = id; j < x.size(); j += coopDim()) {
    of_a += a[j] * x[j];
    of_b += b[j] * x[j];
  }
  tmp[id] = alpha * of_a + beta * of_b;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

template <class T> __codelet
void gesummv(T alpha, const Array<2, T> a, T beta, const Array<2, T> b, const Array<1, T> x, Array<1, T> y) {
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    T of_a = 0;
    T of_b = 0;
    for (unsigned j = 0; j < x.size(); ++j) {
      of_a += a[i][j] * x[j];
      of_b += b[i][j] * x[j];
    }
    y[i] = alpha * of_a + beta * of_b;
  }
}

// Blocks of rows.
template <class T> __codelet __tag(gesummv_parts)
void gesummv(T alpha, const Array<2, T> a, T beta, const Array<2, T> b, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  map(gesummv<T>, alpha, rows(a, p), beta, rows(b, p), all(x), rows(y, p));
}

template <class T> __codelet __tag(gesummv_rows)
void gesummv(T alpha, const Array<2, T> a, T beta, const Array<2, T> b, const Array<1, T> x, Array<1, T> y) {
  y = map(two_dots<T>, alpha, a, beta, b, all(x));
}

template void gesummv<float>(float, const Array<2, float>, float, const Array<2, float>, const Array<1, float>, Array<1, float>);

// y = A^T (A x) for a dense matrix.
#include "gemv.cpp"

// Row by row: what A x has there is added to y at once, so that A is read once.
template <class T> __codelet
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(1));
  for (unsigned j = 0; j < y.size(); ++j)
    y[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    T product = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      product += a[i][j] * x[j];
    for (unsigned j = 0; j < y.size(); ++j)
      y[j] += a[i][j] * product;
  }
}

// The lanes share a row.
template <class T> __codelet __coop __tag(atax_lanes)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(coopDim() <= 32);
  __shared T sums[coopDim()];
  unsigned id = coopIdx();
  for (unsigned j = id; j < y.size(); j += coopDim())
    y[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    T own = 0;
    for (unsigned j = id; j < x.size(); j += coopDim())
      own += a[i][j] * x[j];
    sums[id] = own;
    T product = 0;
    for (unsigned k = 0; k < coopDim(); ++k)
      product += sums[k];
    for (unsigned j = id; j < y.size(); j += coopDim())
      y[j] += a[i][j] * product;
  }
}

// Blocks of rows, each with a y of its own: not many.
template <class T> __codelet __tag(atax_parts)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p = range(1, 1024);
  Array<2, T> part(p, y.size());
  map(atax<T>, rows(a, p), all(x), part);
  y = map(sum<T>, transpose(part));
}

// One product after the other.
template <class T> __codelet __tag(two_products)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  Array<1, T> between(a.size(0));
  gemv<T>(a, x, between);
  gemv<T>(transpose(a), between, y);
}

template void atax<float>(const Array<2, float>, const Array<1, float>, Array<1, float>);

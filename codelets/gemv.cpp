// y = A x for a dense matrix.
//
// by_row and row_blocks leave each row to `dot`, which may add its products in any order; the
// codelets tagged in_order keep the order of the loop (leave out by_row: --without by_row).
#include "dot.cpp"

template <class T> __codelet
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    T accum = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      accum += a[i][j] * x[j];
    y[i] = accum;
  }
}

// Every lane a row, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(in_order_lanes)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim()) {
    T accum = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      accum += a[i][j] * x[j];
    y[i] = accum;
  }
}

// Blocks of rows.
template <class T> __codelet __tag(row_blocks)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  map(gemv<T>, rows(a, p), all(x), rows(y, p));
}

// A dot product a row.
template <class T> __codelet __tag(by_row)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  y = map(dot<T>, a, all(x));
}

template void gemv<float>(const Array<2, float>, const Array<1, float>, Array<1, float>);
template void gemv<double>(const Array<2, double>, const Array<1, double>, Array<1, double>);
template void gemv<int>(const Array<2, int>, const Array<1, int>, Array<1, int>);

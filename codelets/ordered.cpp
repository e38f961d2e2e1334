// Sums whose order is the loop's, whatever works on them: products are made side by side, and adding them up goes on
// from part to part.
#include <tangram.h>

template <class T> __codelet
T product(T x, T y) {
  return x * y;
}

// What the numbers of a part add to `before`, one after the other.
template <class T> __codelet
T add_on(T before, const Array<1, T> in) {
  T accum = before;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

// The same of products.
template <class T> __codelet
T ordered_on(T before, const Array<1, T> x, const Array<1, T> y) {
  require(y.size() == x.size());
  T accum = before;
  for (unsigned i = 0; i < x.size(); ++i)
    accum += x[i] * y[i];
  return accum;
}

// Workers multiply before they know what was before.
template <class T> __codelet __tag(products_first)
T ordered_on(T before, const Array<1, T> x, const Array<1, T> y) {
  Array<1, T> products = map(product<T>, x, y);
  return add_on<T>(before, products);
}

template <class T> __codelet
T ordered_dot(const Array<1, T> x, const Array<1, T> y) {
  require(y.size() == x.size());
  T accum = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    accum += x[i] * y[i];
  return accum;
}

template <class T> __codelet __tag(at_once)
T ordered_dot(const Array<1, T> x, const Array<1, T> y) {
  T zero = 0;
  return ordered_on<T>(zero, x, y);
}

// Parts that slide: each goes on from what the one before it comes to.
template <class T> __codelet __tag(sliding)
T ordered_dot(const Array<1, T> x, const Array<1, T> y) {
  __tunable unsigned t = pow2(256, 65536);
  T zero = 0;
  return chain(ordered_on<T>, zero, chunks(x, t), chunks(y, t));
}

// y = A x, each element in the order of its row.
template <class T> __codelet
void ordered_gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    T accum = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      accum += a[i][j] * x[j];
    y[i] = accum;
  }
}

// Blocks of rows.
template <class T> __codelet __tag(ordered_blocks)
void ordered_gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  map(ordered_gemv<T>, rows(a, p), all(x), rows(y, p));
}

template <class T> __codelet __tag(ordered_rows)
void ordered_gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  y = map(ordered_dot<T>, a, all(x));
}

template float ordered_dot<float>(const Array<1, float>, const Array<1, float>);
template void ordered_gemv<float>(const Array<2, float>, const Array<1, float>, Array<1, float>);

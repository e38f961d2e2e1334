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

// A row is read once: lanes keep what they have read of it, of x and of y, 16 columns each. Of rows that are
// longer the rest is read twice.
template <class T> __codelet __coop __tag(rows_held)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(coopDim() % 32 == 0);
  __shared T sums[coopDim()];
  __shared T parts[32];
  unsigned id = coopIdx();
  T near[16];
  T totals[16];
  for (unsigned k = 0; k < 16; ++k) {
    near[k] = k * coopDim() + id < x.size() ? x[k * coopDim() + id] : 0;
    totals[k] = 0;
  }
  for (unsigned j = 16 * coopDim() + id; j < y.size(); j += coopDim())
    y[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    T row[16];
    if (16 * coopDim() <= x.size()) {
      for (unsigned k = 0; k < 16; ++k)
        row[k] = a[i][k * coopDim() + id];
    } else {
      for (unsigned k = 0; k < 16; ++k)
        row[k] = k * coopDim() + id < x.size() ? a[i][k * coopDim() + id] : 0;
    }
    T own = 0;
    for (unsigned k = 0; k < 16; ++k)
      own += row[k] * near[k];
    for (unsigned j = 16 * coopDim() + id; j < x.size(); j += coopDim())
      own += a[i][j] * x[j];
    sums[id] = own;
    if (id < 32) {
      T part = 0;
      for (unsigned k = 0; k < coopDim() / 32; ++k)
        part += sums[32 * k + id];
      parts[id] = part;
    }
    T product = 0;
    for (unsigned k = 0; k < 32; ++k)
      product += parts[k];
    for (unsigned k = 0; k < 16; ++k)
      totals[k] += row[k] * product;
    for (unsigned j = 16 * coopDim() + id; j < y.size(); j += coopDim())
      y[j] += a[i][j] * product;
  }
  for (unsigned k = 0; k < 16; ++k) {
    if (k * coopDim() + id < y.size())
      y[k * coopDim() + id] = totals[k];
  }
}

// y[j] = the sum of column j of some columns of `parts`.
template <class T> __codelet
void add_columns(const Array<2, T> parts, Array<1, T> y) {
  require(parts.size(1) == y.size());
  for (unsigned j = 0; j < y.size(); ++j) {
    T accum = 0;
    for (unsigned i = 0; i < parts.size(0); ++i)
      accum += parts[i][j];
    y[j] = accum;
  }
}

// Lanes share 32 columns at a time: lane k adds up some rows of column k % 32.
template <class T> __codelet __coop __tag(thirty_two_columns)
void add_columns(const Array<2, T> parts, Array<1, T> y) {
  require(coopDim() % 32 == 0);
  __shared T sums[coopDim()];
  unsigned id = coopIdx();
  unsigned shares = coopDim() / 32;
  unsigned rounds = (parts.size(0) + shares - 1 - id / 32) / shares;
  for (unsigned first = 0; first < y.size(); first += 32) {
    T own = 0;
    if (first + id % 32 < y.size()) {
      for (unsigned r = 0; r < rounds; ++r)
        own += parts[r * shares + id / 32][first + id % 32];
    }
    sums[id] = own;
    if (id < 32 && first + id < y.size()) {
      T all = 0;
      for (unsigned k = 0; k < shares; ++k)
        all += sums[32 * k + id];
      y[first + id] = all;
    }
  }
}

// The same of all columns.
template <class T> __codelet
void column_sums(const Array<2, T> parts, Array<1, T> y) {
  require(parts.size(1) == y.size());
  for (unsigned j = 0; j < y.size(); ++j) {
    T accum = 0;
    for (unsigned i = 0; i < parts.size(0); ++i)
      accum += parts[i][j];
    y[j] = accum;
  }
}

template <class T> __codelet __tag(column_chunks)
void column_sums(const Array<2, T> parts, Array<1, T> y) {
  __tunable unsigned w = choice(32, 128, 512);
  map(add_columns<T>, col_chunks(parts, w), chunks(y, w));
}

template <class T> __codelet __tag(by_column)
void column_sums(const Array<2, T> parts, Array<1, T> y) {
  y = map(sum<T>, transpose(parts));
}

// Blocks of rows, each with a y of its own: not many.
template <class T> __codelet __tag(atax_parts)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p = range(1, 1024);
  Array<2, T> part(p, y.size());
  map(atax<T>, rows(a, p), all(x), part);
  column_sums<T>(part, y);
}

// One product after the other.
template <class T> __codelet __tag(two_products)
void atax(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  Array<1, T> between(a.size(0));
  gemv<T>(a, x, between);
  gemv<T>(transpose(a), between, y);
}

template void atax<float>(const Array<2, float>, const Array<1, float>, Array<1, float>);

// y = A x for a sparse matrix in CSR form: row r of A is values[offsets[r]] up to (not with)
// values[offsets[r + 1]], in the columns at the same places of `columns`.
#include <tangram.h>

// One row times x.
template <class T> __codelet
T row_dot(const Array<1, T> values, const Array<1, int> columns, const Array<1, T> x) {
  require(columns.size() == values.size());
  require(within(columns, 0, x.size()));
  T accum = 0;
  for (unsigned k = 0; k < values.size(); ++k)
    accum += values[k] * x[columns[k]];
  return accum;
}

// A cooperative row: the lanes share its elements, then a tree over the lanes.
template <class T> __codelet __coop __tag(row_lanes)
T row_dot(const Array<1, T> values, const Array<1, int> columns, const Array<1, T> x) {
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  T own = 0;
  for (unsigned k = id; k < values.size(); k += coopDim())
    own += values[k] * x[columns[k]];
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

template <class T> __codelet
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  require(columns.size() == values.size());
  require(offsets.size() == y.size() + 1);
  require(ascending(offsets, 0, values.size()));
  require(within(columns, 0, x.size()));
  for (unsigned r = 0; r < y.size(); ++r) {
    T accum = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k)
      accum += values[k] * x[columns[k]];
    y[r] = accum;
  }
}

// A scalar row: every lane a row of its own.
template <class T> __codelet __coop __tag(row_a_lane)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  for (unsigned r = coopIdx(); r < y.size(); r += coopDim()) {
    T accum = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k)
      accum += values[k] * x[columns[k]];
    y[r] = accum;
  }
}

// A few lanes a row: those of short rows have several of them side by side.
template <class T> __codelet __coop __tag(lanes_a_row)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned w = choice(8, 4, 2, 16, 32);
  require(coopDim() % w == 0);
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned rows = coopDim() / w;
  for (unsigned first = 0; first < y.size(); first += rows) {
    unsigned r = first + id / w;
    T own = 0;
    if (r < y.size()) {
      for (int k = offsets[r] + id % w; k < offsets[r + 1]; k += w)
        own += values[k] * x[columns[k]];
    }
    tmp[id] = own;
    for (unsigned s = w / 2; s > 0; s /= 2) {
      if (id % w < s)
        tmp[id] += tmp[id + s];
    }
    if (id % w == 0 && r < y.size())
      y[r] = tmp[id];
  }
}

// Rows one by one, each for whoever works on rows.
template <class T> __codelet __tag(by_row)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  unsigned m = y.size();
  y = map(row_dot<T>,
      partition(values, m, sequence(offsets, 0, 1, m), sequence(1), sequence(offsets, 1, 1, m + 1)),
      partition(columns, m, sequence(offsets, 0, 1, m), sequence(1), sequence(offsets, 1, 1, m + 1)),
      all(x));
}

// Blocks of rows: each needs one offset more than it has rows.
template <class T> __codelet __tag(row_blocks)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  unsigned m = y.size();
  unsigned tile = (m + p - 1) / p;
  map(spmv<T>, all(values), all(columns),
      partition(offsets, p, sequence(0, tile, m + 1), sequence(1), sequence(tile + 1, tile, m + 2)),
      all(x), rows(y, p));
}

template void spmv<float>(const Array<1, float>, const Array<1, int>, const Array<1, int>, const Array<1, float>, Array<1, float>);
template void spmv<double>(const Array<1, double>, const Array<1, int>, const Array<1, int>, const Array<1, double>, Array<1, double>);

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

// A row a lane, transposed: the elements of as many rows as there are lanes lie behind each other, and lanes go
// along them together; what they leave side by side each lane adds up for its own row, in order.
template <class T> __codelet __coop __tag(transposed_rows)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned e = choice(8, 4, 16);
  __shared T products[e * coopDim()];
  int tile = e * coopDim();
  int m = y.size();
  for (unsigned first = 0; first < y.size(); first += coopDim()) {
    int r = min((int)(first + coopIdx()), m);
    int from = offsets[r];
    int to = offsets[min(r + 1, m)];
    int end = offsets[min((int)(first + coopDim()), m)];
    T accum = 0;
    for (int k0 = offsets[first]; k0 < end; k0 += tile) {
      for (unsigned i = coopIdx(); i < e * coopDim(); i += coopDim()) {
        if (k0 + (int)i < end)
          products[i] = values[k0 + (int)i] * x[columns[k0 + (int)i]];
      }
      for (int k = max(from, k0); k < min(to, k0 + tile); ++k)
        accum += products[k - k0];
    }
    if (r < m)
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

// The same of a chosen number of rows.
template <class T> __codelet __tag(row_chunks)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned t = choice(256, 32, 64, 128, 512, 1024);
  unsigned m = y.size();
  unsigned parts = (m + t - 1) / t;
  map(spmv<T>, all(values), all(columns),
      partition(offsets, parts, sequence(0, t, m + 1), sequence(1), sequence(t + 1, t, m + 2)),
      all(x), chunks(y, t));
}

// A walk along the rows takes a step for every element and one for the end of every row. After so
// many steps `rows` have ended, and it is at element number `element`.
__codelet
void cut_at(unsigned steps, const Array<1, int> offsets, Array<1, int> rows, Array<1, int> element) {
  unsigned low = 0;
  unsigned high = 0;
  unsigned start = 0;
  unsigned at = 0;
  if (offsets.size() > 0) { // a block without rows has none
    high = offsets.size() - 1;
    start = offsets[0];
    at = min(steps, (unsigned)(high + offsets[high] - start));
  }
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (middle + offsets[middle + 1] - start < at)
      low = middle + 1;
    else
      high = middle;
  }
  rows[0] = low;
  element[0] = start + at - low;
}

// A part of the walk, from element `from` in row `row` to element `to` in row `last`. y := the rows that end in it, as
// far as they are in it; what it has of the row in which it ends is returned.
template <class T> __codelet
T part_of_rows(int from, int to, int row, int last, const Array<1, T> values,
               const Array<1, int> columns, const Array<1, int> offsets, const Array<1, T> x, Array<1, T> y) {
  require(columns.size() == values.size());
  require(within(columns, 0, x.size()));
  for (int r = row; r < last; ++r) {
    T accum = 0;
    for (int k = max(from, offsets[r]); k < offsets[r + 1]; ++k)
      accum += values[k - from] * x[columns[k - from]];
    y[r - row] = accum;
  }
  T rest = 0;
  for (int k = row < last ? offsets[last] : from; k < to; ++k)
    rest += values[k - from] * x[columns[k - from]];
  return rest;
}

// Lanes have as many steps each, and find out where they begin. They make products side by side, and leave sums at the
// ends of rows; what they have of a row that others end goes through a tree.
template <class T> __codelet __coop __tag(equal_lanes)
T part_of_rows(int from, int to, int row, int last, const Array<1, T> values,
               const Array<1, int> columns, const Array<1, int> offsets, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned e = choice(7, 5, 9);
  __shared T products[e * coopDim()];
  __shared T sums[e * coopDim()];
  __shared T open[coopDim()];
  __shared int ended[coopDim()];
  int id = coopIdx();
  int tile = e * coopDim();
  int own = e * id;
  int r0 = row;
  int k0 = from;
  T before = 0;
  while (r0 < last || k0 < to) {
    for (unsigned i = coopIdx(); i < e * coopDim(); i += coopDim()) {
      if (k0 + (int)i < to)
        products[i] = values[k0 - from + (int)i] * x[columns[k0 - from + (int)i]];
    }
    int r = r0;
    int high = min(r0 + own, last);
    while (r < high) {
      int middle = (r + high) / 2;
      if (middle - r0 + offsets[middle + 1] - k0 < own)
        r = middle + 1;
      else
        high = middle;
    }
    int k = k0 + own - (r - r0);
    T accum = id == 0 ? before : 0;
    for (unsigned i = e * coopIdx(); i < e * (coopIdx() + 1); ++i) {
      if (r < last && k >= offsets[r + 1]) {
        sums[i] = accum;
        accum = 0;
        r += 1;
      } else if (k < to) {
        accum += products[k - k0];
        k += 1;
      }
    }
    open[id] = accum;
    ended[id] = r;
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (id >= s && ended[id - s] == r)
        open[id] += open[id - s];
    }
    int r1 = ended[coopDim() - 1];
    for (int q = r0 + id; q < r1; q += coopDim()) {
      int step = q - r0 + offsets[q + 1] - k0;
      int lane = step / e;
      y[q - row] = lane > 0 && ended[lane - 1] == q ? sums[step] + open[lane - 1] : sums[step];
    }
    before = open[coopDim() - 1];
    k0 = min(to, k0 + tile - (r1 - r0));
    r0 = r1;
  }
  return before;
}

// What a part has of a row that goes on.
template <class T> __codelet
void add_rest(int row, T rest, Array<1, T> y) {
  if (row < y.size())
    atomicAdd(y[row], rest);
}

// Parts of equally many steps, wherever rows begin: long rows and empty ones do no harm.
template <class T> __codelet __tag(equal_parts)
void spmv(const Array<1, T> values, const Array<1, int> columns, const Array<1, int> offsets,
          const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned t = choice(3584, 7168, 1792, 14336, 28672);
  unsigned parts = (values.size() + y.size() + t - 1) / t;
  Array<1, int> ended(parts + 1);
  Array<1, int> begun(parts + 1);
  map(cut_at, sequence(0, t, parts * t + 1), all(offsets), chunks(ended, 1), chunks(begun, 1));
  require(ascending(ended, 0, y.size()));
  require(ascending(begun, 0, values.size()));
  Array<1, T> rest = map(part_of_rows<T>,
      sequence(begun, 0, 1, parts), sequence(begun, 1, 1, parts + 1),
      sequence(ended, 0, 1, parts), sequence(ended, 1, 1, parts + 1),
      partition(values, parts, sequence(begun, 0, 1, parts), sequence(1), sequence(begun, 1, 1, parts + 1)),
      partition(columns, parts, sequence(begun, 0, 1, parts), sequence(1), sequence(begun, 1, 1, parts + 1)),
      all(offsets), all(x),
      partition(y, parts, sequence(ended, 0, 1, parts), sequence(1), sequence(ended, 1, 1, parts + 1)));
  map(add_rest<T>, sequence(ended, 1, 1, parts + 1), rest, all(y));
}

template void spmv<float>(const Array<1, float>, const Array<1, int>, const Array<1, int>, const Array<1, float>, Array<1, float>);
template void spmv<double>(const Array<1, double>, const Array<1, int>, const Array<1, int>, const Array<1, double>, Array<1, double>);

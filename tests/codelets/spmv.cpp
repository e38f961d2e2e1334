// Sparse rows: data say where parts begin, and which elements are read.
#include <tangram.h>

__codelet
float row(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, float> x) {
  float s = 0;
  for (unsigned i = 0; i < values.size(); ++i)
    s += values[i] * x[columns[i]];
  return s;
}

__codelet __coop __tag(lanes)
float row(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, float> x) {
  __shared float partial[coopDim()];
  unsigned id = coopIdx();
  float s = 0;
  for (unsigned i = id; i < values.size(); i += coopDim())
    s += values[i] * x[columns[i]];
  partial[id] = s;
  for (unsigned step = 1; step < coopDim(); step *= 2) {
    if (id >= step)
      partial[id] += partial[id - step];
  }
  return partial[coopDim() - 1];
}

__codelet
void spmv(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, unsigned> offsets, const Array<1, float> x, Array<1, float> y) {
  require(columns.size() == values.size());
  require(offsets.size() == y.size() + 1);
  require(ascending(offsets, 0, values.size()));
  require(within(columns, 0, x.size()));
  for (unsigned r = 0; r < y.size(); ++r) {
    float s = 0;
    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)
      s += values[i] * x[columns[i]];
    y[r] = s;
  }
}

// Each lane has rows of its own.
__codelet __coop __tag(row_a_lane)
void spmv(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, unsigned> offsets, const Array<1, float> x, Array<1, float> y) {
  for (unsigned r = coopIdx(); r < y.size(); r += coopDim()) {
    float s = 0;
    for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i)
      s += values[i] * x[columns[i]];
    y[r] = s;
  }
}

__codelet __tag(by_row)
void spmv(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, unsigned> offsets, const Array<1, float> x, Array<1, float> y) {
  unsigned n = y.size();
  y = map(row,
      partition(values, n, sequence(offsets, 0, 1, n), sequence(1), sequence(offsets, 1, 1, n + 1)),
      partition(columns, n, sequence(offsets, 0, 1, n), sequence(1),
                sequence(offsets, 1, 1, n + 1)),
      all(x));
}

// Blocks of rows; each needs one offset more than it has rows, so those of neighbours overlap.
__codelet __tag(blocks)
void spmv(const Array<1, float> values, const Array<1, unsigned> columns,
          const Array<1, unsigned> offsets, const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned p;
  unsigned n = y.size();
  unsigned tile = (n + p - 1) / p;
  map(spmv, all(values), all(columns),
      partition(offsets, p, sequence(0, tile, n), sequence(1),
                sequence(tile + 1, tile, n + 2)),
      all(x), partition(y, p, sequence(0, tile, n), sequence(1), sequence(tile, tile, n + 1)));
}

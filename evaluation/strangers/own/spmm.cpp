// Sparse: a matrix in CSR form times a dense one of few columns.
#include <tangram.h>

__codelet void spmm(const Array<1, float> values, const Array<1, int> columns,
                    const Array<1, int> offsets, const Array<2, float> b, Array<2, float> c) {
  require(columns.size() == values.size());
  require(within(columns, 0, b.size(0)));
  require(ascending(offsets, 0, values.size()));
  require(offsets.size() == c.size(0) + 1);
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      for (unsigned j = 0; j < c.size(1); ++j)
        c[i][j] += values[k] * b[columns[k]][j];
    }
  }
}

// Sparse: a product of two dense matrices, a b^T, only where a sparse matrix in CSR form has
// elements.
#include <tangram.h>

__codelet void sddmm(const Array<1, int> columns, const Array<1, int> offsets,
                     const Array<2, float> a, const Array<2, float> b, Array<1, float> out) {
  require(out.size() == columns.size());
  require(within(columns, 0, b.size(0)));
  require(ascending(offsets, 0, columns.size()));
  require(offsets.size() == a.size(0) + 1);
  require(b.size(1) == a.size(1));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      float sum = 0;
      for (unsigned d = 0; d < a.size(1); ++d)
        sum += a[i][d] * b[columns[k]][d];
      out[k] = sum;
    }
  }
}

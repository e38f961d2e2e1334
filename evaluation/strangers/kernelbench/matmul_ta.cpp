// c = a^T b: both factors are read by columns.
#include <tangram.h>

__codelet void matmul_ta(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(b.size(0) == a.size(0));
  require(c.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (unsigned k = 0; k < a.size(0); ++k)
        sum += a[k][i] * b[k][j];
      c[i][j] = sum;
    }
  }
}

// c = a^T b^T
#include <tangram.h>

__codelet void matmul_ta_tb(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(b.size(1) == a.size(0));
  require(c.size(0) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (unsigned k = 0; k < a.size(0); ++k)
        sum += a[k][i] * b[j][k];
      c[i][j] = sum;
    }
  }
}

// A batch of matrices times one matrix: c[n] = a[n] b
#include <tangram.h>

__codelet void tensor_matmul(const Array<3, float> a, const Array<2, float> b, Array<3, float> c) {
  require(b.size(0) == a.size(2));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(1));
  require(c.size(2) == b.size(1));
  for (unsigned n = 0; n < c.size(0); ++n) {
    for (unsigned i = 0; i < c.size(1); ++i) {
      for (unsigned j = 0; j < c.size(2); ++j) {
        float sum = 0;
        for (unsigned k = 0; k < b.size(0); ++k)
          sum += a[n][i][k] * b[k][j];
        c[n][i][j] = sum;
      }
    }
  }
}

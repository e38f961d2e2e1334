// c = a b
#include <tangram.h>

__codelet void matmul(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

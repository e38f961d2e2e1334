// The product of two upper triangular matrices, which is one, too: below the diagonal the sum is
// empty.
#include <tangram.h>

__codelet void upper_matmul(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(a.size(1) == a.size(0));
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(0));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (unsigned k = i; k <= j; ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

// c = diag(d) b
#include <tangram.h>

__codelet void diagonal_matmul(const Array<1, float> d, const Array<2, float> b,
                               Array<2, float> c) {
  require(d.size() == b.size(0));
  require(c.size(0) == b.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < b.size(0); ++i) {
    for (unsigned j = 0; j < b.size(1); ++j)
      c[i][j] = d[i] * b[i][j];
  }
}

// x1 += a y1, and x2 += a^T y2.
#include <tangram.h>

__codelet void mvt(const Array<2, double> a, const Array<1, double> y1, const Array<1, double> y2,
                   Array<1, double> x1, Array<1, double> x2) {
  require(a.size(1) == a.size(0));
  require(y1.size() == a.size(0));
  require(y2.size() == a.size(0));
  require(x1.size() == a.size(0));
  require(x2.size() == a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(0); ++j)
      x1[i] += a[i][j] * y1[j];
  }
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(0); ++j)
      x2[i] += a[j][i] * y2[j];
  }
}

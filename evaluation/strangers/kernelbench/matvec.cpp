// y = a x
#include <tangram.h>

__codelet void matvec(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    float sum = 0;
    for (unsigned k = 0; k < a.size(1); ++k)
      sum += a[i][k] * x[k];
    y[i] = sum;
  }
}

// y = alpha a x + beta b x
#include <tangram.h>

__codelet void gesummv(double alpha, double beta, const Array<2, double> a,
                       const Array<2, double> b, const Array<1, double> x, Array<1, double> y) {
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    double first = 0;
    double second = 0;
    for (unsigned j = 0; j < x.size(); ++j) {
      first += a[i][j] * x[j];
      second += b[i][j] * x[j];
    }
    y[i] = alpha * first + beta * second;
  }
}

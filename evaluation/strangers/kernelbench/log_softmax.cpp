// The logarithm of softmax, of each row: x - max - log(sum of exp(x - max)).
#include <cfloat>
#include <cmath>
#include <tangram.h>

__codelet void log_softmax(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    float top = -FLT_MAX;
    for (unsigned j = 0; j < x.size(1); ++j)
      top = max(top, x[i][j]);
    float total = 0;
    for (unsigned j = 0; j < x.size(1); ++j)
      total += exp(x[i][j] - top);
    float shift = top + log(total);
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] = x[i][j] - shift;
  }
}

// window_around; derived_tile_i; x=37 w=5 y=37
// A window from i - r to i + r, whose reach a size tells, and what of it is inside.
#include <tangram.h>

__codelet void window_around(const Array<1, float> x, const Array<1, float> w, Array<1, float> y) {
  require(y.size() == x.size());
  for (unsigned i = 0; i < y.size(); ++i) {
    float sum = 0;
    const long reach = (long)w.size() / 2;
    for (long u = (long)i - reach; u <= (long)i + reach; ++u)
      if (u >= 0 && u < (long)x.size())
        sum += x[u];
    y[i] = sum;
  }
}

// kept_prefix; derived_promoted derived_scan_i derived_lanes_i; x=1000
#include <tangram.h>

// A running total that each element has from the one before it.
__codelet void kept_prefix(const Array<1, float> x, Array<1, float> y) {
  require(x.size() == y.size());
  require(y.size() > 0);
  y[0] = x[0];
  for (unsigned i = 1; i < y.size(); ++i)
    y[i] = y[i - 1] + x[i];
}

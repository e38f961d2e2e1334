// prefix; derived_scan_i derived_lanes_i derived_split_i; x=2503
#include <tangram.h>

// One long row: sums of squares up to each element.
__codelet void prefix(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  float s = 0.5f;
  for (unsigned i = 0; i < x.size(); ++i) {
    s += x[i] * x[i];
    y[i] = s / 2;
  }
}

// fused_scan; derived_fused derived_scan_i; x=1000
#include <cmath>
#include <tangram.h>

// Running sums, and what is made of each.
__codelet void fused_scan(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  Array<1, float> sums(x.size());
  float s = 0;
  for (unsigned i = 0; i < x.size(); ++i) {
    s += x[i];
    sums[i] = s;
  }
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] = sqrt(abs(sums[i]));
}

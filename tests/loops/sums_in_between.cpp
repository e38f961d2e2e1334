// sums_in_between; derived_split_i derived_lanes_i; a=9x7 b=9 c=5
// A sum of squares of sums, and of other elements: parts of the rounds of the loops inside give no parts of the sum.
#include <tangram.h>

__codelet
int sums_in_between(const Array<2, int> a, const Array<1, int> b, const Array<1, int> c) {
  require(b.size() == a.size(0));
  int s = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    int t = 0;
    for (unsigned j = 0; j < a.size(1); ++j)
      t += a[i][j];
    for (unsigned k = 0; k < c.size(); ++k)
      s += c[k] * b[i];
    s += t * t + b[i];
  }
  return s;
}

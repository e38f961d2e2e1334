// before; derived_lanes_i derived_tile_r derived_promoted; x=5x33; large x=4096x32768 below 5 ms
// Exclusive scans through the container: each element is the one before and what that one's place adds.
#include <tangram.h>

__codelet void before(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(x.size(1) > 0);
  for (unsigned r = 0; r < x.size(0); ++r) {
    y[r][0] = 0.0f;
    for (unsigned i = 1; i < x.size(1); ++i)
      y[r][i] = y[r][i - 1] + x[r][i - 1];
  }
}

// From a start, in one row.
__codelet void counted(const Array<1, int> x, int start, Array<1, int> y) {
  require(y.size() == x.size());
  require(x.size() > 0);
  y[0] = start;
  for (unsigned i = 1; i < y.size(); ++i)
    y[i] = y[i - 1] + x[i - 1];
}

// The last element needs what the element behind the container would be, were it to come before the term.
__codelet void started(const Array<1, int> x, int start, Array<1, int> y) {
  require(y.size() == x.size());
  require(x.size() > 0);
  y[0] = start;
  for (unsigned i = 1; i < y.size(); ++i)
    y[i] = max(y[i - 1], x[i]);
}

// all_moments; derived_parts_i derived_lanes_i derived_lanes_part; x=3000 out=4; large x=400000000 out=4 below 10 ms
// Several sums of all elements in one loop, of different kinds, stored one by one.
#include <cmath>
#include <tangram.h>

__codelet void all_moments(const Array<1, float> x, Array<1, float> out) {
  require(out.size() == 4);
  require(x.size() > 0);
  float sum = 0, squares = 0, least = x[0], most = x[0];
  for (unsigned i = 0; i < x.size(); ++i) {
    sum += x[i];
    squares += x[i] * x[i];
    least = min(least, x[i]);
    most = max(most, x[i]);
  }
  out[0] = sum / x.size();
  out[1] = squares / x.size();
  out[2] = least;
  out[3] = most;
}

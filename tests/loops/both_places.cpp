// both_places; derived_parts_i derived_lanes_i; x=3000 which=2 value=2; large x=400000000 which=2 value=2 below 10 ms
// The least and the largest of all elements, and where they are.
#include <cmath>
#include <tangram.h>

__codelet void both_places(const Array<1, float> x, Array<1, int> which, Array<1, float> value) {
  require(which.size() == 2);
  require(value.size() == 2);
  require(x.size() > 0);
  float least = x[0], most = x[0];
  int at = 0, to = 0;
  for (unsigned i = 0; i < x.size(); ++i) {
    if (x[i] < least) {
      least = x[i];
      at = i;
    }
    if (x[i] > most) {
      most = x[i];
      to = i;
    }
  }
  which[0] = at;
  which[1] = to;
  value[0] = least;
  value[1] = most;
}

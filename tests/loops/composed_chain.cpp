// composed_chain; derived_fused derived_tile_i derived_lanes_i; x=1000
#include <tangram.h>

__codelet void line(float x, float &y) { y = 2 * x + 1; }
__codelet float square(float x) { return x * x; }
__codelet float above_zero(float x) { return max(x, 0.0f); }

__codelet void composed_chain(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i) {
    float t = 2 * x[i] + 1;
    y[i] = max(t * t, 0.0f);
  }
}

// Three maps, what the first two make being kept in containers.
__codelet __tag(composed) void composed_chain(const Array<1, float> x, Array<1, float> y) {
  Array<1, float> lines(x.size());
  map(line, x, lines);
  Array<1, float> squares = map(square, lines);
  y = map(above_zero, squares);
}

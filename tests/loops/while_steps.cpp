// while_steps; derived_tile_i derived_lanes_i; x=33 y=33
// A counter that is declared in front of its loop and stepped at the end of each round.
#include <tangram.h>
#include <cstddef>

__codelet void while_steps(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  std::size_t i = 0;
  const std::size_t n = x.size();
  while (i < n) {
    y[i] = x[i] > 0 ? x[i] : 0.1f * x[i];
    i++;
  }
}

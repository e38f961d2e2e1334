// softmax; derived_split_i derived_tile_i derived_lanes_i derived_lanes_j; x=7x9
// A spectrum of rows that is a template over numbers, too.
#include <cmath>
#include <tangram.h>

template <typename T, bool scaled> __codelet
void softmax(const Array<2, T> x, Array<2, T> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    T largest = -INFINITY;
    for (unsigned j = 0; j < x.size(1); ++j)
      largest = max(largest, x[i][j]);
    T sum = 0;
    for (unsigned j = 0; j < x.size(1); ++j)
      sum += exp(x[i][j] - largest);
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] = exp(x[i][j] - largest) / (scaled ? sum : T(1));
  }
}

template void softmax<float, true>(const Array<2, float>, Array<2, float>);

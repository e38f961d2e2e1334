// rows_by_name; derived_tile_r derived_lanes_i; x=7x19 y=7x19
// Rows that have names, and that loops go over.
#include <tangram.h>
#include <cstddef>
#include <cmath>

__codelet void rows_by_name(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (std::size_t r = 0; r < x.size(0); ++r) {
    const auto row = x[r];
    float sum = 0;
    for (float v : x[r])
      sum += std::fabs(v);
    for (std::size_t c = 0; c < row.size(); ++c)
      y[r][c] = row[c] / sum;
  }
}

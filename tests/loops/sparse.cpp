// sparse; derived_tile_r derived_lanes_r; offsets=9 values=30 x=12
#include <tangram.h>

// Rows of a sparse matrix times a vector: which elements a row has is said by data.
__codelet void sparse(const Array<1, unsigned> offsets, const Array<1, unsigned> columns, const Array<1, float> values,
                      const Array<1, float> x, Array<1, float> y) {
  require(offsets.size() == y.size() + 1);
  require(columns.size() == values.size());
  require(within(columns, 0, x.size()));
  require(ascending(offsets, 0, values.size()));
  for (unsigned r = 0; r < y.size(); ++r) {
    float s = 0;
    for (unsigned k = offsets[r]; k < offsets[r + 1]; ++k)
      s += values[k] * x[columns[k]];
    y[r] = s;
  }
}

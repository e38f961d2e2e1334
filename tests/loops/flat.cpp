// flat; derived_split_i derived_tile_i derived_lanes_j; rows:=13 columns:=17
#include <tangram.h>

// Rows of a flattened matrix, each divided by its sum and by the number of the row.
__codelet void flat(unsigned rows, unsigned columns, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == rows * columns);
  require(y.size() == rows * columns);
  for (unsigned i = 0; i < rows; ++i) {
    float sum = 1;
    for (unsigned j = 0; j < columns; ++j)
      sum += x[i * columns + j] * x[i * columns + j];
    for (unsigned j = 0; j < columns; ++j)
      y[i * columns + j] = x[i * columns + j] / (sum * (i + 1));
  }
}

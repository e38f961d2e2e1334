// fused_chain; derived_fused derived_nests derived_tile_i derived_lanes_i_j; x=7x33
#include <tangram.h>

// Element by element through two local containers; the mean of neighbours is another result.
__codelet void fused_chain(const Array<2, float> x, Array<2, float> halved, Array<2, float> y) {
  require(halved.size(0) == x.size(0));
  require(halved.size(1) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  unsigned rows = x.size(0), columns = x.size(1);
  Array<2, float> shifted(rows, columns);
  Array<2, float> squares(rows, columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      shifted[i][j] = x[i][j] * 2 + 1;
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      squares[i][j] = shifted[i][j] * shifted[i][j];
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      halved[i][j] = 0.5f * squares[i][j];
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      y[i][j] = halved[i][j] - shifted[i][j];
}

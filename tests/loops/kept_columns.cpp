// kept_columns; derived_nests derived_split_j derived_tile_j derived_parts_i; x=33x9
#include <tangram.h>

// Means, and largest elements, of columns, which are kept in the results while the loops go through the rows.
__codelet void kept_columns(const Array<2, float> x, Array<1, float> mean, Array<1, float> most) {
  require(mean.size() == x.size(1));
  require(most.size() == x.size(1));
  for (unsigned j = 0; j < mean.size(); ++j) {
    mean[j] = 0;
    most[j] = -1e30f;
  }
  for (unsigned i = 0; i < x.size(0); ++i)
    for (unsigned j = 0; j < mean.size(); ++j) {
      mean[j] += x[i][j];
      most[j] = max(most[j], x[i][j]);
    }
  for (unsigned j = 0; j < mean.size(); ++j)
    mean[j] /= x.size(0);
}

// paths; derived_split_i derived_nests derived_lanes_i; length=21x21
#include <tangram.h>

// Shortest paths between all pairs: in round k, row k stands between the rows before it and those behind.
__codelet void paths(Array<2, int> length) {
  require(length.size(1) == length.size(0));
  require(within(length, 0, 1000000));
  for (unsigned k = 0; k < length.size(0); ++k)
    for (unsigned i = 0; i < length.size(0); ++i)
      for (unsigned j = 0; j < length.size(0); ++j)
        length[i][j] = min(length[i][j], length[i][k] + length[k][j]);
}

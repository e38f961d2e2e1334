// guarded_sums; derived_tile_i; in=9x7
// A counter that saturates and a depth that is never negative: what a round adds depends on the rounds before it.
#include <tangram.h>

__codelet
void guarded_sums(const Array<2, int> in, Array<2, int> depth, Array<1, int> counts) {
  require(counts.size() == in.size(0));
  require(depth.size(0) == in.size(0));
  require(depth.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    int open = 0, count = 0;
    for (unsigned j = 0; j < in.size(1); ++j) {
      if (count < 3)
        count += in[i][j] & 1;
      if (in[i][j] % 3 == 0)
        ++open;
      else if (open > 0)
        --open;
      depth[i][j] = open;
    }
    counts[i] = count;
  }
}

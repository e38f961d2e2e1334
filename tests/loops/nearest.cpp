// nearest; derived_atomic derived_tile_i derived_lanes_i; points=57x3 centres=5x3 of=57 counts=5 sums=5x3
// A step of k-means: which centre is nearest to each point, how many points each centre has, and their sum.
#include <tangram.h>

__codelet void nearest(const Array<2, float> points, const Array<2, float> centres,
                       Array<1, int> of, Array<1, int> counts, Array<2, float> sums) {
  require(of.size() == points.size(0));
  require(centres.size(1) == points.size(1));
  require(sums.size(0) == centres.size(0));
  require(sums.size(1) == points.size(1));
  require(counts.size() == centres.size(0));
  require(centres.size(0) > 0);
  for (unsigned i = 0; i < points.size(0); ++i) {
    float least = 1e30f;
    int which = 0;
    for (unsigned c = 0; c < centres.size(0); ++c) {
      float distance = 0;
      for (unsigned d = 0; d < points.size(1); ++d) {
        float apart = points[i][d] - centres[c][d];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        which = c;
      }
    }
    of[i] = which;
    counts[which] += 1;
    for (unsigned d = 0; d < points.size(1); ++d)
      sums[which][d] += points[i][d];
  }
}

// pairs; derived_atomic derived_copies derived_tile_y derived_tile_x derived_lanes_y_x; image=19x23 counts=5x5
// How often each pair of levels lies side by side in an image; counts go on from what they are.
#include <tangram.h>

__codelet void pairs(const Array<2, int> image, Array<2, int> counts) {
  require(within(image, 0, counts.size(0)));
  require(counts.size(1) == counts.size(0));
  for (unsigned y = 0; y < image.size(0); ++y)
    for (unsigned x = 0; x + 1 < image.size(1); ++x)
      counts[image[y][x]][image[y][x + 1]] += 1;
}

// hidden_names; derived_tile_y derived_lanes_y_x; in=7x9
// The parameters of a lambda have the names of the counters of the loops around its call. It reads a clamped neighbour.
#include <algorithm>
#include <tangram.h>

__codelet
void hidden_names(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  const int h = in.size(0), w = in.size(1);
  auto at = [&](int y, int x) -> int { return in[std::clamp(y, 0, h - 1)][std::clamp(x, 0, w - 1)]; };
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0;
      for (int k = 0; k < 9; ++k)
        sum += (k + 1) * at(y + k / 3 - 1, x + k % 3 - 1);
      out[y][x] = sum;
    }
}

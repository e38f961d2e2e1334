// clamped; derived_split_y derived_tile_x derived_lanes_y_x; in=9x11; large in=8192x8192 out=8192x8192 below 0.3 ms
#include <algorithm>
#include <cstdint>
#include <tangram.h>

// Gradients of an image whose edge goes on outside of it. Positions have a sign.
__codelet void clamped(const Array<2, std::uint8_t> in, Array<2, std::uint8_t> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  const int h = in.size(0), w = in.size(1);
  auto at = [&](int y, int x) { return (int)in[std::clamp(y, 0, h - 1)][std::clamp(x, 0, w - 1)]; };
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int across = at(y - 1, x + 1) + 2 * at(y, x + 1) + at(y + 1, x + 1) - at(y - 1, x - 1) -
                         2 * at(y, x - 1) - at(y + 1, x - 1);
      const int down = at(y + 1, x - 1) + 2 * at(y + 1, x) + at(y + 1, x + 1) - at(y - 1, x - 1) -
                       2 * at(y - 1, x) - at(y - 1, x + 1);
      out[y][x] = std::min(std::abs(across) + std::abs(down), 255);
    }
}

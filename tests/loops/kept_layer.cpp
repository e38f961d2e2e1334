// kept_layer; derived_promoted derived_tile_o derived_tile_y derived_tile_x; in=3x9x11 w=4x3x3x2 b=4
#include <tangram.h>

// A layer of convolutions that goes through its inputs outside, and adds to all results for each.
__codelet void kept_layer(const Array<3, float> in, const Array<4, float> w, const Array<1, float> b, Array<3, float> out) {
  require(w.size(1) == in.size(0));
  require(b.size() == w.size(0));
  require(out.size(0) == w.size(0));
  require(out.size(1) + w.size(2) == in.size(1) + 1);
  require(out.size(2) + w.size(3) == in.size(2) + 1);
  for (unsigned o = 0; o < out.size(0); ++o)
    for (unsigned y = 0; y < out.size(1); ++y)
      for (unsigned x = 0; x < out.size(2); ++x)
        out[o][y][x] = b[o];
  for (unsigned c = 0; c < in.size(0); ++c)
    for (unsigned p = 0; p < w.size(2); ++p)
      for (unsigned q = 0; q < w.size(3); ++q)
        for (unsigned o = 0; o < out.size(0); ++o)
          for (unsigned y = 0; y < out.size(1); ++y)
            for (unsigned x = 0; x < out.size(2); ++x)
              out[o][y][x] += in[c][y + p][x + q] * w[o][c][p][q];
}

// layer; derived_tile_f derived_tile_y derived_split_x derived_step_c derived_lanes_f_y_x; in=3x9x11 w=4x3x3x3 bias=4
#include <tangram.h>

// A layer of 3 x 3 convolutions with a bias; what a linear unit leaves of them.
__codelet void layer(const Array<3, float> in, const Array<4, float> w, const Array<1, float> bias, Array<3, float> out) {
  require(w.size(0) == out.size(0));
  require(bias.size() == out.size(0));
  require(w.size(1) == in.size(0));
  require(w.size(2) == 3);
  require(w.size(3) == 3);
  require(in.size(1) == out.size(1) + 2);
  require(in.size(2) == out.size(2) + 2);
  for (unsigned f = 0; f < out.size(0); ++f)
    for (unsigned y = 0; y < out.size(1); ++y)
      for (unsigned x = 0; x < out.size(2); ++x) {
        float s = 0;
        for (unsigned c = 0; c < in.size(0); ++c)
          for (unsigned p = 0; p < 3; ++p)
            for (unsigned q = 0; q < 3; ++q)
              s += in[c][y + p][x + q] * w[f][c][p][q];
        s += bias[f];
        out[f][y][x] = s > 0 ? s : 0;
      }
}

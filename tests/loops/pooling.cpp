// pooling; derived_tile_c derived_tile_y derived_split_x derived_lanes_c_y_x; in=3x10x14
#include <cfloat>
#include <tangram.h>

// The largest of 3 x 3 elements, every two rows and columns.
__codelet void pooling(const Array<3, float> in, Array<3, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == (in.size(1) - 1) / 2);
  require(out.size(2) == (in.size(2) - 1) / 2);
  require(in.size(1) > 0);
  require(in.size(2) > 0);
  for (unsigned c = 0; c < out.size(0); ++c)
    for (unsigned y = 0; y < out.size(1); ++y)
      for (unsigned x = 0; x < out.size(2); ++x) {
        float top = -FLT_MAX;
        for (unsigned p = 0; p < 3; ++p)
          for (unsigned q = 0; q < 3; ++q)
            top = max(top, in[c][2 * y + p][2 * x + q]);
        out[c][y][x] = top;
      }
}

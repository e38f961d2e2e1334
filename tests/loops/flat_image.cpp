// flat_image; derived_split_y derived_tile_y derived_lanes_x; width:=17 height:=11 in=187
#include <tangram.h>

// The mean of a pixel and its neighbours in a flattened image, whose edge stays.
__codelet void flat_image(int width, int height, const Array<1, float> in, Array<1, float> out) {
  require(width > 0);
  require(height > 0);
  require(in.size() == width * height);
  require(out.size() == in.size());
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x)
      out[y * width + x] = (in[(y - 1) * width + x] + in[y * width + x - 1] + in[y * width + x] + in[y * width + x + 1] +
                            in[(y + 1) * width + x]) / 5;
}

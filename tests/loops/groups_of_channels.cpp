// groups_of_channels; derived_each_k derived_split_n derived_lanes_w; x=3x24x5x7; large x=112x64x512x512 below 10 ms
#include <cmath>
#include <tangram.h>

// Each group of eight channels of an image without its mean, by its deviation. Channels are numbered k * 8 + c.
__codelet void groups_of_channels(const Array<4, float> x, const Array<1, float> weight, Array<4, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  require(weight.size() == x.size(1));
  for (unsigned n = 0; n < x.size(0); ++n)
    for (unsigned k = 0; k < x.size(1) / 8; ++k) {
      float sum = 0;
      float squares = 0;
      for (unsigned c = 0; c < 8; ++c)
        for (unsigned h = 0; h < x.size(2); ++h)
          for (unsigned w = 0; w < x.size(3); ++w) {
            float value = x[n][k * 8 + c][h][w];
            sum += value;
            squares += value * value;
          }
      float count = 8 * x.size(2) * x.size(3);
      float mean = sum / count;
      float scale = 1 / sqrt(squares / count - mean * mean + 0.5f);
      for (unsigned c = 0; c < 8; ++c)
        for (unsigned h = 0; h < x.size(2); ++h)
          for (unsigned w = 0; w < x.size(3); ++w)
            y[n][k * 8 + c][h][w] = (x[n][k * 8 + c][h][w] - mean) * scale * weight[k * 8 + c];
    }
}

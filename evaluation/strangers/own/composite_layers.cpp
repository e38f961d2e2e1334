// Graphics: layers with a colour and an opacity at each pixel, the first one in front, as one
// image.
#include <tangram.h>

__codelet void composite_layers(const Array<3, float4> layers, Array<2, float4> image) {
  require(image.size(0) == layers.size(1));
  require(image.size(1) == layers.size(2));
  for (unsigned i = 0; i < image.size(0); ++i) {
    for (unsigned j = 0; j < image.size(1); ++j) {
      float4 sum = float4(0);
      float seen = 1;
      for (unsigned k = 0; k < layers.size(0); ++k) {
        float4 pixel = layers[k][i][j];
        sum += seen * pixel.w * pixel;
        seen *= 1 - pixel.w;
      }
      sum.w = 1 - seen;
      image[i][j] = sum;
    }
  }
}

// Graphics: images of another size by bilinear interpolation between the centres of pixels;
// dimensions are image, row, column.
#include <cmath>
#include <tangram.h>

__codelet void resize_bilinear(const Array<3, float> in, Array<3, float> out) {
  require(in.size(1) > 0);
  require(in.size(2) > 0);
  require(out.size(0) == in.size(0));
  int height = in.size(1);
  int width = in.size(2);
  float down = (float)in.size(1) / out.size(1);
  float right = (float)in.size(2) / out.size(2);
  for (unsigned n = 0; n < out.size(0); ++n) {
    for (unsigned i = 0; i < out.size(1); ++i) {
      for (unsigned j = 0; j < out.size(2); ++j) {
        float y = max((i + 0.5f) * down - 0.5f, 0.0f);
        float x = max((j + 0.5f) * right - 0.5f, 0.0f);
        int row = min((int)y, height - 1);
        int column = min((int)x, width - 1);
        int below = min(row + 1, height - 1);
        int beside = min(column + 1, width - 1);
        float dy = y - row;
        float dx = x - column;
        out[n][i][j] = (1 - dy) * ((1 - dx) * in[n][row][column] + dx * in[n][row][beside]) +
                       dy * ((1 - dx) * in[n][below][column] + dx * in[n][below][beside]);
      }
    }
  }
}

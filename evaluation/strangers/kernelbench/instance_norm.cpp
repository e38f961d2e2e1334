// Each channel of each image by its own mean and variance; dimensions are image, channel, row,
// column.
#include <cmath>
#include <tangram.h>

constexpr float epsilon = 1e-5f;

__codelet void instance_norm(const Array<4, float> x, Array<4, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  float count = x.size(2) * x.size(3);
  for (unsigned n = 0; n < x.size(0); ++n) {
    for (unsigned c = 0; c < x.size(1); ++c) {
      float sum = 0;
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j)
          sum += x[n][c][i][j];
      }
      float mean = sum / count;
      float squares = 0;
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j)
          squares += (x[n][c][i][j] - mean) * (x[n][c][i][j] - mean);
      }
      float scale = 1 / sqrt(squares / count + epsilon);
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j)
          y[n][c][i][j] = (x[n][c][i][j] - mean) * scale;
      }
    }
  }
}

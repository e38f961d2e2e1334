// Each element of the batch by its own mean and variance over all channels, rows and columns, then
// a weight and a bias a place.
#include <cmath>
#include <tangram.h>

constexpr float epsilon = 1e-5f;

__codelet void layer_norm(const Array<4, float> x, const Array<3, float> weight,
                          const Array<3, float> bias, Array<4, float> y) {
  require(weight.size(0) == x.size(1));
  require(weight.size(1) == x.size(2));
  require(weight.size(2) == x.size(3));
  require(bias.size(0) == x.size(1));
  require(bias.size(1) == x.size(2));
  require(bias.size(2) == x.size(3));
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  float count = x.size(1) * x.size(2) * x.size(3);
  for (unsigned n = 0; n < x.size(0); ++n) {
    float sum = 0;
    for (unsigned c = 0; c < x.size(1); ++c) {
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j)
          sum += x[n][c][i][j];
      }
    }
    float mean = sum / count;
    float squares = 0;
    for (unsigned c = 0; c < x.size(1); ++c) {
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j) {
          float off = x[n][c][i][j] - mean;
          squares += off * off;
        }
      }
    }
    float scale = 1 / sqrt(squares / count + epsilon);
    for (unsigned c = 0; c < x.size(1); ++c) {
      for (unsigned i = 0; i < x.size(2); ++i) {
        for (unsigned j = 0; j < x.size(3); ++j)
          y[n][c][i][j] = (x[n][c][i][j] - mean) * scale * weight[c][i][j] + bias[c][i][j];
      }
    }
  }
}

// A layer of 3-D transposed convolutions with kernels of 3 x 3 x 3, of volumes with 48 channels of
// which 24 are made. The five dimensions of a tensor are four here: volume and channel together,
// then depth, row, column; of w channel in and channel out together, then depth, row, column.
#include <tangram.h>

constexpr unsigned channels = 48;
constexpr unsigned filters = 24;
constexpr unsigned side = 3;

__codelet void conv_transposed_3d_cube(const Array<4, float> x, const Array<4, float> w,
                                       Array<4, float> y) {
  require(x.size(0) % channels == 0);
  require(w.size(0) == channels * filters);
  require(w.size(1) == side);
  require(w.size(2) == side);
  require(w.size(3) == side);
  require(y.size(0) == x.size(0) / channels * filters);
  require(y.size(1) == x.size(1) + side - 1);
  require(y.size(2) == x.size(2) + side - 1);
  require(y.size(3) == x.size(3) + side - 1);
  for (unsigned n = 0; n < x.size(0) / channels; ++n) {
    for (unsigned o = 0; o < filters; ++o) {
      for (unsigned k = 0; k < y.size(1); ++k) {
        for (unsigned i = 0; i < y.size(2); ++i) {
          for (unsigned j = 0; j < y.size(3); ++j) {
            float sum = 0;
            for (unsigned c = 0; c < channels; ++c) {
              for (unsigned p = 0; p < side; ++p) {
                for (unsigned q = 0; q < side; ++q) {
                  for (unsigned r = 0; r < side; ++r) {
                    if (p <= k && k - p < x.size(1) && q <= i && i - q < x.size(2) && r <= j &&
                        j - r < x.size(3))
                      sum += x[n * channels + c][k - p][i - q][j - r] * w[c * filters + o][p][q][r];
                  }
                }
              }
            }
            y[n * filters + o][k][i][j] = sum;
          }
        }
      }
    }
  }
}

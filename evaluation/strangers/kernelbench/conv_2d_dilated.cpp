// A layer of 2-D convolutions whose kernels take every second row and every third column, with
// zeros around the images.
#include <tangram.h>

constexpr int padding_rows = 2;
constexpr int padding_columns = 4;
constexpr int dilation_rows = 2;
constexpr int dilation_columns = 3;

__codelet void conv_2d_dilated(const Array<4, float> x, const Array<4, float> w,
                               Array<4, float> y) {
  require(w.size(1) == x.size(1));
  require(w.size(2) > 0);
  require(w.size(3) > 0);
  require(x.size(2) + 2 * padding_rows >= dilation_rows * (w.size(2) - 1) + 1);
  require(x.size(3) + 2 * padding_columns >= dilation_columns * (w.size(3) - 1) + 1);
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  require(y.size(2) == x.size(2) + 2 * padding_rows - dilation_rows * (w.size(2) - 1));
  require(y.size(3) == x.size(3) + 2 * padding_columns - dilation_columns * (w.size(3) - 1));
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              int row = (int)(i + p * dilation_rows) - padding_rows;
              if (row >= 0 && row < height) {
                for (unsigned q = 0; q < w.size(3); ++q) {
                  int column = (int)(j + q * dilation_columns) - padding_columns;
                  if (column >= 0 && column < width)
                    sum += x[n][c][row][column] * w[o][c][p][q];
                }
              }
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}

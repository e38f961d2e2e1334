// A layer of 2-D transposed convolutions of which a row is left out at either end and three columns
// are, so that kernels of 3 x 7 leave the size of images alone. Dimensions are image, channel, row,
// column; of w channel in, channel out, row, column.
#include <tangram.h>

constexpr int padding_rows = 1;
constexpr int padding_columns = 3;

__codelet void conv_transposed_2d(const Array<4, float> x, const Array<4, float> w,
                                  Array<4, float> y) {
  require(w.size(0) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(1));
  require(x.size(2) + w.size(2) > 2 * padding_rows + 1);
  require(x.size(3) + w.size(3) > 2 * padding_columns + 1);
  require(y.size(2) == x.size(2) + w.size(2) - 1 - 2 * padding_rows);
  require(y.size(3) == x.size(3) + w.size(3) - 1 - 2 * padding_columns);
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              for (unsigned q = 0; q < w.size(3); ++q) {
                int row = (int)i + padding_rows - (int)p;
                int column = (int)j + padding_columns - (int)q;
                if (row >= 0 && row < height && column >= 0 && column < width)
                  sum += x[n][c][row][column] * w[c][o][p][q];
              }
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}

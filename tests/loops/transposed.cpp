// transposed; derived_residues derived_rounds derived_tile_i derived_tile_j; x=3x5x7 w=3x3x4 stride:=3
#include <tangram.h>

// A transposed convolution: rows of the kernel lie 2 apart and move by 4, of which every other round has no row at
// all; columns move by a number that a run says.
constexpr int padding = 1;

__codelet void transposed(unsigned stride, const Array<3, float> x, const Array<3, float> w, Array<2, float> y) {
  require(stride > 0);
  require(x.size(1) > 0);
  require(x.size(2) > 0);
  require(w.size(0) == x.size(0));
  require(w.size(1) > 0);
  require(w.size(2) > 0);
  require(y.size(0) == 4 * (x.size(1) - 1) + 2 * (w.size(1) - 1) + 1);
  require(y.size(1) == stride * (x.size(2) - 1) + w.size(2));
  int height = x.size(1);
  for (unsigned i = 0; i < y.size(0); ++i) {
    for (unsigned j = 0; j < y.size(1); ++j) {
      float sum = 0;
      for (unsigned c = 0; c < x.size(0); ++c) {
        for (unsigned p = 0; p < w.size(1); ++p) {
          int row = (int)i + padding - 2 * (int)p;
          if (row < 0 || row % 4 != 0)
            continue;
          row /= 4;
          for (unsigned q = 0; q < w.size(2); ++q) {
            if (row < height && q <= j && (j - q) % stride == 0 && (j - q) / stride < x.size(2))
              sum += x[c][row][(j - q) / stride] * w[c][p][q];
          }
        }
      }
      y[i][j] = sum;
    }
  }
}

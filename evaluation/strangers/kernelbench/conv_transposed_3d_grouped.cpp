// A layer of 3-D transposed convolutions every 2 elements, in 4 groups of 8 channels, each made of
// its own 8. An element of the result gets something from those elements of x whose distance
// divides by 2. Volume and channel are one dimension, then come depth, row, column; of w channel in
// and channel out of its group together, then depth, row, column.
#include <tangram.h>

constexpr unsigned groups = 4;
constexpr unsigned members = 8; // channels in, and channels out, of a group
constexpr int stride = 2;
constexpr int padding_planes = 1;
constexpr int padding_rows = 2;
constexpr int padding_columns = 3;
constexpr int more = 1; // elements at the far end

__codelet void conv_transposed_3d_grouped(const Array<4, float> x, const Array<4, float> w,
                                          Array<4, float> y) {
  require(x.size(0) % (groups * members) == 0);
  require(x.size(1) > 0);
  require(x.size(2) > 0);
  require(x.size(3) > 0);
  require(w.size(0) == groups * members * members);
  require(w.size(1) == 2 * padding_planes + 1);
  require(w.size(2) == 2 * padding_rows + 1);
  require(w.size(3) == 2 * padding_columns + 1);
  require(y.size(0) == x.size(0));
  require(y.size(1) == (x.size(1) - 1) * stride + 1 + more);
  require(y.size(2) == (x.size(2) - 1) * stride + 1 + more);
  require(y.size(3) == (x.size(3) - 1) * stride + 1 + more);
  int depth = x.size(1);
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < x.size(0) / (groups * members); ++n) {
    for (unsigned g = 0; g < groups; ++g) {
      for (unsigned o = 0; o < members; ++o) {
        for (unsigned k = 0; k < y.size(1); ++k) {
          for (unsigned i = 0; i < y.size(2); ++i) {
            for (unsigned j = 0; j < y.size(3); ++j) {
              float sum = 0;
              for (unsigned c = 0; c < members; ++c) {
                for (int p = 0; p < 2 * padding_planes + 1; ++p) {
                  for (int q = 0; q < 2 * padding_rows + 1; ++q) {
                    for (int r = 0; r < 2 * padding_columns + 1; ++r) {
                      int plane = (int)k + padding_planes - p;
                      int row = (int)i + padding_rows - q;
                      int column = (int)j + padding_columns - r;
                      if (plane >= 0 && plane % stride == 0 && plane / stride < depth && row >= 0 &&
                          row % stride == 0 && row / stride < height && column >= 0 &&
                          column % stride == 0 && column / stride < width)
                        sum += x[(n * groups + g) * members + c][plane / stride][row / stride]
                                [column / stride] *
                               w[(g * members + c) * members + o][p][q][r];
                    }
                  }
                }
              }
              y[(n * groups + g) * members + o][k][i][j] = sum;
            }
          }
        }
      }
    }
  }
}

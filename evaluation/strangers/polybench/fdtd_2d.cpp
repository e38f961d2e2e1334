// Electric and magnetic fields in two dimensions: a step a number of source, which drives the first
// row of ey.
#include <tangram.h>

__codelet void fdtd_2d(const Array<1, double> source, Array<2, double> ex, Array<2, double> ey,
                       Array<2, double> hz) {
  require(ey.size(0) == ex.size(0));
  require(ey.size(1) == ex.size(1));
  require(hz.size(0) == ex.size(0));
  require(hz.size(1) == ex.size(1));
  unsigned rows = ex.size(0);
  unsigned columns = ex.size(1);
  for (unsigned t = 0; t < source.size(); ++t) {
    for (unsigned j = 0; j < columns; ++j)
      ey[0][j] = source[t];
    for (unsigned i = 1; i < rows; ++i) {
      for (unsigned j = 0; j < columns; ++j)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    }
    for (unsigned i = 0; i < rows; ++i) {
      for (unsigned j = 1; j < columns; ++j)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    }
    for (unsigned i = 0; i + 1 < rows; ++i) {
      for (unsigned j = 0; j + 1 < columns; ++j)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
  }
}

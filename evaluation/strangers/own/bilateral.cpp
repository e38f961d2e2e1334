// Graphics: a filter that smooths an image but not its edges: neighbours count less the more they
// differ, and those past the border not at all.
#include <cmath>
#include <tangram.h>

constexpr int radius = 3;

__codelet void bilateral(float apart, float differ, const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  int height = in.size(0);
  int width = in.size(1);
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; ++j) {
      float sum = 0;
      float total = 0;
      for (int p = max(i - radius, 0); p <= min(i + radius, height - 1); ++p) {
        for (int q = max(j - radius, 0); q <= min(j + radius, width - 1); ++q) {
          float off = in[p][q] - in[i][j];
          float weight = exp(-apart * ((p - i) * (p - i) + (q - j) * (q - j)) - differ * off * off);
          sum += weight * in[p][q];
          total += weight;
        }
      }
      out[i][j] = sum / total;
    }
  }
}

// Computations that generated data cannot judge: a factorization that exists for some matrices only, and chaos.
#include <tangram.h>
#include <cmath>

// Cholesky's factorization: l l^T = a. Row by row, and column by column.
__codelet __tag(rows) void cholesky(const Array<2, double> a, Array<2, double> l) {
  require(l.size(0) == a.size(0));
  require(l.size(1) == a.size(0));
  require(a.size(1) == a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(0); ++j) {
      if (j > i) {
        l[i][j] = 0;
      } else {
        double s = a[i][j];
        for (unsigned k = 0; k < j; ++k)
          s -= l[i][k] * l[j][k];
        l[i][j] = i == j ? sqrt(s) : s / l[j][j];
      }
    }
  }
}
__codelet __tag(columns) void cholesky(const Array<2, double> a, Array<2, double> l) {
  for (unsigned j = 0; j < a.size(0); ++j) {
    for (unsigned i = 0; i < a.size(0); ++i) {
      double s = 0;
      if (i >= j) {
        for (unsigned k = 0; k < j; ++k)
          s += l[i][k] * l[j][k];
        s = a[i][j] - s;
        s = i == j ? sqrt(s) : s / l[j][j];
      }
      l[i][j] = s;
    }
  }
}

// The logistic map, 400 times, as it stands and multiplied out.
__codelet __tag(loop) void logistic(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    float x = in[i] * 0.25f + 0.5f;
    for (unsigned t = 0; t < 400; ++t)
      x = 3.75f * x * (1 - x);
    out[i] = x;
  }
}
__codelet __tag(expanded) void logistic(const Array<1, float> in, Array<1, float> out) {
  for (unsigned i = 0; i < in.size(); ++i) {
    float x = in[i] * 0.25f + 0.5f;
    for (unsigned t = 0; t < 400; ++t)
      x = 3.75f * x - 3.75f * x * x;
    out[i] = x;
  }
}

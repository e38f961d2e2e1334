// composed_layer; derived_fused derived_sums derived_tile_i derived_step_k; a=13x9 b=9x17
#include <tangram.h>

__codelet void product(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

__codelet void biased_row(const Array<1, float> bias, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == bias.size());
  require(y.size() == x.size());
  for (unsigned j = 0; j < x.size(); ++j)
    y[j] = max(x[j] + bias[j], 0.0f);
}

__codelet void composed_layer(const Array<2, float> a, const Array<2, float> b, const Array<1, float> bias,
                              Array<2, float> y) {
  require(b.size(0) == a.size(1));
  require(bias.size() == b.size(1));
  require(y.size(0) == a.size(0));
  require(y.size(1) == b.size(1));
  for (unsigned i = 0; i < y.size(0); ++i)
    for (unsigned j = 0; j < y.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      y[i][j] = max(s + bias[j], 0.0f);
    }
}

// A product of another spectrum, and a map over its rows.
__codelet __tag(composed) void composed_layer(const Array<2, float> a, const Array<2, float> b,
                                              const Array<1, float> bias, Array<2, float> y) {
  Array<2, float> c(a.size(0), b.size(1));
  product(a, b, c);
  map(biased_row, all(bias), c, y);
}

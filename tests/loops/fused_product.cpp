// fused_product; derived_fused derived_sums derived_tile_i derived_step_k; a=13x9 b=9x17
#include <tangram.h>

// A layer: product, bias, and what is below 0 cut off.
__codelet void fused_product(const Array<2, float> a, const Array<2, float> b, const Array<1, float> bias,
                             Array<2, float> y) {
  require(b.size(0) == a.size(1));
  require(bias.size() == b.size(1));
  require(y.size(0) == a.size(0));
  require(y.size(1) == b.size(1));
  Array<2, float> product(a.size(0), b.size(1));
  Array<2, float> sum(a.size(0), b.size(1));
  for (unsigned i = 0; i < y.size(0); ++i)
    for (unsigned j = 0; j < y.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      product[i][j] = s;
    }
  for (unsigned i = 0; i < y.size(0); ++i)
    for (unsigned j = 0; j < y.size(1); ++j)
      sum[i][j] = product[i][j] + bias[j];
  for (unsigned i = 0; i < y.size(0); ++i)
    for (unsigned j = 0; j < y.size(1); ++j)
      y[i][j] = max(sum[i][j], 0.0f);
}

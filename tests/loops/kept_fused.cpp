// kept_fused; derived_fused derived_sums derived_step_k derived_tile_i derived_tile_j; a=13x7 b=7x21
#include <tangram.h>

// A layer as three nests: its sums are kept in a local container, started and ended by loops of their own.
__codelet void kept_fused(const Array<2, float> a, const Array<2, float> b, const Array<1, float> bias, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  require(bias.size() == b.size(1));
  Array<2, float> s(a.size(0), b.size(1));
  for (unsigned i = 0; i < a.size(0); ++i)
    for (unsigned j = 0; j < b.size(1); ++j)
      s[i][j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i)
    for (unsigned k = 0; k < a.size(1); ++k)
      for (unsigned j = 0; j < b.size(1); ++j)
        s[i][j] += a[i][k] * b[k][j];
  for (unsigned i = 0; i < a.size(0); ++i)
    for (unsigned j = 0; j < b.size(1); ++j)
      c[i][j] = max(s[i][j] + bias[j], 0.0f);
}

// of_vectors; derived_split_i derived_tile_i derived_tile_j derived_lanes_i_j; x=9x14 y=7x14
// Containers of vectors: windows along two dimensions, components, and functions of vectors.
#include <tangram.h>

float length2(float4 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
float4 scaled(float4 a, float by) { return float4(a.x * by, a.y * by, a.z * by, a.w); }

__codelet void of_vectors(const Array<2, float4> x, Array<2, float4> y) {
  require(x.size(0) == y.size(0) + 2);
  require(x.size(1) == y.size(1));
  for (unsigned i = 0; i < y.size(0); ++i)
    for (unsigned j = 0; j < y.size(1); ++j) {
      float4 sum = x[i][j] + x[i + 1][j] + x[i + 2][j];
      y[i][j] = scaled(sum, 1 / (1 + length2(x[i + 1][j])));
      y[i][j].w = sum.w;
    }
}

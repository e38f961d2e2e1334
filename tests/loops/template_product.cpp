// product; derived_tile_i derived_tile_j derived_step_k derived_lanes_i_j; a=7x9 b=9x8 c=7x8
// A template, as many write: what follows is of its instances. The functions it calls have one name.
#include <tangram.h>

template <typename T> T scaled(T x) { return x * 2; }
float biased(float x) { return x + 1.0f; }
int biased(int x) { return x + 2; }

template <typename T> __codelet
void product(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  require(a.size(0) == c.size(0));
  require(b.size(1) == c.size(1));
  require(a.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      T sum = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = scaled(biased(sum));
    }
}

template void product<float>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void product<int>(const Array<2, int>, const Array<2, int>, Array<2, int>);

// A matrix transposed, in tiles that lanes exchange.
#include <tangram.h>

__codelet __tag(loop)
void transposed(const Array<2, unsigned> in, Array<2, unsigned> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < out.size(0); ++i)
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = in[j][i];
}
__codelet __tag(by_rows)
void transposed(const Array<2, unsigned> in, Array<2, unsigned> out) {
  for (unsigned i = 0; i < in.size(0); ++i)
    for (unsigned j = 0; j < in.size(1); ++j)
      out[j][i] = in[i][j];
}
__codelet __coop __tag(lanes)
void transposed(const Array<2, unsigned> in, Array<2, unsigned> out) {
  unsigned m = in.size(0);
  unsigned n = in.size(1);
  for (unsigned e = coopIdx(); e < m * n; e += coopDim())
    out[e % n][e / n] = in[e / n][e % n];
}

// The sum of an array: the running example of the TANGRAM dissertation (figure 4.3),
// with the end of the strided partition mended (as printed it drops elements).
#include <tangram.h>

// One worker walks the whole array.
__codelet
int sum(const Array<1, int> in) {
  unsigned len = in.size();
  int accum = 0;
  for (unsigned i = 0; i < len; ++i) {
    accum += in[i];
  }
  return accum;
}

// A Kogge-Stone tree: every lane holds one element, all lanes step together.
__codelet __coop __tag(kog)
int sum(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

// Contiguous tiles: suits workers with caches of their own.
__codelet __tag(asso_tiled)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return sum(map(sum, partition(in, p,
      sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))));
}

// Interleaved tiles: suits workers that step together and share a cache.
__codelet __tag(stride_tiled)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return sum(map(sum, partition(in, p,
      sequence(0, 1, p), sequence(p), sequence(len))));
}

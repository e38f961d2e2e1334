// The largest element of an array; that of no elements is the smallest int.
#include <tangram.h>

__codelet
int maximum(const Array<1, int> in) {
  int best = -2147483647 - 1;
  for (unsigned i = 0; i < in.size(); ++i)
    best = max(best, in[i]);
  return best;
}

__codelet __coop __tag(tree)
int maximum(const Array<1, int> in) {
  require(in.size() <= 2 * coopDim());
  __shared int seen[coopDim()];
  unsigned len = in.size();
  unsigned lane = coopIdx();
  int best = -2147483647 - 1;
  if (lane < len)
    best = in[lane];
  if (lane + coopDim() < len)
    best = max(best, in[lane + coopDim()]);
  seen[lane] = best;
  for (unsigned step = 1; step < coopDim(); step *= 2) {
    if (lane + step < coopDim())
      seen[lane] = max(seen[lane], seen[lane + step]);
  }
  return seen[0];
}

__codelet __tag(tiled)
int maximum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return maximum(map(maximum, partition(in, p,
      sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))));
}

__codelet __tag(strided)
int maximum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return maximum(map(maximum, partition(in, p,
      sequence(0, 1, p), sequence(p), sequence(len))));
}

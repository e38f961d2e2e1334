// Sums with mistakes, for tests/equivalence.py: all but the first and the last codelet are wrong.
#include <tangram.h>

__codelet
int sum(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

// Every tile begins one element late.
__codelet __tag(late)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return sum(map(sum, partition(in, p,
      sequence(1, tile, len), sequence(1), sequence(tile, tile, len + 1))));
}

// What does not fill a tile is lost.
__codelet __tag(lost_tail)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = len / p;
  return sum(map(sum, partition(in, p,
      sequence(0, tile, len), sequence(1), sequence(tile, tile, len))));
}

// Figure 4.3(d) of the dissertation, as it is printed.
__codelet __tag(printed)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return sum(map(sum, partition(in, p,
      sequence(0, 1, p), sequence(p), sequence((p - 1) * tile, 1, len + 1))));
}

// The last step of the tree is missing.
__codelet __coop __tag(short_tree)
int sum(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? in[id] : 0;
  for (unsigned s = 1; s < coopDim() / 2; s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

__codelet __tag(right)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len))));
}

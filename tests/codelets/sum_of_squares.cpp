// A helper function, and a spectrum that calls another one: squares are added by sum.
#include <tangram.h>

static unsigned square(int value) { return unsigned(value) * unsigned(value); }

__codelet
unsigned sum(const Array<1, unsigned> in) {
  unsigned accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet
unsigned sum_of_squares(const Array<1, int> in) {
  unsigned accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += square(in[i]);
  return accum;
}

__codelet __tag(tiled)
unsigned sum_of_squares(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return sum(map(sum_of_squares, partition(in, p,
      sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))));
}

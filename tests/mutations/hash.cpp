// A polynomial hash: its steps do not commute. In parts: each with its factor.
#include <tangram.h>

__codelet __tag(loop)
unsigned hash(unsigned start, const Array<1, unsigned> in) {
  unsigned h = start;
  for (unsigned i = 0; i < in.size(); ++i)
    h = h * 31 + in[i];
  return h;
}
__codelet __tag(two_halves)
unsigned hash(unsigned start, const Array<1, unsigned> in) {
  unsigned n = in.size();
  unsigned half = n / 2;
  unsigned left = start;
  for (unsigned i = 0; i < half; ++i)
    left = left * 31 + in[i];
  unsigned right = 0;
  unsigned factor = 1;
  for (unsigned i = half; i < n; ++i) {
    right = right * 31 + in[i];
    factor *= 31;
  }
  return left * factor + right;
}
__codelet __tag(chained)
unsigned hash(unsigned start, const Array<1, unsigned> in) {
  __tunable unsigned t = choice(64, 16);
  return chain(hash, start, chunks(in, t));
}

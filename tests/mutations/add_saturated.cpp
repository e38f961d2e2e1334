// Sums of neighbours of 8-bit numbers, saturated: by a helper function, by a wider sum, in chunks.
#include <tangram.h>

int clipped(int v) { return v > 127 ? 127 : v < -128 ? -128 : v; }

__codelet __tag(loop)
void add_saturated(const Array<1, signed char> a, const Array<1, signed char> b, Array<1, signed char> out) {
  require(a.size() == out.size());
  require(b.size() == out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = clipped(a[i] + b[i]);
}
__codelet __tag(minmax)
void add_saturated(const Array<1, signed char> a, const Array<1, signed char> b, Array<1, signed char> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    int v = a[i] + b[i];
    out[i] = min(max(v, -128), 127);
  }
}
__codelet __tag(chunked)
void add_saturated(const Array<1, signed char> a, const Array<1, signed char> b, Array<1, signed char> out) {
  __tunable unsigned t = choice(16, 64);
  map(add_saturated, chunks(a, t), chunks(b, t), chunks(out, t));
}

// fused_or_not; derived_fused derived_nests; x=37 flags=37
#include <tangram.h>

// Neighbouring loops of which some may be joined and others not: they need elements of other rounds, write under conditions,
// narrow numbers, or read what the loop behind them writes.
__codelet void fused_or_not(const Array<1, float> x, const Array<1, int> flags, Array<1, float> shifted,
                            Array<1, float> kept, Array<1, float> moved, Array<1, int> out) {
  require(flags.size() == x.size());
  require(shifted.size() == x.size());
  require(kept.size() == x.size());
  require(moved.size() == x.size());
  require(out.size() == x.size());
  unsigned n = x.size();
  Array<1, float> twice(n);
  Array<1, unsigned char> narrow(n);
  for (unsigned i = 0; i < n; ++i)
    twice[i] = 2 * x[i];
  for (unsigned i = 0; i < n; ++i)
    shifted[i] = i > 0 ? twice[i - 1] : twice[n - 1];
  for (unsigned i = 0; i < n; ++i) {
    if (flags[i] > 0)
      kept[i] = shifted[i];
  }
  for (unsigned i = 0; i < n; ++i)
    moved[i] = kept[i] + 1;
  for (unsigned i = 0; i < n; ++i)
    narrow[i] = 250;
  for (unsigned i = 0; i < n; ++i) {
    narrow[i] += flags[i] & 15;
    out[i] = narrow[i];
  }
  for (unsigned i = 0; i < n; ++i)
    out[i] += narrow[i] * 3;
  for (unsigned i = 1; i < n; ++i)
    moved[i] = shifted[i - 1];
  for (unsigned i = 1; i < n; ++i)
    shifted[i] = moved[i] * 0.5f;
}

// Averages of three neighbours, the ends mirrored: by conditions, by padding, in parts with a halo.
#include <tangram.h>

__codelet
void inner(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size() + 2);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i] + 2 * in[i + 1] + in[i + 2];
}
__codelet __tag(inner_parts)
void inner(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(inner, rows(in, p, 2), rows(out, p));
}
__codelet __tag(loop)
void smooth_edges(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    int left = in[i > 0 ? i - 1 : 0];
    int right = in[i + 1 < n ? i + 1 : n - 1];
    out[i] = left + 2 * in[i] + right;
  }
}
__codelet __tag(padded)
void smooth_edges(const Array<1, int> in, Array<1, int> out) {
  inner(pad(in, 1, 1, clamp), out);
}
__codelet __tag(ends_first)
void smooth_edges(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  if (n == 1)
    out[0] = 4 * in[0];
  if (n > 1) {
    out[0] = 3 * in[0] + in[1];
    for (unsigned i = 1; i + 1 < n; ++i)
      out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
    out[n - 1] = in[n - 2] + 3 * in[n - 1];
  }
}

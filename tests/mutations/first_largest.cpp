// The position of the first largest element.
#include <tangram.h>

__codelet __tag(loop)
unsigned first_largest(const Array<1, int> in) {
  require(in.size() >= 1);
  unsigned at = 0;
  for (unsigned i = 1; i < in.size(); ++i)
    if (in[i] > in[at])
      at = i;
  return at;
}
__codelet __tag(from_behind)
unsigned first_largest(const Array<1, int> in) {
  unsigned n = in.size();
  unsigned at = n - 1;
  for (unsigned k = 1; k < n; ++k)
    if (in[n - 1 - k] >= in[at])
      at = n - 1 - k;
  return at;
}
__codelet __coop __tag(lanes)
unsigned first_largest(const Array<1, int> in) {
  __shared unsigned best[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  unsigned at = min(id, n - 1);
  for (unsigned i = id; i < n; i += coopDim()) {
    if (in[i] > in[at])
      at = i;
  }
  best[id] = at;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id % (2 * s) == 0 && id + s < coopDim()) {
      unsigned other = best[id + s];
      unsigned mine = best[id];
      if (in[other] > in[mine] || (in[other] == in[mine] && other < mine))
        best[id] = other;
    }
  }
  return best[0];
}

// The position of the first negative element, the size where there is none.
#include <tangram.h>

__codelet __tag(loop)
unsigned first_negative(const Array<1, int> in) {
  for (unsigned i = 0; i < in.size(); ++i)
    if (in[i] < 0)
      return i;
  return in.size();
}
__codelet unsigned least(const Array<1, unsigned> in) {
  unsigned m = 4294967295u;
  for (unsigned i = 0; i < in.size(); ++i)
    m = min(m, in[i]);
  return m;
}
__codelet __tag(backwards)
unsigned first_negative(const Array<1, int> in) {
  unsigned at = in.size();
  for (unsigned k = in.size(); k > 0; --k)
    if (in[k - 1] < 0)
      at = k - 1;
  return at;
}
__codelet __coop __tag(lanes)
unsigned first_negative(const Array<1, int> in) {
  __shared unsigned found[coopDim()];
  unsigned id = coopIdx();
  unsigned at = in.size();
  for (unsigned i = id; i < in.size() && at == in.size(); i += coopDim()) {
    if (in[i] < 0)
      at = i;
  }
  found[id] = at;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id % (2 * s) == 0 && id + s < coopDim())
      found[id] = min(found[id], found[id + s]);
  }
  return found[0];
}

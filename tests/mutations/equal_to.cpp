// How many elements equal a number.
#include <tangram.h>

__codelet __tag(loop)
unsigned equal_to(int value, const Array<1, int> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    n += in[i] == value ? 1 : 0;
  return n;
}
__codelet __coop __tag(lanes)
unsigned equal_to(int value, const Array<1, int> in) {
  __shared unsigned tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned own = 0;
  for (unsigned i = id; i < in.size(); i += coopDim())
    own += in[i] == value ? 1 : 0;
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}
__codelet unsigned added(const Array<1, unsigned> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    n += in[i];
  return n;
}
__codelet __tag(parts)
unsigned equal_to(int value, const Array<1, int> in) {
  __tunable unsigned p;
  return added(map(equal_to, value, rows(in, p)));
}

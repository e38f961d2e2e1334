// Each group of four elements reversed; what is left of the last group stays. Lanes exchange elements.
#include <tangram.h>

__codelet __tag(loop)
void reverse_fours(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    unsigned first = i / 4 * 4;
    out[i] = first + 4 <= n ? in[first + 3 - i % 4] : in[i];
  }
}
__codelet __coop __tag(lanes)
void reverse_fours(const Array<1, int> in, Array<1, int> out) {
  require(coopDim() % 4 == 0);
  __shared int tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  for (unsigned first = 0; first < n; first += coopDim()) {
    unsigned i = first + id;
    tmp[id] = i < n ? in[i] : 0;
    bool whole = i / 4 * 4 + 4 <= n;
    int got = whole ? tmp[id / 4 * 4 + 3 - id % 4] : tmp[id];
    if (i < n)
      out[i] = got;
  }
}
__codelet __tag(swaps)
void reverse_fours(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  unsigned whole = n / 4 * 4;
  for (unsigned first = 0; first < whole; first += 4)
    for (unsigned k = 0; k < 4; ++k)
      out[first + k] = in[first + 3 - k];
  for (unsigned i = whole; i < n; ++i)
    out[i] = in[i];
}

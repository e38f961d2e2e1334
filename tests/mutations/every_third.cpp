// Every third element, from the first.
#include <tangram.h>

__codelet __tag(loop)
void every_third(const Array<1, short> in, Array<1, short> out) {
  require(in.size() == 3 * out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[3 * i];
}
__codelet __tag(steps)
void every_third(const Array<1, short> in, Array<1, short> out) {
  unsigned at = 0;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = in[at];
    at += 3;
  }
}
__codelet __coop __tag(lanes)
void every_third(const Array<1, short> in, Array<1, short> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim())
    out[i] = in[3 * i];
}

// Bits of a mask of up to 32 flags: the number of elements whose flag is set, flags above 31 never are.
#include <tangram.h>

__codelet __tag(loop)
unsigned set_bits(unsigned mask, const Array<1, unsigned> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    if (in[i] < 32 && ((mask >> (in[i] & 31)) & 1) != 0)
      n += 1;
  return n;
}
__codelet __tag(shifted)
unsigned set_bits(unsigned mask, const Array<1, unsigned> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    unsigned flag = in[i] <= 31 ? 1u << (in[i] & 31) : 0;
    n += (mask & flag) != 0 ? 1 : 0;
  }
  return n;
}

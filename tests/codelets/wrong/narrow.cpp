// Numbers that lose their upper bits, for tests/equivalence.py: all tagged codelets but `right` are wrong, and small
// numbers show none of the mistakes.
#include <tangram.h>

__codelet
unsigned long xor_sum(const Array<1, unsigned long> in) {
  unsigned long s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s ^= in[i];
  return s;
}

__codelet __tag(sixteen_bits)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  unsigned short s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s ^= in[i];
  return s;
}

__codelet __tag(half_the_bits)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  unsigned s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s ^= in[i];
  return s;
}

__codelet __tag(right)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  __tunable unsigned p;
  return xor_sum(map(xor_sum, rows(in, p)));
}

__codelet
unsigned zeros(const Array<1, int> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    n += in[i] == 0 ? 1 : 0;
  return n;
}

// Shows from 256 zeros on.
__codelet __tag(byte_counter)
unsigned zeros(const Array<1, int> in) {
  unsigned char n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    n += in[i] == 0 ? 1 : 0;
  return n;
}

// Adler's checksum of bytes: two sums modulo 65521, reduced now and then.
#include <tangram.h>

__codelet __tag(loop)
unsigned adler(const Array<1, unsigned char> in) {
  unsigned a = 1;
  unsigned b = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    a = (a + in[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}
__codelet __tag(late)
unsigned adler(const Array<1, unsigned char> in) {
  unsigned a = 1;
  unsigned b = 0;
  unsigned n = in.size();
  for (unsigned first = 0; first < n; first += 256) {
    unsigned end = min(first + 256, n);
    for (unsigned i = first; i < end; ++i) {
      a += in[i];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

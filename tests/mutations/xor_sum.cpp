// The exclusive or of 64-bit numbers, in parts.
#include <tangram.h>

__codelet __tag(loop)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  unsigned long s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s ^= in[i];
  return s;
}
__codelet __tag(parts)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  __tunable unsigned p;
  return xor_sum(map(xor_sum, rows(in, p)));
}
__codelet __tag(two_at_a_time)
unsigned long xor_sum(const Array<1, unsigned long> in) {
  unsigned long even = 0;
  unsigned long odd = 0;
  unsigned n = in.size();
  for (unsigned i = 0; i + 1 < n; i += 2) {
    even ^= in[i];
    odd ^= in[i + 1];
  }
  if (n % 2 != 0)
    even ^= in[n - 1];
  return even ^ odd;
}

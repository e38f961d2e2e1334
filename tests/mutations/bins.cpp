// A histogram of contracted data, by counters of a part's own.
#include <tangram.h>

__codelet __tag(loop)
void bins(const Array<1, unsigned char> in, Array<1, unsigned> counts) {
  require(counts.size() == 256);
  for (unsigned b = 0; b < counts.size(); ++b)
    counts[b] = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    counts[in[i]] += 1;
}
__codelet __tag(two_tables)
void bins(const Array<1, unsigned char> in, Array<1, unsigned> counts) {
  unsigned even[256];
  unsigned odd[256];
  for (unsigned b = 0; b < 256; ++b) {
    even[b] = 0;
    odd[b] = 0;
  }
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    if (i % 2 == 0)
      even[in[i]] += 1;
    else
      odd[in[i]] += 1;
  }
  for (unsigned b = 0; b < 256; ++b)
    counts[b] = even[b] + odd[b];
}

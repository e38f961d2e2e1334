// Counts marks, and numbers in a range: random numbers are hardly ever one of them.
#include <tangram.h>

__codelet
unsigned marked(const Array<1, unsigned> in) {
  unsigned found = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] == 0xFEEDFACE)
      found += 3;
    else if (in[i] > 70000 && in[i] < 70010)
      ++found;
  }
  return found;
}

__codelet __tag(in_pairs)
unsigned marked(const Array<1, unsigned> in) {
  unsigned n = in.size();
  unsigned found = 0;
  for (unsigned i = 0; i < n; i += 2) {
    for (unsigned j = i; j < min(i + 2, n); ++j) {
      unsigned v = in[j];
      found += v == 0xFEEDFACE ? 3 : 0;
      found += v > 70000 && v <= 70009 ? 1 : 0;
    }
  }
  return found;
}

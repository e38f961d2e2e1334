// How many unsigned numbers are below a limit, and a running count of them.
#include <tangram.h>

__codelet __tag(loop)
void below(unsigned limit, const Array<1, unsigned> in, Array<1, unsigned> before) {
  require(before.size() == in.size());
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    before[i] = n;
    n += in[i] < limit ? 1 : 0;
  }
}
__codelet unsigned counted(unsigned limit, const Array<1, unsigned> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    n += in[i] < limit ? 1 : 0;
  return n;
}
__codelet void from(unsigned start, unsigned limit, const Array<1, unsigned> in, Array<1, unsigned> before) {
  require(before.size() == in.size());
  unsigned n = start;
  for (unsigned i = 0; i < in.size(); ++i) {
    before[i] = n;
    n += in[i] < limit ? 1 : 0;
  }
}
__codelet void starts(Array<1, unsigned> counts) {
  unsigned n = 0;
  for (unsigned i = 0; i < counts.size(); ++i) {
    unsigned own = counts[i];
    counts[i] = n;
    n += own;
  }
}
__codelet __tag(two_passes)
void below(unsigned limit, const Array<1, unsigned> in, Array<1, unsigned> before) {
  __tunable unsigned p;
  Array<1, unsigned> counts = map(counted, limit, rows(in, p));
  starts(counts);
  map(from, counts, limit, rows(in, p), rows(before, p));
}

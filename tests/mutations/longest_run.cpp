// The length of the longest run of equal elements; by hand-over of the run that is open.
#include <tangram.h>

__codelet __tag(loop)
unsigned longest_run(const Array<1, int> in) {
  unsigned best = 0;
  unsigned run = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    run = i > 0 && in[i] == in[i - 1] ? run + 1 : 1;
    best = run > best ? run : best;
  }
  return best;
}
__codelet __tag(by_starts)
unsigned longest_run(const Array<1, int> in) {
  unsigned best = 0;
  unsigned n = in.size();
  unsigned start = 0;
  while (start < n) {
    unsigned end = start + 1;
    while (end < n && in[end] == in[start])
      end += 1;
    best = max(best, end - start);
    start = end;
  }
  return best;
}

// The largest number, by a tree of lanes whose number need not be a power of two.
#include <climits>
#include <tangram.h>

__codelet
int tallest(const Array<1, int> in) {
  int top = INT_MIN;
  for (unsigned i = 0; i < in.size(); ++i)
    top = max(top, in[i]);
  return top;
}

__codelet __coop __tag(tree)
int tallest(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int tops[coopDim()];
  unsigned id = coopIdx();
  tops[id] = id < in.size() ? in[id] : INT_MIN;
  for (unsigned n = coopDim(); n > 1; n = (n + 1) / 2) {
    if (id < n / 2)
      tops[id] = max(tops[id], tops[id + (n + 1) / 2]);
  }
  return tops[0];
}

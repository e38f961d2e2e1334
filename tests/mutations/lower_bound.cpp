// For each number, how many of a sorted table are below it.
#include <tangram.h>

__codelet __tag(loop)
void lower_bound(const Array<1, unsigned> table, const Array<1, unsigned> x, Array<1, unsigned> at) {
  require(x.size() == at.size());
  require(table.size() >= 1);
  require(ascending(table, 0, 50));
  for (unsigned i = 0; i < x.size(); ++i) {
    unsigned n = 0;
    for (unsigned k = 0; k < table.size(); ++k)
      n += table[k] < x[i] ? 1 : 0;
    at[i] = n;
  }
}
__codelet __tag(bisection)
void lower_bound(const Array<1, unsigned> table, const Array<1, unsigned> x, Array<1, unsigned> at) {
  for (unsigned i = 0; i < x.size(); ++i) {
    unsigned low = 0;
    unsigned high = table.size();
    while (low < high) {
      unsigned middle = (low + high) / 2;
      if (table[middle] < x[i])
        low = middle + 1;
      else
        high = middle;
    }
    at[i] = low;
  }
}

// A spectrum that no usual call serves: no small numbers meet both of its requirements.
#include <tangram.h>

__codelet void unserved(unsigned from, unsigned to, unsigned n, Array<1, int> x) {
  require(from + n <= 3);
  require(from * n >= 9);
  for (unsigned i = 0; i < n && to + i < x.size(); ++i)
    x[to + i] = x[from + i];
}

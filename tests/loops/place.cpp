// place; derived_parts_i; x=1000
#include <tangram.h>

// Where the largest element is, the last of equal ones; 0 where there is none.
__codelet unsigned place(const Array<1, int> x) {
  int top = -100;
  unsigned last = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    if (x[i] % 8 >= top) {
      top = x[i] % 8;
      last = i + 1;
    }
  return last;
}

// A codelet that answers yes or no, and calls functions of which glibc has forms for vectors.
#include <tangram.h>

#include <cmath>

__codelet bool any_above(int limit, const Array<1, float> in) {
  bool found = false;
  for (unsigned i = 0; i < in.size(); ++i)
    found = found || exp(in[i]) * limit + pow(in[i], 2.0f) > 5;
  return found;
}

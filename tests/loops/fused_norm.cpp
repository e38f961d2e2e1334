// fused_norm; derived_fused derived_total; x=1000
#include <cmath>
#include <tangram.h>

// A sum behind a map: the squares are kept by nobody.
__codelet float fused_norm(const Array<1, float> x) {
  Array<1, float> squares(x.size());
  for (unsigned i = 0; i < x.size(); ++i)
    squares[i] = x[i] * x[i];
  float s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += squares[i];
  return sqrt(s);
}

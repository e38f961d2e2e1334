// A polynomial at many points: Horner's rule, and by even and odd powers.
#include <tangram.h>

__codelet __tag(loop)
void horner(float c0, float c1, float c2, float c3, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] = ((c3 * x[i] + c2) * x[i] + c1) * x[i] + c0;
}
__codelet __tag(estrin)
void horner(float c0, float c1, float c2, float c3, const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = 0; i < x.size(); ++i) {
    float square = x[i] * x[i];
    y[i] = (c1 * x[i] + c0) + square * (c3 * x[i] + c2);
  }
}

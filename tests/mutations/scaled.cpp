// a x + y, and the same in chunks.
#include <tangram.h>

__codelet __tag(loop)
void scaled(float a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] = a * x[i] + y[i];
}
__codelet __tag(pairs)
void scaled(float a, const Array<1, float> x, Array<1, float> y) {
  unsigned n = y.size();
  for (unsigned i = 0; i + 1 < n; i += 2) {
    y[i] = a * x[i] + y[i];
    y[i + 1] = a * x[i + 1] + y[i + 1];
  }
  if (n % 2 == 1)
    y[n - 1] = a * x[n - 1] + y[n - 1];
}
__codelet __tag(chunked)
void scaled(float a, const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned t = choice(32, 128);
  map(scaled, a, chunks(x, t), chunks(y, t));
}

// fused_moments; derived_fused derived_nests derived_total; x=1000
#include <tangram.h>

// Two sums of the same elements, in one reading.
__codelet double fused_moments(const Array<1, double> x) {
  require(x.size() > 0);
  double mean = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    mean += x[i];
  mean /= x.size();
  double squares = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    squares += x[i] * x[i];
  return squares / x.size() + mean;
}

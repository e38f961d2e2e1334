// variance; derived_nests derived_split_i derived_lanes_i; x=1000
#include <tangram.h>

// Two sums, of which the second one needs the first.
__codelet double variance(const Array<1, double> x) {
  require(x.size() > 0);
  double mean = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    mean += x[i];
  mean /= x.size();
  double squares = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    squares += (x[i] - mean) * (x[i] - mean);
  return squares / x.size();
}

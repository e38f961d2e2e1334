// The variance of numbers: in two passes, and by Welford's formula.
#include <tangram.h>

__codelet __tag(two_passes)
double variance(const Array<1, double> in) {
  require(in.size() >= 2);
  double n = in.size();
  double mean = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    mean += in[i];
  mean /= n;
  double s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += (in[i] - mean) * (in[i] - mean);
  return s / (n - 1);
}
__codelet __tag(welford)
double variance(const Array<1, double> in) {
  double mean = 0;
  double s = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    double count = i + 1;
    double before = in[i] - mean;
    mean += before / count;
    s += before * (in[i] - mean);
  }
  return s / (in.size() - 1);
}

// Signal processing: many channels, each through a recursive filter of second order of its own.
#include <tangram.h>

__codelet void biquad_bank(const Array<2, float> x, const Array<2, float> filters,
                           Array<2, float> y) {
  require(filters.size(0) == x.size(0));
  require(filters.size(1) == 5);
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned c = 0; c < x.size(0); ++c) {
    float first = 0;
    float second = 0;
    for (unsigned t = 0; t < x.size(1); ++t) {
      float in = x[c][t];
      float out = filters[c][0] * in + first;
      first = filters[c][1] * in - filters[c][3] * out + second;
      second = filters[c][2] * in - filters[c][4] * out;
      y[c][t] = out;
    }
  }
}

// Signal processing: a low-pass filter of which every fourth result is kept.
#include <tangram.h>

constexpr unsigned factor = 4;

__codelet void fir_decimate(const Array<1, float> x, const Array<1, float> h, Array<1, float> y) {
  require(x.size() >= h.size());
  require(y.size() == (x.size() - h.size()) / factor + 1);
  for (unsigned i = 0; i < y.size(); ++i) {
    float sum = 0;
    for (unsigned k = 0; k < h.size(); ++k)
      sum += h[k] * x[i * factor + k];
    y[i] = sum;
  }
}

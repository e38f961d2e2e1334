// Signal processing: the power at some frequencies in windows of a signal, one every `hop`
// elements. Tables of the cosines and sines hold the shape of the window already.
#include <tangram.h>

constexpr unsigned hop = 64;

__codelet void spectrogram(const Array<1, float> x, const Array<2, float> cosines,
                           const Array<2, float> sines, Array<2, float> power) {
  require(sines.size(0) == cosines.size(0));
  require(sines.size(1) == cosines.size(1));
  require(x.size() >= cosines.size(1));
  require(power.size(0) == (x.size() - cosines.size(1)) / hop + 1);
  require(power.size(1) == cosines.size(0));
  for (unsigned w = 0; w < power.size(0); ++w) {
    for (unsigned f = 0; f < power.size(1); ++f) {
      float real = 0;
      float imaginary = 0;
      for (unsigned k = 0; k < cosines.size(1); ++k) {
        real += x[w * hop + k] * cosines[f][k];
        imaginary += x[w * hop + k] * sines[f][k];
      }
      power[w][f] = real * real + imaginary * imaginary;
    }
  }
}

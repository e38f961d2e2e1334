// Idioms of many programs: increments whose values are used, maps over numbers alone, infinities that minima and
// maxima start from.
#include <tangram.h>
#include <cmath>

// The elements below a limit to the front, the others to the end, last one first; what remains is of conditions.
__codelet
int divide(int limit, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    if (in[i] < limit)
      out[n++] = in[i];
  unsigned last = out.size();
  for (unsigned k = in.size(); k-- > 0;) {
    if (in[k] < limit)
      continue;
    out[--last] = in[k];
  }
  int rounds = 0;
  unsigned left = n;
  while (left-- > 2) {
    rounds++;
    if (rounds == 5)
      break;
  }
  int before = rounds++;
  if (before++ == rounds)
    rounds = 0;
  if (last-- == n)
    before += 100 * (int)(n - last);
  return before + rounds;
}

__codelet
int total(const Array<1, int> in) {
  int sum = 0;
  unsigned i = 0;
  unsigned left = in.size();
  while (left-- > 0)
    sum += in[i++];
  return sum;
}
__codelet __tag(total_parts)
int total(const Array<1, int> in) {
  __tunable unsigned p;
  return total(map(total, rows(in, p)));
}

__codelet int square(int i) { return i * i; }

__codelet
void squares(int from, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = (from + (int)i) * (from + (int)i);
}
__codelet __tag(numbers)
void squares(int from, Array<1, int> out) {
  out = map(square, sequence(from, 1, from + (int)out.size()));
}

// Of odd numbers below n.
__codelet
int odd_squares(int n) {
  int sum = 0;
  for (int i = 1; i < n; i += 2)
    sum += i * i;
  return sum;
}
__codelet __tag(odd_numbers)
int odd_squares(int n) {
  return total(map(square, sequence(1, 2, n)));
}

__codelet
void softmax_row(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  float most = -INFINITY;
  for (unsigned i = 0; i < x.size(); ++i)
    most = fmax(most, x[i]);
  float sum = 0;
  for (unsigned i = 0; i < x.size(); ++i) {
    y[i] = exp(x[i] - most);
    sum += y[i];
  }
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] /= sum;
}
__codelet __coop __tag(softmax_lanes)
void softmax_row(const Array<1, float> x, Array<1, float> y) {
  __shared float tmp[coopDim()];
  unsigned id = coopIdx();
  float most = -INFINITY;
  for (unsigned i = id; i < x.size(); i += coopDim())
    most = x[i] > most ? x[i] : most;
  tmp[id] = most;
  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {
    if (id < s)
      tmp[id] = max(tmp[id], tmp[id + s]);
  }
  float top = tmp[0];
  float sum = 0;
  for (unsigned i = id; i < x.size(); i += coopDim()) {
    float e = exp(x[i] - top);
    y[i] = e;
    sum += e;
  }
  tmp[id] = sum;
  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {
    if (id < s)
      tmp[id] += tmp[id + s];
  }
  for (unsigned i = id; i < x.size(); i += coopDim())
    y[i] /= tmp[0];
}

// Rows of softmax.
__codelet
void softmax(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned r = 0; r < x.size(0); ++r) {
    float most = -INFINITY;
    for (unsigned i = 0; i < x.size(1); ++i)
      most = x[r][i] > most ? x[r][i] : most;
    float sum = 0;
    for (unsigned i = 0; i < x.size(1); ++i) {
      y[r][i] = exp(x[r][i] - most);
      sum += y[r][i];
    }
    for (unsigned i = 0; i < x.size(1); ++i)
      y[r][i] /= sum;
  }
}
__codelet __tag(softmax_rows)
void softmax(const Array<2, float> x, Array<2, float> y) {
  map(softmax_row, x, y);
}

// What is below 0 takes no part: exp(-infinity) is 0, x / infinity too.
__codelet
float masked(const Array<1, float> x) {
  float sum = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    sum += exp(x[i] < 0 ? -INFINITY : x[i] / 64) + x[i] / (x[i] < 0 ? INFINITY : 3.0f);
  return sum;
}
__codelet float sum_of(const Array<1, float> x) {
  float sum = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    sum += x[i];
  return sum;
}
__codelet __tag(masked_parts)
float masked(const Array<1, float> x) {
  __tunable unsigned p;
  return sum_of(map(masked, rows(x, p)));
}

// Windows that reach past both ends: of a slice there is what there is.
__codelet
float around(int at, const Array<1, float> x) {
  float sum = 0;
  for (long i = (long)at - 2; i < (long)at + 3; ++i) {
    if (i >= 0 && i < (long)x.size())
      sum += x[i];
  }
  return sum;
}
__codelet __tag(sliced)
float around(int at, const Array<1, float> x) {
  return sum_of(slice(x, (long)at - 2, (long)at + 3));
}

// Power iteration with the matrix of magnitudes: what is divided in each round is what the round before has divided.
// Nothing cancels, so that errors grow by a few roundings a round.
__codelet
float dot_of_magnitudes(const Array<1, float> a, const Array<1, float> b) {
  require(b.size() == a.size());
  float sum = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    sum += fabs(a[i]) * fabs(b[i]);
  return sum;
}
__codelet float quotient(float x, float n) { return x / n; }
__codelet
float power_iteration(unsigned steps, const Array<2, float> a, Array<1, float> x, Array<1, float> y) {
  require(a.size(1) == a.size(0));
  require(x.size() == a.size(0));
  require(y.size() == a.size(0));
  float norm = 0;
  for (unsigned t = 0; t < steps; ++t) {
    norm = 0;
    for (unsigned i = 0; i < y.size(); ++i) {
      float sum = 0;
      for (unsigned j = 0; j < y.size(); ++j)
        sum += fabs(a[i][j]) * fabs(x[j]);
      y[i] = sum;
      norm += sum * sum;
    }
    norm = sqrt(norm);
    for (unsigned i = 0; i < y.size(); ++i)
      x[i] = y[i] / norm;
  }
  return norm;
}
__codelet __tag(power_rounds)
float power_iteration(unsigned steps, const Array<2, float> a, Array<1, float> x, Array<1, float> y) {
  float norm = 0;
  for (unsigned t = 0; t < steps; ++t) {
    y = map(dot_of_magnitudes, a, all(x));
    norm = sqrt(dot_of_magnitudes(y, y));
    x = map(quotient, y, norm);
  }
  return norm;
}

// The logarithm of a sum of exponentials: of nothing there is no greatest.
__codelet float top(const Array<1, float> x) {
  float m = -INFINITY;
  for (unsigned i = 0; i < x.size(); ++i)
    m = max(m, x[i]);
  return m;
}
__codelet __tag(top_parts) float top(const Array<1, float> x) {
  __tunable unsigned p;
  return top(map(top, rows(x, p)));
}
__codelet __coop __tag(top_lanes) float top(const Array<1, float> x) {
  __shared float t[coopDim()];
  t[coopIdx()] = -INFINITY;
  for (unsigned i = coopIdx(); i < x.size(); i += coopDim())
    t[coopIdx()] = fmax(t[coopIdx()], x[i]);
  for (unsigned s = coopDim() / 2; s >= 1; s /= 2) {
    if (coopIdx() < s)
      t[coopIdx()] = fmax(t[coopIdx()], t[coopIdx() + s]);
  }
  return t[0];
}
__codelet float exponentials(float m, const Array<1, float> x) {
  float s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += exp(x[i] - m);
  return s;
}
__codelet float log_sum(const Array<1, float> x) {
  float m = -INFINITY;
  for (unsigned i = 0; i < x.size(); ++i)
    m = fmax(m, x[i]);
  if (m == -INFINITY)
    return -INFINITY;
  float s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += exp(x[i] - m);
  return m + log(s);
}
__codelet __tag(top_then_sum) float log_sum(const Array<1, float> x) {
  if (x.size() == 0)
    return -INFINITY;
  float m = top(x);
  return m + log(exponentials(m, x));
}

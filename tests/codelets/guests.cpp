// Code that readers of docs/language.md wrote and that went wrong: absolute values of every type, a return before
// kernels with barriers, requirements on elements that data name, lanes that read behind the elements they write,
// offsets and scalars below zero, requirements on an element's number, results of two types.
#include <tangram.h>

__codelet
double magnitude(double x, float y, int i, long long l, short s) {
  return abs(x) + abs(y) + abs(l) % 1000 + (abs(i) - 2000 < 0 ? 1 : 2) + (-abs(i) < 0 ? abs(s) : 0);
}
__codelet
void magnitudes(const Array<1, double> x, const Array<1, float> y, const Array<1, int> i,
                const Array<1, long long> l, const Array<1, short> s, Array<1, double> out) {
  require(y.size() == x.size());
  require(i.size() == x.size());
  require(l.size() == x.size());
  require(s.size() == x.size());
  require(out.size() == x.size());
  for (unsigned k = 0; k < x.size(); ++k) {
    int most = i[k] < 0 ? -i[k] : i[k];
    long long wide = l[k] << 33;
    long long big = (wide < 0 ? -wide : wide) % 1000;
    out[k] = (x[k] < 0 ? -x[k] : x[k]) + (y[k] < 0 ? -y[k] : y[k]) + big + (most - 2000 < 0 ? 1 : 2) +
             (-most < 0 ? (s[k] < 0 ? -s[k] : s[k]) : 0);
  }
}
__codelet long long shifted(long long l) { return l << 33; }
__codelet __tag(each_magnitude)
void magnitudes(const Array<1, double> x, const Array<1, float> y, const Array<1, int> i,
                const Array<1, long long> l, const Array<1, short> s, Array<1, double> out) {
  Array<1, long long> wide = map(shifted, l);
  out = map(magnitude, x, y, i, wide, s);
}

// How many runs of equal values: nothing is launched where there are none.
__codelet unsigned add(const Array<1, unsigned> x) {
  unsigned s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += x[i];
  return s;
}
__codelet __tag(add_parts) unsigned add(const Array<1, unsigned> x) {
  __tunable unsigned p;
  return add(map(add, rows(x, p)));
}
__codelet __coop __tag(add_tree) unsigned add(const Array<1, unsigned> x) {
  __shared unsigned t[coopDim()];
  unsigned id = coopIdx();
  unsigned s = 0;
  for (unsigned i = id; i < x.size(); i += coopDim())
    s += x[i];
  t[id] = s;
  for (unsigned h = coopDim() / 2; h > 0; h /= 2) {
    if (id < h)
      t[id] += t[id + h];
  }
  return t[0];
}
__codelet unsigned begins(const Array<1, int> pair) {
  require(pair.size() == 2);
  return pair[0] / 500 != pair[1] / 500 ? 1 : 0;
}
__codelet unsigned runs(const Array<1, int> in) {
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (i == 0 || in[i] / 500 != in[i - 1] / 500)
      ++n;
  }
  return n;
}
__codelet __tag(pairs) unsigned runs(const Array<1, int> in) {
  if (in.size() == 0)
    return 0;
  return 1 + add(map(begins, slide(in, 2, 1)));
}

// What an element requires of a number that data give is what the caller guarantees of them.
__codelet unsigned take(int value, Array<1, unsigned> taken) {
  require(value >= 0);
  require(value < taken.size());
  unsigned old = atomicExchange(taken[value], 1u);
  return old == 0 ? 1 : 0;
}
__codelet unsigned none(unsigned i) { return 0; }
__codelet unsigned distinct(const Array<1, int> in, Array<1, unsigned> taken) {
  require(within(in, 0, taken.size()));
  unsigned n = 0;
  for (unsigned i = 0; i < taken.size(); ++i)
    taken[i] = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (taken[in[i]] == 0)
      ++n;
    taken[in[i]] = 1;
  }
  return n;
}
__codelet __tag(take_each) unsigned distinct(const Array<1, int> in, Array<1, unsigned> taken) {
  taken = map(none, sequence(0, 1, taken.size()));
  return add(map(take, in, all(taken)));
}

// Back substitution: each column changes what is before it.
__codelet void backward(const Array<2, unsigned> u, Array<1, unsigned> x) {
  require(u.size(1) == u.size(0));
  require(x.size() == u.size(0));
  for (int i = (int)x.size() - 1; i >= 0; --i) {
    for (unsigned j = i + 1; j < x.size(); ++j)
      x[i] -= u[i][j] * x[j];
  }
}
__codelet __coop __tag(back_columns) void backward(const Array<2, unsigned> u, Array<1, unsigned> x) {
  for (int i = (int)x.size() - 1; i >= 0; --i) {
    for (int j = coopIdx(); j < i; j += coopDim())
      x[j] -= u[j][i] * x[i];
  }
}

// A lower triangle by columns: a lane has a row, and reads of the others a column that is done.
__codelet void eliminate(Array<2, unsigned> a) {
  require(a.size(1) == a.size(0));
  for (unsigned k = 0; k < a.size(0); ++k) {
    for (unsigned i = k + 1; i < a.size(0); ++i) {
      for (unsigned j = k + 1; j <= i; ++j)
        a[i][j] -= a[i][k] * a[j][k];
    }
  }
}
__codelet __coop __tag(row_each) void eliminate(Array<2, unsigned> a) {
  unsigned n = a.size(0);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = k + 1 + coopIdx(); i < n; i += coopDim()) {
      for (unsigned j = k + 1; j <= i; ++j)
        a[i][j] -= a[i][k] * a[j][k];
    }
  }
}

// Sums and differences of two halves, in place.
__codelet void butterfly(Array<1, int> a) {
  unsigned h = a.size() / 2;
  for (unsigned i = 0; i < h; ++i) {
    int x = a[i];
    a[i] = x + a[i + h];
    a[i + h] = x - a[i + h];
  }
}
__codelet __coop __tag(both_halves) void butterfly(Array<1, int> a) {
  unsigned h = a.size() / 2;
  for (unsigned i = coopIdx(); i < h; i += coopDim()) {
    int x = a[i];
    a[i] = x + a[i + h];
    a[i + h] = x - a[i + h];
  }
}

// Two passes over numbers, behind a return, with kernels whose last group goes on.
__codelet double sum_of(const Array<1, double> x) {
  double s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += x[i];
  return s;
}
__codelet double total(const Array<1, float> x) {
  double s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += x[i];
  return s;
}
__codelet __tag(total_parts) double total(const Array<1, float> x) {
  __tunable unsigned p;
  return sum_of(map(total, rows(x, p)));
}
__codelet double squares(double mean, const Array<1, float> x) {
  double s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += (x[i] - mean) * (x[i] - mean);
  return s;
}
__codelet __tag(squares_parts) double squares(double mean, const Array<1, float> x) {
  __tunable unsigned p;
  return sum_of(map(squares, mean, rows(x, p)));
}
__codelet double variance(const Array<1, float> x) {
  double mean = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    mean += x[i];
  mean /= x.size() > 0 ? x.size() : 1;
  double s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += (x[i] - mean) * (x[i] - mean);
  return x.size() > 1 ? s / (x.size() - 1) : 0.0;
}
__codelet __tag(two_passes) double variance(const Array<1, float> x) {
  double n = x.size();
  if (x.size() < 2)
    return 0.0;
  double mean = total(x) / n;
  return squares(mean, x) / (n - 1);
}

// Offsets that go below zero on the way: what is a large number then is none in the sum.
__codelet void weighted(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size() + 2);
  for (unsigned i = 0; i < out.size(); ++i) {
    int s = 0;
    for (int k = -1; k <= 1; ++k)
      s += (k + 3) * in[i + 1 + k];
    out[i] = s;
  }
}
__codelet __tag(downwards) void weighted(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    int s = 0;
    for (unsigned k = 0; k < 3; ++k)
      s += (4 - (int)k) * in[i - k + 2];
    out[i] = s;
  }
}
__codelet __tag(weighted_tiles) void weighted(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t;
  map(weighted, chunks(in, t, 2), chunks(out, t));
}
__codelet void smooth(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int n = in.size();
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i > 0 ? i - 1 : 0] + 3 * in[i] + 4 * in[i + 1 < n ? i + 1 : n - 1];
}
__codelet __tag(smooth_padded) void smooth(const Array<1, int> in, Array<1, int> out) {
  weighted(pad(in, 1, 1, clamp), out);
}

// Scalars that may be below zero.
__codelet void above(int lo, int hi, const Array<1, int> x, Array<1, int> out) {
  require(lo >= -5);
  require(lo * 2 < hi);
  require(out.size() == x.size());
  require(within(x, lo, hi));
  for (unsigned i = 0; i < x.size(); ++i)
    out[i] = x[i] - lo;
}
__codelet __tag(above_tiles) void above(int lo, int hi, const Array<1, int> x, Array<1, int> out) {
  __tunable unsigned t;
  map(above, lo, hi, chunks(x, t), chunks(out, t));
}

// Functions that round to even.
__codelet void rounded(const Array<1, float> x, Array<1, int> out) {
  require(out.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i)
    out[i] = (int)rint(x[i] * 8) + (int)nearbyint(x[i] * 4);
}
__codelet int rounded_at(float x) { return (int)rintf(x * 8) + (int)nearbyintf(x * 4); }
__codelet __tag(rounded_each) void rounded(const Array<1, float> x, Array<1, int> out) {
  out = map(rounded_at, x);
}

// Each element to the place that those before it say: a requirement of a number that a split map gives.
__codelet void place(unsigned i, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  require(i < in.size());
  unsigned rank = 0;
  for (unsigned j = 0; j < in.size(); ++j)
    rank += in[j] < in[i] || (in[j] == in[i] && j < i) ? 1 : 0;
  atomicExchange(out[rank], in[i]);
}
__codelet void in_order(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    unsigned j = i;
    for (; j > 0 && out[j - 1] > in[i]; --j)
      out[j] = out[j - 1];
    out[j] = in[i];
  }
}
__codelet __tag(by_ranks) void in_order(const Array<1, int> in, Array<1, int> out) {
  map(place, sequence(0, 1, in.size()), all(in), all(out));
}

// What a lane decided before it met the others stands in the same variable afterwards, in full tiles as in others.
__codelet void by_sign(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] > 0 ? in[i] + 7 : in[i] - 5;
}
__codelet __tag(by_sign_tiles) void by_sign(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(8, 4, 16);
  map(by_sign, chunks(in, t), chunks(out, t));
}
__codelet __coop __tag(by_sign_lanes) void by_sign(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  bool positive = id < n && in[id < n ? id : 0] > 0;
  t[id] = id < n ? in[id] : 0;
  int other = t[coopDim() - 1 - id];
  if (positive) {
    int accum = 0;
    for (unsigned j = 0; j < n; ++j)
      accum += j == id ? t[j] + 7 : 0;
    out[id] = accum;
  } else {
    if (id < n)
      out[id] = t[id] - 5 + 0 * other;
  }
}

// The greater or the lesser of two neighbours: each of two ways has barriers, and keeps a value over them.
int chosen(int mode, int a, int b) {
  if (mode == 0)
    return a > b ? a : b;
  return a < b ? a : b;
}

__codelet
void of_neighbours(int mode, const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = i > 0 ? chosen(mode, in[i - 1], in[i]) : in[i];
}

__codelet __coop __tag(lanes)
void of_neighbours(int mode, const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  if (id < in.size())
    t[id] = in[id];
  if (mode == 0) {
    if (id >= 1 && id < in.size())
      t[id] = chosen(0, t[id - 1], t[id]);
  } else {
    if (id >= 1 && id < in.size())
      t[id] = chosen(1, t[id - 1], t[id]);
  }
  if (id < out.size())
    out[id] = t[id];
}

// The greater one of two short numbers, of which one may be a constant.
constexpr short least = -3;

__codelet
void peaks(const Array<1, short> in, Array<1, short> out) {
  require(in.size() == out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = max(in[i], i > 0 ? in[i - 1] : least);
}

// What an element's number is required to be holds for each that there is, however many workers share them.
__codelet int difference_at(unsigned i, const Array<1, int> in) {
  require(2 * i + 1 < in.size());
  return in[2 * i] - in[2 * i + 1];
}
__codelet void differences(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == 2 * out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[2 * i] - in[2 * i + 1];
}
__codelet __tag(difference_each) void differences(const Array<1, int> in, Array<1, int> out) {
  out = map(difference_at, sequence(0, 1, out.size()), all(in));
}

// Results of two types, of which one has the roundings of the other behind it.
__codelet void tail(float x, double &wide, float &narrow) {
  float y = erfc(x * 0.01f);
  wide = 1 + y * 3.0;
  narrow = asinh(y) * 0.3f;
}
__codelet void tails(const Array<1, float> x, Array<1, double> wide, Array<1, float> narrow) {
  require(wide.size() == x.size());
  require(narrow.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i) {
    float y = erfc(x[i] * 0.01f);
    wide[i] = 1 + y * 3.0;
    narrow[i] = asinh(y) * 0.3f;
  }
}
__codelet __tag(tail_each) void tails(const Array<1, float> x, Array<1, double> wide, Array<1, float> narrow) {
  map(tail, x, wide, narrow);
}

// The other one, where one of two is no number.
double between(double least, double x, double most) { return fmax(least, fmin(x, most)); }
__codelet void clipped(const Array<1, float> x, Array<1, double> out) {
  require(out.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i) {
    double root = sqrt((double)x[i]);
    double most = root == root ? (root < 20 ? root : 20) : 20;
    out[i] = (most > 5 ? most : 5) + (root == root && root < 3 ? root : 3) + (root == root && root > 9 ? root : 9);
  }
}
__codelet double clipped_at(float x) {
  double root = sqrt((double)x);
  return between(5, root, 20) + fmin(root, 3) + fmax(9, root);
}
__codelet __tag(clipped_each) void clipped(const Array<1, float> x, Array<1, double> out) { out = map(clipped_at, x); }

// Rounds of a distance that doubles: the host counts them, and that it is above 0 is known.
__codelet unsigned with_left(unsigned i, unsigned apart, const Array<1, unsigned> in) {
  require(apart > 0);
  require(i < in.size());
  return i % (2 * apart) / apart == 1 ? in[i] + in[i - i % apart - 1] : in[i];
}
__codelet void add_left(unsigned apart, const Array<1, unsigned> in, Array<1, unsigned> out) {
  require(apart > 0);
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = i % (2 * apart) / apart == 1 ? in[i] + in[i - i % apart - 1] : in[i];
}
__codelet __tag(add_left_each) void add_left(unsigned apart, const Array<1, unsigned> in, Array<1, unsigned> out) {
  out = map(with_left, sequence(0, 1, in.size()), apart, all(in));
}
__codelet unsigned as_it_is(unsigned x) { return x; }
__codelet void doubling_sums(const Array<1, unsigned> in, Array<1, unsigned> out) {
  require(out.size() == in.size());
  unsigned s = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    s += in[i];
    out[i] = s;
  }
}
__codelet __tag(doubling) void doubling_sums(const Array<1, unsigned> in, Array<1, unsigned> out) {
  Array<1, unsigned> now(in.size());
  Array<1, unsigned> next(in.size());
  now = map(as_it_is, in);
  for (unsigned apart = 1; apart < in.size(); apart *= 2) {
    add_left(apart, now, next);
    swap(now, next);
  }
  out = map(as_it_is, now);
}

__codelet __tag(doubling_while) void doubling_sums(const Array<1, unsigned> in, Array<1, unsigned> out) {
  Array<1, unsigned> now(in.size());
  Array<1, unsigned> next(in.size());
  now = map(as_it_is, in);
  unsigned more = 1;
  for (unsigned apart = 1; apart < in.size() && more > 0; apart *= 2) {
    add_left(apart, now, next);
    swap(now, next);
    more = as_it_is(more);
  }
  out = map(as_it_is, now);
}

// The same in blocks of a power of two, at least so many: rounds that two numbers end.
__codelet void sums_in_blocks(unsigned least, const Array<1, unsigned> in, Array<1, unsigned> out) {
  require(out.size() == in.size());
  unsigned block = 1;
  while (block < in.size() && block < least)
    block *= 2;
  unsigned s = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    s = i % block == 0 ? in[i] : s + in[i];
    out[i] = s;
  }
}
__codelet __tag(doubling_up_to)
void sums_in_blocks(unsigned least, const Array<1, unsigned> in, Array<1, unsigned> out) {
  Array<1, unsigned> now(in.size());
  Array<1, unsigned> next(in.size());
  now = map(as_it_is, in);
  for (unsigned apart = 1; apart < in.size() && apart < least; apart *= 2) {
    add_left(apart, now, next);
    swap(now, next);
  }
  out = map(as_it_is, now);
}

// Arrays of arrays: a table of constants, two halves of a group's memory, numbers of a lane.
const int blend[2][3] = {{1, 2, 3}, {4, 5}};
__codelet int blended(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i] * blend[i % 2][i % 3];
  return s;
}
__codelet __coop __tag(blended_halves) int blended(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int sums[2][coopDim()];
  unsigned id = coopIdx();
  int own[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      own[i][j] = i + j;
  sums[0][id] = id < in.size() ? in[id] * blend[id % 2][id % 3] + own[0][0] : 0;
  unsigned from = 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    sums[1 - from][id] = sums[from][id] + (id >= s ? sums[from][id - s] : 0);
    from = 1 - from;
  }
  return sums[from][coopDim() - 1];
}

// Rounds for which all items ask a shared number, and which begin behind a barrier.
__codelet int settled(const Array<1, int> in) {
  return 1;
}
__codelet __coop __tag(settled_lanes) int settled(const Array<1, int> in) {
  __shared int tmp[coopDim()];
  __shared int flag;
  unsigned id = coopIdx();
  tmp[id] = 0;
  flag = 0;
  while (flag < 1) {
    if (id == 0)
      flag = 1;
  }
  return flag;
}

// Two sequences of which the end of one and the beginning of the other are blended: sizes that follow from an equation
// of sums.
__codelet void joined(const Array<1, int> a, const Array<1, int> b, const Array<1, int> weights, Array<1, int> out) {
  require(out.size() + weights.size() == a.size() + b.size());
  require(weights.size() <= a.size());
  require(weights.size() <= b.size());
  unsigned from = a.size() - weights.size();
  for (unsigned i = 0; i < from; ++i)
    out[i] = 4 * a[i];
  for (unsigned i = 0; i < weights.size(); ++i)
    out[from + i] = (4 - weights[i] % 4) * a[from + i] + weights[i] % 4 * b[i];
  for (unsigned i = weights.size(); i < b.size(); ++i)
    out[from + i] = 4 * b[i];
}
__codelet void blend_to(int x, int y, int weight, int &out) { out = (4 - weight % 4) * x + weight % 4 * y; }
__codelet void times_four_to(int x, int &out) { out = 4 * x; }
__codelet __tag(joined_pieces)
void joined(const Array<1, int> a, const Array<1, int> b, const Array<1, int> weights, Array<1, int> out) {
  unsigned from = a.size() - weights.size();
  map(times_four_to, slice(a, 0, from), slice(out, 0, from));
  map(blend_to, slice(a, from, a.size()), slice(b, 0, weights.size()), weights, slice(out, from, a.size()));
  map(times_four_to, slice(b, weights.size(), b.size()), slice(out, a.size(), out.size()));
}

// How often a pattern occurs: as many places as are left of the text, of a shorter one none.
__codelet unsigned occurrences(const Array<1, int> text, const Array<1, int> pattern) {
  unsigned n = 0;
  for (unsigned i = 0; i + pattern.size() <= text.size(); ++i) {
    bool same = true;
    for (unsigned k = 0; k < pattern.size() && same; ++k)
      same = text[i + k] % 2 == pattern[k] % 2;
    n += same ? 1 : 0;
  }
  return n;
}
__codelet unsigned occurs_at(unsigned at, const Array<1, int> text, const Array<1, int> pattern) {
  require(at + pattern.size() <= text.size());
  for (unsigned k = 0; k < pattern.size(); ++k)
    if (text[at + k] % 2 != pattern[k] % 2)
      return 0;
  return 1;
}
__codelet __tag(occurrences_found) unsigned occurrences(const Array<1, int> text, const Array<1, int> pattern) {
  unsigned places = text.size() >= pattern.size() ? text.size() - pattern.size() + 1 : 0;
  Array<1, unsigned> found(places);
  found = map(occurs_at, sequence(0, 1, places), all(text), all(pattern));
  return add(found);
}

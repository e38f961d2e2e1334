// Code that authors of libraries wrote and that went wrong: tiles that lanes sort and keep in arrays of arrays, rows
// that each have more work than the one before, a first element that is unlike the others, a short container,
// requirements that few generated numbers satisfy, rounds that each have half the work of the one before, and
// tables whose rows are each computed from the row before.
#include <climits>
#include <cmath>
#include <tangram.h>

// Places by keys, tile by tile.
__codelet
void order_tile(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  require(keys.size() <= 64);
  for (unsigned i = 0; i < keys.size(); ++i) {
    unsigned rank = 0;
    for (unsigned j = 0; j < keys.size(); ++j) {
      if (keys[j] < keys[i] || (keys[j] == keys[i] && j < i))
        ++rank;
    }
    places[rank] = i;
  }
}
__codelet __coop __tag(bitonic)
void order_tile(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  require(keys.size() <= 64);
  __shared int key[64];
  __shared unsigned place[64];
  for (unsigned i = coopIdx(); i < 64; i += coopDim()) {
    key[i] = i < keys.size() ? keys[i] : INT_MAX;
    place[i] = i;
  }
  for (unsigned size = 2; size <= 64; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      for (unsigned base = 0; base < 32; base += coopDim()) {
        unsigned pair = base + coopIdx();
        if (pair < 32) {
          unsigned low = 2 * pair - pair % step;
          unsigned high = low + step;
          bool up = low / size % 2 == 0;
          bool more = key[low] > key[high] || (key[low] == key[high] && place[low] > place[high]);
          if (more == up) {
            int k = key[low];
            key[low] = key[high];
            key[high] = k;
            unsigned p = place[low];
            place[low] = place[high];
            place[high] = p;
          }
        }
      }
    }
  }
  for (unsigned i = coopIdx(); i < keys.size(); i += coopDim())
    places[i] = place[i];
}
__codelet
void order_tiles(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  for (unsigned first = 0; first < keys.size(); first += 64) {
    unsigned end = min((unsigned)keys.size(), first + 64);
    for (unsigned i = first; i < end; ++i) {
      unsigned rank = first;
      for (unsigned j = first; j < end; ++j) {
        if (keys[j] < keys[i] || (keys[j] == keys[i] && j < i))
          ++rank;
      }
      places[rank] = i - first;
    }
  }
}
__codelet __tag(by_tile)
void order_tiles(const Array<1, int> keys, Array<1, unsigned> places) {
  map(order_tile, chunks(keys, 64), chunks(places, 64));
}

// The largest of the smaller ones of a row and a column, in tiles of shared memory that are arrays of arrays.
__codelet
void widest(const Array<2, int> a, const Array<2, int> b, Array<2, int> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int most = INT_MIN;
      for (unsigned k = 0; k < a.size(1); ++k)
        most = max(most, min(a[i][k], b[k][j]));
      c[i][j] = most;
    }
  }
}
__codelet __coop __tag(widest_tile)
void widest(const Array<2, int> a, const Array<2, int> b, Array<2, int> c) {
  require(c.size(0) <= 8);
  require(c.size(1) <= 8);
  __shared int rows[8][9];
  __shared int columns[8][8];
  __shared int most[8][8];
  unsigned n = c.size(1);
  for (unsigned e = coopIdx(); e < c.size(0) * n; e += coopDim())
    most[e / n][e % n] = INT_MIN;
  for (unsigned k = 0; k < a.size(1); k += 8) {
    unsigned held = min((unsigned)a.size(1) - k, 8u);
    for (unsigned e = coopIdx(); e < c.size(0) * held; e += coopDim())
      rows[e / held][e % held] = a[e / held][k + e % held];
    for (unsigned e = coopIdx(); e < held * n; e += coopDim())
      columns[e / n][e % n] = b[k + e / n][e % n];
    for (unsigned e = coopIdx(); e < c.size(0) * n; e += coopDim()) {
      int here = most[e / n][e % n];
      for (unsigned h = 0; h < held; ++h)
        here = max(here, min(rows[e / n][h], columns[h][e % n]));
      most[e / n][e % n] = here;
    }
  }
  for (unsigned e = coopIdx(); e < c.size(0) * n; e += coopDim())
    c[e / n][e % n] = most[e / n][e % n];
}
__codelet __tag(widest_tiles)
void widest(const Array<2, int> a, const Array<2, int> b, Array<2, int> c) {
  __tunable unsigned m = choice(8, 4);
  __tunable unsigned n = choice(8, 4);
  map(widest, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n));
}

// c += alpha a a^T below the diagonal and on it, where rows have more to do from one to the next.
__codelet
void lower_row(unsigned i, float alpha, const Array<2, float> a, Array<1, float> c) {
  require(i < a.size(0));
  require(c.size() == a.size(0));
  for (unsigned j = 0; j <= i; ++j) {
    float sum = 0;
    for (unsigned k = 0; k < a.size(1); ++k)
      sum += a[i][k] * a[j][k];
    c[j] += alpha * sum;
  }
}
__codelet
void lower(float alpha, const Array<2, float> a, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j <= i; ++j) {
      float sum = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        sum += a[i][k] * a[j][k];
      c[i][j] += alpha * sum;
    }
  }
}
__codelet __tag(lower_rows)
void lower(float alpha, const Array<2, float> a, Array<2, float> c) {
  map(lower_row, sequence(0, 1, c.size(0)), alpha, all(a), c);
}

// Roots of what changes: there is nothing before the first element.
__codelet
float steep_at(unsigned i, const Array<1, float> in) {
  return i > 0 ? sqrt(abs(in[i] - in[i - 1])) : 0;
}
__codelet
void steepness(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    if (i > 0)
      out[i] = sqrt(abs(in[i] - in[i - 1]));
    else
      out[i] = 0;
  }
}
__codelet __tag(steep_elements)
void steepness(const Array<1, float> in, Array<1, float> out) {
  out = map(steep_at, sequence(0, 1, in.size()), all(in));
}

// Polynomials of degree 7 at most.
__codelet
float value_at(float x, const Array<1, float> coefficients) {
  float value = 0;
  float at = x / 1024;
  for (unsigned i = 0; i < coefficients.size(); ++i)
    value = value * at + coefficients[i];
  return value;
}
__codelet
void values_at(const Array<1, float> coefficients, const Array<1, float> xs, Array<1, float> values) {
  require(coefficients.size() <= 8);
  require(values.size() == xs.size());
  for (unsigned k = 0; k < xs.size(); ++k) {
    float value = 0;
    float at = xs[k] / 1024;
    for (unsigned i = 0; i < coefficients.size(); ++i)
      value = value * at + coefficients[i];
    values[k] = value;
  }
}
__codelet __tag(values_each)
void values_at(const Array<1, float> coefficients, const Array<1, float> xs, Array<1, float> values) {
  values = map(value_at, xs, all(coefficients));
}

// What is between two places to behind them, which no plan does side by side: how far it reaches is chosen.
__codelet void same(int from, int &to) { to = from; }
__codelet
void copy_to(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i];
}
__codelet __tag(copy_elements)
void copy_to(const Array<1, int> in, Array<1, int> out) {
  map(same, in, out);
}
__codelet __tag(copy_parts)
void copy_to(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(copy_to, rows(in, p), rows(out, p));
}
__codelet
void move_block(unsigned from, unsigned to, unsigned n, Array<1, int> x) {
  require(from + n <= to);
  for (unsigned i = 0; i < n && to + i < x.size(); ++i)
    x[to + i] = x[from + i];
}
__codelet __tag(move_slices)
void move_block(unsigned from, unsigned to, unsigned n, Array<1, int> x) {
  unsigned fits = to + n <= x.size() ? n : to < x.size() ? x.size() - to : 0;
  copy_to(slice(x, from, from + fits), slice(x, to, to + fits));
}

// Adds the upper half of what is left to the lower one until a number is left.
__codelet void add_to(int from, int &to) { to += from; }
__codelet
void fold_half(unsigned half, unsigned n, Array<1, int> x) {
  for (unsigned i = 0; i < half && i + half < n && i + half < x.size(); ++i)
    x[i] += x[i + half];
}
__codelet __tag(half_slices)
void fold_half(unsigned half, unsigned n, Array<1, int> x) {
  map(add_to, slice(x, half, min(n, 2 * half)), slice(x, 0, min(half, n - half)));
}
__codelet int first_of(const Array<1, int> x) { return x.size() > 0 ? x[0] : 0; }
__codelet
int sum_by_halves(Array<1, int> x) {
  unsigned n = x.size();
  while (n > 1) {
    unsigned half = (n + 1) / 2;
    for (unsigned i = 0; i + half < n; ++i)
      x[i] += x[i + half];
    n = half;
  }
  return x.size() > 0 ? x[0] : 0;
}
__codelet __tag(half_rounds)
int sum_by_halves(Array<1, int> x) {
  unsigned n = x.size();
  while (n > 1) {
    unsigned half = (n + 1) / 2;
    fold_half(half, n, x);
    n = half;
  }
  return first_of(x);
}

// A small lower triangle of ones and what stands below its diagonal, inverted in place.
__codelet
void invert(Array<2, int> a) {
  require(a.size(0) == a.size(1));
  require(a.size(0) <= 16);
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < i; ++j) {
      int sum = a[i][j];
      for (unsigned k = j + 1; k < i; ++k)
        sum += a[i][k] * a[k][j];
      a[i][j] = -sum;
    }
  }
}

// The most that a way through a table of gains is worth up to each place, row by row.
__codelet
int most_from(const Array<1, int> steps, const Array<1, int> before, int gain) {
  require(steps.size() == before.size());
  int most = INT_MIN / 2;
  for (unsigned k = 0; k < before.size(); ++k)
    most = max(most, before[k] + steps[k]);
  return most + gain;
}
__codelet
void ways_through(const Array<2, int> steps, const Array<2, int> gains, Array<2, int> most) {
  require(steps.size(0) == gains.size(1));
  require(steps.size(1) == gains.size(1));
  require(most.size(0) == gains.size(0));
  require(most.size(1) == gains.size(1));
  for (unsigned i = 0; i < gains.size(0); ++i) {
    for (unsigned j = 0; j < gains.size(1); ++j) {
      int here = i > 0 ? INT_MIN / 2 : 0;
      for (unsigned k = 0; i > 0 && k < gains.size(1); ++k)
        here = max(here, most[i - 1][k] + steps[j][k]);
      most[i][j] = here + gains[i][j];
    }
  }
}
__codelet __tag(ways_by_rows)
void ways_through(const Array<2, int> steps, const Array<2, int> gains, Array<2, int> most) {
  if (gains.size(0) > 0)
    map(same, gains[0], most[0]);
  for (unsigned i = 1; i < gains.size(0); ++i) {
    auto row = most[i];
    row = map(most_from, steps, all(most[i - 1]), gains[i]);
  }
}

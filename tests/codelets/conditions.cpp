// Requirements of code that may not run: of loops over no rows, of differences behind a condition, of the codelet
// that defines the spectrum. No call is refused without need.
#include <tangram.h>

__codelet int add(const Array<1, int> a) {
  int s = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    s += a[i];
  return s;
}

// The index of the first maximum, by blocks: numbers that are a tunable apart.
__codelet
unsigned best_of(const Array<1, int> in, const Array<1, unsigned> candidates) {
  require(within(candidates, 0, in.size()));
  unsigned best = 0;
  bool any = false;
  for (unsigned i = 0; i < candidates.size(); ++i) {
    unsigned c = candidates[i];
    if (!any || in[c] > in[best] || (in[c] == in[best] && c < best)) {
      best = c;
      any = true;
    }
  }
  return best;
}

__codelet
unsigned best_from(unsigned from, unsigned count, const Array<1, int> in) {
  unsigned best = from;
  for (unsigned i = from; i < from + count && i < in.size(); ++i)
    best = in[i] > in[best] ? i : best;
  return best;
}

__codelet
unsigned first_maximum(const Array<1, int> in) {
  unsigned best = 0;
  for (unsigned i = 1; i < in.size(); ++i) {
    if (in[i] > in[best])
      best = i;
  }
  return best;
}
__codelet __tag(best_of_blocks)
unsigned first_maximum(const Array<1, int> in) {
  __tunable unsigned t = choice(3, 8);
  return best_of(in, map(best_from, sequence(0, t, in.size()), t, all(in)));
}

// Numbers that are a parameter apart.
__codelet int square(int i) { return i * i; }
__codelet
int squares_apart(int step, int n) {
  require(step > 0);
  int s = 0;
  for (int i = 0; i < n; i += step)
    s += i * i;
  return s;
}
__codelet __tag(numbers_apart)
int squares_apart(int step, int n) {
  return add(map(square, sequence(0, step, n)));
}

// Differences of neighbours: of no elements there are none.
__codelet int difference(int a, int b) { return (b - a) * (b - a); }
__codelet
int roughness(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i + 1 < in.size(); ++i)
    s += (in[i + 1] - in[i]) * (in[i + 1] - in[i]);
  return s;
}
__codelet __tag(where_there_are)
int roughness(const Array<1, int> in) {
  int s = 0;
  if (in.size() > 1) {
    Array<1, int> d(in.size() - 1);
    d = map(difference, slice(in, 0, in.size() - 1), slice(in, 1, in.size()));
    s = add(d);
  }
  return s;
}
__codelet __tag(returns_before)
int roughness(const Array<1, int> in) {
  if (in.size() < 2)
    return 0;
  Array<1, int> d(in.size() - 1);
  d = map(difference, slice(in, 0, in.size() - 1), slice(in, 1, in.size()));
  return add(d);
}

// A row that there is has elements; of no rows nothing is required.
__codelet
int first_of(const Array<1, int> row) {
  require(row.size() > 0);
  return row[0];
}
__codelet
void first_column(const Array<2, int> in, Array<1, int> out) {
  require(out.size() == in.size(0));
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i][0];
}
__codelet __tag(firsts_of_rows)
void first_column(const Array<2, int> in, Array<1, int> out) {
  out = map(first_of, in);
}

// Rows of any lengths, changed in place: that they follow each other says the codelet before.
__codelet
void subtract(float by, Array<1, float> row) {
  for (unsigned i = 0; i < row.size(); ++i)
    row[i] -= by;
}
__codelet
void centered(Array<1, float> rows, const Array<1, int> offsets, const Array<1, float> by) {
  require(offsets.size() == by.size() + 1);
  require(ascending(offsets, 0, rows.size()));
  for (unsigned r = 0; r < by.size(); ++r) {
    for (int i = offsets[r]; i < offsets[r + 1]; ++i)
      rows[i] -= by[r];
  }
}
__codelet __tag(row_by_row)
void centered(Array<1, float> v, const Array<1, int> first, const Array<1, float> by) {
  unsigned n = by.size();
  map(subtract, by, partition(v, n, sequence(first, 0, 1, n), sequence(1), sequence(first, 1, 1, n + 1)));
}

// Of no elements the last has none before it: a call that is refused, since a size below 0 is none.
__codelet int itself(int i) { return i; }
__codelet
int before_the_last(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i + 1 < in.size(); ++i)
    s += (int)i;
  return s;
}
__codelet __tag(numbers_before)
int before_the_last(const Array<1, int> in) {
  return add(map(itself, sequence(0, 1, in.size() - 1)));
}

// Numbers that are a parameter apart, where it says so: else there is no array of them, whatever the sizes are.
__codelet
int squares_where(int step, int n) {
  int s = 0;
  if (step > 0) {
    for (int i = 0; i < n; i += step)
      s += i * i;
  }
  return s;
}
__codelet __tag(where_apart)
int squares_where(int step, int n) {
  int s = 0;
  if (step > 0)
    s = add(map(square, sequence(0, step, n)));
  return s;
}

// Of rows whose first elements are asked for where a number says so that a manifest does not know.
__codelet
void firsts_where(float beta, const Array<2, int> a, Array<1, int> out) {
  require(out.size() == a.size(0));
  if (beta != 0) {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = a[i][0];
  }
}
__codelet __tag(each_first)
void firsts_where(float beta, const Array<2, int> a, Array<1, int> out) {
  if (beta != 0)
    out = map(first_of, a);
}

// Of one number less than are there, which below zero are none: sums without a sign come to 0 again.
__codelet
void all_but(int last, unsigned first, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  require((unsigned)last + 1 <= in.size());
  require(first - 1 >= in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] - last;
}
__codelet int less(int last, int x) { return x - last; }
__codelet __tag(all_but_each)
void all_but(int last, unsigned first, const Array<1, int> in, Array<1, int> out) {
  out = map(less, last, in);
}

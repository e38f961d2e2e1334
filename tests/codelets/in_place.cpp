// Spectrums that read and write different elements of one container. Their parts can be
// distributed because these are proved to be different; every plan of each is verified.
#include <tangram.h>

__codelet
void add_scaled(int by, const Array<1, int> x, Array<1, int> y) {
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] += by * x[i];
}

__codelet __coop __tag(add_scaled_lanes)
void add_scaled(int by, const Array<1, int> x, Array<1, int> y) {
  for (unsigned i = coopIdx(); i < x.size(); i += coopDim())
    y[i] += by * x[i];
}

// Blocks of 4: the first, third, ... take the ones after them.
__codelet
void neighbours(unsigned blocks, Array<1, int> y) {
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned k = 0; k < 4 && 8 * b + 4 + k < y.size(); ++k)
      y[8 * b + k] += 5 * y[8 * b + 4 + k];
  }
}

__codelet __tag(block_by_block)
void neighbours(unsigned blocks, Array<1, int> y) {
  unsigned len = y.size();
  int by = 5;
  map(add_scaled, by,
      partition(y, blocks, sequence(4, 8, len), sequence(1), sequence(8, 8, len + 1)),
      partition(y, blocks, sequence(0, 8, len), sequence(1), sequence(4, 8, len + 1)));
}

// A row is added to all others.
__codelet
void add_to_rows(const Array<1, int> row, Array<2, int> a) {
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < row.size(); ++j)
      a[i][j] += row[j];
  }
}

__codelet __tag(add_to_rows_each)
void add_to_rows(const Array<1, int> row, Array<2, int> a) {
  int once = 1;
  map(add_scaled, once, all(row), a);
}

__codelet
void eliminate(long from, Array<2, int> a) {
  require(from >= 0);
  require(from < a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(1) && i != from; ++j)
      a[i][j] += a[from][j];
  }
}

__codelet __tag(eliminate_below_and_above)
void eliminate(long from, Array<2, int> a) {
  require(from >= 0);
  require(from < a.size(0));
  __tunable unsigned p;
  __tunable unsigned q;
  unsigned len = a.size(0);
  map(add_to_rows, all(a[from]),
      partition(a, p, sequence(from + 1, 1, len), sequence(p), sequence(len)));
  map(add_to_rows, all(a[from]),
      partition(a, q, sequence(0, 1, q), sequence(q), sequence(from)));
}

// The right half of the columns is added to the left one: parts of a transposed view.
__codelet
void add_lines(const Array<2, int> x, Array<2, int> y) {
  for (unsigned i = 0; i < x.size(0); ++i) {
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] += x[i][j];
  }
}

__codelet
void halves(Array<2, int> a) {
  unsigned h = a.size(1) / 2;
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < h; ++j)
      a[i][j] += a[i][j + h];
  }
}

__codelet __tag(halves_by_columns)
void halves(Array<2, int> a) {
  __tunable unsigned p;
  unsigned h = a.size(1) / 2;
  map(add_lines, partition(transpose(a), p, sequence(h, 1, h + p), sequence(p), sequence(2 * h)),
      partition(transpose(a), p, sequence(0, 1, p), sequence(p), sequence(h)));
}

// Different rows of one container are different memory, whatever parts of them are written.
__codelet void swap_into(Array<1, int> x, Array<1, int> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < x.size(); ++i) {
    int own = x[i];
    x[i] = y[i] + 1;
    y[i] = own;
  }
}
__codelet __tag(swap_parts) void swap_into(Array<1, int> x, Array<1, int> y) {
  __tunable unsigned p;
  map(swap_into, rows(x, p), rows(y, p));
}
__codelet void swap_rows(Array<2, int> a) {
  require(a.size(0) >= 2);
  for (unsigned i = 0; i < a.size(1); ++i) {
    int own = a[0][i];
    a[0][i] = a[1][i] + 1;
    a[1][i] = own;
  }
}
__codelet __tag(two_rows) void swap_rows(Array<2, int> a) {
  require(a.size(0) >= 2);
  auto first = a[0];
  auto second = a[1];
  swap_into(first, second);
}

// A spectrum that is given the same container to read and to write, element by element.
__codelet void raise(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] + 1;
}
__codelet __tag(raised_parts) void raise(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  __tunable unsigned p;
  map(raise, rows(in, p), rows(out, p));
}
__codelet void raise_twice(const Array<1, int> xs, Array<1, int> ys) {
  require(ys.size() == xs.size());
  for (unsigned i = 0; i < xs.size(); ++i)
    ys[i] = xs[i] + 2;
}
__codelet __tag(raised_in_place) void raise_twice(const Array<1, int> xs, Array<1, int> ys) {
  require(ys.size() == xs.size());
  raise(xs, ys);
  raise(ys, ys);
}

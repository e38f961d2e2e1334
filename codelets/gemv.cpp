// y = A x for a dense matrix.
//
// by_row, four_rows, lanes_a_row, fours_a_row and column_blocks may add the products of a row in any order; the
// others keep the order of the loop (--without by_row,four_rows,lanes_a_row,fours_a_row,column_blocks).
#include "dot.cpp"

template <class T> __codelet
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    T accum = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      accum += a[i][j] * x[j];
    y[i] = accum;
  }
}

// Every lane a row, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(in_order_lanes)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim()) {
    T accum = 0;
    for (unsigned j = 0; j < x.size(); ++j)
      accum += a[i][j] * x[j];
    y[i] = accum;
  }
}

// A few lanes a row, each of which has four rows in flight, so that it reads x once for them. Past the last row they
// compute that one again, and write nothing.
template <class T> __codelet __coop __tag(lanes_a_row)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned w = choice(32, 16, 8, 4);
  require(coopDim() % w == 0);
  __shared T tmp[4 * coopDim()];
  unsigned id = coopIdx();
  unsigned lane = id % w;
  unsigned rows = 4 * (coopDim() / w);
  unsigned last = y.size() - 1;
  for (unsigned first = 0; first < y.size(); first += rows) {
    unsigned at = first + id / w * 4;
    T own[4];
    for (unsigned r = 0; r < 4; ++r)
      own[r] = 0;
    for (unsigned j = lane; j < x.size(); j += w) {
      for (unsigned r = 0; r < 4; ++r)
        own[r] += a[min(at + r, last)][j] * x[j];
    }
    for (unsigned r = 0; r < 4; ++r)
      tmp[4 * id + r] = own[r];
    // Lane r of a row's adds up what they have of its row r.
    for (unsigned r = id; r < rows; r += coopDim()) {
      T accum = 0;
      for (unsigned k = 0; k < w; ++k)
        accum += tmp[r / 4 * w * 4 + (k + r / 4) % w * 4 + r % 4];
      if (first + r < y.size())
        y[first + r] = accum;
    }
  }
}

// The same with four neighbours of a row at a time, which are one vector where rows are whole vectors.
template <class T> __codelet __coop __tag(fours_a_row) __env(opencl, cuda)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned w = choice(32, 16, 8, 4);
  require(coopDim() % w == 0);
  __shared T tmp[4 * coopDim()];
  unsigned id = coopIdx();
  unsigned lane = id % w;
  unsigned rows = 4 * (coopDim() / w);
  unsigned last = y.size() - 1;
  unsigned whole = x.size() / 4;
  for (unsigned first = 0; first < y.size(); first += rows) {
    unsigned at = first + id / w * 4;
    T own[4];
    for (unsigned r = 0; r < 4; ++r)
      own[r] = 0;
    for (unsigned j = lane; j < whole; j += w) {
      T xs[4];
      for (unsigned v = 0; v < 4; ++v)
        xs[v] = x[4 * j + v];
      for (unsigned r = 0; r < 4; ++r) {
        T near[4];
        for (unsigned v = 0; v < 4; ++v)
          near[v] = a[min(at + r, last)][4 * j + v];
        for (unsigned v = 0; v < 4; ++v)
          own[r] += near[v] * xs[v];
      }
    }
    for (unsigned j = 4 * whole + lane; j < x.size(); j += w) {
      for (unsigned r = 0; r < 4; ++r)
        own[r] += a[min(at + r, last)][j] * x[j];
    }
    for (unsigned r = 0; r < 4; ++r)
      tmp[4 * id + r] = own[r];
    // Lane r of a row's adds up what they have of its row r.
    for (unsigned r = id; r < rows; r += coopDim()) {
      T accum = 0;
      for (unsigned k = 0; k < w; ++k)
        accum += tmp[r / 4 * w * 4 + (k + r / 4) % w * 4 + r % 4];
      if (first + r < y.size())
        y[first + r] = accum;
    }
  }
}

// All of a few lanes share a row; four rows are in flight, so that x is read once for them. They lie
// apart: caches that read ahead follow each of them from row to row.
template <class T> __codelet __coop __tag(four_rows)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  require(coopDim() <= 32);
  __shared T sum0[coopDim()];
  __shared T sum1[coopDim()];
  __shared T sum2[coopDim()];
  __shared T sum3[coopDim()];
  unsigned id = coopIdx();
  unsigned apart = (y.size() + 3) / 4;
  for (unsigned i = 0; i < apart; ++i) {
    unsigned i1 = i + apart < y.size() ? i + apart : i;
    unsigned i2 = i + 2 * apart < y.size() ? i + 2 * apart : i;
    unsigned i3 = i + 3 * apart < y.size() ? i + 3 * apart : i;
    T own0 = 0;
    T own1 = 0;
    T own2 = 0;
    T own3 = 0;
    for (unsigned j = id; j < x.size(); j += coopDim()) {
      own0 += a[i][j] * x[j];
      own1 += a[i1][j] * x[j];
      own2 += a[i2][j] * x[j];
      own3 += a[i3][j] * x[j];
    }
    sum0[id] = own0;
    sum1[id] = own1;
    sum2[id] = own2;
    sum3[id] = own3;
    if (id == 0) {
      T all0 = 0;
      T all1 = 0;
      T all2 = 0;
      T all3 = 0;
      for (unsigned k = 0; k < coopDim(); ++k) {
        all0 += sum0[k];
        all1 += sum1[k];
        all2 += sum2[k];
        all3 += sum3[k];
      }
      y[i] = all0;
      y[i1] = all1;
      y[i2] = all2;
      y[i3] = all3;
    }
  }
}

// Blocks of rows.
template <class T> __codelet __tag(row_blocks)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  map(gemv<T>, rows(a, p), all(x), rows(y, p));
}

// Blocks of a chosen number of rows.
template <class T> __codelet __tag(row_chunks)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned t = choice(32, 4, 8, 16, 64, 128);
  map(gemv<T>, chunks(a, t), all(x), chunks(y, t));
}

// Blocks of columns, whose results are added up: not many.
template <class T> __codelet __tag(column_blocks)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p = range(1, 1024);
  Array<2, T> part(p, y.size());
  map(gemv<T>, cols(a, p), rows(x, p), part);
  y = map(sum<T>, transpose(part));
}

// A dot product a row.
template <class T> __codelet __tag(by_row)
void gemv(const Array<2, T> a, const Array<1, T> x, Array<1, T> y) {
  y = map(dot<T>, a, all(x));
}

template void gemv<float>(const Array<2, float>, const Array<1, float>, Array<1, float>);
template void gemv<double>(const Array<2, double>, const Array<1, double>, Array<1, double>);
template void gemv<int>(const Array<2, int>, const Array<1, int>, Array<1, int>);

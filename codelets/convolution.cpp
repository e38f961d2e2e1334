// Convolutions of a matrix with N by N weights: any, and those that are the product of a column and a
// row, which two convolutions in one dimension give as well. Past the ends is the last element. And
// the Gaussian blur with 5 by 5 weights that are known.
//
// The spectrums *_inside are those of containers that have their neighbours: N - 1 elements more.
#pragma once
#include <tangram.h>

// ----------------------------------------------------------------------------
// Any weights
// ----------------------------------------------------------------------------

template <class T, unsigned N> __codelet
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  require(weights.size(0) == N);
  require(weights.size(1) == N);
  require(in.size(0) == out.size(0) + (N - 1));
  require(in.size(1) == out.size(1) + (N - 1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      T accum = 0;
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l)
          accum += weights[k][l] * in[i + k][j + l];
      }
      out[i][j] = accum;
    }
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T, unsigned N> __codelet __coop __tag(convolve_lanes)
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      T accum = 0;
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l)
          accum += weights[k][l] * in[i + k][j + l];
      }
      out[i][j] = accum;
    }
  }
}

// Every lane 16 results below each other at a time: what they share of a column is read once. All lanes read the
// same weights, which lie column by column, each from a multiple of four on, so that they are read by fours. Rows
// that are left come one by one, so that nothing is asked of the others.
template <class T, unsigned N> __codelet __coop __tag(sixteen_rows) __env(opencl, cuda)
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  __shared T near[N * ((N + 3) / 4 * 4)];
  for (unsigned e = coopIdx(); e < N * ((N + 3) / 4 * 4); e += coopDim())
    near[e] = e % ((N + 3) / 4 * 4) < N ? weights[e % ((N + 3) / 4 * 4)][e / ((N + 3) / 4 * 4)] : 0;
  for (unsigned part = coopIdx(); part < (out.size(0) + 15) / 16 * out.size(1); part += coopDim()) {
    unsigned i = part / out.size(1) * 16;
    unsigned j = part % out.size(1);
    T sums[16];
    for (unsigned r = 0; r < 16; ++r)
      sums[r] = 0;
    if (i + 16 <= out.size(0)) {
      T column[N + 15];
      for (unsigned l = 0; l < N; ++l) {
        for (unsigned k = 0; k < N + 15; ++k)
          column[k] = in[i + k][j + l];
        for (unsigned k = 0; k < N; ++k) {
          T weight = near[l * ((N + 3) / 4 * 4) + k];
          for (unsigned r = 0; r < 16; ++r)
            sums[r] += weight * column[k + r];
        }
      }
    } else {
      for (unsigned l = 0; l < N; ++l) {
        for (unsigned k = 0; k < N; ++k) {
          for (unsigned r = 0; r < 16; ++r)
            sums[r] += i + r < out.size(0) ? near[l * ((N + 3) / 4 * 4) + k] * in[i + r + k][j + l] : 0;
        }
      }
    }
    for (unsigned r = 0; r < 16; ++r) {
      if (i + r < out.size(0))
        out[i + r][j] = sums[r];
    }
  }
}

// 64 results beside each other at a time, which stay in registers: vectors of them, for each weight.
template <class T, unsigned N> __codelet __tag(beside_each_other) __env(openmp)
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned b = 0; b < out.size(1) / 64; ++b) {
      T sums[64];
      for (unsigned c = 0; c < 64; ++c)
        sums[c] = 0;
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l) {
          for (unsigned c = 0; c < 64; ++c)
            sums[c] += weights[k][l] * in[i + k][b * 64 + c + l];
        }
      }
      for (unsigned c = 0; c < 64; ++c)
        out[i][b * 64 + c] = sums[c];
    }
    for (unsigned j = out.size(1) / 64 * 64; j < out.size(1); ++j) {
      T accum = 0;
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l)
          accum += weights[k][l] * in[i + k][j + l];
      }
      out[i][j] = accum;
    }
  }
}

// As many blocks of rows as there are workers.
template <class T, unsigned N> __codelet __tag(convolve_parts)
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  __tunable unsigned p;
  map(convolve_inside<T, N>, rows(in, p, N - 1), all(weights), rows(out, p));
}

template <class T, unsigned N> __codelet __tag(convolve_tiles)
void convolve_inside(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(convolve_inside<T, N>, tile_chunks(in, t, u, N - 1, N - 1), all(weights), tile_chunks(out, t, u));
}

// out[i][j] = sum of weights[k][l] * in[i + k - N / 2][j + l - N / 2].
template <class T, unsigned N> __codelet
void convolve(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  require(weights.size(0) == N);
  require(weights.size(1) == N);
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  int m = in.size(0);
  int n = in.size(1);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T accum = 0;
      for (int k = 0; k < (int)N; ++k) {
        for (int l = 0; l < (int)N; ++l)
          accum += weights[k][l] * in[min(max(i + k - (int)(N / 2), 0), m - 1)]
                                     [min(max(j + l - (int)(N / 2), 0), n - 1)];
      }
      out[i][j] = accum;
    }
  }
}

template <class T, unsigned N> __codelet __tag(convolve_padded)
void convolve(const Array<2, T> in, const Array<2, T> weights, Array<2, T> out) {
  convolve_inside<T, N>(pad(pad(in, N / 2, N - 1 - N / 2, clamp), N / 2, N - 1 - N / 2, clamp, 1), weights, out);
}

template void convolve<float, 17>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void convolve<float, 3>(const Array<2, float>, const Array<2, float>, Array<2, float>);

// ----------------------------------------------------------------------------
// Weights that are column[k] * row[l]
// ----------------------------------------------------------------------------

// Along a row.
template <class T, unsigned N> __codelet
void convolve_across(const Array<1, T> in, const Array<1, T> weights, Array<1, T> out) {
  require(weights.size() == N);
  require(in.size() == out.size() + (N - 1));
  for (unsigned j = 0; j < out.size(); ++j) {
    T accum = 0;
    for (unsigned l = 0; l < N; ++l)
      accum += weights[l] * in[j + l];
    out[j] = accum;
  }
}

template <class T, unsigned N> __codelet __coop __tag(across_lanes)
void convolve_across(const Array<1, T> in, const Array<1, T> weights, Array<1, T> out) {
  for (unsigned j = coopIdx(); j < out.size(); j += coopDim()) {
    T accum = 0;
    for (unsigned l = 0; l < N; ++l)
      accum += weights[l] * in[j + l];
    out[j] = accum;
  }
}

// Along all rows.
template <class T, unsigned N> __codelet
void convolve_rows(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  require(weights.size() == N);
  require(in.size(0) == out.size(0));
  require(in.size(1) == out.size(1) + (N - 1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      T accum = 0;
      for (unsigned l = 0; l < N; ++l)
        accum += weights[l] * in[i][j + l];
      out[i][j] = accum;
    }
  }
}

template <class T, unsigned N> __codelet __tag(each_row)
void convolve_rows(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  map(convolve_across<T, N>, in, all(weights), out);
}

// The lanes take all results in turns, row by row; each has the weights in registers.
template <class T, unsigned N> __codelet __coop __tag(rows_lanes)
void convolve_rows(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  T weight[N];
  for (unsigned l = 0; l < N; ++l)
    weight[l] = weights[l];
  for (unsigned e = coopIdx(); e < out.size(0) * out.size(1); e += coopDim()) {
    unsigned i = e / out.size(1);
    unsigned j = e % out.size(1);
    T accum = 0;
    for (unsigned l = 0; l < N; ++l)
      accum += weight[l] * in[i][j + l];
    out[i][j] = accum;
  }
}

// Every lane eight results beside each other at a time, neighbours below each other: what eight share of a row is
// read once.
template <class T, unsigned N> __codelet __coop __tag(eight_columns)
void convolve_rows(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  T weight[N];
  for (unsigned l = 0; l < N; ++l)
    weight[l] = weights[l];
  for (unsigned part = coopIdx(); part < (out.size(1) + 7) / 8 * out.size(0); part += coopDim()) {
    unsigned i = part % out.size(0);
    unsigned j = part / out.size(0) * 8;
    T sums[8];
    T near[N + 7];
    for (unsigned l = 0; l < N + 7; ++l)
      near[l] = j + l < in.size(1) ? in[i][j + l] : 0;
    for (unsigned r = 0; r < 8; ++r)
      sums[r] = 0;
    for (unsigned l = 0; l < N; ++l) {
      for (unsigned r = 0; r < 8; ++r)
        sums[r] += weight[l] * near[l + r];
    }
    for (unsigned r = 0; r < 8; ++r) {
      if (j + r < out.size(1))
        out[i][j + r] = sums[r];
    }
  }
}

// N rows to one.
template <class T, unsigned N> __codelet
void convolve_down(const Array<2, T> in, const Array<1, T> weights, Array<1, T> out) {
  require(weights.size() == N);
  require(in.size(0) == N);
  require(in.size(1) == out.size());
  for (unsigned j = 0; j < out.size(); ++j) {
    T accum = 0;
    for (unsigned k = 0; k < N; ++k)
      accum += weights[k] * in[k][j];
    out[j] = accum;
  }
}

template <class T, unsigned N> __codelet __coop __tag(down_lanes)
void convolve_down(const Array<2, T> in, const Array<1, T> weights, Array<1, T> out) {
  for (unsigned j = coopIdx(); j < out.size(); j += coopDim()) {
    T accum = 0;
    for (unsigned k = 0; k < N; ++k)
      accum += weights[k] * in[k][j];
    out[j] = accum;
  }
}

// Along all columns.
template <class T, unsigned N> __codelet
void convolve_columns(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  require(weights.size() == N);
  require(in.size(0) == out.size(0) + (N - 1));
  require(in.size(1) == out.size(1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      T accum = 0;
      for (unsigned k = 0; k < N; ++k)
        accum += weights[k] * in[i + k][j];
      out[i][j] = accum;
    }
  }
}

template <class T, unsigned N> __codelet __tag(row_by_row)
void convolve_columns(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  map(convolve_down<T, N>, slide(in, N, 1), all(weights), out);
}

template <class T, unsigned N> __codelet __tag(column_tiles) __env(opencl, cuda)
void convolve_columns(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  __tunable unsigned t = choice(32, 16, 64, 128);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(convolve_columns<T, N>, tile_chunks(in, t, u, N - 1, 0), all(weights), tile_chunks(out, t, u));
}

// The small ones stay in the registers of vectors.
template <class T, unsigned N> __codelet __tag(vector_tiles) __env(openmp)
void convolve_columns(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  __tunable unsigned t = choice(32, 4, 8, 16, 64, 128);
  __tunable unsigned u = choice(256, 32, 64, 128, 512);
  map(convolve_columns<T, N>, tile_chunks(in, t, u, N - 1, 0), all(weights), tile_chunks(out, t, u));
}

// Every lane 16 results below each other at a time: what they share of a column is read once.
template <class T, unsigned N> __codelet __coop __tag(column_lanes)
void convolve_columns(const Array<2, T> in, const Array<1, T> weights, Array<2, T> out) {
  T weight[N];
  for (unsigned k = 0; k < N; ++k)
    weight[k] = weights[k];
  for (unsigned part = coopIdx(); part < (out.size(0) + 15) / 16 * out.size(1); part += coopDim()) {
    unsigned i = part / out.size(1) * 16;
    unsigned j = part % out.size(1);
    T sums[16];
    T column[N + 15];
    for (unsigned k = 0; k < N + 15; ++k)
      column[k] = i + k < in.size(0) ? in[i + k][j] : 0;
    for (unsigned r = 0; r < 16; ++r)
      sums[r] = 0;
    for (unsigned k = 0; k < N; ++k) {
      for (unsigned r = 0; r < 16; ++r)
        sums[r] += weight[k] * column[k + r];
    }
    for (unsigned r = 0; r < 16; ++r) {
      if (i + r < out.size(0))
        out[i + r][j] = sums[r];
    }
  }
}

template <class T, unsigned N> __codelet
void separable_inside(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  require(column.size() == N);
  require(row.size() == N);
  require(in.size(0) == out.size(0) + (N - 1));
  require(in.size(1) == out.size(1) + (N - 1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      T accum = 0;
      for (unsigned k = 0; k < N; ++k) {
        for (unsigned l = 0; l < N; ++l)
          accum += column[k] * row[l] * in[i + k][j + l];
      }
      out[i][j] = accum;
    }
  }
}

// First along the rows, then along the columns: 2 N products an element instead of N * N.
template <class T, unsigned N> __codelet __tag(two_passes)
void separable_inside(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  Array<2, T> between(in.size(0), out.size(1));
  convolve_rows<T, N>(in, row, between);
  convolve_columns<T, N>(between, column, out);
}

template <class T, unsigned N> __codelet __tag(separable_parts)
void separable_inside(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  __tunable unsigned p;
  map(separable_inside<T, N>, rows(in, p, N - 1), all(column), all(row), rows(out, p));
}

template <class T, unsigned N> __codelet __tag(separable_tiles)
void separable_inside(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  __tunable unsigned t = choice(32, 16, 64, 128);
  __tunable unsigned u = choice(64, 32, 128, 256);
  map(separable_inside<T, N>, tile_chunks(in, t, u, N - 1, N - 1), all(column), all(row), tile_chunks(out, t, u));
}

// out[i][j] = sum of column[k] * row[l] * in[i + k - N / 2][j + l - N / 2].
template <class T, unsigned N> __codelet
void separable(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  require(column.size() == N);
  require(row.size() == N);
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  int m = in.size(0);
  int n = in.size(1);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T accum = 0;
      for (int k = 0; k < (int)N; ++k) {
        for (int l = 0; l < (int)N; ++l)
          accum += column[k] * row[l] * in[min(max(i + k - (int)(N / 2), 0), m - 1)]
                                          [min(max(j + l - (int)(N / 2), 0), n - 1)];
      }
      out[i][j] = accum;
    }
  }
}

template <class T, unsigned N> __codelet __tag(separable_padded)
void separable(const Array<2, T> in, const Array<1, T> column, const Array<1, T> row, Array<2, T> out) {
  separable_inside<T, N>(pad(pad(in, N / 2, N - 1 - N / 2, clamp), N / 2, N - 1 - N / 2, clamp, 1), column, row, out);
}

template void separable<float, 17>(const Array<2, float>, const Array<1, float>, const Array<1, float>, Array<2, float>);
template void separable<float, 3>(const Array<2, float>, const Array<1, float>, const Array<1, float>, Array<2, float>);

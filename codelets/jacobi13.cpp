// Jacobi's method in three dimensions with 13 points: two neighbours to each side.
#include <tangram.h>

template <class T> __codelet
void jacobi13_inside(const Array<3, T> in, Array<3, T> out) {
  require(in.size(0) == out.size(0) + 4);
  require(in.size(1) == out.size(1) + 4);
  require(in.size(2) == out.size(2) + 4);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      for (unsigned k = 0; k < out.size(2); ++k)
        out[i][j][k] = (in[i][j + 2][k + 2] + in[i + 1][j + 2][k + 2] + in[i + 2][j][k + 2] + in[i + 2][j + 1][k + 2] +
                        in[i + 2][j + 2][k] + in[i + 2][j + 2][k + 1] + in[i + 2][j + 2][k + 2] +
                        in[i + 2][j + 2][k + 3] + in[i + 2][j + 2][k + 4] + in[i + 2][j + 3][k + 2] +
                        in[i + 2][j + 4][k + 2] + in[i + 3][j + 2][k + 2] + in[i + 4][j + 2][k + 2]) / 13;
    }
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(jacobi13_lanes)
void jacobi13_inside(const Array<3, T> in, Array<3, T> out) {
  for (unsigned k = coopIdx(); k < out.size(2); k += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      for (unsigned j = 0; j < out.size(1); ++j)
        out[i][j][k] = (in[i][j + 2][k + 2] + in[i + 1][j + 2][k + 2] + in[i + 2][j][k + 2] + in[i + 2][j + 1][k + 2] +
                        in[i + 2][j + 2][k] + in[i + 2][j + 2][k + 1] + in[i + 2][j + 2][k + 2] +
                        in[i + 2][j + 2][k + 3] + in[i + 2][j + 2][k + 4] + in[i + 2][j + 3][k + 2] +
                        in[i + 2][j + 4][k + 2] + in[i + 3][j + 2][k + 2] + in[i + 4][j + 2][k + 2]) / 13;
    }
  }
}

// As many blocks of planes as there are workers.
template <class T> __codelet __tag(jacobi13_parts)
void jacobi13_inside(const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned p;
  map(jacobi13_inside<T>, rows(in, p, 4), rows(out, p));
}

// Tiles of t by u rows.
template <class T> __codelet __tag(jacobi13_tiles)
void jacobi13_inside(const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned t = choice(8, 2, 4, 16);
  __tunable unsigned u = choice(4, 2, 8, 16);
  map(jacobi13_inside<T>, tile_chunks(in, t, u, 4, 4), tile_chunks(out, t, u));
}

// The mean of an element and of its 12 neighbours in a box whose sides are kept at 0.
template <class T> __codelet
void jacobi13(const Array<3, T> in, Array<3, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      for (unsigned k = 0; k < in.size(2); ++k) {
        T sum = in[i][j][k];
        for (unsigned d = 1; d <= 2; ++d) {
          sum += i >= d ? in[i - d][j][k] : 0;
          sum += j >= d ? in[i][j - d][k] : 0;
          sum += k >= d ? in[i][j][k - d] : 0;
          sum += k + d < in.size(2) ? in[i][j][k + d] : 0;
          sum += j + d < in.size(1) ? in[i][j + d][k] : 0;
          sum += i + d < in.size(0) ? in[i + d][j][k] : 0;
        }
        out[i][j][k] = sum / 13;
      }
    }
  }
}
template <class T> __codelet __tag(jacobi13_padded)
void jacobi13(const Array<3, T> in, Array<3, T> out) {
  jacobi13_inside<T>(pad(pad(pad(in, 2, 2, constant(0)), 2, 2, constant(0), 1), 2, 2, constant(0), 2), out);
}

template void jacobi13<float>(const Array<3, float>, Array<3, float>);

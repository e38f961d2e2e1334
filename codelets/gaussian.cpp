// The Gaussian blur with 5 by 5 weights, products of 1 4 6 4 1 and 1 4 6 4 1 over 256. Past the ends is
// the last element.
#include <tangram.h>

template <class T>
T weigh5(T a, T b, T c, T d, T e) {
  return (a + 4 * b + 6 * c + 4 * d + e) / 16;
}

// Along a row.
template <class T> __codelet
void blur_across(const Array<1, T> in, Array<1, T> out) {
  require(in.size() == out.size() + 4);
  for (unsigned j = 0; j < out.size(); ++j)
    out[j] = weigh5<T>(in[j], in[j + 1], in[j + 2], in[j + 3], in[j + 4]);
}
template <class T> __codelet __coop __tag(across_lanes)
void blur_across(const Array<1, T> in, Array<1, T> out) {
  for (unsigned j = coopIdx(); j < out.size(); j += coopDim())
    out[j] = weigh5<T>(in[j], in[j + 1], in[j + 2], in[j + 3], in[j + 4]);
}

// Five rows to one.
template <class T> __codelet
void blur_down(const Array<2, T> in, Array<1, T> out) {
  require(in.size(0) == 5);
  require(in.size(1) == out.size());
  for (unsigned j = 0; j < out.size(); ++j)
    out[j] = weigh5<T>(in[0][j], in[1][j], in[2][j], in[3][j], in[4][j]);
}
template <class T> __codelet __coop __tag(down_lanes)
void blur_down(const Array<2, T> in, Array<1, T> out) {
  for (unsigned j = coopIdx(); j < out.size(); j += coopDim())
    out[j] = weigh5<T>(in[0][j], in[1][j], in[2][j], in[3][j], in[4][j]);
}

// Of images with their neighbours: two elements to each side.
template <class T> __codelet
void gaussian_inside(const Array<2, T> in, Array<2, T> out) {
  require(in.size(0) == out.size(0) + 4);
  require(in.size(1) == out.size(1) + 4);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      T lines[5];
      for (unsigned k = 0; k < 5; ++k)
        lines[k] = weigh5<T>(in[i + k][j], in[i + k][j + 1], in[i + k][j + 2], in[i + k][j + 3], in[i + k][j + 4]);
      out[i][j] = weigh5<T>(lines[0], lines[1], lines[2], lines[3], lines[4]);
    }
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(gaussian_lanes)
void gaussian_inside(const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      T lines[5];
      for (unsigned k = 0; k < 5; ++k)
        lines[k] = weigh5<T>(in[i + k][j], in[i + k][j + 1], in[i + k][j + 2], in[i + k][j + 3], in[i + k][j + 4]);
      out[i][j] = weigh5<T>(lines[0], lines[1], lines[2], lines[3], lines[4]);
    }
  }
}

// First along the rows, then along the columns.
template <class T> __codelet __tag(two_passes)
void gaussian_inside(const Array<2, T> in, Array<2, T> out) {
  Array<2, T> between(in.size(0), out.size(1));
  map(blur_across<T>, in, between);
  map(blur_down<T>, slide(between, 5, 1), out);
}

// As many blocks of rows as there are workers.
template <class T> __codelet __tag(gaussian_parts)
void gaussian_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(gaussian_inside<T>, rows(in, p, 4), rows(out, p));
}

template <class T> __codelet __tag(gaussian_tiles)
void gaussian_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(gaussian_inside<T>, tile_chunks(in, t, u, 4, 4), tile_chunks(out, t, u));
}

template <class T> __codelet
void gaussian(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  int m = in.size(0);
  int n = in.size(1);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T lines[5];
      for (int k = 0; k < 5; ++k) {
        int row = min(max(i + k - 2, 0), m - 1);
        lines[k] = weigh5<T>(in[row][max(j - 2, 0)], in[row][max(j - 1, 0)], in[row][j], in[row][min(j + 1, n - 1)],
                             in[row][min(j + 2, n - 1)]);
      }
      out[i][j] = weigh5<T>(lines[0], lines[1], lines[2], lines[3], lines[4]);
    }
  }
}
template <class T> __codelet __tag(gaussian_padded)
void gaussian(const Array<2, T> in, Array<2, T> out) {
  gaussian_inside<T>(pad(pad(in, 2, 2, clamp), 2, 2, clamp, 1), out);
}

template void gaussian<float>(const Array<2, float>, Array<2, float>);

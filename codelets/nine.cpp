// Stencils of nine points in two dimensions: each element of `out` is made of the 3 by 3 elements
// around the one of `in`. Gradient, Sobel's filter, Jacobi's method with nine points, the game of life.
//
// What is made of the nine numbers is a parameter of nine_inside, the spectrum of containers that have
// their neighbours; all of these stencils are divided by the same codelets.
#pragma once
#include <tangram.h>

template <class T, T (*at)(T, T, T, T, T, T, T, T, T)> __codelet
void nine_inside(const Array<2, T> in, Array<2, T> out) {
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = at(in[i][j], in[i][j + 1], in[i][j + 2], in[i + 1][j], in[i + 1][j + 1],
                     in[i + 1][j + 2], in[i + 2][j], in[i + 2][j + 1], in[i + 2][j + 2]);
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T, T (*at)(T, T, T, T, T, T, T, T, T)> __codelet __coop __tag(nine_lanes)
void nine_inside(const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = at(in[i][j], in[i][j + 1], in[i][j + 2], in[i + 1][j], in[i + 1][j + 1],
                     in[i + 1][j + 2], in[i + 2][j], in[i + 2][j + 1], in[i + 2][j + 2]);
  }
}

// As many blocks of rows as there are workers.
template <class T, T (*at)(T, T, T, T, T, T, T, T, T)> __codelet __tag(nine_parts)
void nine_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(nine_inside<T, at>, rows(in, p, 2), rows(out, p));
}

// Tiles of t by u results, from t + 2 by u + 2 elements.
template <class T, T (*at)(T, T, T, T, T, T, T, T, T)> __codelet __tag(nine_tiles)
void nine_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(nine_inside<T, at>, tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// ----------------------------------------------------------------------------
// Images: past the ends is the last element
// ----------------------------------------------------------------------------

template <class T>
T gradient_at(T, T north, T, T west, T c, T east, T, T south, T) {
  T square = (c - north) * (c - north) + (c - west) * (c - west) + (c - east) * (c - east) +
             (c - south) * (c - south);
  return c + 1 / sqrt(square + (T)0.0001);
}

// in + 1 / sqrt(0.0001 + the squares of the differences to the four neighbours).
template <class T> __codelet
void gradient(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      T north = in[i > 0 ? i - 1 : i][j];
      T west = in[i][j > 0 ? j - 1 : j];
      T east = in[i][j + 1 < in.size(1) ? j + 1 : j];
      T south = in[i + 1 < in.size(0) ? i + 1 : i][j];
      out[i][j] = gradient_at<T>(0, north, 0, west, in[i][j], east, 0, south, 0);
    }
  }
}

template <class T> __codelet __tag(gradient_padded)
void gradient(const Array<2, T> in, Array<2, T> out) {
  nine_inside<T, gradient_at<T>>(pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), out);
}

template <class T>
T sobel_at(T nw, T n, T ne, T w, T, T e, T sw, T s, T se) {
  T x = (ne - nw) + 2 * (e - w) + (se - sw);
  T y = (sw - nw) + 2 * (s - n) + (se - ne);
  return sqrt(x * x + y * y);
}

// The magnitude of the gradient by Sobel's operator.
template <class T> __codelet
void sobel(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    unsigned up = i > 0 ? i - 1 : i;
    unsigned down = i + 1 < in.size(0) ? i + 1 : i;
    for (unsigned j = 0; j < in.size(1); ++j) {
      unsigned left = j > 0 ? j - 1 : j;
      unsigned right = j + 1 < in.size(1) ? j + 1 : j;
      out[i][j] = sobel_at<T>(in[up][left], in[up][j], in[up][right], in[i][left], in[i][j],
                              in[i][right], in[down][left], in[down][j], in[down][right]);
    }
  }
}

template <class T> __codelet __tag(sobel_padded)
void sobel(const Array<2, T> in, Array<2, T> out) {
  nine_inside<T, sobel_at<T>>(pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), out);
}

template void gradient<float>(const Array<2, float>, Array<2, float>);
template void sobel<float>(const Array<2, float>, Array<2, float>);

// ----------------------------------------------------------------------------
// A plate whose edges are kept at 0
// ----------------------------------------------------------------------------

template <class T>
T mean9(T nw, T n, T ne, T w, T c, T e, T sw, T s, T se) {
  return (nw + n + ne + w + c + e + sw + s + se) / 9;
}

// Each element becomes the mean of the nine around it.
template <class T> __codelet
void jacobi9(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      bool up = i > 0;
      bool down = i + 1 < in.size(0);
      bool left = j > 0;
      bool right = j + 1 < in.size(1);
      out[i][j] = mean9<T>(up && left ? in[i - 1][j - 1] : 0, up ? in[i - 1][j] : 0,
                           up && right ? in[i - 1][j + 1] : 0, left ? in[i][j - 1] : 0, in[i][j],
                           right ? in[i][j + 1] : 0, down && left ? in[i + 1][j - 1] : 0,
                           down ? in[i + 1][j] : 0, down && right ? in[i + 1][j + 1] : 0);
    }
  }
}

template <class T> __codelet __tag(jacobi9_padded)
void jacobi9(const Array<2, T> in, Array<2, T> out) {
  nine_inside<T, mean9<T>>(pad(pad(in, 1, 1, constant(0)), 1, 1, constant(0), 1), out);
}

template void jacobi9<float>(const Array<2, float>, Array<2, float>);

// ----------------------------------------------------------------------------
// A torus
// ----------------------------------------------------------------------------

template <class T>
T life_at(T nw, T n, T ne, T w, T c, T e, T sw, T s, T se) {
  T around = nw + n + ne + w + e + sw + s + se;
  return around == 3 || (around == 2 && c == 1);
}

// A generation of the game of life: 1 is alive, 0 is not.
template <class T> __codelet
void life(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(within(in, 0, 2));
  unsigned m = in.size(0);
  unsigned n = in.size(1);
  for (unsigned i = 0; i < m; ++i) {
    unsigned up = (i + m - 1) % m;
    unsigned down = (i + 1) % m;
    for (unsigned j = 0; j < n; ++j) {
      unsigned left = (j + n - 1) % n;
      unsigned right = (j + 1) % n;
      out[i][j] = life_at<T>(in[up][left], in[up][j], in[up][right], in[i][left], in[i][j],
                             in[i][right], in[down][left], in[down][j], in[down][right]);
    }
  }
}

template <class T> __codelet __tag(life_padded)
void life(const Array<2, T> in, Array<2, T> out) {
  nine_inside<T, life_at<T>>(pad(pad(in, 1, 1, wrap), 1, 1, wrap, 1), out);
}

template void life<int>(const Array<2, int>, Array<2, int>);
template void life<unsigned char>(const Array<2, unsigned char>, Array<2, unsigned char>);

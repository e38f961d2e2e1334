// Stencils: neighbourhoods are windows of a padded container. One step of the heat equation in one
// dimension, of Jacobi's method in two and of the heat equation in three.
//
// The spectrums *_inside are those of containers that have their neighbours already: tiles are cut
// out of these, of as many elements as there are results and the neighbours around them.
#pragma once
#include <tangram.h>

template <class T> __codelet
T heat_at(T c, const Array<1, T> near) {
  return near[1] + c * (near[0] - 2 * near[1] + near[2]);
}

template <class T> __codelet
void heat_inside(T c, const Array<1, T> in, Array<1, T> out) {
  require(in.size() == out.size() + 2);
  for (unsigned i = 0; i + 2 < in.size(); ++i)
    out[i] = in[i + 1] + c * (in[i] - 2 * in[i + 1] + in[i + 2]);
}

template <class T> __codelet __tag(heat_windows)
void heat_inside(T c, const Array<1, T> in, Array<1, T> out) {
  out = map(heat_at<T>, c, slide(in, 3, 1));
}

// The lanes take the results in turns.
template <class T> __codelet __coop __tag(heat_lanes)
void heat_inside(T c, const Array<1, T> in, Array<1, T> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim())
    out[i] = in[i + 1] + c * (in[i] - 2 * in[i + 1] + in[i + 2]);
}

// As many parts as there are workers.
template <class T> __codelet __tag(heat_parts)
void heat_inside(T c, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  map(heat_inside<T>, c, rows(in, p, 2), rows(out, p));
}

// Windows of t results: t + 2 elements every t.
template <class T> __codelet __tag(heat_tiles)
void heat_inside(T c, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned t = pow2(32, 8192);
  map(heat_inside<T>, c, chunks(in, t, 2), chunks(out, t));
}

// A step of u' = u + c (left - 2 u + right) on a rod with insulated ends.
template <class T> __codelet
void heat(T c, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    T left = i > 0 ? in[i - 1] : in[i];
    T right = i + 1 < in.size() ? in[i + 1] : in[i];
    out[i] = in[i] + c * (left - 2 * in[i] + right);
  }
}

template <class T> __codelet __tag(heat_padded)
void heat(T c, const Array<1, T> in, Array<1, T> out) {
  heat_inside<T>(c, pad(in, 1, 1, clamp), out);
}

template void heat<float>(float, const Array<1, float>, Array<1, float>);
template void heat<int>(int, const Array<1, int>, Array<1, int>);

// ----------------------------------------------------------------------------
// Two dimensions
// ----------------------------------------------------------------------------

template <class T> __codelet
T jacobi_at(const Array<2, T> near) {
  return (near[0][1] + near[1][0] + near[1][2] + near[2][1]) / 4;
}

// A row of results, from the three rows around it.
template <class T> __codelet
void jacobi_row(const Array<2, T> in, Array<1, T> out) {
  require(in.size(0) == 3);
  require(in.size(1) == out.size() + 2);
  for (unsigned j = 0; j + 2 < in.size(1); ++j)
    out[j] = (in[0][j + 1] + in[1][j] + in[1][j + 2] + in[2][j + 1]) / 4;
}

template <class T> __codelet __tag(jacobi_columns)
void jacobi_row(const Array<2, T> in, Array<1, T> out) {
  out = map(jacobi_at<T>, slide(in, 3, 1, 1));
}

template <class T> __codelet
void jacobi_inside(const Array<2, T> in, Array<2, T> out) {
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i + 2 < in.size(0); ++i) {
    for (unsigned j = 0; j + 2 < in.size(1); ++j)
      out[i][j] = (in[i][j + 1] + in[i + 1][j] + in[i + 1][j + 2] + in[i + 2][j + 1]) / 4;
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(jacobi_lanes)
void jacobi_inside(const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = (in[i][j + 1] + in[i + 1][j] + in[i + 1][j + 2] + in[i + 2][j + 1]) / 4;
  }
}

template <class T> __codelet __tag(jacobi_rows)
void jacobi_inside(const Array<2, T> in, Array<2, T> out) {
  map(jacobi_row<T>, slide(in, 3, 1), out);
}

template <class T> __codelet __tag(jacobi_parts)
void jacobi_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(jacobi_inside<T>, rows(in, p, 2), rows(out, p));
}

template <class T> __codelet __tag(jacobi_tiles)
void jacobi_inside(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 8, 32, 64);
  __tunable unsigned u = choice(256, 16, 32, 64, 128, 512);
  map(jacobi_inside<T>, tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// A step of Jacobi's method for Laplace's equation on a plate whose edges are kept at 0: each
// element becomes the mean of its four neighbours.
template <class T> __codelet
void jacobi(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      T north = i > 0 ? in[i - 1][j] : 0;
      T west = j > 0 ? in[i][j - 1] : 0;
      T east = j + 1 < in.size(1) ? in[i][j + 1] : 0;
      T south = i + 1 < in.size(0) ? in[i + 1][j] : 0;
      out[i][j] = (north + west + east + south) / 4;
    }
  }
}

template <class T> __codelet __tag(jacobi_padded)
void jacobi(const Array<2, T> in, Array<2, T> out) {
  jacobi_inside<T>(pad(pad(in, 1, 1, constant(0)), 1, 1, constant(0), 1), out);
}

template void jacobi<float>(const Array<2, float>, Array<2, float>);
template void jacobi<int>(const Array<2, int>, Array<2, int>);

// ----------------------------------------------------------------------------
// Three dimensions
// ----------------------------------------------------------------------------

// A row of results, from the 3 by 3 rows around it.
template <class T> __codelet
void heat3_row(T c, const Array<3, T> in, Array<1, T> out) {
  require(in.size(0) == 3);
  require(in.size(1) == 3);
  require(in.size(2) == out.size() + 2);
  for (unsigned k = 0; k + 2 < in.size(2); ++k) {
    T around = in[0][1][k + 1] + in[1][0][k + 1] + in[1][1][k] + in[1][1][k + 2] +
               in[1][2][k + 1] + in[2][1][k + 1];
    out[k] = in[1][1][k + 1] + c * (around - 6 * in[1][1][k + 1]);
  }
}

// A plane of results, from the three planes around it.
template <class T> __codelet
void heat3_plane(T c, const Array<3, T> in, Array<2, T> out) {
  require(in.size(0) == 3);
  require(in.size(1) == out.size(0) + 2);
  require(in.size(2) == out.size(1) + 2);
  for (unsigned j = 0; j + 2 < in.size(1); ++j) {
    for (unsigned k = 0; k + 2 < in.size(2); ++k) {
      T around = in[0][j + 1][k + 1] + in[1][j][k + 1] + in[1][j + 1][k] + in[1][j + 1][k + 2] +
                 in[1][j + 2][k + 1] + in[2][j + 1][k + 1];
      out[j][k] = in[1][j + 1][k + 1] + c * (around - 6 * in[1][j + 1][k + 1]);
    }
  }
}

template <class T> __codelet __tag(heat3_rows)
void heat3_plane(T c, const Array<3, T> in, Array<2, T> out) {
  map(heat3_row<T>, c, slide(in, 3, 1, 1), out);
}

template <class T> __codelet
void heat3_inside(T c, const Array<3, T> in, Array<3, T> out) {
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  require(in.size(2) == out.size(2) + 2);
  for (unsigned i = 0; i + 2 < in.size(0); ++i) {
    for (unsigned j = 0; j + 2 < in.size(1); ++j) {
      for (unsigned k = 0; k + 2 < in.size(2); ++k) {
        T around = in[i][j + 1][k + 1] + in[i + 1][j][k + 1] + in[i + 1][j + 1][k] +
                   in[i + 1][j + 1][k + 2] + in[i + 1][j + 2][k + 1] + in[i + 2][j + 1][k + 1];
        out[i][j][k] = in[i + 1][j + 1][k + 1] + c * (around - 6 * in[i + 1][j + 1][k + 1]);
      }
    }
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(heat3_lanes)
void heat3_inside(T c, const Array<3, T> in, Array<3, T> out) {
  for (unsigned k = coopIdx(); k < out.size(2); k += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      for (unsigned j = 0; j < out.size(1); ++j) {
        T around = in[i][j + 1][k + 1] + in[i + 1][j][k + 1] + in[i + 1][j + 1][k] +
                   in[i + 1][j + 1][k + 2] + in[i + 1][j + 2][k + 1] + in[i + 2][j + 1][k + 1];
        out[i][j][k] = in[i + 1][j + 1][k + 1] + c * (around - 6 * in[i + 1][j + 1][k + 1]);
      }
    }
  }
}

template <class T> __codelet __tag(heat3_planes)
void heat3_inside(T c, const Array<3, T> in, Array<3, T> out) {
  map(heat3_plane<T>, c, slide(in, 3, 1), out);
}

template <class T> __codelet __tag(heat3_tiles)
void heat3_inside(T c, const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned t = choice(4, 8, 16);
  __tunable unsigned u = choice(4, 8, 16);
  map(heat3_inside<T>, c, tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// A step of u' = u + c (sum of the six neighbours - 6 u) in a box whose sides are glued together.
template <class T> __codelet
void heat3(T c, const Array<3, T> in, Array<3, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  unsigned l = in.size(0);
  unsigned m = in.size(1);
  unsigned n = in.size(2);
  for (unsigned i = 0; i < l; ++i) {
    for (unsigned j = 0; j < m; ++j) {
      for (unsigned k = 0; k < n; ++k) {
        T around = in[(i + l - 1) % l][j][k] + in[i][(j + m - 1) % m][k] +
                   in[i][j][(k + n - 1) % n] + in[i][j][(k + 1) % n] + in[i][(j + 1) % m][k] +
                   in[(i + 1) % l][j][k];
        out[i][j][k] = in[i][j][k] + c * (around - 6 * in[i][j][k]);
      }
    }
  }
}

template <class T> __codelet __tag(heat3_padded)
void heat3(T c, const Array<3, T> in, Array<3, T> out) {
  heat3_inside<T>(c, pad(pad(pad(in, 1, 1, wrap), 1, 1, wrap, 1), 1, 1, wrap, 2), out);
}

template void heat3<float>(float, const Array<3, float>, Array<3, float>);

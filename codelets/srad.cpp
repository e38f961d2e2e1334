// SRAD of Rodinia (speckle reducing anisotropic diffusion): a step that smooths an image and keeps its
// edges. First how well each element conducts, then what flows between neighbours. Elements of
// the image are positive; past the ends is the last element.
#include <tangram.h>

// Between 0, at an edge, and 1; q0 is what speckles alone come to.
template <class T>
T conduction(T q0, T c, T north, T west, T east, T south) {
  T gradient = ((north - c) * (north - c) + (south - c) * (south - c) + (west - c) * (west - c) +
                (east - c) * (east - c)) / (c * c);
  T laplacian = (north + south + west + east - 4 * c) / c;
  T scale = 1 + (T)0.25 * laplacian;
  T q = ((T)0.5 * gradient - (T)0.0625 * laplacian * laplacian) / (scale * scale);
  T conducts = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
  return min(max(conducts, (T)0), (T)1);
}

template <class T>
T diffusion(T lambda, T c, T north, T west, T east, T south, T here, T below, T right) {
  return c + (T)0.25 * lambda * (here * (north - c) + below * (south - c) + here * (west - c) + right * (east - c));
}

// Of images with their neighbours.
template <class T> __codelet
void conductions_inside(T q0, const Array<2, T> in, Array<2, T> out) {
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = conduction<T>(q0, in[i + 1][j + 1], in[i][j + 1], in[i + 1][j], in[i + 1][j + 2], in[i + 2][j + 1]);
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(conductions_lanes)
void conductions_inside(T q0, const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = conduction<T>(q0, in[i + 1][j + 1], in[i][j + 1], in[i + 1][j], in[i + 1][j + 2], in[i + 2][j + 1]);
  }
}

// As many blocks of rows as there are workers.
template <class T> __codelet __tag(conductions_parts)
void conductions_inside(T q0, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(conductions_inside<T>, q0, rows(in, p, 2), rows(out, p));
}

template <class T> __codelet __tag(conductions_tiles)
void conductions_inside(T q0, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(conductions_inside<T>, q0, tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// `conductions` has the elements below and to the right as well.
template <class T> __codelet
void diffuse_inside(T lambda, const Array<2, T> conductions, const Array<2, T> in, Array<2, T> out) {
  require(conductions.size(0) == out.size(0) + 1);
  require(conductions.size(1) == out.size(1) + 1);
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = diffusion<T>(lambda, in[i + 1][j + 1], in[i][j + 1], in[i + 1][j], in[i + 1][j + 2], in[i + 2][j + 1],
                               conductions[i][j], conductions[i + 1][j], conductions[i][j + 1]);
  }
}

template <class T> __codelet __coop __tag(diffuse_lanes)
void diffuse_inside(T lambda, const Array<2, T> conductions, const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = diffusion<T>(lambda, in[i + 1][j + 1], in[i][j + 1], in[i + 1][j], in[i + 1][j + 2], in[i + 2][j + 1],
                               conductions[i][j], conductions[i + 1][j], conductions[i][j + 1]);
  }
}

template <class T> __codelet __tag(diffuse_parts)
void diffuse_inside(T lambda, const Array<2, T> conductions, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(diffuse_inside<T>, lambda, rows(conductions, p, 1), rows(in, p, 2), rows(out, p));
}

template <class T> __codelet __tag(diffuse_tiles)
void diffuse_inside(T lambda, const Array<2, T> conductions, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(diffuse_inside<T>, lambda, tile_chunks(conductions, t, u, 1, 1), tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// A step of length lambda.
template <class T> __codelet
void srad(T q0, T lambda, const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  unsigned m = in.size(0);
  unsigned n = in.size(1);
  for (unsigned i = 0; i < m; ++i) {
    unsigned up = i > 0 ? i - 1 : i;
    unsigned down = i + 1 < m ? i + 1 : i;
    unsigned two_down = down + 1 < m ? down + 1 : down;
    for (unsigned j = 0; j < n; ++j) {
      unsigned left = j > 0 ? j - 1 : j;
      unsigned right = j + 1 < n ? j + 1 : j;
      unsigned two_right = right + 1 < n ? right + 1 : right;
      T c = in[i][j];
      T here = conduction<T>(q0, c, in[up][j], in[i][left], in[i][right], in[down][j]);
      T below = conduction<T>(q0, in[down][j], in[down > 0 ? down - 1 : down][j], in[down][left], in[down][right], in[two_down][j]);
      T beside = conduction<T>(q0, in[i][right], in[up][right], in[i][right > 0 ? right - 1 : right], in[i][two_right], in[down][right]);
      out[i][j] = diffusion<T>(lambda, c, in[up][j], in[i][left], in[i][right], in[down][j], here, below, beside);
    }
  }
}
template <class T> __codelet __tag(two_kernels)
void srad(T q0, T lambda, const Array<2, T> in, Array<2, T> out) {
  Array<2, T> conductions(in.size(0), in.size(1));
  conductions_inside<T>(q0, pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), conductions);
  diffuse_inside<T>(lambda, pad(pad(conductions, 0, 1, clamp), 0, 1, clamp, 1), pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), out);
}

template void srad<float>(float, float, const Array<2, float>, Array<2, float>);

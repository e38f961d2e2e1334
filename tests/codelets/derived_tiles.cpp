// Sums that several loops reuse the inputs of, as the loop alone: a product, products of a batch, a layer of
// convolutions, and one of several images.
#include <tangram.h>

__codelet void product(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

__codelet void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  require(b.size(0) == a.size(0));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(1));
  require(b.size(1) == a.size(2));
  require(c.size(2) == b.size(2));
  for (unsigned n = 0; n < c.size(0); ++n)
    for (unsigned i = 0; i < c.size(1); ++i)
      for (unsigned j = 0; j < c.size(2); ++j) {
        float s = 0;
        for (unsigned k = 0; k < a.size(2); ++k) s += a[n][i][k] * b[n][k][j];
        c[n][i][j] = s;
      }
}

__codelet void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  require(w.size(0) == out.size(0));
  require(w.size(1) == in.size(0));
  require(w.size(2) == 3);
  require(w.size(3) == 3);
  require(in.size(1) == out.size(1) + 2);
  require(in.size(2) == out.size(2) + 2);
  for (unsigned o = 0; o < out.size(0); ++o)
    for (unsigned i = 0; i < out.size(1); ++i)
      for (unsigned j = 0; j < out.size(2); ++j) {
        float s = 0;
        for (unsigned c = 0; c < in.size(0); ++c)
          for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 3; ++x) s += in[c][i + y][j + x] * w[o][c][y][x];
        out[o][i][j] = s;
      }
}

__codelet void images(const Array<4, float> in, const Array<4, float> w, Array<4, float> out) {
  require(out.size(0) == in.size(0));
  require(w.size(0) == out.size(1));
  require(w.size(1) == in.size(1));
  require(w.size(2) == 3);
  require(w.size(3) == 3);
  require(in.size(2) == out.size(2) + 2);
  require(in.size(3) == out.size(3) + 2);
  for (unsigned n = 0; n < out.size(0); ++n)
    for (unsigned o = 0; o < out.size(1); ++o)
      for (unsigned i = 0; i < out.size(2); ++i)
        for (unsigned j = 0; j < out.size(3); ++j) {
          float s = 0;
          for (unsigned c = 0; c < in.size(1); ++c)
            for (unsigned y = 0; y < 3; ++y)
              for (unsigned x = 0; x < 3; ++x) s += in[n][c][i + y][j + x] * w[o][c][y][x];
          out[n][o][i][j] = s;
        }
}

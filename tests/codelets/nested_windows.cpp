// An image by a matrix, in windows of windows: its plans do many steps one after the other.
#include "../../codelets/gemm.cpp"

// Pixels of all channels by a matrix: out[n] = w in[n].
__codelet void pointwise(const Array<3, float> in, const Array<2, float> w, Array<3, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == w.size(0));
  require(w.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned n = 0; n < out.size(0); ++n)
    for (unsigned o = 0; o < out.size(1); ++o)
      for (unsigned i = 0; i < out.size(2); ++i) {
        float s = 0;
        for (unsigned c = 0; c < in.size(1); ++c)
          s += w[o][c] * in[n][c][i];
        out[n][o][i] = s;
      }
}
__codelet void image(const Array<2, float> in, const Array<2, float> w, Array<2, float> out) {
  require(out.size(0) == w.size(0));
  require(w.size(1) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned o = 0; o < out.size(0); ++o)
    for (unsigned i = 0; i < out.size(1); ++i) {
      float s = 0;
      for (unsigned c = 0; c < in.size(0); ++c)
        s += w[o][c] * in[c][i];
      out[o][i] = s;
    }
}
__codelet __coop __tag(image_lanes) void image(const Array<2, float> in, const Array<2, float> w,
                                               Array<2, float> out) {
  for (unsigned i = coopIdx(); i < out.size(1); i += coopDim())
    for (unsigned o = 0; o < out.size(0); ++o) {
      float s = 0;
      for (unsigned c = 0; c < in.size(0); ++c)
        s += w[o][c] * in[c][i];
      out[o][i] = s;
    }
}
__codelet __tag(image_product) void image(const Array<2, float> in, const Array<2, float> w,
                                          Array<2, float> out) {
  map(clear<float>, out);
  gemm<float>(w, in, out);
}
__codelet __tag(pixel_chunks) void image(const Array<2, float> in, const Array<2, float> w,
                                         Array<2, float> out) {
  __tunable unsigned t = choice(256, 128, 512, 1024);
  map(image, col_chunks(in, t), all(w), col_chunks(out, t));
}
__codelet __tag(by_image) void pointwise(const Array<3, float> in, const Array<2, float> w,
                                         Array<3, float> out) {
  map(image, in, all(w), out);
}
// Pixels of all images: windows that do not overlap, and what is left behind them.
__codelet __tag(pixel_windows) void pointwise(const Array<3, float> in, const Array<2, float> w,
                                              Array<3, float> out) {
  __tunable unsigned t = choice(256, 128, 512, 1024);
  unsigned whole = in.size(2) / t * t;
  map(pointwise, slide(in, t, t, 2), all(w), slide(out, t, t, 2));
  pointwise(slice(in, whole, in.size(2), 2), w, slice(out, whole, in.size(2), 2));
}

// Blocks of rows and chunks along any dimension of containers with one to four, and of windows that move by two and
// three elements; overlaps and steps that are as long as another container is.
#include <tangram.h>

// Windows of three elements, every other element.
__codelet void line(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == 2 * out.size() + 1);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 9 * in[2 * i] + 3 * in[2 * i + 1] + in[2 * i + 2];
}
__codelet __tag(line_parts) void line(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(line, rows(in, p, 2, 0, 2), rows(out, p));
}
__codelet __tag(line_blocks) void line(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(3, 1, 16);
  map(line, chunks(in, t, 2, 0, 2), chunks(out, t));
}

// Every third element, with up to two behind the last of them.
__codelet void thirds(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 2) / 3);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 5 * in[3 * i] + 1;
}
__codelet __tag(thirds_parts) void thirds(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(thirds, rows(in, p, 0, 0, 3), rows(out, p));
}
__codelet __tag(thirds_blocks) void thirds(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(4, 1, 7);
  map(thirds, chunks(in, t, 0, 0, 3), chunks(out, t));
}

// Windows as long as the filter, one after the other.
__codelet void frames(const Array<1, int> in, const Array<1, int> filter, Array<1, int> out) {
  require(in.size() == out.size() * filter.size());
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 1;
    for (unsigned j = 0; j < filter.size(); ++j)
      sum += in[i * filter.size() + j] * filter[j];
    out[i] = sum;
  }
}
__codelet __tag(frames_parts)
void frames(const Array<1, int> in, const Array<1, int> filter, Array<1, int> out) {
  __tunable unsigned p;
  require(filter.size() > 0);
  map(frames, rows(in, p, filter.size() - 1, 0, filter.size()), all(filter), rows(out, p));
}
__codelet __tag(frames_blocks)
void frames(const Array<1, int> in, const Array<1, int> filter, Array<1, int> out) {
  __tunable unsigned t = choice(2, 5);
  require(filter.size() > 0);
  map(frames, chunks(in, t, filter.size() - 1, 0, filter.size()), all(filter), chunks(out, t));
}

// Columns two apart; of rows every other one, with one behind.
__codelet void plane(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0) / 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i < out.size(0); ++i)
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = 9 * in[2 * i][j] + 3 * in[2 * i][j + 2] + in[2 * i + 1][j + 1];
}
__codelet __tag(plane_rows) void plane(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned p;
  map(plane, rows(in, p, 1, 0, 2), rows(out, p));
}
__codelet __tag(plane_columns) void plane(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned p;
  map(plane, rows(in, p, 2, 1), rows(out, p, 0, 1));
}
__codelet __tag(plane_blocks) void plane(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t = choice(5, 1, 8);
  map(plane, chunks(in, t, 2, 1), chunks(out, t, 0, 1));
}

// A layer of convolutions; the filters have the size that they have.
__codelet void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  require(w.size(0) == out.size(0));
  require(w.size(1) == in.size(0));
  require(in.size(1) + 1 == out.size(1) + w.size(2));
  require(in.size(2) + 1 == out.size(2) + w.size(3));
  for (unsigned f = 0; f < out.size(0); ++f)
    for (unsigned y = 0; y < out.size(1); ++y)
      for (unsigned x = 0; x < out.size(2); ++x)
        for (unsigned c = 0; c < in.size(0); ++c)
          for (unsigned p = 0; p < w.size(2); ++p)
            for (unsigned q = 0; q < w.size(3); ++q)
              out[f][y][x] += in[c][y + p][x + q] * w[f][c][p][q];
}
__codelet __tag(layer_filters) void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  __tunable unsigned p;
  map(layer, all(in), rows(w, p), rows(out, p));
}
__codelet __tag(layer_lines) void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  require(w.size(2) > 0);
  __tunable unsigned p;
  map(layer, rows(in, p, w.size(2) - 1, 1), all(w), rows(out, p, 0, 1));
}
__codelet __tag(layer_columns) void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  require(w.size(3) > 0);
  __tunable unsigned t = choice(4, 2);
  map(layer, chunks(in, t, w.size(3) - 1, 2), all(w), chunks(out, t, 0, 2));
}
__codelet __tag(layer_channels) void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  __tunable unsigned t = choice(2, 3);
  fold(layer, chunks(in, t), chunks(w, t, 0, 1), all(out));
}
__codelet __tag(layer_taps) void layer(const Array<3, int> in, const Array<4, int> w, Array<3, int> out) {
  require(w.size(2) == 1);
  require(w.size(3) == 1);
  __tunable unsigned t = choice(3);
  map(layer, chunks(in, t, 0, 2), all(w), chunks(out, t, 0, 2));
}

// The largest of 3 x 3 elements, every other row and column, of each channel of each image.
__codelet void pool(const Array<4, int> in, Array<4, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(in.size(2) == 2 * out.size(2) + 1);
  require(in.size(3) == 2 * out.size(3) + 1);
  for (unsigned n = 0; n < out.size(0); ++n)
    for (unsigned c = 0; c < out.size(1); ++c)
      for (unsigned y = 0; y < out.size(2); ++y)
        for (unsigned x = 0; x < out.size(3); ++x) {
          int most = in[n][c][2 * y][2 * x];
          for (unsigned p = 0; p < 3; ++p)
            for (unsigned q = 0; q < 3; ++q)
              most = max(most, in[n][c][2 * y + p][2 * x + q]);
          out[n][c][y][x] = most;
        }
}
__codelet __tag(pool_images) void pool(const Array<4, int> in, Array<4, int> out) {
  __tunable unsigned p;
  map(pool, rows(in, p, 0, 0), rows(out, p, 0, 0));
}
__codelet __tag(pool_channels) void pool(const Array<4, int> in, Array<4, int> out) {
  __tunable unsigned p;
  map(pool, rows(in, p, 0, 1), rows(out, p, 0, 1));
}
__codelet __tag(pool_lines) void pool(const Array<4, int> in, Array<4, int> out) {
  __tunable unsigned p;
  map(pool, rows(in, p, 2, 2, 2), rows(out, p, 0, 2));
}
__codelet __tag(pool_columns) void pool(const Array<4, int> in, Array<4, int> out) {
  __tunable unsigned t = choice(3, 1, 8);
  map(pool, chunks(in, t, 2, 3, 2), chunks(out, t, 0, 3));
}

// Sums over the middle dimension.
__codelet void middle(const Array<3, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0));
  require(in.size(2) == out.size(1));
  for (unsigned i = 0; i < out.size(0); ++i)
    for (unsigned j = 0; j < out.size(1); ++j)
      for (unsigned k = 0; k < in.size(1); ++k)
        out[i][j] += in[i][k][j];
}
__codelet __tag(middle_columns) void middle(const Array<3, int> in, Array<2, int> out) {
  __tunable unsigned p;
  map(middle, rows(in, p, 0, 2), cols(out, p));
}
__codelet __tag(middle_steps) void middle(const Array<3, int> in, Array<2, int> out) {
  __tunable unsigned p;
  fold(middle, rows(in, p, 0, 1), all(out));
}

// Products of a batch: blocks of their results are held in registers.
__codelet void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  require(b.size(0) == a.size(0));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(1));
  require(b.size(1) == a.size(2));
  require(c.size(2) == b.size(2));
  for (unsigned n = 0; n < c.size(0); ++n)
    for (unsigned i = 0; i < c.size(1); ++i)
      for (unsigned j = 0; j < c.size(2); ++j) {
        float s = c[n][i][j];
        for (unsigned k = 0; k < a.size(2); ++k)
          s += a[n][i][k] * b[n][k][j];
        c[n][i][j] = s;
      }
}
__codelet __tag(batch_products) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned p;
  map(batch, rows(a, p), rows(b, p), rows(c, p));
}
__codelet __tag(batch_rows) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned p;
  map(batch, rows(a, p, 0, 1), all(b), rows(c, p, 0, 1));
}
__codelet __tag(batch_columns) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t = choice(24, 16);
  map(batch, all(a), chunks(b, t, 0, 2), chunks(c, t, 0, 2));
}
__codelet __tag(batch_steps) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t = choice(8, 3);
  fold(batch, chunks(a, t, 0, 2), chunks(b, t, 0, 1), all(c));
}

// Sums of every other element of the rows of a picture, weighed.
__codelet void weighed(const Array<3, float> in, const Array<3, float> w, Array<3, float> out) {
  require(w.size(0) == out.size(0));
  require(w.size(1) == in.size(0));
  require(w.size(2) == 3);
  require(in.size(1) == out.size(1));
  require(in.size(2) == 2 * out.size(2) + 1);
  for (unsigned f = 0; f < out.size(0); ++f)
    for (unsigned y = 0; y < out.size(1); ++y)
      for (unsigned x = 0; x < out.size(2); ++x) {
        float s = 0;
        for (unsigned c = 0; c < in.size(0); ++c)
          for (unsigned q = 0; q < 3; ++q)
            s += in[c][y][2 * x + q] * w[f][c][q];
        out[f][y][x] = s;
      }
}
__codelet __tag(weighed_rows) void weighed(const Array<3, float> in, const Array<3, float> w, Array<3, float> out) {
  __tunable unsigned p;
  map(weighed, rows(in, p, 0, 1), all(w), rows(out, p, 0, 1));
}
__codelet __tag(weighed_columns) void weighed(const Array<3, float> in, const Array<3, float> w, Array<3, float> out) {
  __tunable unsigned t = choice(32, 5);
  map(weighed, chunks(in, t, 2, 2, 2), all(w), chunks(out, t, 0, 2));
}

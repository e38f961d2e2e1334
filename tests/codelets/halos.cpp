// Tiles with halos of padded containers, in one to three dimensions, for groups whose items read them
// together: all boundaries, halos longer than the container, rows whose columns neighbours read.
#include <tangram.h>

unsigned clamped(unsigned i, unsigned l, unsigned n) { return i < l ? 0 : min(i - l, n - 1); }
unsigned mirrored(unsigned i, unsigned l, unsigned n) {
  unsigned at = (i + 2 * n * l - l) % (2 * n);
  return at < n ? at : 2 * n - 1 - at;
}
unsigned wrapped(unsigned i, unsigned l, unsigned n) { return (i + n * l - l) % n; }

// Elements 4 apart and one between them.
__codelet void line_inside(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size() + 4);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 9 * in[i] + 3 * in[i + 1] + in[i + 4];
}
__codelet __coop __tag(line_lanes) void line_inside(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim())
    out[i] = 9 * in[i] + 3 * in[i + 1] + in[i + 4];
}
__codelet __tag(line_parts) void line_inside(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(line_inside, rows(in, p, 4), rows(out, p));
}
__codelet __tag(line_tiles) void line_inside(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(7, 4, 40);
  map(line_inside, chunks(in, t, 4), chunks(out, t));
}

__codelet void line_clamp(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = 9 * in[clamped(i, 3, in.size())] + 3 * in[clamped(i + 1, 3, in.size())] +
             in[clamped(i + 4, 3, in.size())];
}
__codelet __tag(clamp_padded) void line_clamp(const Array<1, int> in, Array<1, int> out) {
  line_inside(pad(in, 3, 1, clamp), out);
}

__codelet void line_mirror(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = 9 * in[mirrored(i, 3, in.size())] + 3 * in[mirrored(i + 1, 3, in.size())] +
             in[mirrored(i + 4, 3, in.size())];
}
__codelet __tag(mirror_padded) void line_mirror(const Array<1, int> in, Array<1, int> out) {
  line_inside(pad(in, 3, 1, mirror), out);
}

__codelet void line_wrap(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = 9 * in[wrapped(i, 3, in.size())] + 3 * in[wrapped(i + 1, 3, in.size())] +
             in[wrapped(i + 4, 3, in.size())];
}
__codelet __tag(wrap_padded) void line_wrap(const Array<1, int> in, Array<1, int> out) {
  line_inside(pad(in, 3, 1, wrap), out);
}

__codelet void line_constant(int v, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = 9 * (i >= 3 ? in[i - 3] : v) + 3 * (i >= 2 ? in[i - 2] : v) +
             (i + 1 < in.size() ? in[i + 1] : v);
}
__codelet __tag(constant_padded) void line_constant(int v, const Array<1, int> in, Array<1, int> out) {
  line_inside(pad(in, 3, 1, constant(v)), out);
}

// 3 by 2 elements of planes: of rows every other one.
__codelet void plane_inside(const Array<2, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0) + 4);
  require(in.size(1) == out.size(1) + 1);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k)
        sum = 9 * sum + 3 * in[i + 2 * k][j] + in[i + 2 * k][j + 1];
      out[i][j] = sum;
    }
  }
}
__codelet __coop __tag(plane_lanes) void plane_inside(const Array<2, int> in, Array<2, int> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k)
        sum = 9 * sum + 3 * in[i + 2 * k][j] + in[i + 2 * k][j + 1];
      out[i][j] = sum;
    }
  }
}
__codelet __tag(plane_parts) void plane_inside(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned p;
  map(plane_inside, rows(in, p, 4), rows(out, p));
}
__codelet __tag(plane_tiles) void plane_inside(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t = choice(5, 2);
  __tunable unsigned u = choice(4, 3, 33);
  map(plane_inside, tile_chunks(in, t, u, 4, 1), tile_chunks(out, t, u));
}

// Rows mirrored, columns going round.
__codelet void plane_mixed(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        unsigned row = mirrored(i + 2 * k, 2, in.size(0));
        sum = 9 * sum + 3 * in[row][j] + in[row][wrapped(j + 1, 0, in.size(1))];
      }
      out[i][j] = sum;
    }
  }
}
__codelet __tag(mixed_padded) void plane_mixed(const Array<2, int> in, Array<2, int> out) {
  plane_inside(pad(pad(in, 2, 2, mirror), 0, 1, wrap, 1), out);
}

// The other way round and of one dimension only: columns have a neighbour more than there are results.
__codelet void plane_rows(const Array<2, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0));
  require(in.size(1) == out.size(1) + 1);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        unsigned row = clamped(i + 2 * k, 2, in.size(0));
        sum = 9 * sum + 3 * in[row][j] + in[row][j + 1];
      }
      out[i][j] = sum;
    }
  }
}
__codelet __tag(rows_padded) void plane_rows(const Array<2, int> in, Array<2, int> out) {
  plane_inside(pad(in, 2, 2, clamp), out);
}

// Of a transposed container with a frame of sevens.
__codelet void plane_turned(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        bool inside = i + 2 * k >= 2 && i + 2 * k < out.size(0) + 2;
        sum = 9 * sum + 3 * (inside ? in[j][i + 2 * k - 2] : 7) +
              (inside && j + 1 < out.size(1) ? in[j + 1][i + 2 * k - 2] : 7);
      }
      out[i][j] = sum;
    }
  }
}
__codelet __tag(turned_padded) void plane_turned(const Array<2, int> in, Array<2, int> out) {
  plane_inside(pad(pad(transpose(in), 2, 2, constant(7)), 0, 1, constant(7), 1), out);
}

// Boxes of which the last dimension comes in windows of 4.
__codelet void box_inside(const Array<3, int> in, Array<3, int> out) {
  require(in.size(0) == out.size(0) + 1);
  require(in.size(1) == out.size(1) + 1);
  require(in.size(2) == out.size(2) + 1);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      for (unsigned k = 0; k < out.size(2); ++k)
        out[i][j][k] = 8 * in[i][j][k] + 4 * in[i + 1][j][k] + 2 * in[i][j + 1][k] + in[i + 1][j + 1][k + 1];
    }
  }
}
__codelet __coop __tag(box_lanes) void box_inside(const Array<3, int> in, Array<3, int> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      for (unsigned k = 0; k < out.size(2); ++k)
        out[i][j][k] = 8 * in[i][j][k] + 4 * in[i + 1][j][k] + 2 * in[i][j + 1][k] + in[i + 1][j + 1][k + 1];
    }
  }
}
__codelet __tag(box_tiles) void box_inside(const Array<3, int> in, Array<3, int> out) {
  __tunable unsigned t = choice(2, 3);
  __tunable unsigned u = choice(3, 1, 5);
  map(box_inside, tile_chunks(in, t, u, 1, 1), tile_chunks(out, t, u));
}

__codelet void box(const Array<3, int> in, Array<3, int> out) {
  require(in.size(2) % 4 == 0);
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  unsigned l = in.size(0);
  unsigned m = in.size(1);
  unsigned n = in.size(2);
  for (unsigned i = 0; i < l; ++i) {
    for (unsigned j = 0; j < m; ++j) {
      for (unsigned k = 0; k < n; ++k) {
        unsigned ii = clamped(i + 1, 0, l);
        unsigned jj = wrapped(j + 1, 0, m);
        out[i][j][k] = 8 * in[i][j][k] + 4 * in[ii][j][k] + 2 * in[i][jj][k] + (k + 1 < n ? in[ii][jj][k + 1] : 5);
      }
    }
  }
}
__codelet __tag(box_padded) void box(const Array<3, int> in, Array<3, int> out) {
  map(box_inside, slide(pad(pad(pad(in, 0, 1, clamp), 0, 1, wrap, 1), 0, 1, constant(5), 2), 5, 4, 2),
      slide(out, 4, 4, 2));
}

// Windows and padded containers: all boundaries, in one to three dimensions, windows that are apart,
// pads longer than the container, pads of parts, of pads and of transposed containers.
#include <tangram.h>

__codelet void both_inside(const Array<2, int> in, Array<2, int> out);
__codelet void row_inside(const Array<2, int> in, Array<1, int> out);
__codelet void copied(const Array<1, int> in, Array<1, int> out);
__codelet void boxes_plane(const Array<3, int> in, Array<2, int> out);
__codelet void boxes_row(const Array<3, int> in, Array<1, int> out);
__codelet int box(const Array<3, int> in);

__codelet int weigh(const Array<1, int> near) {
  int sum = 0;
  for (unsigned i = 0; i < near.size(); ++i)
    sum = 3 * sum + near[i];
  return sum;
}

// What is at position i - l of a container of n elements that goes on past its ends.
unsigned clamped(unsigned i, unsigned l, unsigned n) { return i < l ? 0 : min(i - l, n - 1); }
unsigned mirrored(unsigned i, unsigned l, unsigned n) {
  unsigned at = (i + 2 * n * l - l) % (2 * n);
  return at < n ? at : 2 * n - 1 - at;
}
unsigned wrapped(unsigned i, unsigned l, unsigned n) { return (i + n * l - l) % n; }

// Windows of 5 every 2 of a container with 3 elements before and 4 after it: longer than it may be.
__codelet void clamp_5_2(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 4) / 2);
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 0;
    for (unsigned j = 0; j < 5; ++j)
      sum = 3 * sum + (in.size() > 0 ? in[clamped(2 * i + j, 3, in.size())] : 0);
    out[i] = sum;
  }
}
__codelet __tag(clamp_windows) void clamp_5_2(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(in, 3, 4, clamp), 5, 2));
}

__codelet void mirror_5_2(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 4) / 2);
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 0;
    for (unsigned j = 0; j < 5; ++j)
      sum = 3 * sum + (in.size() > 0 ? in[mirrored(2 * i + j, 3, in.size())] : 0);
    out[i] = sum;
  }
}
__codelet __tag(mirror_windows) void mirror_5_2(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(in, 3, 4, mirror), 5, 2));
}

__codelet void wrap_5_2(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 4) / 2);
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 0;
    for (unsigned j = 0; j < 5; ++j)
      sum = 3 * sum + (in.size() > 0 ? in[wrapped(2 * i + j, 3, in.size())] : 0);
    out[i] = sum;
  }
}
__codelet __tag(wrap_windows) void wrap_5_2(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(in, 3, 4, wrap), 5, 2));
}

__codelet void constant_5_2(int v, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 4) / 2);
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 0;
    for (unsigned j = 0; j < 5; ++j) {
      unsigned at = 2 * i + j;
      sum = 3 * sum + (at >= 3 && at < 3 + in.size() ? in[at - 3] : v);
    }
    out[i] = sum;
  }
}
__codelet __tag(constant_windows) void constant_5_2(int v, const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(in, 3, 4, constant(v)), 5, 2));
}

// Windows that are apart, and as many as fit: 2 elements every 3.
__codelet void apart(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == (in.size() + 1) / 3);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 3 * in[3 * i] + in[3 * i + 1];
}
__codelet __tag(apart_windows) void apart(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(in, 2, 3));
}

// Each of the parts of 4 goes round by itself.
__codelet void turned(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = 3 * in[i] + (i + 1 < in.size() ? in[i + 1] : in[0]);
}
__codelet __tag(turned_windows) void turned(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(in, 0, 1, wrap), 2, 1));
}

__codelet void turned_parts(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    unsigned first = i / 4 * 4;
    out[i] = 3 * in[i] + (i + 1 < in.size() && i + 1 < first + 4 ? in[i + 1] : in[first]);
  }
}
__codelet __tag(parts_turned) void turned_parts(const Array<1, int> in, Array<1, int> out) {
  map(turned, chunks(in, 4), chunks(out, 4));
}

// A pad of a pad: one more of what is at the end of the first one.
__codelet void twice(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size() + 4);
  for (unsigned i = 0; i < out.size(); ++i) {
    unsigned at = i < 1 ? 0 : (i > in.size() + 2 ? in.size() + 1 : i - 1);
    out[i] = at < 1 || at > in.size() ? 7 : in[at - 1];
  }
}
__codelet __tag(pad_twice) void twice(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(pad(pad(in, 1, 1, constant(7)), 1, 1, clamp), 1, 1));
}

__codelet int weigh_2(const Array<2, int> near) {
  int sum = 0;
  for (unsigned i = 0; i < near.size(0); ++i) {
    for (unsigned j = 0; j < near.size(1); ++j)
      sum = 3 * sum + near[i][j];
  }
  return sum;
}

__codelet void weigh_to(const Array<2, int> near, Array<2, int> out) {
  require(out.size(0) == 1);
  require(out.size(1) == 1);
  int sum = 0;
  for (unsigned i = 0; i < near.size(0); ++i) {
    for (unsigned j = 0; j < near.size(1); ++j)
      sum = 3 * sum + near[i][j];
  }
  out[0][0] = sum;
}

// 3 by 2 windows; rows are mirrored, columns go round.
__codelet void both(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        for (unsigned l = 0; l < 2; ++l)
          sum = 3 * sum +
                in[mirrored(i + k, 1, in.size(0))][wrapped(j + l, 0, in.size(1))];
      }
      out[i][j] = sum;
    }
  }
}
__codelet __tag(both_windows) void both(const Array<2, int> in, Array<2, int> out) {
  map(weigh_to, tile_slide(pad(pad(in, 1, 1, mirror), 0, 1, wrap, 1), 3, 1, 2, 1),
      tile_chunks(out, 1, 1));
}
__codelet __tag(both_tiles) void both(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t = choice(2, 3);
  map(both_inside, tile_chunks(pad(pad(in, 1, 1, mirror), 0, 1, wrap, 1), t, 2 * t, 2, 1),
      tile_chunks(out, t, 2 * t));
}

// The same of what has its neighbours.
__codelet void both_inside(const Array<2, int> in, Array<2, int> out) {
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 1);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        for (unsigned l = 0; l < 2; ++l)
          sum = 3 * sum + in[i + k][j + l];
      }
      out[i][j] = sum;
    }
  }
}
__codelet __tag(rows_inside) void both_inside(const Array<2, int> in, Array<2, int> out) {
  map(row_inside, slide(in, 3, 1), out);
}

__codelet void row_inside(const Array<2, int> in, Array<1, int> out) {
  require(in.size(0) == 3);
  require(in.size(1) == out.size() + 1);
  for (unsigned j = 0; j < out.size(); ++j)
    out[j] = 243 * in[0][j] + 81 * in[0][j + 1] + 27 * in[1][j] + 9 * in[1][j + 1] +
             3 * in[2][j] + in[2][j + 1];
}
__codelet __tag(columns_inside) void row_inside(const Array<2, int> in, Array<1, int> out) {
  out = map(weigh_2, slide(in, 2, 1, 1));
}

// The transposed container, with a frame of nines.
__codelet void framed(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(1) + 2);
  require(out.size(1) == in.size(0) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = i > 0 && j > 0 && i <= in.size(1) && j <= in.size(0) ? in[j - 1][i - 1] : 9;
  }
}
__codelet __tag(framed_rows) void framed(const Array<2, int> in, Array<2, int> out) {
  map(copied, pad(transpose(pad(in, 1, 1, constant(9))), 1, 1, constant(9)), out);
}

__codelet void copied(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i];
}
__codelet __tag(copied_each) void copied(const Array<1, int> in, Array<1, int> out) {
  out = map(weigh, slide(in, 1, 1));
}

// Sums over 2 by 2 by 2 windows of a box whose last planes are repeated.
__codelet void boxes(const Array<3, int> in, Array<3, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      for (unsigned k = 0; k < in.size(2); ++k) {
        unsigned ii = min(i + 1, in.size(0) - 1);
        unsigned jj = min(j + 1, in.size(1) - 1);
        unsigned kk = min(k + 1, in.size(2) - 1);
        out[i][j][k] = in[i][j][k] + 2 * in[i][j][kk] + 3 * in[i][jj][k] + 4 * in[i][jj][kk] +
                       5 * in[ii][j][k] + 6 * in[ii][j][kk] + 7 * in[ii][jj][k] +
                       8 * in[ii][jj][kk];
      }
    }
  }
}
__codelet __tag(boxes_planes) void boxes(const Array<3, int> in, Array<3, int> out) {
  map(boxes_plane, slide(pad(pad(pad(in, 0, 1, clamp), 0, 1, clamp, 1), 0, 1, clamp, 2), 2, 1),
      out);
}

__codelet void boxes_plane(const Array<3, int> in, Array<2, int> out) {
  require(in.size(0) == 2);
  require(in.size(1) == out.size(0) + 1);
  require(in.size(2) == out.size(1) + 1);
  for (unsigned j = 0; j < out.size(0); ++j) {
    for (unsigned k = 0; k < out.size(1); ++k)
      out[j][k] = in[0][j][k] + 2 * in[0][j][k + 1] + 3 * in[0][j + 1][k] +
                  4 * in[0][j + 1][k + 1] + 5 * in[1][j][k] + 6 * in[1][j][k + 1] +
                  7 * in[1][j + 1][k] + 8 * in[1][j + 1][k + 1];
  }
}
__codelet __tag(boxes_rows) void boxes_plane(const Array<3, int> in, Array<2, int> out) {
  map(boxes_row, slide(in, 2, 1, 1), out);
}

__codelet void boxes_row(const Array<3, int> in, Array<1, int> out) {
  require(in.size(0) == 2);
  require(in.size(1) == 2);
  require(in.size(2) == out.size() + 1);
  for (unsigned k = 0; k < out.size(); ++k)
    out[k] = in[0][0][k] + 2 * in[0][0][k + 1] + 3 * in[0][1][k] + 4 * in[0][1][k + 1] +
             5 * in[1][0][k] + 6 * in[1][0][k + 1] + 7 * in[1][1][k] + 8 * in[1][1][k + 1];
}
__codelet __tag(boxes_points) void boxes_row(const Array<3, int> in, Array<1, int> out) {
  out = map(box, slide(in, 2, 1, 2));
}

__codelet int box(const Array<3, int> in) {
  return in[0][0][0] + 2 * in[0][0][1] + 3 * in[0][1][0] + 4 * in[0][1][1] + 5 * in[1][0][0] +
         6 * in[1][0][1] + 7 * in[1][1][0] + 8 * in[1][1][1];
}

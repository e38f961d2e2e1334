// Products of matrices over other operators than + and *, as their authors would write them: sums that start from 0,
// branches, names in the loop, absolute values, and something to do in the end.
#include <math.h>
#include <tangram.h>

#define TILED(name)                                                                                                    \
  __codelet __tag(tiled) void name(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {              \
    __tunable unsigned m;                                                                                              \
    __tunable unsigned n;                                                                                              \
    map(name, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),         \
        tile_chunks(c, m, n));                                                                                         \
  }
#define TILED_BY_ROWS(name)                                                                                            \
  __codelet __tag(tiled) void name(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {              \
    __tunable unsigned m;                                                                                              \
    __tunable unsigned n;                                                                                              \
    map(name, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(chunks(b, n), (c.size(0) + m - 1) / m),             \
        tile_chunks(c, m, n));                                                                                         \
  }

// C = A B.
__codelet
void multiply(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float total = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        total += a[i][k] * b[k][j];
      c[i][j] = total;
    }
  }
}
TILED(multiply)

// The shortest ways over one more vertex.
__codelet
void shorter(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float best = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k) {
        if (a[i][k] + b[k][j] < best)
          best = a[i][k] + b[k][j];
      }
      c[i][j] = best;
    }
  }
}
TILED(shorter)

// Distances of rows.
__codelet
void distances(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float total = 0;
      for (unsigned k = 0; k < a.size(1); ++k) {
        float by = a[i][k] - b[j][k];
        total += by * by;
      }
      c[i][j] = sqrtf(total);
    }
  }
}
TILED_BY_ROWS(distances)

// The largest difference of elements of two rows, and how far rows are apart, where differences beyond 1/2 count half.
__codelet
void farthest(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float most = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        most = fmaxf(most, fabsf(a[i][k] - b[j][k]));
      c[i][j] = most;
    }
  }
}
TILED_BY_ROWS(farthest)

__codelet
void apart(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float total = 0;
      for (unsigned k = 0; k < a.size(1); ++k) {
        float by = fabsf(a[i][k] - b[j][k]);
        if (by > 0.5f && b[j][k] > 0.0f)
          by = 0.25f + 0.5f * by;
        else if (!(by > 0.125f))
          by = 0.0f;
        total += by;
      }
      c[i][j] = total;
    }
  }
}
TILED_BY_ROWS(apart)

// What is guarded by a condition may not be read without it.
__codelet
void neighbours(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float total = 0;
      for (unsigned k = 0; k < a.size(1); ++k) {
        if (k + 1 < b.size(0))
          total += a[i][k] * b[k + 1][j];
      }
      c[i][j] = total;
    }
  }
}
TILED(neighbours)

// Bytes, whose products are added to wider numbers.
__codelet
void bytes(const Array<2, signed char> a, const Array<2, signed char> b, Array<2, int> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int total = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        total += a[i][k] * b[k][j];
      c[i][j] = total;
    }
  }
}
__codelet __tag(tiled) void bytes(const Array<2, signed char> a, const Array<2, signed char> b, Array<2, int> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(bytes, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n));
}

// Two outputs, whose elements are advanced together: a product and a sum of differences, and
// the shortest ways with the vertex that they go over.
__codelet
void both(const Array<2, float> a, const Array<2, float> b, Array<2, float> c, Array<2, float> d) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  require(d.size(0) == a.size(0));
  require(d.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float product = 0;
      float difference = 1;
      for (unsigned k = 0; k < a.size(1); ++k) {
        product += a[i][k] * b[k][j];
        difference += a[i][k] - b[k][j];
      }
      c[i][j] = product;
      d[i][j] = 2 * difference;
    }
  }
}
__codelet __tag(tiled)
void both(const Array<2, float> a, const Array<2, float> b, Array<2, float> c, Array<2, float> d) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(both, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n), tile_chunks(d, m, n));
}

__codelet
void shorter_via(const Array<2, int> a, const Array<2, int> b, Array<2, int> c, Array<2, int> via) {
  require(within(a, 0, 1000000));
  require(within(b, 0, 1000000));
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  require(via.size(0) == a.size(0));
  require(via.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int best = 2000000;
      int over = -1;
      for (unsigned k = 0; k < a.size(1); ++k) {
        int length = a[i][k] + b[k][j];
        if (length < best) {
          best = length;
          over = k;
        }
      }
      c[i][j] = best;
      via[i][j] = over;
    }
  }
}
__codelet __tag(tiled)
void shorter_via(const Array<2, int> a, const Array<2, int> b, Array<2, int> c, Array<2, int> via) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(shorter_via, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n), tile_chunks(via, m, n));
}

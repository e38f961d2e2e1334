// Computations over matrices that are cut into tiles of chosen sizes (tests/tiles.py): some profit from staging,
// register tiles and loop order, and some must stay as they are.
#include <tangram.h>

#define CONTRACT                                                                                   \
  require(c.size(0) == a.size(0));                                                                 \
  require(b.size(0) == a.size(1));                                                                 \
  require(c.size(1) == b.size(1));

#define TILES(spectrum)                                                                            \
  __codelet __tag(tile) void spectrum(const Array<2, float> a, const Array<2, float> b,           \
                                      Array<2, float> c) {                                         \
    __tunable unsigned m;                                                                          \
    __tunable unsigned n;                                                                          \
    map(spectrum, repeat(chunks(a, m), (c.size(1) + n - 1) / n),                                   \
        cycle(col_chunks(b, n), (c.size(0) + m - 1) / m), tile_chunks(c, m, n));                   \
  }

#define STEPS(spectrum)                                                                            \
  __codelet __tag(step) void spectrum(const Array<2, float> a, const Array<2, float> b,           \
                                      Array<2, float> c) {                                         \
    __tunable unsigned k;                                                                          \
    fold(spectrum, col_chunks(a, k), chunks(b, k), all(c));                                        \
  }

// Sums that start from what is there, taken from it in the end.
__codelet void subtract(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  CONTRACT
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = 0.0f;
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = c[i][j] - 0.5f * accum;
    }
  }
}
TILES(subtract)
STEPS(subtract)

// The largest of sums: no arithmetic of vectors.
__codelet void tropical(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  CONTRACT
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float most = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        most = max(most, a[i][k] + b[k][j]);
      c[i][j] = most;
    }
  }
}
TILES(tropical)
STEPS(tropical)

// Columns first.
__codelet void outer(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  CONTRACT
  for (unsigned k = 0; k < a.size(1); ++k) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      for (unsigned i = 0; i < c.size(0); ++i)
        c[i][j] += a[i][k] * b[k][j];
    }
  }
}
TILES(outer)
STEPS(outer)

// Sums whose length differs from row to row: the order of the loops has to stay.
__codelet void triangular(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  CONTRACT
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = c[i][j];
      for (unsigned k = 0; k < min(i + 1, (unsigned)a.size(1)); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = accum;
    }
  }
}
__codelet __tag(columns)
void triangular(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned n;
  map(triangular, all(a), col_chunks(b, n), col_chunks(c, n));
}

// a times the transpose of b.
__codelet void times_transposed(const Array<2, float> a, const Array<2, float> b,
                                Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[j][k];
      c[i][j] = accum;
    }
  }
}
__codelet __tag(tile)
void times_transposed(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(times_transposed, repeat(chunks(a, m), (c.size(1) + n - 1) / n),
      cycle(chunks(b, n), (c.size(0) + m - 1) / m), tile_chunks(c, m, n));
}
__codelet __tag(step)
void times_transposed(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned k;
  fold(times_transposed, col_chunks(a, k), col_chunks(b, k), all(c));
}

// Rounds that read what the first of them writes: no vectors.
__codelet void first_of_part(const Array<2, int> x, Array<1, int> d, Array<1, int> c) {
  for (unsigned k = 0; k < x.size(0); ++k) {
    for (unsigned j = 0; j < c.size(); ++j) {
      c[j] += x[k][j];
      d[j] = c[j] + d[0];
    }
  }
}
__codelet void neighbours(const Array<2, int> x, Array<1, int> d, Array<1, int> c) {
  require(c.size() == x.size(1));
  require(d.size() == c.size());
  for (unsigned k = 0; k < x.size(0); ++k) {
    for (unsigned j = 0; j < c.size(); ++j) {
      c[j] += x[k][j];
      d[j] = c[j] + d[j / 32 * 32];
    }
  }
}
__codelet __tag(parts) void neighbours(const Array<2, int> x, Array<1, int> d, Array<1, int> c) {
  map(first_of_part, col_chunks(x, 32), chunks(d, 32), chunks(c, 32));
}

// Sums as long as an element says that changes meanwhile: the order of the loops has to stay.
__codelet void as_long_as_first(const Array<2, int> x, Array<2, int> c) {
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int s = 1;
      for (unsigned k = 0; k < (c[0][0] & 7); ++k)
        s += x[i][j];
      c[i][j] = s;
    }
  }
}
__codelet void changing(const Array<2, int> x, Array<2, int> c) {
  require(c.size(0) == x.size(0));
  require(c.size(1) == x.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int s = 1;
      for (unsigned k = 0; k < (c[i / 8 * 8][j / 8 * 8] & 7); ++k)
        s += x[i][j];
      c[i][j] = s;
    }
  }
}
__codelet __tag(parts) void changing(const Array<2, int> x, Array<2, int> c) {
  map(as_long_as_first, tile_chunks(x, 8, 8), tile_chunks(c, 8, 8));
}

// Vectors beside the tiles: one with an element a row, one with an element a column.
__codelet void biased(const Array<2, float> a, const Array<2, float> b, const Array<1, float> row,
                      const Array<1, float> column, Array<2, float> c) {
  CONTRACT
  require(row.size() == c.size(0) && column.size() == c.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = row[i] * column[j];
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = accum > 0 ? accum : 0;
    }
  }
}

__codelet __tag(tile) void biased(const Array<2, float> a, const Array<2, float> b, const Array<1, float> row,
                                  const Array<1, float> column, Array<2, float> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(biased, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      repeat(chunks(row, m), (c.size(1) + n - 1) / n), cycle(chunks(column, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n));
}

// A tile of each lane's own on the way, whose sizes the plan chooses.
__codelet void by_way_of(const Array<2, long long> x, Array<2, long long> c) {
  require(c.size(0) == x.size(0));
  require(c.size(1) == x.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] = x[i][j] + 1;
  }
}
__codelet __tag(way_tiles) void by_way_of(const Array<2, long long> x, Array<2, long long> c) {
  __tunable unsigned p;
  __tunable unsigned q;
  map(by_way_of, tile_chunks(x, p, q), tile_chunks(c, p, q));
}
__codelet __tag(own_tile) void by_way_of(const Array<2, long long> x, Array<2, long long> c) {
  Array<2, long long> own(x.size(0), x.size(1));
  by_way_of(x, own);
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] = own[i][j];
  }
}

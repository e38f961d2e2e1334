// A lattice Boltzmann method, D2Q9: a square lattice with nine directions, of which each cell has how many particles go
// there. In a step they arrive from the neighbours and relax towards the equilibrium of their density and momentum
// (Bhatnagar, Gross and Krook; the incompressible one of He and Luo, 1997); walls send them back. What leaves the
// lattice on one side comes in on the other.
//
// cells[k] is of direction k: 0 rest, 1 east, 2 south, 3 southeast, 4 southwest, and k + 4 the opposite of k. Rows go
// east, and follow each other southwards.
#include "copy.cpp"

// What becomes of f particles of a direction, of which there are `weight` among all that rest: `along` is how much of
// the momentum goes there, `still` the density less 3/2 of its square.
template <class T>
T relaxed(T omega, T weight, T f, T still, T along) {
  return f + omega * (weight * (still + along * (3 + (T)4.5 * along)) - f);
}

// Of cells with their neighbours.
template <class T> __codelet
void lbm_inside(T omega, const Array<2, int> wall, const Array<3, T> in, Array<3, T> out) {
  require(in.size(0) == 9);
  require(out.size(0) == 9);
  require(in.size(1) == wall.size(0) + 2);
  require(in.size(2) == wall.size(1) + 2);
  require(out.size(1) == wall.size(0));
  require(out.size(2) == wall.size(1));
  for (unsigned i = 0; i < wall.size(0); ++i) {
    for (unsigned j = 0; j < wall.size(1); ++j) {
      T rest = in[0][i + 1][j + 1];
      T e = in[1][i + 1][j];
      T s = in[2][i][j + 1];
      T se = in[3][i][j];
      T sw = in[4][i][j + 2];
      T w = in[5][i + 1][j + 2];
      T n = in[6][i + 2][j + 1];
      T nw = in[7][i + 2][j + 2];
      T ne = in[8][i + 2][j];
      T density = rest + e + s + se + sw + w + n + nw + ne;
      T east = (e - w) + (se - nw) + (ne - sw);
      T south = (s - n) + (se - nw) + (sw - ne);
      T still = density - (T)1.5 * (east * east + south * south);
      bool stop = wall[i][j] != 0;
      out[0][i][j] = stop ? rest : relaxed<T>(omega, (T)4 / 9, rest, still, (T)0);
      out[1][i][j] = stop ? w : relaxed<T>(omega, (T)1 / 9, e, still, east);
      out[2][i][j] = stop ? n : relaxed<T>(omega, (T)1 / 9, s, still, south);
      out[3][i][j] = stop ? nw : relaxed<T>(omega, (T)1 / 36, se, still, east + south);
      out[4][i][j] = stop ? ne : relaxed<T>(omega, (T)1 / 36, sw, still, south - east);
      out[5][i][j] = stop ? e : relaxed<T>(omega, (T)1 / 9, w, still, -east);
      out[6][i][j] = stop ? s : relaxed<T>(omega, (T)1 / 9, n, still, -south);
      out[7][i][j] = stop ? se : relaxed<T>(omega, (T)1 / 36, nw, still, -east - south);
      out[8][i][j] = stop ? sw : relaxed<T>(omega, (T)1 / 36, ne, still, east - south);
    }
  }
}

// Every lane a column, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lbm_lanes)
void lbm_inside(T omega, const Array<2, int> wall, const Array<3, T> in, Array<3, T> out) {
  for (unsigned j = coopIdx(); j < wall.size(1); j += coopDim()) {
    for (unsigned i = 0; i < wall.size(0); ++i) {
      T rest = in[0][i + 1][j + 1];
      T e = in[1][i + 1][j];
      T s = in[2][i][j + 1];
      T se = in[3][i][j];
      T sw = in[4][i][j + 2];
      T w = in[5][i + 1][j + 2];
      T n = in[6][i + 2][j + 1];
      T nw = in[7][i + 2][j + 2];
      T ne = in[8][i + 2][j];
      T density = rest + e + s + se + sw + w + n + nw + ne;
      T east = (e - w) + (se - nw) + (ne - sw);
      T south = (s - n) + (se - nw) + (sw - ne);
      T still = density - (T)1.5 * (east * east + south * south);
      bool stop = wall[i][j] != 0;
      out[0][i][j] = stop ? rest : relaxed<T>(omega, (T)4 / 9, rest, still, (T)0);
      out[1][i][j] = stop ? w : relaxed<T>(omega, (T)1 / 9, e, still, east);
      out[2][i][j] = stop ? n : relaxed<T>(omega, (T)1 / 9, s, still, south);
      out[3][i][j] = stop ? nw : relaxed<T>(omega, (T)1 / 36, se, still, east + south);
      out[4][i][j] = stop ? ne : relaxed<T>(omega, (T)1 / 36, sw, still, south - east);
      out[5][i][j] = stop ? e : relaxed<T>(omega, (T)1 / 9, w, still, -east);
      out[6][i][j] = stop ? s : relaxed<T>(omega, (T)1 / 9, n, still, -south);
      out[7][i][j] = stop ? se : relaxed<T>(omega, (T)1 / 36, nw, still, -east - south);
      out[8][i][j] = stop ? sw : relaxed<T>(omega, (T)1 / 36, ne, still, east - south);
    }
  }
}

// As many blocks of rows as there are workers.
template <class T> __codelet __tag(lbm_parts)
void lbm_inside(T omega, const Array<2, int> wall, const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned p;
  map(lbm_inside<T>, omega, rows(wall, p), cols(in, p, 2), cols(out, p));
}

// Blocks of t rows.
template <class T> __codelet __tag(lbm_blocks)
void lbm_inside(T omega, const Array<2, int> wall, const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned t = choice(4, 1, 2, 8, 16);
  map(lbm_inside<T>, omega, chunks(wall, t), col_chunks(in, t, 2), col_chunks(out, t));
}

constexpr unsigned easts[5] = {0, 1, 0, 1, 0};
constexpr unsigned wests[5] = {0, 0, 0, 0, 1};
constexpr unsigned souths[5] = {0, 0, 1, 1, 1};

// A number of steps, in place: particles of opposite directions are exchanged in each cell, and then with those of
// the cell that the one would have come from, so that all have arrived.
template <class T> __codelet
void lbm(T omega, unsigned steps, const Array<2, int> wall, Array<3, T> cells) {
  require(cells.size(0) == 9);
  require(cells.size(1) == wall.size(0));
  require(cells.size(2) == wall.size(1));
  require(within(wall, 0, 2));
  typical(steps, 100);
  unsigned m = wall.size(0);
  unsigned n = wall.size(1);
  for (unsigned step = 0; step < steps; ++step) {
    for (unsigned k = 1; k < 5; ++k) {
      for (unsigned i = 0; i < m; ++i) {
        for (unsigned j = 0; j < n; ++j) {
          T f = cells[k][i][j];
          cells[k][i][j] = cells[k + 4][i][j];
          cells[k + 4][i][j] = f;
        }
      }
      for (unsigned i = 0; i < m; ++i) {
        for (unsigned j = 0; j < n; ++j) {
          unsigned to_i = (i + souths[k]) % m;
          unsigned to_j = (j + easts[k] + (n - wests[k])) % n;
          T f = cells[k + 4][i][j];
          cells[k + 4][i][j] = cells[k][to_i][to_j];
          cells[k][to_i][to_j] = f;
        }
      }
    }
    for (unsigned i = 0; i < m; ++i) {
      for (unsigned j = 0; j < n; ++j) {
        T density = cells[0][i][j];
        T east = 0;
        T south = 0;
        for (unsigned k = 1; k < 5; ++k) {
          T more = cells[k][i][j] - cells[k + 4][i][j];
          density += cells[k][i][j] + cells[k + 4][i][j];
          east += (T)easts[k] * more - (T)wests[k] * more;
          south += (T)souths[k] * more;
        }
        T still = density - (T)1.5 * (east * east + south * south);
        if (wall[i][j] == 0)
          cells[0][i][j] = relaxed<T>(omega, (T)4 / 9, cells[0][i][j], still, 0);
        for (unsigned k = 1; k < 5; ++k) {
          T weight = k < 3 ? (T)1 / 9 : (T)1 / 36;
          T along = (T)easts[k] * east - (T)wests[k] * east + (T)souths[k] * south;
          T there = cells[k][i][j];
          T back = cells[k + 4][i][j];
          cells[k][i][j] = wall[i][j] != 0 ? back : relaxed<T>(omega, weight, there, still, along);
          cells[k + 4][i][j] = wall[i][j] != 0 ? there : relaxed<T>(omega, weight, back, still, -along);
        }
      }
    }
  }
}

// From one lattice into another, which are swapped.
template <class T> __codelet __tag(lbm_rounds)
void lbm(T omega, unsigned steps, const Array<2, int> wall, Array<3, T> cells) {
  Array<3, T> now(cells.size(0), cells.size(1), cells.size(2));
  Array<3, T> next(cells.size(0), cells.size(1), cells.size(2));
  copy_box<T>(cells, now);
  for (unsigned step = 0; step < steps; ++step) {
    lbm_inside<T>(omega, wall, pad(pad(now, 1, 1, wrap, 1), 1, 1, wrap, 2), next);
    swap(now, next);
  }
  copy_box<T>(now, cells);
}

template void lbm<float>(float, unsigned, const Array<2, int>, Array<3, float>);

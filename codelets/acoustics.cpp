// Sound in a room: two steps of time give the next one.
#include <tangram.h>

// `open`: how many of the six neighbours are in the room, where the wall takes a part (loss) of what it
// gets; 0 is outside.
template <class T>
T pressure(T c2, T loss, int open, T before, T now, T around) {
  T wall = (T)0.5 * loss * (6 - open);
  T next = ((2 - c2 * open) * now + c2 * around + (wall - 1) * before) / (1 + wall);
  return open == 0 ? 0 : next;
}

// Of pressures with their neighbours.
template <class T> __codelet
void acoustics_inside(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  require(open.size(0) == next.size(0));
  require(open.size(1) == next.size(1));
  require(open.size(2) == next.size(2));
  require(before.size(0) == next.size(0));
  require(before.size(1) == next.size(1));
  require(before.size(2) == next.size(2));
  require(now.size(0) == next.size(0) + 2);
  require(now.size(1) == next.size(1) + 2);
  require(now.size(2) == next.size(2) + 2);
  for (unsigned i = 0; i < next.size(0); ++i) {
    for (unsigned j = 0; j < next.size(1); ++j) {
      for (unsigned k = 0; k < next.size(2); ++k)
        next[i][j][k] = pressure<T>(c2, loss, open[i][j][k], before[i][j][k], now[i + 1][j + 1][k + 1],
            now[i][j + 1][k + 1] + now[i + 1][j][k + 1] + now[i + 1][j + 1][k] + now[i + 1][j + 1][k + 2] +
            now[i + 1][j + 2][k + 1] + now[i + 2][j + 1][k + 1]);
    }
  }
}

template <class T> __codelet __coop __tag(acoustics_lanes)
void acoustics_inside(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  for (unsigned k = coopIdx(); k < next.size(2); k += coopDim()) {
    for (unsigned i = 0; i < next.size(0); ++i) {
      for (unsigned j = 0; j < next.size(1); ++j)
        next[i][j][k] = pressure<T>(c2, loss, open[i][j][k], before[i][j][k], now[i + 1][j + 1][k + 1],
            now[i][j + 1][k + 1] + now[i + 1][j][k + 1] + now[i + 1][j + 1][k] + now[i + 1][j + 1][k + 2] +
            now[i + 1][j + 2][k + 1] + now[i + 2][j + 1][k + 1]);
    }
  }
}

template <class T> __codelet __tag(acoustics_parts)
void acoustics_inside(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  __tunable unsigned p;
  map(acoustics_inside<T>, c2, loss, rows(open, p), rows(before, p), rows(now, p, 2), rows(next, p));
}

template <class T> __codelet __tag(acoustics_tiles)
void acoustics_inside(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  __tunable unsigned t = choice(8, 2, 4, 16);
  __tunable unsigned u = choice(4, 2, 8, 16);
  map(acoustics_inside<T>, c2, loss, tile_chunks(open, t, u), tile_chunks(before, t, u), tile_chunks(now, t, u, 2, 2), tile_chunks(next, t, u));
}

// A step of the wave equation: c2 is the square of Courant's number.
template <class T> __codelet
void acoustics(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  require(open.size(0) == now.size(0));
  require(open.size(1) == now.size(1));
  require(open.size(2) == now.size(2));
  require(before.size(0) == now.size(0));
  require(before.size(1) == now.size(1));
  require(before.size(2) == now.size(2));
  require(next.size(0) == now.size(0));
  require(next.size(1) == now.size(1));
  require(next.size(2) == now.size(2));
  require(within(open, 0, 7));
  for (unsigned i = 0; i < now.size(0); ++i) {
    for (unsigned j = 0; j < now.size(1); ++j) {
      for (unsigned k = 0; k < now.size(2); ++k) {
        T around = 0;
        around += i > 0 ? now[i - 1][j][k] : 0;
        around += j > 0 ? now[i][j - 1][k] : 0;
        around += k > 0 ? now[i][j][k - 1] : 0;
        around += k + 1 < now.size(2) ? now[i][j][k + 1] : 0;
        around += j + 1 < now.size(1) ? now[i][j + 1][k] : 0;
        around += i + 1 < now.size(0) ? now[i + 1][j][k] : 0;
        next[i][j][k] = pressure<T>(c2, loss, open[i][j][k], before[i][j][k], now[i][j][k], around);
      }
    }
  }
}
template <class T> __codelet __tag(acoustics_padded)
void acoustics(T c2, T loss, const Array<3, int> open, const Array<3, T> before, const Array<3, T> now, Array<3, T> next) {
  acoustics_inside<T>(c2, loss, open, before, pad(pad(pad(now, 1, 1, constant(0)), 1, 1, constant(0), 1), 1, 1, constant(0), 2), next);
}

template void acoustics<float>(float, float, const Array<3, int>, const Array<3, float>, const Array<3, float>, Array<3, float>);

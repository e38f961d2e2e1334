// Hotspot of Rodinia: a step of the temperatures of a chip that is heated by its power, in two
// and in three dimensions. Past the ends is the last element.
#include <tangram.h>

template <class T>
T hotspot_at(T step, T rx, T ry, T rz, T ambient, T power, T north, T west, T c, T east, T south) {
  return c + step * (power + (north + south - 2 * c) * ry + (east + west - 2 * c) * rx + (ambient - c) * rz);
}

// Of temperatures with their neighbours.
template <class T> __codelet
void hotspot_inside(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  require(power.size(0) == out.size(0));
  require(power.size(1) == out.size(1));
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = hotspot_at<T>(step, rx, ry, rz, ambient, power[i][j], in[i][j + 1], in[i + 1][j],
                                in[i + 1][j + 1], in[i + 1][j + 2], in[i + 2][j + 1]);
  }
}

// Every lane a column of results, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(hotspot_lanes)
void hotspot_inside(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = coopIdx(); j < out.size(1); j += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = hotspot_at<T>(step, rx, ry, rz, ambient, power[i][j], in[i][j + 1], in[i + 1][j],
                                in[i + 1][j + 1], in[i + 1][j + 2], in[i + 2][j + 1]);
  }
}

// As many blocks of rows as there are workers.
template <class T> __codelet __tag(hotspot_parts)
void hotspot_inside(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(hotspot_inside<T>, step, rx, ry, rz, ambient, rows(power, p), rows(in, p, 2), rows(out, p));
}

template <class T> __codelet __tag(hotspot_tiles)
void hotspot_inside(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(16, 4, 8, 32);
  __tunable unsigned u = choice(256, 64, 128, 512);
  map(hotspot_inside<T>, step, rx, ry, rz, ambient, tile_chunks(power, t, u), tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// in + step * (power + what the neighbours bring: rx, ry, rz are the inverse of the resistances to those
// in a row, those in a column, and the ambient temperature).
template <class T> __codelet
void hotspot(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  require(power.size(0) == in.size(0));
  require(power.size(1) == in.size(1));
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      T north = in[i > 0 ? i - 1 : i][j];
      T west = in[i][j > 0 ? j - 1 : j];
      T east = in[i][j + 1 < in.size(1) ? j + 1 : j];
      T south = in[i + 1 < in.size(0) ? i + 1 : i][j];
      out[i][j] = hotspot_at<T>(step, rx, ry, rz, ambient, power[i][j], north, west, in[i][j], east, south);
    }
  }
}
template <class T> __codelet __tag(hotspot_padded)
void hotspot(T step, T rx, T ry, T rz, T ambient, const Array<2, T> power, const Array<2, T> in, Array<2, T> out) {
  hotspot_inside<T>(step, rx, ry, rz, ambient, power, pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), out);
}

template void hotspot<float>(float, float, float, float, float, const Array<2, float>, const Array<2, float>, Array<2, float>);

// ----------------------------------------------------------------------------
// Three dimensions
// ----------------------------------------------------------------------------

template <class T> __codelet
void hotspot3_inside(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  require(power.size(0) == out.size(0));
  require(power.size(1) == out.size(1));
  require(power.size(2) == out.size(2));
  require(in.size(0) == out.size(0) + 2);
  require(in.size(1) == out.size(1) + 2);
  require(in.size(2) == out.size(2) + 2);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      for (unsigned k = 0; k < out.size(2); ++k)
        out[i][j][k] = cc * in[i + 1][j + 1][k + 1] + cx * (in[i + 1][j + 1][k] + in[i + 1][j + 1][k + 2]) +
                       cy * (in[i + 1][j][k + 1] + in[i + 1][j + 2][k + 1]) +
                       cz * (in[i][j + 1][k + 1] + in[i + 2][j + 1][k + 1] + ambient) + step * power[i][j][k];
    }
  }
}

template <class T> __codelet __coop __tag(hotspot3_lanes)
void hotspot3_inside(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  for (unsigned k = coopIdx(); k < out.size(2); k += coopDim()) {
    for (unsigned i = 0; i < out.size(0); ++i) {
      for (unsigned j = 0; j < out.size(1); ++j)
        out[i][j][k] = cc * in[i + 1][j + 1][k + 1] + cx * (in[i + 1][j + 1][k] + in[i + 1][j + 1][k + 2]) +
                       cy * (in[i + 1][j][k + 1] + in[i + 1][j + 2][k + 1]) +
                       cz * (in[i][j + 1][k + 1] + in[i + 2][j + 1][k + 1] + ambient) + step * power[i][j][k];
    }
  }
}

// As many blocks of planes as there are workers.
template <class T> __codelet __tag(hotspot3_parts)
void hotspot3_inside(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned p;
  map(hotspot3_inside<T>, cc, cx, cy, cz, step, ambient, rows(power, p), rows(in, p, 2), rows(out, p));
}

// Tiles of t by u rows.
template <class T> __codelet __tag(hotspot3_tiles)
void hotspot3_inside(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned t = choice(8, 2, 4, 16);
  __tunable unsigned u = choice(4, 2, 8, 16);
  map(hotspot3_inside<T>, cc, cx, cy, cz, step, ambient, tile_chunks(power, t, u), tile_chunks(in, t, u, 2, 2), tile_chunks(out, t, u));
}

// cc in + cx (the neighbours in a row) + cy (in a column) + cz (in other layers, and the ambient
// temperature) + step * power.
template <class T> __codelet
void hotspot3(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  require(power.size(0) == in.size(0));
  require(power.size(1) == in.size(1));
  require(power.size(2) == in.size(2));
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned i = 0; i < in.size(0); ++i) {
    unsigned below = i > 0 ? i - 1 : i;
    unsigned above = i + 1 < in.size(0) ? i + 1 : i;
    for (unsigned j = 0; j < in.size(1); ++j) {
      unsigned north = j > 0 ? j - 1 : j;
      unsigned south = j + 1 < in.size(1) ? j + 1 : j;
      for (unsigned k = 0; k < in.size(2); ++k) {
        unsigned west = k > 0 ? k - 1 : k;
        unsigned east = k + 1 < in.size(2) ? k + 1 : k;
        out[i][j][k] = cc * in[i][j][k] + cx * (in[i][j][west] + in[i][j][east]) +
                       cy * (in[i][north][k] + in[i][south][k]) + cz * (in[below][j][k] + in[above][j][k] + ambient) +
                       step * power[i][j][k];
      }
    }
  }
}
template <class T> __codelet __tag(hotspot3_padded)
void hotspot3(T cc, T cx, T cy, T cz, T step, T ambient, const Array<3, T> power, const Array<3, T> in, Array<3, T> out) {
  hotspot3_inside<T>(cc, cx, cy, cz, step, ambient, power, pad(pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), 1, 1, clamp, 2), out);
}

template void hotspot3<float>(float, float, float, float, float, float, const Array<3, float>, const Array<3, float>, Array<3, float>);

// Program 23 of seed 301 of tests/random_programs. Turns of groups never ended on PoCL 3.1, which keeps a copy per item
// of values that are computed before a barrier and used behind it.
#include <tangram.h>

int value(signed char x) {
  return (x - 2 % 5) % 1009;
}

unsigned clamped(unsigned i, unsigned l, unsigned n) {
  return i < l ? 0 : min(i - l, n - 1);
}

__codelet
int f(int by, const Array<2, signed char> in) {
  int accum = -1073741824;
  for (unsigned i = 0; i < (in.size(0) + 1) / 3; ++i) {
    for (unsigned j = 0; j < in.size(1) + 3; ++j) {
      int r = 0;
      for (unsigned a = 0; a < 3; ++a) {
        for (unsigned b = 0; b < 2; ++b) {
          signed char x = (in.size(1) > 0 ? (i * 3 + a >= 1 && i * 3 + a < in.size(0) + 1 ? in[i * 3 + a - 1][clamped(j + b, 3, in.size(1))] : (signed char)7) : (signed char)0);
          if (x > (in.size(1) > 0 ? (i * 3 >= 1 && i * 3 < in.size(0) + 1 ? in[i * 3 - 1][clamped(j, 3, in.size(1))] : (signed char)7) : (signed char)0))
            break;
          if (x == (in.size(1) > 0 ? (i * 3 + 1 >= 1 && i * 3 + 1 < in.size(0) + 1 ? in[i * 3 + 1 - 1][clamped(j + 1, 3, in.size(1))] : (signed char)7) : (signed char)0))
            continue;
          r += value(x);
        }
      }
      r += by % 101;
      accum = accum < r ? r : accum;
    }
  }
  return accum;
}

__codelet
int at(int by, const Array<2, signed char> in) {
  int r = 0;
  for (unsigned a = 0; a < 3; ++a) {
    for (unsigned b = 0; b < 2; ++b) {
      signed char x = in[a][b];
      if (x > in[0][0])
        break;
      if (x == in[1][1])
        continue;
      r += value(x);
    }
  }
  r += by % 101;
  return r;
}

__codelet
int combine(const Array<1, int> in) {
  int accum = -1073741824;
  for (unsigned i = 0; i < in.size(); ++i)
    accum = max(accum, in[i]);
  return accum;
}

__codelet
int inside(int by, const Array<2, signed char> in) {
  int accum = -1073741824;
  for (unsigned i = 0; i < (in.size(0)) / 3; ++i) {
    for (unsigned j = 0; j < (in.size(1) < 1 ? 0 : (in.size(1) - 1) / 1); ++j) {
      signed char in_near[6];
      for (unsigned a = 0; a < 3; ++a) {
        for (unsigned b = 0; b < 2; ++b) {
          in_near[a * 2 + b] = in[i * 3 + a][j + b];
        }
      }
      int r = 0;
      for (unsigned a = 0; a < 3; ++a) {
        for (unsigned b = 0; b < 2; ++b) {
          signed char x = in_near[a * 2 + b];
          if (x > in_near[0])
            break;
          if (x == in_near[3])
            continue;
          r += value(x);
        }
      }
      r += by % 101;
      accum = accum < r ? r : accum;
    }
  }
  return accum;
}

__codelet __tag(padded)
int f(int by, const Array<2, signed char> in) {
  return inside(by, transpose(pad(transpose(pad(in, 1, 0, constant(7), 0)), 3, 1, clamp)));
}

__codelet __tag(inside_rows)
int inside(int by, const Array<2, signed char> in) {
  return combine(map(inside, by, slide(in, 3, 3)));
}

__codelet __tag(parts0)
int inside(int by, const Array<2, signed char> in) {
  __tunable unsigned t = pow2(2, 32);
  __tunable unsigned u;
  return combine(map(inside, by, tile_chunks(in, t * 3, u, 0, 1)));
}

__codelet __tag(parts1)
int inside(int by, const Array<2, signed char> in) {
  __tunable unsigned t = pow2(2, 32);
  return combine(map(inside, by, chunks(in, t * 3, 0)));
}

__codelet
void share(int by, const Array<2, signed char> in, Array<1, int> acc) {
  require(acc.size() == 1);
  int own = inside(by, in);
  atomicMax(acc[0], own);
}

__codelet __tag(atomics)
int inside(int by, const Array<2, signed char> in) {
  __tunable unsigned t = pow2(2, 32);
  Array<1, int> acc(1);
  acc[0] = -1073741824;
  map(share, by, chunks(in, t * 3, 0), all(acc));
  return acc[0];
}

// Vectors in every place where numbers may stand: for tests/vectors.py.
#include <tangram.h>

constexpr float4 weights[3] = {float4(1, 2, 3, 4), float4(0.5f), {1, 0, 0, 1}};
constexpr int2 corner = {3, -1};

// Components that change places in a container that is read and written.
__codelet __tag(loop)
void flip(Array<1, float2> io) {
  for (unsigned i = 0; i < io.size(); ++i)
    io[i] = float2(io[i].y, io[i].x);
}
__codelet
float2 swapped(float2 a) { return float2(a.y, a.x); }
__codelet __tag(mapped)
void flip(Array<1, float2> io) { io = map(swapped, io); }
__codelet __tag(by_another_name)
void flip(Array<1, float2> io) {
  auto same = io;
  for (unsigned i = 0; i < io.size(); ++i)
    same[i] = float2(io[i].y, io[i].x);
}
__codelet __tag(blocks)
void flip(Array<1, float2> io) {
  __tunable unsigned t = choice(16, 4);
  map(flip, chunks(io, t));
}
__codelet __coop __tag(lanes)
void flip(Array<1, float2> io) {
  for (unsigned i = coopIdx(); i < io.size(); i += coopDim())
    io[i] = float2(io[i].y, io[i].x);
}

// Matrices of vectors, and a vector that is the same for all.
__codelet __tag(loops)
void scale(float4 by, const Array<2, float4> in, Array<2, float4> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[i][j] = in[i][j] * by;
  }
}
__codelet
void scale_row(float4 by, const Array<1, float4> in, Array<1, float4> out) {
  require(out.size() == in.size());
  for (unsigned j = 0; j < in.size(); ++j)
    out[j] = in[j] * by;
}
__codelet __coop __tag(scale_lanes)
void scale_row(float4 by, const Array<1, float4> in, Array<1, float4> out) {
  for (unsigned j = coopIdx(); j < in.size(); j += coopDim())
    out[j] = in[j] * by;
}
__codelet __tag(by_rows)
void scale(float4 by, const Array<2, float4> in, Array<2, float4> out) { map(scale_row, by, in, out); }
__codelet __tag(by_tiles)
void scale(float4 by, const Array<2, float4> in, Array<2, float4> out) {
  __tunable unsigned t = choice(8, 3);
  map(scale, by, tile_chunks(in, t, t), tile_chunks(out, t, t));
}

// All statements, arrays of vectors, tables of constants, and functions that call functions.
float2 turned(float2 a, int n) {
  switch (n) {
  case 0:
    return a;
  case 1:
    return float2(-a.y, a.x);
  default:
    return -a;
  }
}
float2 turned_twice(float2 a) { return turned(turned(a, 1) + turned(a, 2), 1) * 2; }
float breadth(float2 a) { return (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y); }
float2 mixed_of(unsigned i, float2 a, float2 next) {
  float2 b = a;
  b.x++;
  b.y -= 1;
  float2 kept[3] = {a, b};
  kept[2] = kept[0] + kept[1] * weights[i % 3].y;
  float2 c = breadth(a) > 1 ? turned_twice(a) : i % 2 == 0 ? b : float2(corner.x, corner.y);
  int rounds = 0;
  while (c.x < 3 && rounds < 3) {
    c += float2(1, 0.5f);
    ++rounds;
  }
  do {
    c.y = c.y * 0.5f;
  } while (c.y > 10);
  for (int j = 0; j < 2; ++j)
    c += kept[j] / 2;
  return c + kept[2] + turned(next, i % 3);
}
__codelet __tag(statements)
void mix(const Array<1, float2> in, Array<1, float2> out) {
  require(out.size() == in.size());
  unsigned n = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    out[n++] = mixed_of(i, in[i], in[(i + 1) % in.size()]);
    if (out[i].x > 100)
      continue;
    out[i] -= 1;
    out[i] *= out[i].x;
  }
}
__codelet
float2 mixed(unsigned i, float2 a, float2 next) {
  float2 b = mixed_of(i, a, next);
  if (b.x > 100)
    return b;
  b -= 1;
  return b * b.x;
}
__codelet
float2 next_of(unsigned i, const Array<1, float2> in) { return in[(i + 1) % in.size()]; }
__codelet __tag(maps)
void mix(const Array<1, float2> in, Array<1, float2> out) {
  unsigned n = in.size();
  Array<1, float2> next(n);
  next = map(next_of, sequence(0, 1, n), all(in));
  out = map(mixed, sequence(0, 1, n), in, next);
}

// Rounds of kernels whose containers are swapped.
__codelet
void fold_over(const Array<1, float3> a, Array<1, float3> b) {
  require(b.size() == a.size());
  for (unsigned i = 0; i < a.size(); ++i)
    b[i] = a[i] * 0.5f + a[a.size() - 1 - i];
}
__codelet __coop __tag(fold_lanes)
void fold_over(const Array<1, float3> a, Array<1, float3> b) {
  for (unsigned i = coopIdx(); i < a.size(); i += coopDim())
    b[i] = a[i] * 0.5f + a[a.size() - 1 - i];
}
__codelet
void copy_of(const Array<1, float3> a, Array<1, float3> b) {
  require(b.size() == a.size());
  for (unsigned i = 0; i < a.size(); ++i)
    b[i] = a[i];
}
__codelet __tag(in_place)
void steps(int rounds, const Array<1, float3> a, Array<1, float3> b) {
  require(b.size() == a.size());
  require(rounds >= 0 && rounds < 5);
  for (unsigned i = 0; i < a.size(); ++i)
    b[i] = a[i];
  for (int r = 0; r < rounds; ++r) {
    for (unsigned i = 0; i < (a.size() + 1) / 2; ++i) {
      unsigned j = a.size() - 1 - i;
      float3 left = b[i] * 0.5f + b[j];
      float3 right = b[j] * 0.5f + b[i];
      b[i] = left;
      b[j] = right;
    }
  }
}
__codelet __tag(swaps)
void steps(int rounds, const Array<1, float3> a, Array<1, float3> b) {
  Array<1, float3> now(a.size());
  Array<1, float3> next(a.size());
  copy_of(a, now);
  for (int r = 0; r < rounds; ++r) {
    fold_over(now, next);
    swap(now, next);
  }
  copy_of(now, b);
}

// Neighbourhoods in two dimensions, with zeros around.
__codelet __tag(four_loops)
void blur(const Array<2, float4> in, Array<2, float4> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j) {
      float4 sum = 0;
      for (unsigned a = 0; a < 3; ++a) {
        for (unsigned b = 0; b < 3; ++b) {
          if (i + a >= 1 && i + a < in.size(0) + 1 && j + b >= 1 && j + b < in.size(1) + 1)
            sum += in[i + a - 1][j + b - 1] * weights[b];
        }
      }
      out[i][j] = sum;
    }
  }
}
__codelet
void blur_row(const Array<2, float4> in, Array<1, float4> out) {
  require(in.size(0) == 3);
  require(in.size(1) == out.size() + 2);
  for (unsigned j = 0; j < out.size(); ++j) {
    float4 sum = 0;
    for (unsigned a = 0; a < 3; ++a) {
      for (unsigned b = 0; b < 3; ++b)
        sum += in[a][j + b] * weights[b];
    }
    out[j] = sum;
  }
}
__codelet __tag(windows)
void blur(const Array<2, float4> in, Array<2, float4> out) {
  map(blur_row, slide(pad(pad(in, 1, 1, constant(0)), 1, 1, constant(0), 1), 3, 1), out);
}

// What is updated in order, and a number that is carried from part to part.
__codelet
void add_to(const Array<1, int4> part, Array<1, int4> total) {
  require(total.size() == 1);
  for (unsigned i = 0; i < part.size(); ++i)
    total[0] += part[i];
}
__codelet
int counted(int carry, const Array<1, int4> in, Array<1, int4> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    carry += in[i].x & 15;
    out[i] = int4(carry, in[i].y, carry, in[i].z);
  }
  return carry;
}
__codelet __tag(loop_over_all)
void count(const Array<1, int4> in, Array<1, int4> out, Array<1, int4> total) {
  require(out.size() == in.size());
  require(total.size() == 1);
  int carry = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    carry += in[i].x & 15;
    out[i] = int4(carry, in[i].y, carry, in[i].z);
    total[0] += in[i];
  }
}
__codelet __tag(in_order)
void count(const Array<1, int4> in, Array<1, int4> out, Array<1, int4> total) {
  __tunable unsigned p;
  chain(counted, 0, rows(in, p), rows(out, p));
  fold(add_to, rows(in, p), all(total));
}

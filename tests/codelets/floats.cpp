// Floating point where a value decides, and where it is rounded many times over: right plans are
// right, and a result that is a little wrong is wrong (tests/floats.py).
#include <tangram.h>

// Two hundred dependent roundings of each element.
__codelet void grow(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); i++) {
    float x = in[i];
    for (int round = 0; round < 200; round++)
      x = x * 1.001f + 0.1f;
    out[i] = x;
  }
}

__codelet __tag(parts) void grow(const Array<1, float> in, Array<1, float> out) {
  __tunable unsigned p;
  unsigned tile = (in.size() + p - 1) / p;
  map(grow, partition(in, p, sequence(0, tile, in.size()), sequence(1), sequence(tile, tile, in.size())),
      partition(out, p, sequence(0, tile, in.size()), sequence(1), sequence(tile, tile, in.size())));
}

// The same in a helper function.
static float grown(float x) {
  for (int round = 0; round < 200; round++)
    x = x * 1.001f + 0.1f;
  return x;
}

__codelet float grown_sum(const Array<1, float> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); i++)
    sum += grown(in[i]);
  return sum;
}

// As many rounds as the value says.
static float halved(float x) {
  float y = x;
  float total = 0;
  while (fabsf(y) > 0.001f) {
    total = total + y;
    y = y * 0.93f;
  }
  return total;
}

__codelet float halved_sum(const Array<1, float> in) {
  float sum = 0;
  for (unsigned i = 0; i < in.size(); i++)
    sum += halved(in[i]);
  return sum;
}

// 0.1f * 10 is 1 in float, and 1.0000000149 in double: the codelet's type decides.
__codelet void decide(const Array<1, float> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); i++) {
    float scaled = in[i] * 10.0f + 3.3f;
    float third = in[i] / 3.0f * 3.0f;
    int whole = (int)(scaled * 7.7f);
    out[i] = whole * 4 + (third < in[i] ? 1 : 0) + (third > in[i] ? 2 : 0) + (int)floorf(scaled * 5.5f);
  }
}

// Many atomic additions to few places.
__codelet void gather(const Array<1, float> in, Array<1, float> out) {
  for (unsigned i = 0; i < in.size(); i++)
    atomicAdd(out[i % out.size()], in[i] * 1.1f);
}

__codelet __coop __tag(gather_lanes) void gather(const Array<1, float> in, Array<1, float> out) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(out[i % out.size()], in[i] * 1.1f);
}

// How long a point stays near 0: rounded otherwise, some leave a round sooner or later.
static int rounds_near(float x0, float y0) {
  float x = 0;
  float y = 0;
  int rounds = 0;
  while (x * x + y * y < 4.0f && rounds < 200) {
    float next = x * x - y * y + x0;
    y = 2.0f * x * y + y0;
    x = next;
    rounds++;
  }
  return rounds;
}

__codelet void near(const Array<1, float> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); i++)
    out[i] = rounds_near(in[i], in[in.size() - 1 - i]);
}

// Vectors as elements, locals, parameters and results: for tests/vectors.py.
#include <tangram.h>

// Sums of vectors, in every way that sums of numbers have.
template <class V> __codelet
V total(const Array<1, V> in) {
  V accum(0);
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}
template <class V> __codelet __coop __tag(tree)
V total(const Array<1, V> in) {
  __shared V partial[coopDim()];
  unsigned id = coopIdx();
  V accum(0);
  for (unsigned i = id; i < in.size(); i += coopDim())
    accum += in[i];
  partial[id] = accum;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      partial[id] += partial[id - s];
  }
  return partial[coopDim() - 1];
}
template <class V> __codelet __tag(adjacent)
V total(const Array<1, V> in) {
  __tunable unsigned p;
  unsigned tile = (in.size() + p - 1) / p;
  return total<V>(map(total<V>, partition(in, p, sequence(0, tile, in.size()), sequence(1),
                                          sequence(tile, tile, in.size() + 1))));
}
template <class V> __codelet __tag(strided)
V total(const Array<1, V> in) {
  __tunable unsigned p;
  return total<V>(map(total<V>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.size()))));
}
template float4 total<float4>(const Array<1, float4>);
template int2 total<int2>(const Array<1, int2>);
template double3 total<double3>(const Array<1, double3>);

// A helper function that gives a vector, vectors and numbers that are the same for all, and early returns.
constexpr float4 origin(0.5f, 0.25f, 0, 0);
float4 along(float4 place, float4 speed, float dt) {
  float mass = place.w;
  place += speed * dt - origin;
  place.w = mass;
  return place;
}
float near(float4 a, float4 b) { return length(a - b) < 1 ? a.w : b.w; }
__codelet
float4 moved(float dt, float4 bias, float4 place, float4 speed) {
  if (place.x < speed.x)
    return float4{place.y, place.x, near(place, speed), -place.w};
  return along(place, speed + bias, dt * dt);
}
__codelet __tag(one_by_one)
void move(float dt, float4 bias, const Array<1, float4> places, const Array<1, float4> speeds,
          Array<1, float4> out) {
  require(speeds.size() == places.size());
  require(out.size() == places.size());
  for (unsigned i = 0; i < places.size(); ++i) {
    float4 place = places[i];
    if (place.x < speeds[i].x) {
      out[i] = place;
      out[i].x = place.y;
      out[i].y = place.x;
      out[i].z = near(place, speeds[i]);
      out[i].w *= -1;
    } else {
      out[i] = along(place, speeds[i] + bias, dt * dt);
    }
  }
}
__codelet __tag(map)
void move(float dt, float4 bias, const Array<1, float4> places, const Array<1, float4> speeds,
          Array<1, float4> out) {
  require(speeds.size() == places.size());
  require(out.size() == places.size());
  out = map(moved, dt, bias, places, speeds);
}
__codelet __tag(parts)
void move(float dt, float4 bias, const Array<1, float4> places, const Array<1, float4> speeds,
          Array<1, float4> out) {
  __tunable unsigned t = choice(16, 4, 64);
  map(move, dt, bias, chunks(places, t), chunks(speeds, t), chunks(out, t));
}

// A vector from one spectrum that another one is given for all of its elements.
__codelet
int4 shifted(int4 value, int4 by, int4 &rest) {
  rest = value / 3;
  return value - by;
}
__codelet __tag(loops)
void shift(const Array<1, int4> in, Array<1, int4> out, Array<1, int4> rests) {
  require(out.size() == in.size());
  require(rests.size() == in.size());
  int4 all = make_int4(0, 0, 0, 0);
  for (unsigned i = 0; i < in.size(); ++i)
    all += in[i];
  all = int4(all.w, all.x, all.y, all.z) * all.x;
  for (unsigned i = 0; i < in.size(); ++i) {
    rests[i] = in[i] / 3;
    out[i] = in[i] - all;
  }
}
__codelet
int4 total_of(const Array<1, int4> in) {
  int4 all(0);
  for (unsigned i = 0; i < in.size(); ++i)
    all += in[i];
  return all;
}
__codelet __coop __tag(lanes)
int4 total_of(const Array<1, int4> in) {
  __shared int4 all;
  if (coopIdx() == 0)
    all = int4(0);
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim()) {
    atomicAdd(all.x, in[i].x);
    atomicAdd(all.y, in[i].y);
    atomicAdd(all.z, in[i].z);
    atomicAdd(all.w, in[i].w);
  }
  return all;
}
__codelet __tag(spectrums)
void shift(const Array<1, int4> in, Array<1, int4> out, Array<1, int4> rests) {
  require(out.size() == in.size());
  require(rests.size() == in.size());
  int4 all = total_of(in);
  int4 by = int4(all.w, all.x, all.y, all.z) * all.x;
  out = map(shifted, in, by, rests);
}

// Complex numbers in matrices: rows by rows, and columns by transposition.
double2 times(double2 a, double2 b) { return double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__codelet
double2 product(const Array<1, double2> a, const Array<1, double2> b) {
  require(b.size() == a.size());
  double2 sum(0);
  for (unsigned k = 0; k < a.size(); ++k)
    sum += times(a[k], b[k]);
  return sum;
}
__codelet __tag(three_loops)
void multiply(const Array<2, double2> a, const Array<1, double2> x, Array<1, double2> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    y[i] = double2(0, 0);
    for (unsigned k = 0; k < a.size(1); ++k)
      y[i] += times(a[i][k], x[k]);
  }
}
__codelet __tag(rows)
void multiply(const Array<2, double2> a, const Array<1, double2> x, Array<1, double2> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  y = map(product, a, all(x));
}

// Neighbours, and lanes that exchange vectors.
__codelet
void smooth(const Array<1, float3> in, Array<1, float3> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    float3 left = i > 0 ? in[i - 1] : in[i];
    float3 right = i + 1 < in.size() ? in[i + 1] : in[i];
    out[i] = (left + right + 2.0f * in[i]) * 0.25f;
  }
}
__codelet
float3 middle(const Array<1, float3> window) {
  require(window.size() == 3);
  return (window[0] + window[2] + 2.0f * window[1]) * 0.25f;
}
__codelet __tag(windows)
void smooth(const Array<1, float3> in, Array<1, float3> out) {
  require(out.size() == in.size());
  out = map(middle, slide(pad(in, 1, 1, clamp), 3, 1));
}
__codelet __coop __tag(exchange)
void smooth(const Array<1, float3> in, Array<1, float3> out) {
  __shared float3 near[coopDim() + 2];
  unsigned id = coopIdx();
  for (unsigned base = 0; base < in.size(); base += coopDim()) {
    unsigned i = base + id;
    if (i < in.size()) {
      near[id + 1] = in[i];
      if (id == 0)
        near[0] = i > 0 ? in[i - 1] : in[i];
      if (id == coopDim() - 1 || i == in.size() - 1)
        near[id + 2] = i + 1 < in.size() ? in[i + 1] : in[i];
    }
    if (i < in.size()) {
      near[id + 1] *= 2.0f;
      float3 left = id > 0 ? near[id] * 0.5f : near[0];
      float3 right = id + 1 < coopDim() && i + 1 < in.size() ? near[id + 2] * 0.5f : near[id + 2];
      out[i] = (left + right + near[id + 1]) * 0.25f;
    }
  }
}

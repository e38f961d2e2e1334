// What is computed for each body, atom, point, voxel, option, or element of a rod, by hand:
//   elements nbody|heat|distances|nearest|black_scholes REPEATS N
//   elements md REPEATS ATOMS,NEIGHBOURS
//   elements mriq REPEATS SAMPLES,VOXELS
#include "../harness/cuda/peer.h"
#include "../harness/matrices.h"

#include <cmath>
#include <memory>

namespace {

constexpr int block = 256;

std::shared_ptr<Buffer<float>> onDevice(const std::vector<float> &values) { return std::make_shared<Buffer<float>>(values); }

std::shared_ptr<Buffer<float>> roomFor(std::size_t count) { return std::make_shared<Buffer<float>>(count); }

Problem problemOf(std::vector<Way> ways, std::shared_ptr<Buffer<float>> out, std::vector<double> expected, double bound) {
  return {std::move(ways),
          [=](const std::string &how) { expectAll(how, *out, expected, bound); },
          {},
          [=] { forget(*out); }};
}

// ---------------------------------------------------------------------------
// N-Body: tiles of others in shared memory; a thread has `each` bodies
// ---------------------------------------------------------------------------

constexpr float timeStep = 0.01F, softening = 0.01F;

template <int each>
__global__ void __launch_bounds__(block)
    stepKernel(const float *__restrict__ bodies, const float *__restrict__ speeds, float *__restrict__ places,
               float *__restrict__ next, int n) {
  __shared__ float4 others[block];
  const int t = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.x) * block * each + t;
  const auto body = [&](int i) {
    return i < n ? make_float4(bodies[i], bodies[n + i], bodies[2 * n + i], bodies[3 * n + i]) : make_float4(0, 0, 0, 0);
  };
  float4 own[each];
  float3 pulls[each];
#pragma unroll
  for (int b = 0; b < each; ++b) {
    own[b] = body(first + b * block);
    pulls[b] = make_float3(0, 0, 0);
  }
  for (int tile = 0; tile < n; tile += block) {
    others[t] = body(tile + t); // past the end are bodies without mass
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < block; ++j) {
      const float4 other = others[j];
#pragma unroll
      for (int b = 0; b < each; ++b) {
        const float dx = other.x - own[b].x, dy = other.y - own[b].y, dz = other.z - own[b].z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
        const float pull = other.w * inverse * inverse * inverse;
        pulls[b].x += pull * dx;
        pulls[b].y += pull * dy;
        pulls[b].z += pull * dz;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int b = 0; b < each; ++b) {
    const int i = first + b * block;
    if (i >= n)
      continue;
    const float pull[3] = {pulls[b].x, pulls[b].y, pulls[b].z}, place[3] = {own[b].x, own[b].y, own[b].z};
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      const float speed = speeds[d * n + i] + timeStep * pull[d];
      next[d * n + i] = speed;
      places[d * n + i] = place[d] + timeStep * speed;
    }
    places[3 * n + i] = own[b].w;
  }
}

Problem nbody(int n) {
  const std::size_t count = static_cast<std::size_t>(n);
  const std::vector<float> values = numbers(4 * count, 1), before = numbers(3 * count, 2);
  const auto bodies = onDevice(values), speeds = onDevice(before), places = roomFor(4 * count), next = roomFor(3 * count);
  const auto way = [=](auto kernel, int each) {
    return [=] {
      launch(kernel, partsOf(count, block * each), block, bodies->data(), speeds->data(), places->data(), next->data(), n);
    };
  };
  // Some bodies of many: all of them take long.
  const int apart = std::max(1, n / 2048);
  std::vector<double> expected(3 * count);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i += apart) {
    double pull[3] = {};
    for (int j = 0; j < n; ++j) {
      double square = softening;
      for (int d = 0; d < 3; ++d)
        square += std::pow(double(values[d * count + j]) - values[d * count + i], 2);
      for (int d = 0; d < 3; ++d)
        pull[d] += values[3 * count + j] / (square * std::sqrt(square)) * (double(values[d * count + j]) - values[d * count + i]);
    }
    for (int d = 0; d < 3; ++d)
      expected[d * count + i] = before[d * count + i] + double(timeStep) * pull[d];
  }
  return {{{"tiles in shared memory, a body a thread", way(stepKernel<1>, 1)},
           {"tiles in shared memory, 2 bodies a thread", way(stepKernel<2>, 2)}},
          [=](const std::string &how) {
            std::vector<float> got(3 * count);
            CHECK(cudaMemcpy(got.data(), next->data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; i += apart) {
              for (int d = 0; d < 3; ++d)
                expect((how + ", body " + std::to_string(i)).c_str(), got[d * count + i], expected[d * count + i],
                       1e-6 * n + 1e-4);
            }
          },
          {},
          [=] { forget(*next); }};
}

// ---------------------------------------------------------------------------
// Molecular dynamics: a thread an atom; its neighbours' places as they lie, or packed beforehand
// ---------------------------------------------------------------------------

constexpr float cutoff = 1, lj1 = 1.5F, lj2 = 2;

template <class T> __host__ __device__ T forceAt(T square) {
  const T inverse = 1 / square;
  const T sixth = inverse * inverse * inverse;
  return inverse * sixth * (T(lj1) * sixth - T(lj2));
}

__global__ void packKernel(const float *places, float4 *packed, int n) {
  const int i = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (i < n)
    packed[i] = make_float4(places[i], places[n + i], places[2 * n + i], 0);
}

template <bool isPacked>
__global__ void __launch_bounds__(block)
    forceKernel(const float *__restrict__ places, const float4 *__restrict__ packed, const int *__restrict__ neighbours,
                float *__restrict__ forces, int n, int near) {
  const int i = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (i >= n)
    return;
  const float x = places[i], y = places[n + i], z = places[2 * n + i];
  float fx = 0, fy = 0, fz = 0;
#pragma unroll 8
  for (int k = 0; k < near; ++k) {
    const int j = neighbours[static_cast<std::size_t>(k) * n + i];
    const float4 other = isPacked ? packed[j] : make_float4(places[j], places[n + j], places[2 * n + j], 0);
    const float dx = x - other.x, dy = y - other.y, dz = z - other.z;
    const float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff && square > 0) {
      const float force = forceAt(square);
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
  }
  forces[i] = fx;
  forces[n + i] = fy;
  forces[2 * n + i] = fz;
}

Problem md(int n, int near) {
  const std::size_t count = static_cast<std::size_t>(n);
  const std::vector<float> values = numbers(3 * count, 1);
  const std::vector<int> list = valuesOf<int>(count * near, Integers{2, 0, n});
  const auto places = onDevice(values), forces = roomFor(3 * count);
  const auto neighbours = std::make_shared<Buffer<int>>(list);
  const auto packed = std::make_shared<Buffer<float4>>(count);
  std::vector<double> expected(3 * count);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < near; ++k) {
      const int j = list[k * count + i];
      double way[3], square = 0;
      for (int d = 0; d < 3; ++d) {
        way[d] = double(values[d * count + i]) - values[d * count + j];
        square += way[d] * way[d];
      }
      for (int d = 0; d < 3 && square < cutoff && square > 0; ++d)
        expected[d * count + i] += way[d] * forceAt(square);
    }
  }
  const auto run = [=](auto kernel) {
    launch(kernel, partsOf(count, block), block, places->data(), packed->data(), neighbours->data(), forces->data(), n, near);
  };
  const std::vector<Way> ways = {{"a thread an atom", [=] { run(forceKernel<false>); }},
                                 {"a thread an atom, places packed first", [=] {
                                    launch(packKernel, partsOf(count, block), block, places->data(), packed->data(), n);
                                    run(forceKernel<true>);
                                  }}};
  // Atoms that are very near pull with forces in which rounding of their distance shows.
  return {ways,
          [=](const std::string &how) {
            std::vector<float> got(3 * count);
            CHECK(cudaMemcpy(got.data(), forces->data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
            std::size_t wrong = 0;
            for (std::size_t e = 0; e < got.size(); ++e)
              wrong += std::fabs(got[e] - expected[e]) <= 1e-2 * std::max(1.0, std::fabs(expected[e])) ? 0 : 1;
            expect((how + ", forces that differ").c_str(), static_cast<double>(wrong), 0, 1e-3 * static_cast<double>(got.size()));
          },
          {},
          [=] { forget(*forces); }};
}

// ---------------------------------------------------------------------------
// MRI-Q: a thread a voxel; samples in constant memory, or tiles of them in shared memory
// ---------------------------------------------------------------------------

constexpr int mostSamples = 4096;
constexpr float twoPi = 6.28318530717958647693F;
__constant__ float4 constantSamples[mostSamples];

__global__ void packSamplesKernel(const float *samples, float4 *packed, int count) {
  const int k = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (k < count)
    packed[k] = make_float4(samples[k], samples[count + k], samples[2 * count + k], samples[3 * count + k]);
}

struct Voxel {
  float x, y, z, real, imaginary;
  __device__ void add(float4 sample) {
    float sine, cosine;
    sincosf(twoPi * (sample.x * x + sample.y * y + sample.z * z), &sine, &cosine);
    real += sample.w * cosine;
    imaginary += sample.w * sine;
  }
};

template <bool inConstants>
__global__ void __launch_bounds__(block)
    voxelKernel(const float *__restrict__ samples, const float *__restrict__ voxels, float *__restrict__ q, int count, int n) {
  __shared__ float4 tile[block];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * block + t;
  Voxel voxel = i < n ? Voxel{voxels[i], voxels[n + i], voxels[2 * n + i], 0, 0} : Voxel{};
  if (inConstants) {
#pragma unroll 4
    for (int k = 0; k < count; ++k)
      voxel.add(constantSamples[k]);
  } else {
    for (int first = 0; first < count; first += block) {
      const int k = first + t;
      if (k < count)
        tile[t] = make_float4(samples[k], samples[count + k], samples[2 * count + k], samples[3 * count + k]);
      __syncthreads();
#pragma unroll 4
      for (int s = 0; s < min(block, count - first); ++s)
        voxel.add(tile[s]);
      __syncthreads();
    }
  }
  if (i < n) {
    q[i] = voxel.real;
    q[n + i] = voxel.imaginary;
  }
}

Problem mriq(int count, int n) {
  const std::vector<float> k = numbers(4 * static_cast<std::size_t>(count), 1), v = numbers(3 * static_cast<std::size_t>(n), 2);
  const auto samples = onDevice(k), voxels = onDevice(v), q = roomFor(2 * static_cast<std::size_t>(n));
  const int apart = std::max(1, n / 4096); // some voxels of many
  std::vector<double> expected(2 * static_cast<std::size_t>(n));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i += apart) {
    for (int s = 0; s < count; ++s) {
      const double angle = 2 * M_PI * (double(k[s]) * v[i] + double(k[count + s]) * v[n + i] + double(k[2 * count + s]) * v[2 * n + i]);
      expected[i] += k[3 * count + s] * std::cos(angle);
      expected[n + i] += k[3 * count + s] * std::sin(angle);
    }
  }
  const auto run = [=](auto kernel) {
    launch(kernel, partsOf(n, block), block, samples->data(), voxels->data(), q->data(), count, n);
  };
  std::vector<Way> ways = {{"samples in shared memory", [=] { run(voxelKernel<false>); }}};
  if (count <= mostSamples)
    ways.push_back({"samples in constant memory", [=] {
                      void *packed = nullptr;
                      CHECK(cudaGetSymbolAddress(&packed, constantSamples));
                      launch(packSamplesKernel, partsOf(count, block), block, samples->data(), static_cast<float4 *>(packed), count);
                      run(voxelKernel<true>);
                    }});
  return {ways,
          [=](const std::string &how) {
            std::vector<float> got(q->size());
            CHECK(cudaMemcpy(got.data(), q->data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; i += apart) {
              for (const std::size_t e : {static_cast<std::size_t>(i), static_cast<std::size_t>(n) + i})
                expect((how + ", voxel " + std::to_string(i)).c_str(), got[e], expected[e], 1e-5 * count + 1e-5);
            }
          },
          {},
          [=] { forget(*q); }};
}

// ---------------------------------------------------------------------------
// A function of each element: 16 bytes a load, or an element a thread
// ---------------------------------------------------------------------------

/// at(i) is done for every i below n, by threads that have four in a row, or one.
template <class At> __global__ void __launch_bounds__(block) eachKernel(std::size_t n, At at) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i < n)
    at(i);
}

template <class At> std::vector<Way> eachWays(std::size_t n, At one, const std::string &how) {
  return {{how, [=] { launch(eachKernel<At>, partsOf(n, block), block, n, one); }}};
}

constexpr float toX = 0.25F, toY = -0.5F;

struct Distance {
  const float *xs, *ys;
  float *out;
  static __host__ __device__ float of(float x, float y) { return sqrtf((x - toX) * (x - toX) + (y - toY) * (y - toY)); }
  __device__ void operator()(std::size_t i) const { out[i] = of(xs[i], ys[i]); }
};

struct FourDistances {
  const float4 *xs, *ys;
  float4 *out;
  __device__ void operator()(std::size_t i) const {
    const float4 x = xs[i], y = ys[i];
    out[i] = make_float4(Distance::of(x.x, y.x), Distance::of(x.y, y.y), Distance::of(x.z, y.z), Distance::of(x.w, y.w));
  }
};

template <class T> T *fours(const std::shared_ptr<Buffer<float>> &buffer) { return reinterpret_cast<T *>(buffer->data()); }

/// Ways that keep what they work on.
template <class... Kept> std::vector<Way> keeping(std::vector<Way> ways, Kept... kept) {
  for (Way &way : ways)
    way.run = [run = way.run, all = std::make_tuple(kept...)] { run(); };
  return ways;
}

void append(std::vector<Way> &ways, std::vector<Way> more) {
  for (Way &way : more)
    ways.push_back(std::move(way));
}

Problem distances(std::size_t n) {
  const std::vector<float> x = numbers(n, 1), y = numbers(n, 2);
  const auto xs = onDevice(x), ys = onDevice(y), out = roomFor(n);
  const std::vector<double> expected = valuesOf<double>(n, [&](std::uint64_t i) {
    return std::hypot(double(x[i]) - toX, double(y[i]) - toY);
  });
  std::vector<Way> ways = eachWays(n, Distance{xs->data(), ys->data(), out->data()}, "a point a thread");
  if (n % 4 == 0)
    append(ways, eachWays(n / 4, FourDistances{fours<const float4>(xs), fours<const float4>(ys), fours<float4>(out)},
                          "4 points a thread"));
  return problemOf(keeping(ways, xs, ys), out, expected, 1e-5);
}

// ---------------------------------------------------------------------------
// The nearest point: the least of squares of distances, each with its number, of a thread, a warp and all
// ---------------------------------------------------------------------------

using Found = unsigned long long; ///< the bits of a float that is not negative, which are in order, then a number

__device__ Found foundAt(float x, float y, std::size_t i) {
  const float square = (x - toX) * (x - toX) + (y - toY) * (y - toY);
  return Found{__float_as_uint(square)} << 32 | static_cast<unsigned>(i);
}

/// Four points at a time; the last ones one by one.
__global__ void __launch_bounds__(block)
    nearestKernel(const float *__restrict__ xs, const float *__restrict__ ys, std::size_t n, Found *found) {
  const std::size_t step = std::size_t{gridDim.x} * block, start = std::size_t{blockIdx.x} * block + threadIdx.x;
  const float4 *four_xs = reinterpret_cast<const float4 *>(xs), *four_ys = reinterpret_cast<const float4 *>(ys);
  Found least = ~Found{0};
  for (std::size_t i = start; i < n / 4; i += step) {
    const float4 x = four_xs[i], y = four_ys[i];
    least = min(min(least, min(foundAt(x.x, y.x, 4 * i), foundAt(x.y, y.y, 4 * i + 1))),
                min(foundAt(x.z, y.z, 4 * i + 2), foundAt(x.w, y.w, 4 * i + 3)));
  }
  for (std::size_t i = n / 4 * 4 + start; i < n; i += step)
    least = min(least, foundAt(xs[i], ys[i], i));
  for (int by = 16; by > 0; by /= 2)
    least = min(least, __shfl_down_sync(0xffffffffU, least, by));
  if (threadIdx.x % 32 == 0)
    atomicMin(found, least);
}

Problem nearest(std::size_t n) {
  const std::vector<float> x = numbers(n, 1), y = numbers(n, 2);
  const auto xs = onDevice(x), ys = onDevice(y);
  const auto found = std::make_shared<Buffer<Found>>(1);
  const auto distance = [=](std::size_t i) { return std::hypot(double(x[i]) - toX, double(y[i]) - toY); };
  double least = distance(0);
  for (std::size_t i = 1; i < n; ++i)
    least = std::min(least, distance(i));
  int device = 0, processors = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const auto way = [=](unsigned blocks) {
    return [=] {
      CHECK(cudaMemsetAsync(found->data(), 0xff, sizeof(Found)));
      launch(nearestKernel, std::min(partsOf(n, block), static_cast<unsigned>(processors) * blocks), block, xs->data(),
             ys->data(), n, found->data());
    };
  };
  return {{{"8 blocks a multiprocessor", way(8)}, {"32 blocks a multiprocessor", way(32)}},
          [=](const std::string &how) {
            const std::size_t i = found->at(0) & 0xffffffffU;
            expect((how + ", point").c_str(), static_cast<double>(i), 0, static_cast<double>(n - 1));
            expect((how + ", distance of point " + std::to_string(i)).c_str(), distance(i), least, 1e-6);
          },
          {},
          [=] { forget(*found); }};
}

constexpr float rate = 0.02F, volatility = 0.3F;

struct Prices {
  float call, put;
};

template <class T> __host__ __device__ T normal(T d) { return T(0.5) * (1 + erf(d * T(0.70710678118654752440))); }

struct Option {
  const float *prices, *strikes, *years;
  float *calls, *puts;
  static __device__ Prices of(float price, float strike, float time) {
    const float spread = volatility * sqrtf(time);
    const float d1 = (logf(price / strike) + (rate + 0.5F * volatility * volatility) * time) / spread;
    const float later = strike * expf(-rate * time);
    const float call = price * normal(d1) - later * normal(d1 - spread);
    return {call, call + later - price};
  }
  __device__ void operator()(std::size_t i) const {
    const Prices both = of(prices[i], strikes[i], years[i]);
    calls[i] = both.call;
    puts[i] = both.put;
  }
};

struct FourOptions {
  const float4 *prices, *strikes, *years;
  float4 *calls, *puts;
  __device__ void operator()(std::size_t i) const {
    const float4 s = prices[i], k = strikes[i], t = years[i];
    const Prices a = Option::of(s.x, k.x, t.x), b = Option::of(s.y, k.y, t.y), c = Option::of(s.z, k.z, t.z),
                 d = Option::of(s.w, k.w, t.w);
    calls[i] = make_float4(a.call, b.call, c.call, d.call);
    puts[i] = make_float4(a.put, b.put, c.put, d.put);
  }
};

Problem blackScholes(std::size_t n) {
  const auto s = numbersBetween<float>(n, 1, 5, 30), k = numbersBetween<float>(n, 2, 1, 100), t = numbersBetween<float>(n, 3, 0.25, 10);
  const auto prices = onDevice(s), strikes = onDevice(k), years = onDevice(t), calls = roomFor(n), puts = roomFor(n);
  const std::vector<double> expected = valuesOf<double>(n, [&](std::uint64_t i) {
    const double r = rate, v = volatility, spread = v * std::sqrt(double(t[i]));
    const double d1 = (std::log(double(s[i]) / k[i]) + (r + 0.5 * v * v) * t[i]) / spread;
    return s[i] * normal(d1) - k[i] * std::exp(-r * t[i]) * normal(d1 - spread);
  });
  std::vector<Way> ways = eachWays(
      n, Option{prices->data(), strikes->data(), years->data(), calls->data(), puts->data()}, "an option a thread");
  if (n % 4 == 0)
    append(ways, eachWays(n / 4, FourOptions{fours<const float4>(prices), fours<const float4>(strikes), fours<const float4>(years),
                                             fours<float4>(calls), fours<float4>(puts)},
                          "4 options a thread"));
  return problemOf(keeping(ways, prices, strikes, years, puts), calls, expected, 1e-4);
}

// ---------------------------------------------------------------------------
// A step of the heat equation on a rod whose ends are insulated
// ---------------------------------------------------------------------------

constexpr float conducts = 0.1F;

struct Heat {
  const float *in;
  float *out;
  std::size_t n;
  __device__ void operator()(std::size_t i) const {
    const float c = in[i], left = i > 0 ? in[i - 1] : c, right = i + 1 < n ? in[i + 1] : c;
    out[i] = c + conducts * (left - 2 * c + right);
  }
};

struct FourHeats {
  const float *in;
  float *out;
  std::size_t n; ///< a multiple of 4
  __device__ void operator()(std::size_t i) const {
    const float4 u = reinterpret_cast<const float4 *>(in)[i];
    const float left = i > 0 ? in[4 * i - 1] : u.x, right = 4 * i + 4 < n ? in[4 * i + 4] : u.w;
    const auto heat = [](float l, float c, float r) { return c + conducts * (l - 2 * c + r); };
    reinterpret_cast<float4 *>(out)[i] = make_float4(heat(left, u.x, u.y), heat(u.x, u.y, u.z), heat(u.y, u.z, u.w), heat(u.z, u.w, right));
  }
};

Problem heat(std::size_t n) {
  const std::vector<float> values = numbers(n, 1);
  const auto in = onDevice(values), out = roomFor(n);
  const std::vector<double> expected = valuesOf<double>(n, [&](std::uint64_t i) {
    const double c = values[i], left = values[i > 0 ? i - 1 : i], right = values[i + 1 < n ? i + 1 : i];
    return c + conducts * (left - 2 * c + right);
  });
  std::vector<Way> ways = eachWays(n, Heat{in->data(), out->data(), n}, "an element a thread");
  if (n % 4 == 0)
    append(ways, eachWays(n / 4, FourHeats{in->data(), out->data(), n}, "4 elements a thread"));
  return problemOf(keeping(ways, in), out, expected, 1e-5);
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto repeats = static_cast<unsigned>(argc == 4 ? std::atoi(argv[2]) : 0);
  const auto number = [&](std::size_t i) { return std::strtoull(sizes[i].c_str(), nullptr, 10); };
  const auto vector = row == "heat" ? heat : row == "distances" ? distances : row == "black_scholes" ? blackScholes : row == "nearest" ? nearest : nullptr;
  if (vector && sizes.size() == 1) {
    for (const std::size_t n : {1, 2, 4, 33, 1000, 65537})
      judge(vector(n));
    measure(repeats, vector(number(0)));
  } else if (row == "nbody" && sizes.size() == 1) {
    for (const int n : {1, 2, 33, 300, 1025})
      judge(nbody(n));
    measure(repeats, nbody(static_cast<int>(number(0))));
  } else if (row == "md" && sizes.size() == 2) {
    for (const auto &[n, near] : {std::pair(1, 1), std::pair(300, 17), std::pair(1000, 0)})
      judge(md(n, near));
    measure(repeats, md(static_cast<int>(number(0)), static_cast<int>(number(1))));
  } else if (row == "mriq" && sizes.size() == 2) {
    for (const auto &[samples, voxels] : {std::pair(1, 1), std::pair(33, 130), std::pair(300, 7)})
      judge(mriq(samples, voxels));
    measure(repeats, mriq(static_cast<int>(number(0)), static_cast<int>(number(1))));
  } else {
    fail(2, "elements nbody|heat|distances|nearest|black_scholes REPEATS N | md REPEATS ATOMS,NEIGHBOURS | mriq REPEATS SAMPLES,VOXELS");
  }
  return 0;
}

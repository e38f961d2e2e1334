// What is computed for each body, atom, point, voxel or option.
#include "stencils.h"
#include "vector_math.h"
#include "vectors.h"

#include <limits>
#include <numbers>

namespace {

/// 32 bodies side by side, in vectors.
void pullByHand(const float *bodies, std::size_t n, float softening, float *pulls) {
  const float *xs = bodies, *ys = bodies + n, *zs = bodies + 2 * n, *masses = bodies + 3 * n;
  constexpr std::size_t side = 32;
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < n; first += side) {
    const std::size_t count = std::min(side, n - first);
    float px[side] = {}, py[side] = {}, pz[side] = {}, x[side] = {}, y[side] = {}, z[side] = {};
    std::copy(xs + first, xs + first + count, x);
    std::copy(ys + first, ys + first + count, y);
    std::copy(zs + first, zs + first + count, z);
    for (std::size_t j = 0; j < n; ++j) {
#pragma omp simd
      for (std::size_t b = 0; b < side; ++b) {
        const float dx = xs[j] - x[b], dy = ys[j] - y[b], dz = zs[j] - z[b];
        const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const float pull = masses[j] * inverse * inverse * inverse;
        px[b] += pull * dx;
        py[b] += pull * dy;
        pz[b] += pull * dz;
      }
    }
    std::copy(px, px + count, pulls + first);
    std::copy(py, py + count, pulls + n + first);
    std::copy(pz, pz + count, pulls + 2 * n + first);
  }
}

} // namespace

Row makeNbody(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float dt = 0.01F, softening = 0.01F;
  auto bodies = numbers(4 * n, 1, 0, 1);
  auto speeds = numbers(3 * n, 2);
  auto places = std::make_shared<Array<float>>(4 * n);
  auto next = std::make_shared<Array<float>>(3 * n);
  auto pulls = std::make_shared<Array<float>>(3 * n);
  std::vector<double> expected(3 * n);
  const std::vector<double> wide(bodies->begin(), bodies->end());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const double *x = wide.data(), *y = x + n, *z = y + n, *masses = z + n;
    double px = 0, py = 0, pz = 0;
#pragma omp simd reduction(+ : px, py, pz)
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double square = dx * dx + dy * dy + dz * dz + double(softening);
      const double pull = masses[j] / (square * std::sqrt(square));
      px += pull * dx;
      py += pull * dy;
      pz += pull * dz;
    }
    const double pulls_of_it[3] = {px, py, pz};
    for (std::size_t d = 0; d < 3; ++d)
      expected[d * n + i] = double((*speeds)[d * n + i]) + double(dt) * pulls_of_it[d];
  }
  Row row;
  row.operations = 20.0 * static_cast<double>(n) * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&dt)
                     .cell(&softening)
                     .container(bodies->data(), {4, n})
                     .container(speeds->data(), {3, n})
                     .container(places->data(), {4, n})
                     .container(next->data(), {3, n}));
  };
  row.peers = {{"OpenMP", [=] {
                  pullByHand(bodies->data(), n, softening, pulls->data());
#pragma omp parallel for simd schedule(static)
                  for (std::size_t e = 0; e < 3 * n; ++e) {
                    (*next)[e] = (*speeds)[e] + dt * (*pulls)[e];
                    (*places)[e] = (*bodies)[e] + dt * (*next)[e];
                  }
                  std::copy(bodies->data() + 3 * n, bodies->data() + 4 * n, places->data() + 3 * n);
                }}};
  judge(row, next, std::move(expected), 1e-5 * static_cast<double>(n));
  return row;
}

Row makeMd(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  const std::size_t near = sizeAt(sizes, 1);
  static float cutoff = 16, lj1 = 1.5F, lj2 = 2;
  // A lattice with some disorder; neighbours are close in number, as after sorting by cells.
  const auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(n))) + 1;
  auto places = std::make_shared<Array<float>>(3 * n);
  fill(*places, [=](std::size_t e) {
    const std::size_t i = e % n;
    const std::size_t at[3] = {i / (side * side), i / side % side, i % side};
    return 2.0 * static_cast<double>(at[e / n]) + 0.3 * randomUnit(e, 1);
  });
  auto neighbours = std::make_shared<Array<int>>(near * n);
  fill(*neighbours, [=](std::size_t e) {
    const std::size_t reach = 2 * side * side;
    return (e % n + n - reach % n + randomNumber(e, 2) % (2 * reach)) % n;
  });
  auto forces = std::make_shared<Array<float>>(3 * n);
  const auto compute = [=, p = places->data(), list = neighbours->data()](auto one, auto *out) {
    using T = decltype(one);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const T x = p[i], y = p[n + i], z = p[2 * n + i];
      T fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
      for (std::size_t k = 0; k < near; ++k) {
        const auto j = static_cast<std::size_t>(list[k * n + i]);
        const T dx = x - T(p[j]), dy = y - T(p[n + j]), dz = z - T(p[2 * n + j]);
        const T square = dx * dx + dy * dy + dz * dz;
        const bool counts = square < T(cutoff) && square > 0;
        const T inverse = counts ? one / square : T(0);
        const T sixth = inverse * inverse * inverse;
        const T force = inverse * sixth * (T(lj1) * sixth - T(lj2));
        fx += dx * force;
        fy += dy * force;
        fz += dz * force;
      }
      out[i] = fx;
      out[n + i] = fy;
      out[2 * n + i] = fz;
    }
  };
  std::vector<double> expected(3 * n);
  compute(1.0, expected.data());
  Row row;
  row.bytes = 4.0 * static_cast<double>(near * n + 6 * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&cutoff)
                     .cell(&lj1)
                     .cell(&lj2)
                     .container(places->data(), {3, n})
                     .container(neighbours->data(), {near, n})
                     .container(forces->data(), {3, n}));
  };
  // The second one: neighbouring atoms in vectors, so that the lists are read as they lie.
  row.peers = {{"OpenMP, a list at a time", [=] { compute(1.0F, forces->data()); }},
               {"OpenMP, 16 atoms at a time",
                [=, p = places->data(), list = neighbours->data(), out = forces->data()] {
                  constexpr std::size_t side = 16;
#pragma omp parallel for schedule(static)
                  for (std::size_t first = 0; first < n; first += side) {
                    const std::size_t count = std::min(side, n - first);
                    float fx[side] = {}, fy[side] = {}, fz[side] = {};
                    for (std::size_t k = 0; k < near; ++k) {
#pragma omp simd
                      for (std::size_t b = 0; b < count; ++b) {
                        const std::size_t i = first + b;
                        const int j = list[k * n + i];
                        const float dx = p[i] - p[j], dy = p[n + i] - (p + n)[j],
                                    dz = p[2 * n + i] - (p + 2 * n)[j];
                        const float square = dx * dx + dy * dy + dz * dz;
                        const bool counts = (square < cutoff) & (square > 0);
                        const float inverse = counts ? 1 / square : 0;
                        const float sixth = inverse * inverse * inverse;
                        const float force = inverse * sixth * (lj1 * sixth - lj2);
                        fx[b] += dx * force;
                        fy[b] += dy * force;
                        fz[b] += dz * force;
                      }
                    }
                    std::copy(fx, fx + count, out + first);
                    std::copy(fy, fy + count, out + n + first);
                    std::copy(fz, fz + count, out + 2 * n + first);
                  }
                }}};
  judge(row, forces, std::move(expected), 1e-3);
  return row;
}

Row makeDistances(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float x = 0.25F, y = -0.5F;
  auto xs = numbers(n, 1);
  auto ys = numbers(n, 2);
  auto out = std::make_shared<Array<float>>(n);
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i)
    expected[i] = std::hypot(double((*xs)[i]) - double(x), double((*ys)[i]) - double(y));
  Row row;
  row.bytes = 12.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(xs->data(), {n})
                     .container(ys->data(), {n})
                     .cell(&x)
                     .cell(&y)
                     .container(out->data(), {n}));
  };
  row.peers = {{"OpenMP", [=, a = xs->data(), b = ys->data(), to = out->data()] {
#pragma omp parallel for simd schedule(static)
                  for (std::size_t i = 0; i < n; ++i)
                    to[i] = std::sqrt((a[i] - x) * (a[i] - x) + (b[i] - y) * (b[i] - y));
                }}};
  judge(row, out, std::move(expected), 1e-5);
  return row;
}

Row makeNearest(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float x = 0.25F, y = -0.5F;
  static unsigned found;
  auto xs = numbers(n, 1);
  auto ys = numbers(n, 2);
  const auto distance = [=](std::size_t i) {
    return std::hypot(double((*xs)[i]) - double(x), double((*ys)[i]) - double(y));
  };
  double least = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(static) reduction(min : least)
  for (std::size_t i = 0; i < n; ++i)
    least = std::min(least, distance(i));
  Row row;
  row.bytes = 8.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(xs->data(), {n})
                     .container(ys->data(), {n})
                     .cell(&x)
                     .cell(&y)
                     .result(&found));
  };
  // Squares will do; where they are is looked up in the parts that have a smaller one.
  row.peers = {{"OpenMP", [=, a = xs->data(), b = ys->data()] {
                  const auto square = [=](std::size_t i) {
                    return (a[i] - x) * (a[i] - x) + (b[i] - y) * (b[i] - y);
                  };
                  // Several vectors of minima, so that none waits for the one before.
                  const auto leastOf = [=](std::size_t from, std::size_t to, float least) {
                    constexpr std::size_t several = 4;
                    Vector minima[several] = {};
                    for (Vector &minimum : minima)
                      minimum += least;
                    for (; from + several * lanes <= to; from += several * lanes) {
#pragma GCC unroll 4
                      for (std::size_t v = 0; v < several; ++v) {
                        const Vector dx = vectorAt(a + from + v * lanes) - x;
                        const Vector dy = vectorAt(b + from + v * lanes) - y;
                        const Vector square_of = dx * dx + dy * dy;
                        minima[v] = square_of < minima[v] ? square_of : minima[v];
                      }
                    }
                    for (const Vector &minimum : minima) {
                      for (std::size_t l = 0; l < lanes; ++l)
                        least = std::min(least, minimum[l]);
                    }
                    for (; from < to; ++from)
                      least = std::min(least, square(from));
                    return least;
                  };
                  constexpr std::size_t part = 4096;
                  float best = std::numeric_limits<float>::infinity();
                  std::size_t where = n;
#pragma omp parallel
                  {
                    float own = std::numeric_limits<float>::infinity();
                    std::size_t at = n;
#pragma omp for schedule(static) nowait
                    for (std::size_t first = 0; first < n; first += part) {
                      const std::size_t end = std::min(n, first + part);
                      if (leastOf(first, end, own) < own) {
                        at = first;
                        for (std::size_t i = first; i < end; ++i)
                          at = square(i) < square(at) ? i : at;
                        own = square(at);
                      }
                    }
#pragma omp critical
                    if (own < best || (own == best && at < where)) {
                      best = own;
                      where = at;
                    }
                  }
                  found = static_cast<unsigned>(where);
                }}};
  row.forget = [] { found = std::numeric_limits<unsigned>::max(); };
  // Which of those that are equally near in float is all the same.
  row.wrong = [=]() -> std::string {
    if (found < n && distance(found) <= least + 1e-6)
      return "";
    return "point " + std::to_string(found) + " is not the nearest one";
  };
  return row;
}

Row makeMriq(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0); // samples
  const std::size_t n = sizeAt(sizes, 1); // voxels
  auto samples = numbers(4 * m, 1);
  auto voxels = numbers(3 * n, 2);
  auto q = std::make_shared<Array<float>>(2 * n);
  const auto compute = [=, k = samples->data(), v = voxels->data()](auto two_pi, auto *out) {
    using T = decltype(two_pi);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const T x = v[i], y = v[n + i], z = v[2 * n + i];
      T real = 0, imaginary = 0;
#pragma omp simd reduction(+ : real, imaginary)
      for (std::size_t s = 0; s < m; ++s) {
        const T angle = two_pi * (T(k[s]) * x + T(k[m + s]) * y + T(k[2 * m + s]) * z);
        real += T(k[3 * m + s]) * std::cos(angle);
        imaginary += T(k[3 * m + s]) * std::sin(angle);
      }
      out[i] = real;
      out[n + i] = imaginary;
    }
  };
  std::vector<double> expected(2 * n);
  compute(2 * std::numbers::pi, expected.data());
  Row row;
  row.operations = 14.0 * static_cast<double>(m) * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(samples->data(), {4, m})
                     .container(voxels->data(), {3, n})
                     .container(q->data(), {2, n}));
  };
  // The second one: sines and cosines of some samples by themselves, so that both are found in vectors.
  row.peers = {{"OpenMP", [=] { compute(2 * std::numbers::pi_v<float>, q->data()); }},
               {"OpenMP, 128 samples at a time",
                [=, k = samples->data(), v = voxels->data(), out = q->data()] {
                  constexpr std::size_t side = 128;
#pragma omp parallel for schedule(static)
                  for (std::size_t i = 0; i < n; ++i) {
                    const float x = 2 * std::numbers::pi_v<float> * v[i],
                                y = 2 * std::numbers::pi_v<float> * v[n + i],
                                z = 2 * std::numbers::pi_v<float> * v[2 * n + i];
                    float real = 0, imaginary = 0;
                    for (std::size_t first = 0; first < m; first += side) {
                      const std::size_t count = std::min(side, m - first);
                      const float *some = k + first;
                      float angles[side];
#pragma omp simd
                      for (std::size_t s = 0; s < count; ++s)
                        angles[s] = some[s] * x + some[m + s] * y + some[2 * m + s] * z;
#pragma omp simd reduction(+ : real)
                      for (std::size_t s = 0; s < count; ++s)
                        real += some[3 * m + s] * std::cos(angles[s]);
#pragma omp simd reduction(+ : imaginary)
                      for (std::size_t s = 0; s < count; ++s)
                        imaginary += some[3 * m + s] * std::sin(angles[s]);
                    }
                    out[i] = real;
                    out[n + i] = imaginary;
                  }
                }}};
  judge(row, q, std::move(expected), 1e-5 * static_cast<double>(m));
  return row;
}

Row makeBlackScholes(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float rate = 0.02F, volatility = 0.3F;
  auto prices = numbers(n, 1, 5, 30);
  auto strikes = numbers(n, 2, 1, 100);
  auto years = numbers(n, 3, 0.25, 10);
  auto calls = std::make_shared<Array<float>>(n);
  auto puts = std::make_shared<Array<float>>(n);
  const auto compute = [=, s = prices->data(), k = strikes->data(),
                        t = years->data()](auto half, auto *call, auto *put) {
    using T = decltype(half);
    const T r = rate, v = volatility;
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const T spread = v * std::sqrt(T(t[i]));
      const T d1 = (std::log(T(s[i]) / T(k[i])) + (r + half * v * v) * T(t[i])) / spread;
      const T later = T(k[i]) * std::exp(-r * T(t[i]));
      const T root = T(0.70710678118654752440);
      const T price = T(s[i]) * half * (1 + std::erf(d1 * root)) -
                      later * half * (1 + std::erf((d1 - spread) * root));
      call[i] = price;
      put[i] = price + later - T(s[i]);
    }
  };
  std::vector<double> expected(n), unused(n);
  compute(0.5, expected.data(), unused.data());
  Row row;
  row.bytes = 20.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&rate)
                     .cell(&volatility)
                     .container(prices->data(), {n})
                     .container(strikes->data(), {n})
                     .container(years->data(), {n})
                     .container(calls->data(), {n})
                     .container(puts->data(), {n}));
  };
  row.peers = {{"OpenMP", [=] { compute(0.5F, calls->data(), puts->data()); }}};
  judge(row, calls, std::move(expected), 1e-3);
  return row;
}

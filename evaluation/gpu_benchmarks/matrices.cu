// Stencils of matrices by hand:
//   matrices jacobi|jacobi9|gaussian|gradient|sobel|life|hotspot|srad REPEATS ROWS,COLUMNS
#include "stencil_kernels.cuh"

#include <map>
#include <memory>

namespace {

struct Jacobi {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    return (at(-1, 0) + at(0, -1) + at(0, 1) + at(1, 0)) / 4;
  }
};

struct Jacobi9 {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    return (at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 0) + at(0, 1) + at(1, -1) + at(1, 0) + at(1, 1)) / 9;
  }
};

struct Gaussian {
  static constexpr int Reach = 2;
  template <class T> static __host__ __device__ T weigh(T a, T b, T c, T d, T e) {
    return (a + e + 4 * (b + d) + 6 * c) / 16;
  }
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    const auto row = [&](int i) { return weigh(at(i, -2), at(i, -1), at(i, 0), at(i, 1), at(i, 2)); };
    return weigh(row(-2), row(-1), row(0), row(1), row(2));
  }
};

struct Gradient {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    const auto c = at(0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const auto north = c - at(-1, 0), west = c - at(0, -1), east = c - at(0, 1), south = c - at(1, 0);
    return c + T(1) / std::sqrt(north * north + west * west + east * east + south * south + T(0.0001));
  }
};

struct Sobel {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    const auto x = (at(-1, 1) - at(-1, -1)) + 2 * (at(0, 1) - at(0, -1)) + (at(1, 1) - at(1, -1));
    const auto y = (at(1, -1) - at(-1, -1)) + 2 * (at(1, 0) - at(-1, 0)) + (at(1, 1) - at(-1, 1));
    return std::sqrt(x * x + y * y);
  }
};

struct Life {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    const auto around = at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 1) + at(1, -1) + at(1, 0) + at(1, 1);
    return around == 3 || (around == 2 && at(0, 0) == 1) ? 1 : 0;
  }
};

struct Hotspot {
  static constexpr int Reach = 1;
  const float *power;
  int n;
  template <class V> __host__ __device__ auto operator()(int i, int j, const V &at) const {
    const auto c = at(0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const T own = power[static_cast<std::size_t>(i) * n + j];
    return c + T(0.5F) * (own + (at(-1, 0) + at(1, 0) - 2 * c) * T(0.1F) + (at(0, 1) + at(0, -1) - 2 * c) * T(0.1F) +
                          (T(80) - c) * T(0.01F));
  }
};

struct Conduction {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, const V &at) const {
    const auto c = at(0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const T q0 = T(0.05F);
    const T north = at(-1, 0) - c, south = at(1, 0) - c, west = at(0, -1) - c, east = at(0, 1) - c;
    const T gradient = (north * north + south * south + west * west + east * east) / (c * c);
    const T laplacian = (north + south + west + east) / c;
    const T scale = 1 + T(0.25) * laplacian;
    const T q = (T(0.5) * gradient - T(0.0625) * laplacian * laplacian) / (scale * scale);
    const T conducts = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return conducts < 0 ? T(0) : conducts > 1 ? T(1) : conducts;
  }
};

template <class Conductions> struct Diffusion {
  static constexpr int Reach = 1;
  const Conductions *conductions;
  int m, n;
  template <class V> __host__ __device__ auto operator()(int i, int j, const V &at) const {
    const auto c = at(0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const std::size_t e = static_cast<std::size_t>(i) * n + j;
    const T here = conductions[e];
    const T below = i + 1 < m ? conductions[e + n] : conductions[e];
    const T beside = j + 1 < n ? conductions[e + 1] : conductions[e];
    return c + T(0.25) * T(0.5F) *
                   (here * (at(-1, 0) - c) + below * (at(1, 0) - c) + here * (at(0, -1) - c) + beside * (at(0, 1) - c));
  }
};

/// Data of one call; the ways and the judge keep it.
template <class T> struct Image {
  Image(int m, int n, const std::vector<T> &values) : m(m), n(n), host(values), in(values), out(values.size()) {}
  int m, n;
  std::vector<T> host;
  Buffer<T> in, out;
};

template <class T> auto imageOf(int m, int n, const std::vector<T> &values) {
  return std::make_shared<Image<T>>(m, n, values);
}

template <class T>
Problem problemOf(std::vector<Way> ways, std::shared_ptr<Image<T>> image, std::vector<double> expected, double bound) {
  return {std::move(ways),
          [=](const std::string &how) { expectAll(how, image->out, expected, bound); },
          {},
          [=] { forget(image->out); }};
}

/// A stencil that reads one matrix and writes one.
template <Edge edge, class T, class At>
Problem simple(int m, int n, const std::vector<T> &values, double bound, At at) {
  const auto image = imageOf(m, n, values);
  return problemOf(matrixWays<edge>(image->in.data(), image->out.data(), m, n, at), image,
                   matrixInDouble<edge>(image->host, m, n, at), bound);
}

Problem hotspot(int m, int n) {
  const std::size_t size = static_cast<std::size_t>(m) * n;
  const auto image = imageOf(m, n, numbers(size, 1, 60, 100));
  const std::vector<float> power = numbers(size, 2, 0, 1);
  const auto own = std::make_shared<Buffer<float>>(power);
  std::vector<Way> ways = matrixWays<Edge::Clamp>(image->in.data(), image->out.data(), m, n, Hotspot{own->data(), n});
  for (Way &way : ways)
    way.run = [run = way.run, own] { run(); };
  return problemOf(ways, image, matrixInDouble<Edge::Clamp>(image->host, m, n, Hotspot{power.data(), n}), 1e-5);
}

Problem srad(int m, int n) {
  const std::size_t size = static_cast<std::size_t>(m) * n;
  const auto image = imageOf(m, n, numbers(size, 1, 1, 2));
  const auto between = std::make_shared<Buffer<float>>(size);
  std::vector<Way> ways = matrixWays<Edge::Clamp>(image->in.data(), between->data(), m, n, Conduction{});
  const std::vector<Way> second = matrixWays<Edge::Clamp>(image->in.data(), image->out.data(), m, n,
                                                          Diffusion<float>{between->data(), m, n});
  for (std::size_t i = 0; i < ways.size(); ++i)
    ways[i].run = [first = ways[i].run, then = second[i].run, between] {
      first();
      then();
    };
  const std::vector<double> conductions = matrixInDouble<Edge::Clamp>(image->host, m, n, Conduction{});
  return problemOf(ways, image,
                   matrixInDouble<Edge::Clamp>(image->host, m, n, Diffusion<double>{conductions.data(), m, n}), 1e-3);
}

const std::map<std::string, Problem (*)(int, int)> makers = {
    {"jacobi", [](int m, int n) { return simple<Edge::Zero>(m, n, numbers(std::size_t(m) * n, 1), 1e-5, Jacobi{}); }},
    {"jacobi9", [](int m, int n) { return simple<Edge::Zero>(m, n, numbers(std::size_t(m) * n, 1), 1e-5, Jacobi9{}); }},
    {"gaussian", [](int m, int n) { return simple<Edge::Clamp>(m, n, numbers(std::size_t(m) * n, 1), 1e-5, Gaussian{}); }},
    {"gradient", [](int m, int n) { return simple<Edge::Clamp>(m, n, numbers(std::size_t(m) * n, 1), 1e-3, Gradient{}); }},
    {"sobel", [](int m, int n) { return simple<Edge::Clamp>(m, n, numbers(std::size_t(m) * n, 1), 1e-3, Sobel{}); }},
    {"life", [](int m, int n) {
       return simple<Edge::Wrap>(m, n, valuesOf<int>(std::size_t(m) * n, [](std::uint64_t i) {
                                   return randomNumber(i, 1) % 3 == 0;
                                 }), 0, Life{});
     }},
    {"hotspot", hotspot},
    {"srad", srad},
};

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto maker = makers.find(argc == 4 ? argv[1] : "");
  if (maker == makers.end() || sizes.size() != 2)
    fail(2, "matrices ROW REPEATS ROWS,COLUMNS");
  for (const auto &[m, n] : {std::pair(1, 1), std::pair(3, 7), std::pair(33, 97), std::pair(257, 131)})
    judge(maker->second(m, n));
  measure(static_cast<unsigned>(std::atoi(argv[2])), maker->second(std::atoi(sizes[0].c_str()), std::atoi(sizes[1].c_str())));
  return 0;
}

// Stencils of boxes by hand:
//   boxes heat3|jacobi13|hotspot3|acoustics REPEATS PLANES,ROWS,COLUMNS
#include "stencil_kernels.cuh"

#include <map>
#include <memory>

namespace {

template <class V> __host__ __device__ auto sixAround(const V &at, int d) {
  return at(-d, 0, 0) + at(0, -d, 0) + at(0, 0, -d) + at(0, 0, d) + at(0, d, 0) + at(d, 0, 0);
}

struct Heat {
  static constexpr int Reach = 1;
  template <class V> __host__ __device__ auto operator()(int, int, int, const V &at) const {
    const auto c = at(0, 0, 0);
    using T = std::remove_const_t<decltype(c)>;
    return c + T(0.1F) * (sixAround(at, 1) - 6 * c);
  }
};

struct Jacobi13 {
  static constexpr int Reach = 2;
  template <class V> __host__ __device__ auto operator()(int, int, int, const V &at) const {
    return (at(0, 0, 0) + sixAround(at, 1) + sixAround(at, 2)) / 13;
  }
};

struct Hotspot {
  static constexpr int Reach = 1;
  const float *power;
  int m, n;
  template <class V> __host__ __device__ auto operator()(int i, int j, int k, const V &at) const {
    const auto c = at(0, 0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const T own = power[(static_cast<std::size_t>(i) * m + j) * n + k];
    return T(0.4F) * c + T(0.1F) * (at(0, 0, -1) + at(0, 0, 1)) + T(0.1F) * (at(0, -1, 0) + at(0, 1, 0)) +
           T(0.05F) * (at(-1, 0, 0) + at(1, 0, 0) + T(80)) + T(0.5F) * own;
  }
};

struct Acoustics {
  static constexpr int Reach = 1;
  const int *open;
  const float *before;
  int m, n;
  template <class V> __host__ __device__ auto operator()(int i, int j, int k, const V &at) const {
    const auto c = at(0, 0, 0);
    using T = std::remove_const_t<decltype(c)>;
    const std::size_t e = (static_cast<std::size_t>(i) * m + j) * n + k;
    const T wall = T(0.5) * T(0.2F) * T(6 - open[e]);
    const T next = ((2 - T(0.3F) * T(open[e])) * c + T(0.3F) * sixAround(at, 1) + (wall - 1) * T(before[e])) / (1 + wall);
    return open[e] == 0 ? T(0) : next;
  }
};

/// `kept` is what the stencil reads besides; `at` is it on the device, `here` on the host.
template <Edge edge, class At, class Kept>
Problem problemOf(int l, int m, int n, const std::vector<float> &values, double bound, At at, At here, Kept kept) {
  const auto in = std::make_shared<Buffer<float>>(values), out = std::make_shared<Buffer<float>>(values.size());
  std::vector<Way> ways = boxWays<edge>(static_cast<const float *>(in->data()), out->data(), l, m, n, at);
  for (Way &way : ways)
    way.run = [run = way.run, in, kept] { run(); };
  return {ways,
          [=, expected = boxInDouble<edge>(values, l, m, n, here)](const std::string &how) {
            expectAll(how, *out, expected, bound);
          },
          {},
          [=] { forget(*out); }};
}

std::size_t sizeOf(int l, int m, int n) { return static_cast<std::size_t>(l) * m * n; }

Problem heat3(int l, int m, int n) {
  return problemOf<Edge::Wrap>(l, m, n, numbers(sizeOf(l, m, n), 1), 1e-5, Heat{}, Heat{}, 0);
}

Problem jacobi13(int l, int m, int n) {
  return problemOf<Edge::Zero>(l, m, n, numbers(sizeOf(l, m, n), 1), 1e-5, Jacobi13{}, Jacobi13{}, 0);
}

Problem hotspot3(int l, int m, int n) {
  const std::vector<float> power = numbers(sizeOf(l, m, n), 2, 0, 1);
  const auto kept = std::make_shared<Buffer<float>>(power);
  return problemOf<Edge::Clamp>(l, m, n, numbers(power.size(), 1, 60, 100), 1e-5, Hotspot{kept->data(), m, n},
                                Hotspot{power.data(), m, n}, kept);
}

Problem acoustics(int l, int m, int n) {
  const std::vector<int> open = valuesOf<int>(sizeOf(l, m, n), [=](std::uint64_t e) {
    const int i = static_cast<int>(e / n / m), j = static_cast<int>(e / n % m), k = static_cast<int>(e % n);
    return (i > 0) + (i + 1 < l) + (j > 0) + (j + 1 < m) + (k > 0) + (k + 1 < n);
  });
  const std::vector<float> before = numbers(open.size(), 2);
  const auto kept = std::make_shared<std::pair<Buffer<int>, Buffer<float>>>(open, before);
  return problemOf<Edge::Zero>(l, m, n, numbers(open.size(), 1), 1e-4,
                               Acoustics{kept->first.data(), kept->second.data(), m, n},
                               Acoustics{open.data(), before.data(), m, n}, kept);
}

const std::map<std::string, Problem (*)(int, int, int)> makers = {
    {"heat3", heat3}, {"jacobi13", jacobi13}, {"hotspot3", hotspot3}, {"acoustics", acoustics}};

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto maker = makers.find(argc == 4 ? argv[1] : "");
  if (maker == makers.end() || sizes.size() != 3)
    fail(2, "boxes ROW REPEATS PLANES,ROWS,COLUMNS");
  for (const auto &[l, m, n] : {std::tuple(1, 1, 1), std::tuple(3, 5, 7), std::tuple(17, 33, 70), std::tuple(66, 9, 100)})
    judge(maker->second(l, m, n));
  measure(static_cast<unsigned>(std::atoi(argv[2])),
          maker->second(std::atoi(sizes[0].c_str()), std::atoi(sizes[1].c_str()), std::atoi(sizes[2].c_str())));
  return 0;
}

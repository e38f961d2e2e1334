// What C++ programmers write without thinking: references, lambdas, structs, ranges, tables, arrays handed on, cases that
// fall through, values of assignments. Each is plain C++ as well, which tests/everyday.py compares it with.
#include <tangram.h>

#include <algorithm>
#include <array>
#include <cmath>

#define EVERYDAY(name) __codelet void name(const Array<1, int> xs, Array<1, int> out)

constexpr int weights[3] = {1, 2, 1};
static const int marks[2][3] = {{1, 2, 3}, {4, 5, 6}};
constexpr std::array<int, 4> powers{1, 10, 100, 1000};
enum class Side { Left, Right = 4 };

static void order(int &a, int &b) {
  if (b < a) {
    int t = a;
    a = b;
    b = t;
  }
}

EVERYDAY(references) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    int lo = xs[i], hi = 7;
    order(lo, hi);
    int &place = out[i];
    place = hi - lo;
    const int &again = out[i];
    place += again;
  }
  for (std::size_t i = 0; i + 1 < out.size(); i += 2)
    order(out[i], out[i + 1]);
}

static int next(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return static_cast<int>(state >> 24);
}

EVERYDAY(generator) {
  require(out.size() == xs.size());
  unsigned state = 12345;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const int a = next(state);
    out[i] = xs[i] + a - 3 * next(state);
  }
}

static int firstAbove(const Array<1, int> &in, int limit) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] > limit)
      return static_cast<int>(i);
  }
  return -1;
}

static void put(Array<1, int> to, std::size_t at, int value = 5) { to[at] = value; }

EVERYDAY(containers) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (xs[i] % 3 == 0)
      put(out, i);
    else
      put(out, i, firstAbove(xs, xs[i]));
  }
}

EVERYDAY(lambdas) {
  require(out.size() == xs.size());
  int sum = 0;
  int scale = 3;
  auto scaled = [scale](int x) { return scale * x; };
  auto add = [&](int x) {
    if (x < 0)
      return;
    sum += x % 5;
  };
  scale = 100;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    add(xs[i] % 7);
    out[i] = scaled(xs[i] % 1000) + sum + [](int a, int b) { return a - b; }(sum, scale);
  }
}

template <class F> static int twice(const F &f, int x) { return f(f(x)); }

EVERYDAY(higher) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const int k = static_cast<int>(i);
    out[i] = twice([&](int x) { return x % 100 + k; }, xs[i]);
  }
}

struct Pair {
  int value;
  int at = -1;
};

static Pair better(Pair a, const Pair &b) { return a.value < b.value ? b : a; }

static Pair flipped(const Pair &p) {
  if (p.at < 0)
    return {p.value, 0};
  Pair r;
  r.value = p.at;
  r.at = p.value;
  return r;
}

EVERYDAY(structs) {
  require(out.size() == xs.size());
  Pair best{-1000000000};
  for (int i = 0; i < static_cast<int>(xs.size()); ++i) {
    Pair here{xs[i], i};
    best = better(best, here);
    here = {here.at, here.value};
    const auto [a, b] = flipped(here);
    out[i] = best.at + 2 * (a % 1000) + b % 1000;
  }
}

struct Fraction {
  long over, under;
  Fraction operator*(const Fraction &other) const { return {over * other.over, under * other.under}; }
  long rounded() const { return over / (under == 0 ? 1 : under); }
  void add(long whole) { over += whole * under; }
};

EVERYDAY(methods) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    Fraction f{xs[i] % 100, 3};
    f.add(2);
    out[i] = static_cast<int>((f * Fraction{5, 2}).rounded());
  }
}

EVERYDAY(ranges) {
  require(out.size() == xs.size());
  long total = 0;
  for (int x : xs)
    total += x % 10;
  int scratch[4] = {3, 1, 4, 1};
  for (auto &each : scratch)
    each *= 2;
  for (const auto &row : marks) {
    for (int each : row)
      total += each;
  }
  for (int d : {-1, 2, 5})
    total += d;
  for (auto &each : out)
    each = static_cast<int>(total) + scratch[2];
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += xs[i] % 3;
}

static int middle(const int *three) { return std::max(std::min(three[0], three[1]), std::min(std::max(three[0], three[1]), three[2])); }
static int sumOf(const int (&row)[3]) { return row[0] + row[1] + row[2]; }
static void clear(int *all, int n) {
  for (int i = 0; i < n; ++i)
    all[i] = 0;
}

EVERYDAY(tables) {
  require(out.size() == xs.size());
  static constexpr int own[3] = {7, 8, 9};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    int grid[2][3] = {{xs[i] % 10, 4, 2}, {1, xs[i] % 5, 6}};
    std::array<int, 3> last{};
    for (std::size_t k = 0; k < last.size(); ++k)
      last[k] = grid[1][k] * weights[k];
    int s = middle(grid[0]) + sumOf(grid[1]) + own[i % 3] + powers[i % 4] + marks[i % 2][i % 3] + powers[2];
    clear(grid[0], 2);
    out[i] = s + grid[0][0] + grid[0][2] + last[0] + last[1] * last[2];
  }
}

EVERYDAY(cases) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    int r = 0;
    switch (xs[i] % 5) {
    case 0:
      r += 1;
    case 1:
      r += 2;
      break;
    case 2:
      if (i % 2 == 0)
        break;
      r = 7;
    case 3: {
      int q = r + 1;
      r += q;
      break;
    }
    default:
      r = -1;
    }
    const Side side = xs[i] > 0 ? Side::Right : Side::Left;
    switch (side) {
    case Side::Left:
      out[i] = r;
      break;
    case Side::Right:
      out[i] = 10 * r;
      break;
    }
  }
}

static int digits(int x) {
  int n = 0;
  do {
    if (x % 10 == 0)
      continue;
    n++;
  } while ((x /= 10) != 0);
  return n;
}

EVERYDAY(values) {
  require(out.size() == xs.size());
  int n = 0, x = 0;
  while (n < static_cast<int>(xs.size()) && (x = xs[n] % 100) != 99 && ++n > 0)
    ;
  int a, b;
  a = (b = x) + 1;
  for (int i = 0, j = static_cast<int>(xs.size()) - 1; i < static_cast<int>(xs.size()); ++i, --j) {
    out[i] = 0;
    if (xs[i] % 4 == 0)
      continue;
    const int c = xs[i] > 0 ? a++ : b -= 2;
    out[i] = (a += 1, c + xs[j] % 100 + n) + digits(xs[i]);
    std::swap(a, b);
  }
}

EVERYDAY(numbers) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const float f = static_cast<float>(xs[i] % 1000);
    unsigned long long h = 14695981039346656037ull;
    h ^= static_cast<unsigned>(xs[i]);
    h *= 1099511628211ull;
    auto clamped = std::clamp(xs[i] % 1000, -50, 50);
    if (auto v = std::sqrt(std::fabs(f)); v > 2)
      clamped += static_cast<int>(v) + std::max({1, clamped, 3});
    out[i] = clamped + static_cast<int>(h >> 60) + (std::isnan(f / f) ? 1 : 0) + (std::isfinite(f) ? 2 : 0) + xs[i] % 2 * 'a';
  }
}

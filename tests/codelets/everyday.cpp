// What C++ programmers write without thinking: references, lambdas, structs, ranges, tables, arrays handed on, cases that
// fall through, values of assignments. Each is plain C++ as well, which tests/everyday.py compares it with.
#include <tangram.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

struct Near {
  int distance = 1000000, at = -1;
  bool operator<(const Near &other) const { return distance < other.distance; }
};

struct Bands {
  struct Band {
    int from;
    float rate;
    short steps[2];
  };
  Band all[3];
  int used;
  const Band &of(int x) const {
    int k = 0;
    while (k + 1 < used && all[k + 1].from <= x)
      ++k;
    return all[k];
  }
};

static constexpr Bands::Band kBands[3] = {{-20, 0.5f, {1, 2}}, {0, 1.5f}, {400, 2.5f, {3, 4}}};

static void insert(Near (&best)[3], Near next) {
  for (Near &slot : best)
    if (next < slot)
      std::swap(slot, next);
}

EVERYDAY(arrays_of_structs) {
  require(out.size() == xs.size());
  Bands bands = {{kBands[0], kBands[1], kBands[2]}, 3};
  std::array<std::array<Near, 2>, 2> squares{};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    Near best[3];
    for (std::size_t k = 0; k < xs.size(); ++k)
      insert(best, {abs(xs[k] % 1000 - xs[i] % 1000), static_cast<int>(k)});
    int sum = 0;
    for (const auto &[distance, at] : best)
      sum = 3 * sum + at + distance;
    for (const auto &row : squares)
      for (Near each : row)
        sum += each.at;
    std::size_t k = i % 2;
    Near &last = squares[k][1];
    k = 5; // the reference stays where it is
    last = best[2];
    squares[i % 2][0] = {last.at, sum % 7};
    bands.all[1].steps[i % 2] += 3;
    const Bands copy = bands;
    out[i] = sum + static_cast<int>(copy.of(xs[i] % 1000).rate * 4) + copy.all[1].steps[0] + kBands[i % 3].steps[1];
  }
}

struct Cell {
  int a;
  float w[2][3];
};

struct Board {
  Cell cells[2][3];
  int n;
};

EVERYDAY(zeros_of_many_dimensions) {
  require(out.size() == xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    Board board = {};
    Cell plain[2][2] = {};
    const int k = xs[i] & 1;
    board.cells[k][1].a += xs[i] % 1000;
    board.cells[1][2].w[k][2] += 3;
    plain[1][k].w[1][2] += xs[i] % 100;
    int sum = board.n;
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x)
        for (int j = 0; j < 6; ++j)
          sum = sum % 100000 * 3 + board.cells[y][x].a + static_cast<int>(board.cells[y][x].w[j / 3][j % 3] + plain[y][x % 2].w[j / 3][j % 3]);
    out[i] = sum + plain[1][1].a;
  }
}

static constexpr char kDigits[] = "0123456789abcdef";
static const char kNames[3][6] = {"one", "three", "\377"};

EVERYDAY(texts) {
  require(out.size() == xs.size());
  constexpr const char *upper = "ABCDEF";
  char tail[5] = {"xy"};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const unsigned x = xs[i];
    const char *hex = "FEDCBA9876543210";
    tail[3] = kDigits[x & 15];
    out[i] = tail[3] + 2 * upper[x % 6] + 3 * hex[x >> 28] + kNames[x % 3][x % 6] + tail[x % 5] + "no\n"[x % 4] + static_cast<int>(sizeof(kDigits));
  }
}

EVERYDAY(exchanges) {
  require(out.size() == xs.size());
  int previous = 0, older = 1;
  int now[4] = {1}, next[4] = {};
  Near a, b{5, 6};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const int before = std::exchange(previous, xs[i] % 1000);
    for (int k = 0; k < 4; ++k)
      next[k] = now[k] + (k > 0 ? next[k - 1] : before) % 100;
    std::swap(now, next);
    std::swap(a, b);
    a.at += before;
    auto [p, q, r, s] = now;
    now[0] = 7;
    out[i] = p + 2 * q + 3 * r + 5 * s + std::exchange(older, before ^ 5) + a.at - b.distance;
    std::exchange(older, older + 1);
    if (const int was = std::exchange(previous, previous | 1); was & 2)
      out[i] -= was;
  }
}

struct Stack {
  int values[8], top = 0;
  void push(int x) {
    if (top < 8)
      values[top++] = x;
  }
  int pop() { return top > 0 ? values[--top] : -1; }
};

struct Settings {
  int n = 3;
  int weights[3] = {5, 6, 7};
  Near nearest = {4, 2};
};

static void append(int *list, int &length, int x) { list[length++] = x; }

static int first(std::array<int, 3> v) {
  std::swap(v[0], v[2]);
  return v[0];
}

EVERYDAY(members) {
  require(out.size() == xs.size());
  Stack stack;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    int list[4], length = 0;
    append(list, length, xs[i] % 100);
    append(list, length, 7);
    std::array<int, 3> three{list[0], list[1], static_cast<int>(i)};
    Settings settings;
    settings.weights[1] += first(three) + three[0];
    if (xs[i] % 3 == 0)
      stack.push(settings.weights[1]);
    else if (stack.top > 1)
      stack.values[--stack.top] ^= settings.n++;
    out[i] = stack.pop() + length + settings.n + settings.weights[0] + settings.weights[2] * 3 + settings.nearest.at;
  }
}

struct Total {
  int sum = 0, count = 0;
  Total &operator+=(int x) {
    sum += x;
    ++count;
    return *this;
  }
  Total &scaled(int by) {
    if (by == 1)
      return *this;
    sum *= by;
    return *this;
  }
};

static const int &most(const int &a, const int &b) {
  if (a > b)
    return a;
  return b;
}

EVERYDAY(references_to_one_of_two) {
  require(out.size() == xs.size());
  int best = -100;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    int a = xs[i] % 100, b = 3, pair[2] = {a, 40};
    best = most(best, a);
    const int &large = std::max(a, b);
    const int &small = a < b ? a : b;
    const int &item = std::min(pair[0], pair[1]);
    const int value = most(a, b);
    const int before = large + small * 2 + item * 5;
    a -= 7;
    b *= 2;
    pair[i % 2] += 50;
    out[i] = before + large * 3 + small * 4 + item * 7 + value + best;
  }
}

static const Total &larger(const Total &a, const Total &b) { return b.sum > a.sum ? b : a; }
static int next(int &n) { return n++; }

EVERYDAY(results_by_reference) {
  require(out.size() == xs.size());
  Total all;
  int number = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    Total one;
    (one += xs[i] % 50) += 3;
    all.scaled(xs[i] % 4) += one.sum;
    all.sum %= 10000;
    out[i] = larger(all, one).count * 1000 + larger(one, all).sum + next(number) * 7;
  }
}

EVERYDAY(pairs_in_order) {
  require(out.size() == xs.size());
  std::pair<int, int> top{-1000000000, 0};
  std::pair<std::pair<int, int>, int> nested{{99, 0}, 3};
  for (int i = 0; i < static_cast<int>(xs.size()); ++i) {
    const auto here = std::make_pair(xs[i] % 10, i);
    top = std::max(top, here);
    const auto low = std::min(std::make_pair(xs[i] % 10, 5), here);
    nested = std::min(nested, std::make_pair(std::make_pair(xs[i] % 3, xs[i] % 7), i));
    out[i] = top.first * 100 + top.second + low.second * 1000 + (here == top) * 3 + (here != low) * 5 + (here < low) * 7 +
             (here <= top) * 11 + (here > low) * 13 + (here >= top) * 17 + nested.first.second * 10000 + nested.second;
  }
}

EVERYDAY(counts_as_values) {
  require(out.size() == xs.size());
  int counts[8] = {0}, ranks[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < xs.size(); ++i)
    ++counts[xs[i] & 7];
  for (int b = 1; b < 8; ++b)
    counts[b] += counts[b - 1];
  for (std::size_t i = xs.size(); i-- > 0;)
    out[--counts[xs[i] & 7]] = xs[i];
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const int k = ranks[xs[i] & 3]++ * 2;
    out[i] += k > 4 && ranks[k & 3]-- > 0 ? counts[i & 7]++ : -counts[k & 7]--;
  }
}

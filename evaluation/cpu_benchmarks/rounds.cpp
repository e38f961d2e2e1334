// A step of the heat equation on a rod, and many of them, and the antidiagonals of Needleman-Wunsch.
#include "stencils.h"

Row makeHeat(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float c = 0.1F;
  auto in = numbers(n, 1);
  auto out = std::make_shared<Array<float>>(n);
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = (*in)[i > 0 ? i - 1 : i];
    const double right = (*in)[i + 1 < n ? i + 1 : i];
    expected[i] = double((*in)[i]) + double(c) * (left - 2 * double((*in)[i]) + right);
  }
  Row row;
  row.bytes = 8.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().cell(&c).container(in->data(), {n}).container(out->data(), {n}));
  };
  row.peers = {{"OpenMP", [=] {
                  const float *u = in->data();
                  float *v = out->data();
#pragma omp parallel for simd schedule(static)
                  for (std::size_t i = 1; i < n - 1; ++i)
                    v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
                  v[0] = u[0] + c * (u[1] - u[0]);
                  v[n - 1] = u[n - 1] + c * (u[n - 2] - u[n - 1]);
                }}};
  judge(row, out, std::move(expected), 1e-5);
  return row;
}

namespace {

float conduction = 0.1F;

/// Elements [first, last) of a step; `u` and `v` are where element 0 of a rod of n would be.
template <class T>
void heatPart(const T *u, T *v, std::ptrdiff_t first, std::ptrdiff_t last, std::ptrdiff_t n) {
  const T c = conduction;
  const auto end = [&](std::ptrdiff_t i) {
    const T left = u[i > 0 ? i - 1 : i], right = u[i + 1 < n ? i + 1 : i];
    v[i] = u[i] + c * (left - 2 * u[i] + right);
  };
  if (first == 0)
    end(first++);
  const bool whole = last == n && first < last;
  if (whole)
    end(--last);
#pragma omp simd
  for (std::ptrdiff_t i = first; i < last; ++i)
    v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

/// A step of all at a time.
template <class T>
void heatByHand(const T *in, T *other, T *out, std::size_t size, unsigned steps) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  constexpr std::ptrdiff_t part = 1 << 16;
  const T *from = in;
#pragma omp parallel firstprivate(from)
  for (unsigned step = 0; step < steps; ++step) {
    T *to = (steps - step) % 2 != 0 ? out : other;
#pragma omp for schedule(static)
    for (std::ptrdiff_t first = 0; first < n; first += part)
      heatPart(from, to, first, std::min(n, first + part), n);
    from = to;
  }
}

/// Up to 32 steps of a tile that stays in the cache, whose halo shrinks by an element a step.
void heatInTiles(const float *in, float *other, float *out, std::size_t size, unsigned steps) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  constexpr std::ptrdiff_t tile = 2048, most = 32;
  const std::ptrdiff_t rounds = (steps + most - 1) / most;
#pragma omp parallel
  {
    std::vector<float> two[2] = {std::vector<float>(tile + 2 * most),
                                 std::vector<float>(tile + 2 * most)};
    const float *from = in;
    for (std::ptrdiff_t round = 0; round < rounds; ++round) {
      float *to = (rounds - round) % 2 != 0 ? out : other;
      const std::ptrdiff_t some = std::min(most, static_cast<std::ptrdiff_t>(steps) - round * most);
#pragma omp for schedule(static)
      for (std::ptrdiff_t first = 0; first < n; first += tile) {
        const std::ptrdiff_t last = std::min(n, first + tile);
        // Where element 0 of the rod would be in what a thread has to itself.
        float *own[2] = {two[0].data() + most - first, two[1].data() + most - first};
        const float *u = from;
        for (std::ptrdiff_t step = 1; step <= some; ++step) {
          float *v = step == some ? to : own[step % 2];
          heatPart(u, v, std::max<std::ptrdiff_t>(0, first - (some - step)),
                   std::min(n, last + (some - step)), n);
          u = v;
        }
      }
      from = to;
    }
  }
}

} // namespace

Row makeHeatSteps(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static unsigned steps;
  steps = static_cast<unsigned>(sizeAt(sizes, 1));
  auto in = numbers(n, 1);
  auto other = std::make_shared<Array<float>>(n);
  auto out = std::make_shared<Array<float>>(n);
  std::vector<double> expected(n);
  {
    const std::vector<double> wide(in->begin(), in->end());
    std::vector<double> between(n);
    heatByHand(wide.data(), between.data(), expected.data(), n, steps);
  }
  Row row;
  row.operations = 4.0 * static_cast<double>(n) * steps;
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&conduction)
                     .cell(&steps)
                     .container(in->data(), {n})
                     .container(out->data(), {n}));
  };
  row.peers = {{"OpenMP, step by step",
                [=] { heatByHand(in->data(), other->data(), out->data(), n, steps); }},
               {"OpenMP, 32 steps a tile",
                [=] { heatInTiles(in->data(), other->data(), out->data(), n, steps); }}};
  judge(row, out, std::move(expected), 1e-5);
  return row;
}

namespace {

float same = 3, other = -1, gap = -2;

/// By hand: an antidiagonal is a row of the table, and threads share it.
void nwByHand(const char *a, const char *b, float *table, std::size_t n, std::size_t m) {
  const std::size_t width = n + 1;
#pragma omp parallel
  for (std::size_t d = 0; d < n + m + 1; ++d) {
    float *now = table + d * width;
    const std::size_t first = d > m ? d - m : 1;
    const std::size_t last = std::min(d, n + 1);
#pragma omp for simd schedule(static)
    for (std::size_t i = 0; i < width; ++i) {
      const bool border = (i == 0 && d <= m) || i == d;
      now[i] = border ? static_cast<float>(d) * gap : 0;
    }
    if (d < 2)
      continue;
    const float *one = now - width;
    const float *two = one - width;
#pragma omp for simd schedule(static)
    for (std::size_t i = first; i < last; ++i)
      now[i] = std::max(two[i - 1] + (a[i - 1] == b[d - i - 1] ? same : other),
                        std::max(one[i - 1], one[i]) + gap);
  }
}

/// By hand: tiles of the scores, whose antidiagonals are shared out among threads; inside one its own antidiagonals follow
/// each other, each in vectors. `b` is the other way round.
void nwInTiles(const char *a, const char *b, float *table, std::size_t n, std::size_t m) {
  constexpr std::size_t side = 256;
  const std::size_t width = n + 1, down = (n + side - 1) / side, across = (m + side - 1) / side;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::size_t d = 0; d < n + m + 1; ++d) {
      // What no tile writes: the borders, and what is beyond them.
      float *now = table + d * width;
      const float border = static_cast<float>(d) * gap;
      std::fill(now, now + (d > m ? std::min(d - m, width) : 0), 0.0F);
      std::fill(now + std::min(d, n) + 1, now + width, 0.0F);
      if (d <= m)
        now[0] = border;
      if (d <= n)
        now[d] = border;
    }
    for (std::size_t t = 0; t + 1 < down + across; ++t) {
#pragma omp for schedule(dynamic)
      for (std::size_t tile = t < across ? 0 : t - across + 1; tile < std::min(t + 1, down);
           ++tile) {
        const std::size_t top = 1 + tile * side, left = 1 + (t - tile) * side;
        const std::size_t bottom = std::min(top + side, n + 1),
                          right = std::min(left + side, m + 1);
        for (std::size_t d = top + left; d < bottom + right - 1; ++d) {
          float *now = table + d * width;
          const float *one = now - width, *two = one - width;
          const char *letters = b + m - d; // letters[i] is letter d - i - 1
#pragma omp simd
          for (std::size_t i = d < top + right ? top : d - right + 1;
               i < std::min(bottom, d - left + 1); ++i)
            now[i] = std::max(two[i - 1] + (a[i - 1] == letters[i] ? same : other),
                              std::max(one[i - 1], one[i]) + gap);
        }
      }
    }
  }
}

} // namespace

Row makeNw(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  const std::size_t m = sizeAt(sizes, 1);
  auto a = std::make_shared<Array<char>>(n);
  auto b = std::make_shared<Array<char>>(m);
  for (std::size_t i = 0; i < n; ++i)
    (*a)[i] = "ACGT"[(i * 7 + i / 3) % 4];
  for (std::size_t i = 0; i < m; ++i)
    (*b)[i] = "ACGT"[(i * 5 + i / 7) % 4];
  const std::size_t all = (n + m + 1) * (n + 1);
  auto table = std::make_shared<Array<float>>(all);
  std::vector<double> expected(all);
  for (std::size_t d = 0; d < n + m + 1; ++d) {
    for (std::size_t i = d > m ? d - m : 0; i <= std::min(d, n); ++i) {
      const double *one = expected.data() + (d - 1) * (n + 1);
      const double *two = one - (n + 1);
      expected[d * (n + 1) + i] =
          i == 0 || i == d ? double(d) * gap
                           : std::max(two[i - 1] + ((*a)[i - 1] == (*b)[d - i - 1] ? same : other),
                                      std::max(one[i - 1], one[i]) + gap);
    }
  }
  Row row;
  row.bytes = 12.0 * static_cast<double>(all);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&same)
                     .cell(&other)
                     .cell(&gap)
                     .container(a->data(), {n})
                     .container(b->data(), {m})
                     .container(table->data(), {n + m + 1, n + 1}));
  };
  auto turned = std::make_shared<Array<char>>(m);
  std::reverse_copy(b->begin(), b->end(), turned->data());
  row.peers = {
      {"OpenMP", [=] { nwByHand(a->data(), b->data(), table->data(), n, m); }},
      {"OpenMP, in tiles", [=] { nwInTiles(a->data(), turned->data(), table->data(), n, m); }}};
  judge(row, table, std::move(expected), 1e-5);
  return row;
}

// Options: on the average price of assets, by simulation, and where the volatility depends on price and time.
#include "stencils.h"
#include "vector_math.h"

namespace {

// ---------------------------------------------------------------------------
// Option pricing: three assets at five dates
// ---------------------------------------------------------------------------

constexpr std::size_t assets = 3, dates = 5, dimensions = assets * dates;

struct Contract {
  Array<unsigned> vectors{dimensions * 32}, order{dates}, left{dates}, right{dates};
  Array<float> weights{3 * dates}, starts{assets}, mixes{assets * assets}, drifts{dates * assets},
      volatilities{dates * assets};
  float strike = 95, discount = 0.95F;
};

Contract contractOf() {
  Contract c;
  // Direction numbers as Sobol's: number b has bit 31 - b set and none below it.
  for (std::size_t e = 0; e < c.vectors.size(); ++e) {
    const unsigned bit = e % 32;
    const std::uint64_t initial =
        e < 32 ? 1 : (randomNumber(e, 9) & ((std::uint64_t{2} << bit) - 1)) | 1;
    c.vectors[e] = static_cast<unsigned>(initial << (31 - bit));
  }
  // The last date first, from the start, then dates between two.
  constexpr unsigned order[dates] = {5, 2, 1, 3, 4}, left[dates] = {0, 0, 0, 2, 3},
                     right[dates] = {0, 5, 2, 5, 5};
  for (std::size_t d = 0; d < dates; ++d) {
    const double from = left[d], to = right[d], at = order[d];
    c.order[d] = order[d];
    c.left[d] = left[d];
    c.right[d] = right[d];
    c.weights[d] = static_cast<float>(d == 0 ? 0 : (to - at) / (to - from));
    c.weights[dates + d] = static_cast<float>(d == 0 ? 0 : (at - from) / (to - from));
    c.weights[2 * dates + d] =
        static_cast<float>(std::sqrt(d == 0 ? at : (to - at) * (at - from) / (to - from)));
  }
  constexpr float starts[assets] = {100, 90, 110};
  constexpr float mixes[assets * assets] = {1, 0, 0, 0.5F, 0.8660254F, 0, 0.3F, 0.2F, 0.9327379F};
  std::copy(starts, starts + assets, c.starts.data());
  std::copy(mixes, mixes + assets * assets, c.mixes.data());
  for (std::size_t e = 0; e < dates * assets; ++e) {
    const double volatility = 0.2 + 0.05 * static_cast<double>(e % assets);
    c.drifts[e] = static_cast<float>((0.05 - volatility * volatility / 2) * 0.2);
    c.volatilities[e] = static_cast<float>(volatility * std::sqrt(0.2));
  }
  return c;
}

/// Of a part of all numbers in (0, 1/2], the deviation below which it is (Acklam).
template <class T> T tailOf(T part) {
  const T q = std::sqrt(-2 * std::log(part));
  const T above =
      ((((T(-7.784894002430293e-03) * q - T(3.223964580411365e-01)) * q - T(2.400758277161838)) *
            q -
        T(2.549732539343734)) *
           q +
       T(4.374664141464968)) *
          q +
      T(2.938163982698783);
  return above /
         ((((T(7.784695709041462e-03) * q + T(3.224671290700398e-01)) * q + T(2.445134137142996)) *
               q +
           T(3.754408661907416)) *
              q +
          1);
}
template <class T> T middleOf(T q) {
  const T r = q * q;
  const T above = ((((T(-3.969683028665376e+01) * r + T(2.209460984245205e+02)) * r -
                     T(2.759285104469687e+02)) *
                        r +
                    T(1.383577518672690e+02)) *
                       r -
                   T(3.066479806614716e+01)) *
                      r +
                  T(2.506628277459239);
  return above * q /
         (((((T(-5.447609879822406e+01) * r + T(1.615858368580409e+02)) * r -
             T(1.556989798598866e+02)) *
                r +
            T(6.680131188771972e+01)) *
               r -
           T(1.328068155288572e+01)) *
              r +
          1);
}
template <class T> T normalOf(unsigned sobol) {
  const T part = (T(static_cast<int>(sobol >> 8)) + T(0.5)) * T(0x1p-24);
  const T rest = 1 - part;
  const T least = part < rest ? part : rest;
  const T tail = tailOf(least), middle = middleOf(part - T(0.5));
  const T signed_tail = part < rest ? tail : -tail;
  return least < T(0.02425) ? signed_tail : middle;
}

/// Of element `number` of the sequence.
unsigned sobolOf(const unsigned *vectors, unsigned number) {
  unsigned sum = 0;
  for (unsigned gray = number ^ (number >> 1), bit = 0; gray != 0; gray >>= 1, ++bit)
    sum ^= gray % 2 != 0 ? vectors[bit] : 0;
  return sum;
}

constexpr std::size_t side = 32; ///< paths side by side, in vectors

/// A date between two others, of 32 paths.
void bridge(const float (&shares)[3], const float *left, const float *right, unsigned base,
            const unsigned *within, float *to) {
#pragma omp simd
  for (std::size_t l = 0; l < side; ++l)
    to[l] =
        shares[0] * left[l] + shares[1] * right[l] + shares[2] * normalOf<float>(base ^ within[l]);
}

/// Logarithms of 32 prices go on to a date; adds the prices.
void advance(float drift, float start, const float (&shares)[assets], const float *motion,
             float *logs, float *sums) {
  constexpr std::size_t asset = (dates + 1) * side; ///< numbers of one
#pragma omp simd
  for (std::size_t l = 0; l < side; ++l) {
    const float *here = motion + l, *next = here + side;
    const float mixed = shares[0] * (next[0] - here[0]) + shares[1] * (next[asset] - here[asset]) +
                        shares[2] * (next[2 * asset] - here[2 * asset]);
    logs[l] += drift + mixed;
    sums[l] += start * std::exp(logs[l]);
  }
}

/// The Gray code of 32 q + l is that of 32 q with that of l.
float priceByHand(const Contract &c, std::size_t paths) {
  unsigned within[dimensions][side];
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (unsigned l = 0; l < side; ++l)
      within[d][l] = sobolOf(c.vectors.data() + d * 32, l);
  }
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t first = 0; first < paths; first += side) {
    float motion[assets][dates + 1][side] = {}, sums[side] = {};
    for (std::size_t d = 0; d < dates; ++d) {
      const float shares[3] = {c.weights[d], c.weights[dates + d], c.weights[2 * dates + d]};
      for (std::size_t a = 0; a < assets; ++a) {
        const std::size_t dimension = d * assets + a;
        bridge(shares, motion[a][c.left[d]], motion[a][c.right[d]],
               sobolOf(c.vectors.data() + dimension * 32, static_cast<unsigned>(first)),
               within[dimension], motion[a][c.order[d]]);
      }
    }
    for (std::size_t a = 0; a < assets; ++a) {
      float logs[side] = {};
      for (std::size_t d = 0; d < dates; ++d) {
        float shares[assets];
        for (std::size_t b = 0; b < assets; ++b)
          shares[b] = c.volatilities[d * assets + a] * c.mixes[a * assets + b];
        advance(c.drifts[d * assets + a], c.starts[a], shares, motion[0][d], logs, sums);
      }
    }
    float payoffs = 0;
    for (std::size_t l = 0; l < std::min(side, paths - first); ++l)
      payoffs += std::max(sums[l] / static_cast<float>(dimensions) - c.strike, 0.0F);
    total += double(payoffs);
  }
  return static_cast<float>(double(c.discount) * total / static_cast<double>(paths));
}

double priceInDouble(const Contract &c, std::size_t paths) {
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t k = 0; k < paths; ++k) {
    double motion[assets][dates + 1] = {}, sum = 0;
    for (std::size_t d = 0; d < dates; ++d) {
      for (std::size_t a = 0; a < assets; ++a)
        motion[a][c.order[d]] =
            double(c.weights[d]) * motion[a][c.left[d]] +
            double(c.weights[dates + d]) * motion[a][c.right[d]] +
            double(c.weights[2 * dates + d]) *
                normalOf<double>(
                    sobolOf(c.vectors.data() + (d * assets + a) * 32, static_cast<unsigned>(k)));
    }
    for (std::size_t a = 0; a < assets; ++a) {
      double log_price = 0;
      for (std::size_t d = 0; d < dates; ++d) {
        double mixed = 0;
        for (std::size_t b = 0; b < assets; ++b)
          mixed += double(c.mixes[a * assets + b]) * (motion[b][d + 1] - motion[b][d]);
        log_price +=
            double(c.drifts[d * assets + a]) + double(c.volatilities[d * assets + a]) * mixed;
        sum += double(c.starts[a]) * std::exp(log_price);
      }
    }
    total += std::max(sum / dimensions - double(c.strike), 0.0);
  }
  return double(c.discount) * total / static_cast<double>(paths);
}

// ---------------------------------------------------------------------------
// LocVolCalib: of every strike a grid, in each step a system of each of its columns and then of its rows
// ---------------------------------------------------------------------------

struct Grids {
  std::size_t strikes = 0, m = 0, n = 0, steps = 0;
  float nu = 0.6F, beta = 0.5F, dt = 0, dx = 0, dy = 0;
  std::shared_ptr<Array<float>> at = {}, logs = {}, ys = {};
};

Grids gridsOf(const Words &sizes) {
  Grids g{.strikes = sizeAt(sizes, 0),
          .m = sizeAt(sizes, 1),
          .n = sizeAt(sizes, 2),
          .steps = sizeAt(sizes, 3)};
  g.dt = 1.0F / static_cast<float>(g.steps); // a year in all
  g.dx = 4.0F / static_cast<float>(g.m);
  g.dy = 3.0F / static_cast<float>(g.n);
  g.at = std::make_shared<Array<float>>(g.strikes);
  g.logs = std::make_shared<Array<float>>(g.m);
  g.ys = std::make_shared<Array<float>>(g.n);
  fill(*g.at, [&](std::size_t s) {
    return 0.5 + static_cast<double>(s) / static_cast<double>(g.strikes);
  });
  fill(*g.logs, [&](std::size_t i) {
    return (static_cast<double>(i) - 0.5 * static_cast<double>(g.m)) * double(g.dx);
  });
  fill(*g.ys, [&](std::size_t j) {
    return std::log(0.2) + (static_cast<double>(j) - 0.5 * static_cast<double>(g.n)) * double(g.dy);
  });
  return g;
}

constexpr std::size_t together = 16; ///< rows whose systems are solved side by side

/// A thread has a strike with all its steps. Variances are products of what depends on the row, the column and the step;
/// a system of columns is solved for all of them row by row, one of rows for 16 of them, transposed.
void solveByHand(const Grids &g, float *values) {
  const std::size_t m = g.m, n = g.n;
  const float x_r = 0.25F * g.dt / (g.dx * g.dx), y_r = 0.25F * g.nu * g.nu * g.dt / (g.dy * g.dy);
  std::vector<float> of_rows(m), of_columns(n), factors_of_rows(n), inverses(n);
  for (std::size_t i = 0; i < m; ++i)
    of_rows[i] = x_r * std::exp(2 * g.beta * (*g.logs)[i]);
  for (std::size_t j = 0; j < n; ++j)
    of_columns[j] = std::exp(2 * (*g.ys)[j]);
  for (std::size_t j = 1; j + 1 < n; ++j) {
    inverses[j] = 1 / (1 + y_r * (2 - factors_of_rows[j - 1]));
    factors_of_rows[j] = y_r * inverses[j];
  }
#pragma omp parallel
  {
    std::vector<float> half(m * n), factors(m * n), turned((n + 1) * together);
#pragma omp for schedule(dynamic)
    for (std::size_t s = 0; s < g.strikes; ++s) {
      float *grid = values + s * m * n;
      for (std::size_t i = 0; i < m; ++i)
        std::fill(grid + i * n, grid + (i + 1) * n,
                  std::max(std::exp((*g.logs)[i]) - (*g.at)[s], 0.0F));
      for (std::size_t step = 0; step < g.steps; ++step) {
        const float decays = std::exp(-g.nu * g.nu * g.dt * static_cast<float>(g.steps - step));
        std::copy(grid, grid + n, half.data());
        std::fill(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(n), 0.0F);
        for (std::size_t i = 1; i + 1 < m; ++i) {
          const float *in = grid + i * n, *up = in - n, *down = in + n,
                      *columns = of_columns.data();
          float *out = half.data() + i * n, *factor = factors.data() + i * n;
          const float of_row = of_rows[i] * decays;
#pragma omp simd
          for (std::size_t j = 0; j < n; ++j) {
            const float q = of_row * columns[j];
            const float inverse = 1 / (1 + q * (2 - *(factor + j - n)));
            out[j] = (in[j] + q * (up[j] - 2 * in[j] + down[j] + *(out + j - n))) * inverse;
            factor[j] = q * inverse;
          }
        }
        std::copy(grid + (m - 1) * n, grid + m * n, half.data() + (m - 1) * n);
        for (std::size_t i = m - 1; i-- > 0;) {
          float *out = half.data() + i * n;
          const float *factor = factors.data() + i * n;
#pragma omp simd
          for (std::size_t j = 0; j < n; ++j)
            out[j] += factor[j] * out[j + n];
        }
        for (std::size_t first = 0; first < m; first += together) {
          const std::size_t count = std::min(together, m - first);
          const float *in = half.data() + first * n;
          float *own = turned.data();
          for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t r = 0; r < count; ++r)
              own[j * together + r] = in[r * n + j];
          }
          float last[together];
          std::copy(own, own + together, last);
          for (std::size_t j = 1; j + 1 < n; ++j) {
            float *here = own + j * together;
            const float inverse = inverses[j];
#pragma omp simd
            for (std::size_t r = 0; r < together; ++r) {
              const float old = here[r];
              here[r] =
                  (old + y_r * (last[r] - 2 * old + here[together + r] + here[r - together])) *
                  inverse;
              last[r] = old;
            }
          }
          for (std::size_t j = n - 1; j-- > 1;) {
            float *here = own + j * together;
#pragma omp simd
            for (std::size_t r = 0; r < together; ++r)
              here[r] += factors_of_rows[j] * here[together + r];
          }
          for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t j = 0; j < n; ++j)
              grid[(first + r) * n + j] = own[j * together + r];
          }
        }
      }
    }
  }
}

/// What is right: the systems one by one, by Thomas' algorithm.
std::vector<double> solveInDouble(const Grids &g) {
  const std::size_t m = g.m, n = g.n;
  std::vector<double> values(g.strikes * m * n);
  const double nu = g.nu, dt = g.dt, dx = g.dx, dy = g.dy, beta = g.beta;
  const auto line = [](double *u, std::size_t size, std::size_t stride, const auto &share) {
    double factors[256], left = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double here = u[i * stride];
      factors[i] = 0;
      if (i > 0 && i + 1 < size) {
        const double q = share(i), pivot = 1 + q * (2 - factors[i - 1]);
        u[i * stride] =
            (here + q * (left - 2 * here + u[(i + 1) * stride] + u[(i - 1) * stride])) / pivot;
        factors[i] = q / pivot;
      }
      left = here;
    }
    for (std::size_t i = size - 1; i-- > 0;)
      u[i * stride] += factors[i] * u[(i + 1) * stride];
  };
#pragma omp parallel for schedule(dynamic)
  for (std::size_t s = 0; s < g.strikes; ++s) {
    double *grid = values.data() + s * m * n;
    std::vector<double> of_rows(m), of_columns(n);
    for (std::size_t i = 0; i < m; ++i) {
      of_rows[i] = 0.25 * dt / (dx * dx) * std::exp(2 * beta * double((*g.logs)[i]));
      for (std::size_t j = 0; j < n; ++j)
        grid[i * n + j] = std::max(std::exp(double((*g.logs)[i])) - double((*g.at)[s]), 0.0);
    }
    for (std::size_t step = 0; step < g.steps; ++step) {
      const double decay = 0.5 * nu * nu * dt * static_cast<double>(g.steps - step);
      for (std::size_t j = 0; j < n; ++j) {
        const double of_column = std::exp(2 * (double((*g.ys)[j]) - decay));
        line(grid + j, m, n, [&](std::size_t i) { return of_rows[i] * of_column; });
      }
      for (std::size_t i = 0; i < m; ++i)
        line(grid + i * n, n, 1, [&](std::size_t) { return 0.25 * nu * nu * dt / (dy * dy); });
    }
  }
  return values;
}

} // namespace

Row makeOptionPricing(const Words &sizes) {
  static unsigned paths;
  static float price;
  paths = static_cast<unsigned>(sizeAt(sizes, 0));
  auto contract = std::make_shared<Contract>(contractOf());
  const double expected = priceInDouble(*contract, paths);
  Row row;
  row.ours = [=](const Library &library) {
    const Contract &c = *contract;
    library.call(Arguments()
                     .cell(&paths)
                     .cell(&contract->strike)
                     .cell(&contract->discount)
                     .container(c.vectors.data(), {dimensions, 32})
                     .container(c.order.data(), {dates})
                     .container(c.left.data(), {dates})
                     .container(c.right.data(), {dates})
                     .container(c.weights.data(), {3, dates})
                     .container(c.starts.data(), {assets})
                     .container(c.mixes.data(), {assets, assets})
                     .container(c.drifts.data(), {dates, assets})
                     .container(c.volatilities.data(), {dates, assets})
                     .result(&price));
  };
  row.peers = {{"OpenMP, 32 paths at a time", [=] { price = priceByHand(*contract, paths); }}};
  row.forget = [] { price = -1; };
  row.wrong = [=] { return firstDifference(&price, &expected, 1, 1e-4 * expected); };
  return row;
}

Row makeLocvol(const Words &sizes) {
  static Grids g;
  static unsigned steps;
  g = gridsOf(sizes);
  steps = static_cast<unsigned>(g.steps);
  auto values = std::make_shared<Array<float>>(g.strikes * g.m * g.n);
  Row row;
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&g.nu)
                     .cell(&g.beta)
                     .cell(&g.dt)
                     .cell(&g.dx)
                     .cell(&g.dy)
                     .cell(&steps)
                     .container(g.at->data(), {g.strikes})
                     .container(g.logs->data(), {g.m})
                     .container(g.ys->data(), {g.n})
                     .container(values->data(), {g.strikes, g.m, g.n}));
  };
  row.peers = {{"OpenMP, a strike a thread", [=] { solveByHand(g, values->data()); }}};
  judge(row, values, solveInDouble(g), 1e-3);
  return row;
}

// Options by hand, on the average price of assets, by simulation, and where the volatility depends on price and time:
//   options option_pricing REPEATS PATHS            of three assets at five dates
//   options locvol REPEATS STRIKES,M,N,STEPS        grids of M logarithms of prices and N of volatilities, at most 256
#include "../harness/cuda/peer.h"
#include "../harness/matrices.h"

#include <cmath>
#include <memory>

namespace {

constexpr int block = 256;

// ---------------------------------------------------------------------------
// Option pricing: a thread has some paths one after the other; their numbers differ in one vector of Sobol each
// ---------------------------------------------------------------------------

constexpr int assets = 3, dates = 5, dimensions = assets * dates;

struct Contract {
  unsigned vectors[dimensions][32];
  int order[dates], left[dates], right[dates];
  float weights[3][dates], starts[assets], mixes[assets][assets], drifts[dates][assets], volatilities[dates][assets];
  float strike, discount;
};

__constant__ Contract constantContract;

Contract contractOf() {
  Contract c = {};
  // Direction numbers as Sobol's: number b has bit 31 - b set and none below it.
  for (unsigned d = 0; d < dimensions; ++d) {
    for (unsigned b = 0; b < 32; ++b) {
      const std::uint64_t initial = d == 0 ? 1 : (randomNumber(d * 32 + b, 9) & ((std::uint64_t{2} << b) - 1)) | 1;
      c.vectors[d][b] = static_cast<unsigned>(initial << (31 - b));
    }
  }
  // The last date first, from the start, then dates between two.
  constexpr int order[dates] = {5, 2, 1, 3, 4}, left[dates] = {0, 0, 0, 2, 3}, right[dates] = {0, 5, 2, 5, 5};
  constexpr float starts[assets] = {100, 90, 110};
  constexpr float mixes[assets][assets] = {{1, 0, 0}, {0.5F, 0.8660254F, 0}, {0.3F, 0.2F, 0.9327379F}};
  for (int d = 0; d < dates; ++d) {
    const double from = left[d], to = right[d], at = order[d];
    c.order[d] = order[d];
    c.left[d] = left[d];
    c.right[d] = right[d];
    c.weights[0][d] = static_cast<float>(d == 0 ? 0 : (to - at) / (to - from));
    c.weights[1][d] = static_cast<float>(d == 0 ? 0 : (at - from) / (to - from));
    c.weights[2][d] = static_cast<float>(std::sqrt(d == 0 ? at : (to - at) * (at - from) / (to - from)));
    for (int a = 0; a < assets; ++a) {
      const double volatility = 0.2 + 0.05 * a;
      c.drifts[d][a] = static_cast<float>((0.05 - volatility * volatility / 2) * 0.2);
      c.volatilities[d][a] = static_cast<float>(volatility * std::sqrt(0.2));
    }
  }
  for (int a = 0; a < assets; ++a) {
    c.starts[a] = starts[a];
    for (int b = 0; b < assets; ++b)
      c.mixes[a][b] = mixes[a][b];
  }
  c.strike = 95;
  c.discount = 0.95F;
  return c;
}

/// The normal deviation below which is a part of all numbers (Acklam).
template <class T> __host__ __device__ T tailOf(T part) {
  const T q = sqrt(-2 * log(part));
  const T above = ((((T(-7.784894002430293e-03) * q - T(3.223964580411365e-01)) * q - T(2.400758277161838)) * q -
                    T(2.549732539343734)) * q + T(4.374664141464968)) * q + T(2.938163982698783);
  return above / ((((T(7.784695709041462e-03) * q + T(3.224671290700398e-01)) * q + T(2.445134137142996)) * q +
                   T(3.754408661907416)) * q + 1);
}
template <class T> __host__ __device__ T middleOf(T q) {
  const T r = q * q;
  const T above = ((((T(-3.969683028665376e+01) * r + T(2.209460984245205e+02)) * r - T(2.759285104469687e+02)) * r +
                    T(1.383577518672690e+02)) * r - T(3.066479806614716e+01)) * r + T(2.506628277459239);
  return above * q / (((((T(-5.447609879822406e+01) * r + T(1.615858368580409e+02)) * r - T(1.556989798598866e+02)) * r +
                        T(6.680131188771972e+01)) * r - T(1.328068155288572e+01)) * r + 1);
}
template <class T> __host__ __device__ T normalOf(unsigned sobol) {
  const T part = (T(sobol >> 8) + T(0.5)) * T(5.9604644775390625e-08);
  return part < T(0.02425) ? tailOf(part) : part > T(0.97575) ? -tailOf(1 - part) : middleOf(part - T(0.5));
}

/// Of the numbers of a path.
template <class T> __host__ __device__ T payoffOf(const Contract &c, const unsigned (&numbers)[dimensions]) {
  T motion[assets][dates + 1] = {}, total = 0;
#pragma unroll
  for (int d = 0; d < dates; ++d) {
#pragma unroll
    for (int a = 0; a < assets; ++a)
      motion[a][c.order[d]] = T(c.weights[0][d]) * motion[a][c.left[d]] + T(c.weights[1][d]) * motion[a][c.right[d]] +
                              T(c.weights[2][d]) * normalOf<T>(numbers[d * assets + a]);
  }
#pragma unroll
  for (int a = 0; a < assets; ++a) {
    T log_price = 0;
#pragma unroll
    for (int d = 0; d < dates; ++d) {
      T mixed = 0;
#pragma unroll
      for (int b = 0; b < assets; ++b)
        mixed += T(c.mixes[a][b]) * (motion[b][d + 1] - motion[b][d]);
      log_price += T(c.drifts[d][a]) + T(c.volatilities[d][a]) * mixed;
      total += T(c.starts[a]) * exp(log_price);
    }
  }
  const T payoff = total / dimensions - T(c.strike);
  return payoff > 0 ? payoff : T(0);
}

__host__ __device__ inline void numbersOf(const Contract &c, unsigned path, unsigned (&numbers)[dimensions]) {
  const unsigned gray = path ^ (path >> 1);
#pragma unroll
  for (int d = 0; d < dimensions; ++d) {
    unsigned number = 0;
    for (unsigned bit = 0; gray >> bit != 0 && bit < 32; ++bit)
      number ^= (gray >> bit) % 2 != 0 ? c.vectors[d][bit] : 0;
    numbers[d] = number;
  }
}

/// `each` paths a thread; `total` is the sum of all payoffs.
template <int each> __global__ void __launch_bounds__(block) pathsKernel(unsigned paths, double *total) {
  __shared__ float sums[block / 32];
  const Contract &c = constantContract;
  const unsigned first = (blockIdx.x * block + threadIdx.x) * each;
  float sum = 0;
  if (first < paths) {
    unsigned numbers[dimensions];
    numbersOf(c, first, numbers);
    for (unsigned k = 0; k < each && first + k < paths; ++k) {
      if (k > 0) {
        const int bit = __ffs(static_cast<int>(k)) - 1; // the lowest one of first + k, too
#pragma unroll
        for (int d = 0; d < dimensions; ++d)
          numbers[d] ^= c.vectors[d][bit];
      }
      sum += payoffOf<float>(c, numbers);
    }
  }
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_down_sync(0xffffffffU, sum, by);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double of_block = 0;
    for (const float each_warp : sums)
      of_block += static_cast<double>(each_warp);
    atomicAdd(total, of_block);
  }
}

__global__ void priceKernel(unsigned paths, const double *total, float *price) {
  *price = static_cast<float>(static_cast<double>(constantContract.discount) * *total / paths);
}

Problem optionPricing(unsigned paths) {
  const Contract contract = contractOf();
  CHECK(cudaMemcpyToSymbol(constantContract, &contract, sizeof contract));
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (unsigned path = 0; path < paths; ++path) {
    unsigned numbers[dimensions];
    numbersOf(contract, path, numbers);
    sum += payoffOf<double>(contract, numbers);
  }
  const std::vector<double> expected = {double(contract.discount) * sum / paths};
  const auto total = std::make_shared<Buffer<double>>(1);
  const auto price = std::make_shared<Buffer<float>>(1);
  const auto way = [=](auto kernel, unsigned each) {
    return [=] {
      CHECK(cudaMemsetAsync(total->data(), 0, sizeof(double)));
      launch(kernel, partsOf(paths, std::size_t{block} * each), block, paths, total->data());
      launch(priceKernel, 1, 1, paths, total->data(), price->data());
    };
  };
  return {{{"a path a thread", way(pathsKernel<1>, 1)},
           {"8 paths a thread", way(pathsKernel<8>, 8)},
           {"32 paths a thread", way(pathsKernel<32>, 32)}},
          [=](const std::string &how) { expectAll(how, *price, expected, 1e-4); },
          {},
          [=] { forget(*price); }};
}

// ---------------------------------------------------------------------------
// LocVolCalib: a step's columns, a thread each, and then its rows, 32 of them in shared memory
// ---------------------------------------------------------------------------

constexpr int most = 256, side = 32; ///< of a grid; rows of a block
constexpr float nu = 0.6F, beta = 0.5F;

__global__ void payKernel(const float *strikes, const float *logs, float *grids, int m, int n) {
  const int j = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x), s = static_cast<int>(blockIdx.y);
  if (j < n)
    grids[(static_cast<std::size_t>(s) * m + i) * n + j] = fmaxf(expf(logs[i]) - strikes[s], 0.0F);
}

/// Variances are products of what depends on the row and on the column, which has what depends on the step.
__global__ void columnsKernel(const float *__restrict__ of_rows, const float *__restrict__ of_columns, float decay,
                              const float *__restrict__ grids, float *__restrict__ half, int m, int n, int count) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= count)
    return;
  const std::size_t begin = static_cast<std::size_t>(line / n) * m * n + line % n;
  const float of_column = of_columns[line % n] * decay;
  float factors[most];
  float last = grids[begin], above = last, here = m > 1 ? grids[begin + n] : 0;
  half[begin] = last;
  factors[0] = 0;
  for (int i = 1; i + 1 < m; ++i) {
    const float below = grids[begin + static_cast<std::size_t>(i + 1) * n];
    const float q = of_rows[i] * of_column, inverse = 1 / (1 + q * (2 - factors[i - 1]));
    last = (here + q * (above - 2 * here + below + last)) * inverse;
    factors[i] = q * inverse;
    half[begin + static_cast<std::size_t>(i) * n] = last;
    above = here;
    here = below;
  }
  if (m > 1)
    half[begin + static_cast<std::size_t>(m - 1) * n] = here;
  last = here;
  for (int i = m - 2; i > 0; --i) {
    last = half[begin + static_cast<std::size_t>(i) * n] + factors[i] * last;
    half[begin + static_cast<std::size_t>(i) * n] = last;
  }
}

/// Factors of rows are the same for all of them.
__global__ void __launch_bounds__(side)
    rowsKernel(float r, const float *__restrict__ factors, const float *__restrict__ inverses, const float *__restrict__ half,
               float *__restrict__ grids, int n, int count) {
  __shared__ float rows[side][most + 1];
  const int t = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.x) * side;
  const int here = min(side, count - first);
  const std::size_t begin = static_cast<std::size_t>(first) * n;
  for (int e = t; e < here * n; e += side)
    rows[e / n][e % n] = half[begin + e];
  __syncwarp();
  if (t < here) {
    float *row = rows[t];
    float left = row[0], last = left;
    for (int j = 1; j + 1 < n; ++j) {
      const float old = row[j];
      last = (old + r * (left - 2 * old + row[j + 1] + last)) * inverses[j];
      row[j] = last;
      left = old;
    }
    last = row[n - 1];
    for (int j = n - 2; j > 0; --j) {
      last = row[j] + factors[j] * last;
      row[j] = last;
    }
  }
  __syncwarp();
  for (int e = t; e < here * n; e += side)
    grids[begin + e] = rows[e / n][e % n];
}

/// A system in place, by Thomas' algorithm.
template <class Share> void solve(double *u, int size, int stride, const Share &share) {
  double factors[most] = {}, left = 0;
  for (int i = 0; i < size; ++i) {
    const double here = u[i * stride];
    if (i > 0 && i + 1 < size) {
      const double q = share(i), pivot = 1 + q * (2 - factors[i - 1]);
      u[i * stride] = (here + q * (left - 2 * here + u[(i + 1) * stride] + u[(i - 1) * stride])) / pivot;
      factors[i] = q / pivot;
    }
    left = here;
  }
  for (int i = size - 2; i > 0; --i)
    u[i * stride] += factors[i] * u[(i + 1) * stride];
}

Problem locvol(int strikes, int m, int n, int steps) {
  if (m > most || n > most)
    fail(2, "locvol: grids have at most 256 x 256 points");
  const float dt = 1.0F / static_cast<float>(steps), dx = 4.0F / static_cast<float>(m), dy = 3.0F / static_cast<float>(n);
  const float x_r = 0.25F * dt / (dx * dx), y_r = 0.25F * nu * nu * dt / (dy * dy);
  std::vector<float> at(strikes), logs(m), ys(n), of_rows(m), of_columns(n), factors(n), inverses(n);
  for (int s = 0; s < strikes; ++s)
    at[s] = 0.5F + static_cast<float>(s) / static_cast<float>(strikes);
  for (int i = 0; i < m; ++i) {
    logs[i] = (static_cast<float>(i) - 0.5F * static_cast<float>(m)) * dx;
    of_rows[i] = x_r * std::exp(2 * beta * logs[i]);
  }
  for (int j = 0; j < n; ++j) {
    ys[j] = std::log(0.2F) + (static_cast<float>(j) - 0.5F * static_cast<float>(n)) * dy;
    of_columns[j] = std::exp(2 * ys[j]);
  }
  for (int j = 1; j + 1 < n; ++j) {
    inverses[j] = 1 / (1 + y_r * (2 - factors[j - 1]));
    factors[j] = y_r * inverses[j];
  }
  const std::size_t grid = static_cast<std::size_t>(m) * n;
  std::vector<double> expected(strikes * grid);
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < strikes; ++s) {
    double *own = expected.data() + s * grid;
    for (std::size_t e = 0; e < grid; ++e)
      own[e] = std::max(std::exp(double(logs[e / n])) - at[s], 0.0);
    for (int step = 0; step < steps; ++step) {
      const double decay = 0.5 * nu * nu * double(dt) * (steps - step);
      for (int j = 0; j < n; ++j)
        solve(own + j, m, n, [&](int i) { return x_r * std::exp(2 * (double(beta) * logs[i] + ys[j] - decay)); });
      for (int i = 0; i < m; ++i)
        solve(own + static_cast<std::size_t>(i) * n, n, 1, [&](int) { return double(y_r); });
    }
  }
  const auto held = [](const std::vector<float> &values) { return std::make_shared<Buffer<float>>(values); };
  const auto d_at = held(at), d_logs = held(logs), d_rows = held(of_rows), d_columns = held(of_columns), d_factors = held(factors),
             d_inverses = held(inverses);
  const auto grids = std::make_shared<Buffer<float>>(strikes * grid), half = std::make_shared<Buffer<float>>(strikes * grid);
  const auto run = [=] {
    launch(payKernel, dim3(static_cast<unsigned>(m), static_cast<unsigned>(strikes)), static_cast<unsigned>(n), d_at->data(),
           d_logs->data(), grids->data(), m, n);
    constexpr unsigned threads = 64; // columns are few
    for (int step = 0; step < steps; ++step) {
      const float decay = std::exp(-nu * nu * dt * static_cast<float>(steps - step));
      launch(columnsKernel, partsOf(static_cast<std::size_t>(strikes) * n, threads), threads, d_rows->data(), d_columns->data(),
             decay, grids->data(), half->data(), m, n, strikes * n);
      launch(rowsKernel, partsOf(static_cast<std::size_t>(strikes) * m, side), side, y_r, d_factors->data(), d_inverses->data(),
             half->data(), grids->data(), n, strikes * m);
    }
  };
  return {{{"a kernel for columns, one for rows", run}},
          [=](const std::string &how) { expectAll(how, *grids, expected, 1e-3); },
          {},
          [=] { forget(*grids); }};
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto repeats = static_cast<unsigned>(argc == 4 ? std::atoi(argv[2]) : 0);
  const auto number = [&](std::size_t i) { return std::atoi(sizes[i].c_str()); };
  if (row == "option_pricing" && sizes.size() == 1) {
    for (const unsigned paths : {1U, 33U, 1000U})
      judge(optionPricing(paths));
    measure(repeats, optionPricing(static_cast<unsigned>(number(0))));
  } else if (row == "locvol" && sizes.size() == 4) {
    judge(locvol(1, 3, 3, 1));
    judge(locvol(3, 37, 33, 7));
    measure(repeats, locvol(number(0), number(1), number(2), number(3)));
  } else {
    fail(2, "options option_pricing REPEATS PATHS | options locvol REPEATS STRIKES,M,N,STEPS");
  }
  return 0;
}

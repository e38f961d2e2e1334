#include "runtime/tune/surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tangram::runtime {

namespace {

constexpr double lengths[] = {0.15, 0.3, 0.6, 1.2, 2.4};
constexpr double noises[] = {1e-4, 1e-2};

using Matrix = std::vector<std::vector<double>>;

double covariance(const Surrogate::Position &a, const Surrogate::Position &b, double length) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    square += (a[i] - b[i]) * (a[i] - b[i]);
  const double r = std::sqrt(5 * square) / length;
  return (1 + r + r * r / 3) * std::exp(-r);
}

/// Cholesky's; empty where rounding leaves nothing positive.
Matrix factorOf(Matrix m) {
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i][j];
      for (std::size_t k = 0; k < j; ++k)
        sum -= m[i][k] * m[j][k];
      if (i == j && sum <= 0)
        return {};
      m[i][j] = i == j ? std::sqrt(sum) : sum / m[j][j];
    }
  }
  return m;
}

std::vector<double> solveLower(const Matrix &l, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      b[i] -= l[i][k] * b[k];
    b[i] /= l[i][i];
  }
  return b;
}

std::vector<double> solveUpper(const Matrix &l, std::vector<double> b) {
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k)
      b[i] -= l[k][i] * b[k];
    b[i] /= l[i][i];
  }
  return b;
}

} // namespace

Surrogate::Surrogate(std::vector<Position> where, const std::vector<double> &measured)
    : positions(std::move(where)), values(measured) {
  const auto n = static_cast<double>(values.size());
  centre = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (double value : values)
    square += (value - centre) * (value - centre);
  scale = square > 0 ? std::sqrt(square / n) : 1;
  for (double &value : values)
    value = (value - centre) / scale;
  double likeliest = -std::numeric_limits<double>::infinity();
  for (double each : lengths) {
    for (double noise : noises)
      consider(each, noise, likeliest);
  }
}

void Surrogate::consider(double tried, double noise, double &likeliest) {
  Matrix all(values.size(), std::vector<double>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      all[i][j] = covariance(positions[i], positions[j], tried) + (i == j ? noise : 0);
  }
  Matrix l = factorOf(std::move(all));
  if (l.empty())
    return;
  const std::vector<double> half = solveLower(l, values);
  double likelihood = -0.5 * std::inner_product(half.begin(), half.end(), half.begin(), 0.0);
  for (std::size_t i = 0; i < l.size(); ++i)
    likelihood -= std::log(l[i][i]);
  if (likelihood <= likeliest)
    return;
  likeliest = likelihood;
  length = tried;
  weights = solveUpper(l, half);
  factor = std::move(l);
}

Surrogate::Guess Surrogate::at(const Position &position) const {
  std::vector<double> near;
  near.reserve(positions.size());
  for (const Position &each : positions)
    near.push_back(covariance(position, each, length));
  const double mean = std::inner_product(near.begin(), near.end(), weights.begin(), 0.0);
  const std::vector<double> half = solveLower(factor, near);
  const double known = std::inner_product(half.begin(), half.end(), half.begin(), 0.0);
  return {centre + scale * mean, scale * std::sqrt(std::max(0.0, 1 - known))};
}

double Surrogate::improvement(const Position &position, double best) const {
  const Guess guess = at(position);
  if (guess.deviation <= 0)
    return std::max(0.0, best - guess.mean);
  const double z = (best - guess.mean) / guess.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return (best - guess.mean) * below + guess.deviation * density;
}

} // namespace tangram::runtime

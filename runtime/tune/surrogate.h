// What a measured landscape may look like between its measurements: a Gaussian process over positions
// in the unit cube (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, algorithm
// 2.1; Matern kernel of 5/2). Its length and noise are those, of a few, under which the measurements
// are likeliest.
#pragma once

#include <vector>

namespace tangram::runtime {

class Surrogate {
public:
  using Position = std::vector<double>;

  /// At least one measurement; positions of one length.
  Surrogate(std::vector<Position> positions, const std::vector<double> &values);

  struct Guess {
    double mean = 0;
    double deviation = 0;
  };
  Guess at(const Position &position) const;

  /// By how much a measurement there is expected to fall below `best` (expected improvement; Jones,
  /// Schonlau and Welch, 1998).
  double improvement(const Position &position, double best) const;

private:
  /// The logarithm of the likelihood under these; keeps them when it is `likeliest` so far.
  void consider(double length, double noise, double &likeliest);

  std::vector<Position> positions;
  std::vector<double> values; ///< around 0, in units of their deviation
  double centre = 0, scale = 1;
  double length = 1;
  std::vector<std::vector<double>> factor; ///< lower triangular, of the covariance
  std::vector<double> weights;             ///< its inverse times the values
};

} // namespace tangram::runtime

// How long a larger problem will take, by the time that smaller ones took.
#pragma once

#include <cstdint>
#include <map>

namespace tangram::runtime {

/// Times of one bundle by the number of elements of all its containers. They grow by a power of it that the two largest
/// problems tell, 1 at least and 3 at most: a product of matrices of n elements takes n^1.5, all pairs of n elements n^2.
class Forecast {
public:
  void took(std::uint64_t elements, double seconds);

  /// 0 where nothing is known.
  double secondsFor(std::uint64_t elements) const;

private:
  std::map<std::uint64_t, double> least_; ///< seconds: other processes may have been in the way
};

} // namespace tangram::runtime

// One output of a problem, computed in four ways: what runtime/data/judge.cpp compares.
#pragma once

#include "runtime/data/elements.h"
#include "runtime/data/judge.h"

namespace tangram::runtime {

/// Parallel to the outputs.
struct FourResults {
  const Values &reference, &plan, &wideReference, &widePlan;
};

struct JudgedOutput {
  const Output *output;
  bool floating;
  Elements reference, plan, wideReference, widePlan;
  FloatLimits narrow, wide;
  bool movesMeasure; ///< inputs moved by an ulp are moved by no more than a rounding of the output
  long double norm;  ///< root mean square of the wide reference

  double ratio() const { return wide.roundoff / narrow.roundoff; }
  /// Distances are said as parts of an element, of the larger of two; of small ones as parts of a thousandth of the
  /// norm.
  long double scale(long double value, long double other = 0) const;
  /// "out at (3, 1)".
  std::string placeOf(std::uint64_t i) const;
};

/// Refers to `asked` and `results`.
JudgedOutput judgedOutput(const JudgedCase &asked, std::size_t output, const FourResults &results);

/// Both finite, both NaN, or the same infinity.
bool sameKind(long double a, long double b);

/// 0 for what is not finite, which measures nothing.
long double measure(long double distance);

/// Nine digits at most.
std::string numberText(long double value);

/// More than a tenth: too many elements about which nothing can be said.
bool areMany(std::uint64_t some, std::uint64_t all);

} // namespace tangram::runtime

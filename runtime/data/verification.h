// The findings of verification about the results of one run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tangram::runtime {

struct Verification {
  enum class Verdict {
    Right,
    Wrong,      ///< another function than the reference, or an error that rounding does not explain
    Inaccurate, ///< the same function, with a larger error than its inputs and the reference explain
    NotComparable ///< nothing can be said: the reference has no numbers, or its own wide runs differ
  };
  Verdict verdict = Verdict::Right;
  std::string reason; ///< why not Right

  bool bitForBit = false; ///< all bytes are those of the reference; NaN equals NaN
  /// The largest distance of the plan from the reference, both in wider numbers, as a part of an element.
  std::optional<double> sameFunctionWithin;
  /// The largest distance of the plan from itself in wider numbers, as a part of an element.
  std::optional<double> roundingAtMost;

  std::uint64_t results = 0;           ///< floating-point elements of the outputs
  std::uint64_t nan = 0, infinite = 0; ///< of the reference
  /// Elements that a comparison or a conversion makes another number because of rounding, and the first.
  std::uint64_t decidedDifferently = 0;
  std::string firstDecided;
  /// Elements that their own wide runs do not agree about.
  std::uint64_t notJudged = 0;

  /// Figures and counts of another run, as if both were one.
  void include(const Verification &other);
};

/// "bit for bit", "same function within 4e-16, rounding at most 3.1e-7"; with "2 of 1369 results are NaN in
/// the reference" and the like after a semicolon. Empty where nothing is floating-point and all is equal.
std::string text(const Verification &verification);

/// Two digits: "3.1e-7", "4e-16", "0".
std::string figureText(double figure);

} // namespace tangram::runtime

// The search among the settings of one plan's tunables: which one to measure next.
//
// First the default, then some that lie far apart, then in turns: that of which a surrogate fitted to
// the logarithms of the times expects most; of the neighbours of the best one the fastest, as the
// surrogate guesses; and of those that differ from the best one in one tunable. No setting is proposed
// twice, and in a space that is small enough every one in the end.
#pragma once

#include "runtime/tune/tunable_space.h"

#include <map>
#include <optional>

namespace tangram::runtime {

class PlanSearch {
public:
  PlanSearch(const TunableSpace &space, std::uint64_t seed);

  /// Nothing: there are no others.
  std::optional<TunableValues> next();

  /// What measuring it gave; nothing: it cannot run, or is wrong. Telling again replaces it.
  void tell(const TunableValues &values, std::optional<double> seconds);

  struct Measured {
    TunableValues values;
    double seconds = 0;
  };
  /// The fastest ones, at most so many, fastest first.
  std::vector<Measured> best(std::size_t most) const;
  /// Of the fastest; infinite when there is none.
  double bestSeconds() const;
  std::size_t proposed() const { return proposals; }

private:
  bool isTold(const TunableValues &values) const { return told.contains(values); }
  /// Some that have not been told; all of them where there are few.
  std::vector<TunableValues> untold();
  std::optional<TunableValues> farthest();
  /// What is looked for: the most to expect anywhere, or the fastest, as the surrogate guesses, of those
  /// near the best one, or of those that differ from it in one tunable.
  enum class Kind : unsigned char { Expected, Neighbour, Line };
  std::optional<TunableValues> promising(Kind kind);

  const TunableSpace &space;
  std::mt19937_64 numbers;
  std::map<TunableValues, std::optional<double>> told;
  std::optional<std::vector<TunableValues>> all; ///< of a small space
  std::size_t proposals = 0;
};

} // namespace tangram::runtime

// Settings against each other, in turns: which is really faster?
#pragma once

#include "runtime/session/timing.h"

#include <functional>
#include <optional>
#include <vector>

namespace tangram::runtime {

/// How often everybody has a turn.
inline constexpr std::size_t comparisonBlocks = 5;

/// The times of one of those compared.
struct Compared {
  std::vector<double> medians; ///< of each block
  std::vector<double> runs;    ///< of all
  bool failed = false;         ///< in one of its turns; it has no more

  double median() const;
};

/// `count` take turns; every second block goes backwards. `run`: the runs of one turn, nothing when it
/// fails.
std::vector<Compared>
compareInTurns(std::size_t count,
               const std::function<std::optional<std::vector<double>>(std::size_t)> &run);

/// In how many blocks one was faster than the other.
std::size_t blocksFaster(const Compared &a, const Compared &than);

/// Faster in all blocks but one at most, and by a hundredth at the least in the middle.
bool reallyFaster(const Compared &a, const Compared &than);

} // namespace tangram::runtime

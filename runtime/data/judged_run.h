// State that the two questions of runtime/data/judge.h share: the case, its runs, and the findings so far.
#pragma once

#include "runtime/data/findings.h"

namespace tangram::runtime {

struct JudgedRun {
  JudgedRun(const JudgedCase &asked, Runs &runs) : asked(asked), runs(runs) {}

  const JudgedCase &asked;
  Runs &runs;
  SharedValues reference, plan, wideReference, widePlan;
  std::vector<JudgedOutput> outputs;
  /// How far inputs that are moved by an ulp move the wide plan, by output and element; 0 before move().
  std::vector<std::vector<double>> movement;
  Findings found;

  /// The four runs. What has no numbers is not comparable at once.
  Status gather();

  /// Measures the movement, once. Asked for where nothing less explains an element.
  Status move();

  /// Whether move `k` may show that suspects are noise: a few moves, and more of them where these show most of it, since
  /// noise takes few values where it is an ulp of the last sum.
  bool needsMove(unsigned k, const std::vector<Suspect> &suspects,
                 const std::function<bool(const Suspect &)> &isNoise) const;

  std::uint64_t countOfAll() const; ///< elements of the outputs

private:
  bool isMoved = false;
};

/// Factor on a measured sensitivity, which is a sample of few moves, while errors add up.
inline constexpr double generous = 16;
/// A distance that changes by this part of it, a few ulps away, is noise.
inline constexpr double changes = 1.0 / 32;
/// Moves by an ulp: those of move(), and those that measure more closely.
inline constexpr unsigned firstMoves = 2, closeMoves = 6;
/// Moves that show what is noise: the first of each four are by the fewest ulps.
inline constexpr unsigned noiseMoves = 4, mostNoiseMoves = 16;

/// Is the plan the same function as the reference?
Status askSameFunction(JudgedRun &run);

/// Is the rest only rounding?
Status askOnlyRounding(JudgedRun &run);

} // namespace tangram::runtime

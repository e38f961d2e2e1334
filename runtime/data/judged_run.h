// State that the two questions of runtime/data/judge.h share: the case, its runs, and the findings so far.
#pragma once

#include "runtime/data/findings.h"

namespace tangram::runtime {

/// How far roundings carry at an element of an output, as far as it has been measured.
struct Noise {
  double moved = 0;               ///< the wide plan's, by inputs that are moved by an ulp
  double plan = 0, reference = 0; ///< of sampled runs; infinite where one has no number
};

struct JudgedRun {
  JudgedRun(const JudgedCase &asked, Runs &runs) : asked(asked), runs(runs) {}

  const JudgedCase &asked;
  Runs &runs;
  SharedValues reference, plan, wideReference, widePlan;
  std::vector<JudgedOutput> outputs;
  std::vector<std::vector<Noise>> noise; ///< by output and element
  Findings found;

  /// The four runs. What has no numbers is not comparable at once.
  Status gather();

  /// Measures the noise more closely, step by step, until `settle` removes all suspects or nothing is left to measure.
  Status measureNoise(std::vector<Suspect> &suspects,
                      const std::function<bool(const Suspect &)> &settle);

  /// Whether move `k` may show that suspects are noise: a few moves, and more of them where these show most of it, since
  /// noise takes few values where it is an ulp of the last sum.
  bool needsMove(unsigned k, const std::vector<Suspect> &suspects,
                 const std::function<bool(const Suspect &)> &isNoise) const;

  std::uint64_t countOfAll() const; ///< elements of the outputs

private:
  Status move(unsigned number);
  Status sample(unsigned number);
  void addSample(double Noise::*of, const Elements JudgedOutput::*wide, const Values &sampled);

  unsigned measured = 0; ///< steps
};

/// Factor on noise, which is the largest of few samples. A result is off by the sum of its roundings, as each sample is:
/// about normal variables of one deviation s. All ten samples are below s / 4 with a probability of 0.2^10, so that the
/// factor lets errors of 4 s pass; where one rounding decides it is an ulp in every second sample.
inline constexpr double generous = 16;
/// A distance that changes by this part of it, a few ulps away, is noise.
inline constexpr double changes = 1.0 / 32;
/// Steps of measuring noise.
inline constexpr unsigned moves = 2, samples = 8;
/// Moves that show what is noise: the first of each four are by the fewest ulps.
inline constexpr unsigned noiseMoves = 4, mostNoiseMoves = 16;

/// Is the plan the same function as the reference?
Status askSameFunction(JudgedRun &run);

/// Is the rest only rounding?
Status askOnlyRounding(JudgedRun &run);

} // namespace tangram::runtime

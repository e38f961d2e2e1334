#include "runtime/data/judged_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tangram::runtime {

Status JudgedRun::gather() {
  SharedValues *all[] = {&reference, &plan, &wideReference, &widePlan};
  constexpr Way ways[] = {Way::Reference, Way::Plan, Way::WideReference, Way::WidePlan};
  for (std::size_t w = 0; w < std::size(ways); ++w) {
    Result<SharedValues> values = runs.of(ways[w], {});
    if (!values)
      return values.error();
    *all[w] = *values;
    if (ways[w] != Way::Plan)
      continue;
    found.done = compareBits(asked, *plan, *reference);
    if (found.done.verdict == Verification::Verdict::NotComparable)
      return ok();
  }
  const FourResults results{*reference, *plan, *wideReference, *widePlan};
  for (std::size_t o = 0; o < asked.outputs.size(); ++o) {
    outputs.push_back(judgedOutput(asked, o, results));
    noise.emplace_back(asked.outputs[o].count);
  }
  return ok();
}

Status JudgedRun::measureNoise(std::vector<Suspect> &suspects,
                               const std::function<bool(const Suspect &)> &settle) {
  const unsigned first = asked.inputs.coarsest ? moves : 0;
  // Where no input moves there are two samples, which are antithetic.
  const unsigned steps = asked.inputs.coarsest ? moves + samples : 2;
  std::erase_if(suspects, settle);
  while (!suspects.empty() && measured < steps) {
    ++measured;
    if (Status status = measured <= first ? move(measured) : sample(measured); !status)
      return status;
    std::erase_if(suspects, settle);
  }
  return ok();
}

Status JudgedRun::move(unsigned number) {
  Result<SharedValues> moved = runs.of(Way::WidePlan, {.number = number});
  if (!moved)
    return moved.error();
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!outputs[o].floating || !outputs[o].movesMeasure)
      continue;
    const Elements values(asked.wideTypes[o], (**moved)[o]);
    for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i) {
      double &most = noise[o][i].moved;
      most = std::max(most, static_cast<double>(measure(outputs[o].widePlan.distance(values, i))));
    }
  }
  return ok();
}

Status JudgedRun::sample(unsigned number) {
  // Inputs of a coarser type are moved by roundings of the output, which are ulps of their wider type: by several, since
  // two directions alone would be two samples.
  const bool finely = std::ranges::any_of(
      outputs, [](const JudgedOutput &v) { return v.floating && !v.movesMeasure; });
  const Move inputs{.number = number, .ulps = finely ? 4U : 1U, .byWideUlps = finely};
  Result<SharedValues> p = runs.of(Way::SampledPlan, inputs);
  Result<SharedValues> r = runs.of(Way::SampledReference, inputs);
  if (!p || !r)
    return p ? r.error() : p.error();
  addSample(&Noise::plan, &JudgedOutput::widePlan, **p);
  addSample(&Noise::reference, &JudgedOutput::wideReference, **r);
  return ok();
}

void JudgedRun::addSample(double Noise::*of, const Elements JudgedOutput::*wide,
                          const Values &sampled) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const Elements values(asked.wideTypes[o], sampled[o]);
    const Elements &exact = outputs[o].*wide;
    for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i) {
      const bool number = std::isfinite(exact[i]);
      double apart = static_cast<double>(measure(exact.distance(values, i)));
      if (std::isfinite(values[i]) != number)
        apart = std::numeric_limits<double>::infinity();
      noise[o][i].*of = std::max(noise[o][i].*of, apart);
    }
  }
}

bool JudgedRun::needsMove(unsigned k, const std::vector<Suspect> &suspects,
                          const std::function<bool(const Suspect &)> &isNoise) const {
  if (!asked.inputs.coarsest || k > mostNoiseMoves)
    return false;
  const auto noise =
      static_cast<std::size_t>(std::count_if(suspects.begin(), suspects.end(), isNoise));
  return k <= noiseMoves ? k == 1 || noise < suspects.size()
                         : noise < suspects.size() && 2 * noise >= suspects.size();
}

std::uint64_t JudgedRun::countOfAll() const {
  std::uint64_t all = 0;
  for (const Output &output : asked.outputs)
    all += output.count;
  return all;
}

} // namespace tangram::runtime

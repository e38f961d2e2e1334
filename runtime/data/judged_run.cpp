#include "runtime/data/judged_run.h"

#include <algorithm>

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
    movement.emplace_back(asked.outputs[o].count);
  }
  return ok();
}

Status JudgedRun::move() {
  if (isMoved)
    return ok();
  isMoved = true;
  for (unsigned k = 1; asked.inputs.coarsest && k <= firstMoves; ++k) {
    Result<SharedValues> moved = runs.of(Way::WidePlan, {.number = k});
    if (!moved)
      return moved.error();
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      if (!outputs[o].floating || !outputs[o].movesMeasure)
        continue;
      const Elements values(asked.wideTypes[o], (**moved)[o]);
      for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i)
        movement[o][i] = std::max(
            movement[o][i], static_cast<double>(measure(outputs[o].widePlan.distance(values, i))));
    }
  }
  return ok();
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

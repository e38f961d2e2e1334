#include "runtime/data/findings.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

namespace {

void note(std::optional<double> &most, long double distance, long double scale) {
  const long double part = distance == 0 ? 0 : distance / scale;
  most = std::max(most.value_or(0), static_cast<double>(part));
}

} // namespace

void Findings::noteFunction(const JudgedOutput &output, std::uint64_t i) {
  note(done.sameFunctionWithin, output.widePlan.distance(output.wideReference, i),
       output.scale(output.wideReference[i], output.widePlan[i]));
}

void Findings::noteRounding(const JudgedOutput &output, std::uint64_t i) {
  const long double wide = output.widePlan[i];
  if (std::isfinite(wide) && std::isfinite(output.plan[i]))
    note(done.roundingAtMost, output.plan.distance(output.widePlan, i),
         output.scale(wide, output.plan[i]));
}

void Findings::noteDecided(const JudgedOutput &output, std::uint64_t i) {
  if (done.decidedDifferently++ == 0)
    done.firstDecided = output.placeOf(i);
}

void Findings::noteUnclear(std::size_t output, std::uint64_t i) {
  if (done.notJudged++ == 0)
    unclear = {.output = output, .i = i};
}

void Findings::conclude(Verification::Verdict verdict, const std::vector<JudgedOutput> &outputs,
                        const std::vector<Shared> &shared, const Verb &verb,
                        const std::string &what, const Say &say) {
  for (std::size_t o = 0; o < shared.size(); ++o) {
    const auto &[count, first] = shared[o];
    if (count == 0)
      continue;
    const Output &output = *outputs[o].output;
    done.verdict = verdict;
    done.reason += (done.reason.empty() ? "" : "; ") + output.name;
    if (output.count == 1)
      done.reason += std::string(" ") + verb.one + what;
    else
      done.reason += ": " + std::to_string(count) + " of " + std::to_string(output.count) +
                     " elements " + (count == 1 ? verb.one : verb.many) + what + ", the first at " +
                     indexText(output.shape, first.i);
    done.reason += ": " + say(outputs[o], first);
  }
}

} // namespace tangram::runtime

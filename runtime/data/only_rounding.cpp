// The second question of runtime/data/judge.h: the plan against itself in wider numbers.
#include "runtime/data/judged_run.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

namespace {

/// The part of an element that a long chain of roundings may account for. Errors of all roundings of a chain have one
/// sign where it adds one number again and again, which no sample shows; a wrong factor of a percent has to show however
/// long the chain is.
constexpr double mostOfDepth = 0.01;

class OnlyRounding {
public:
  explicit OnlyRounding(JudgedRun &run) : run(run) {}

  Status ask() {
    std::vector<Suspect> suspects;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i) {
        if (!isSettled(o, i))
          suspects.push_back({o, i});
      }
    }
    if (Status status =
            run.measureNoise(suspects, [&](const Suspect &s) { return isSettled(s.output, s.i); });
        !status)
      return status;
    if (areMany(overflown, run.countOfAll())) {
      done.verdict = Verification::Verdict::NotComparable;
      done.reason = std::to_string(overflown) + " of " + std::to_string(run.countOfAll()) +
                    " results overflow in one order of their terms and not in another; give " +
                    asked.otherInputs;
      return ok();
    }
    conclude(suspects);
    if (!done.roundingAtMost && done.results > 0)
      done.roundingAtMost = 0;
    return ok();
  }

private:
  /// The error that an ulp of the inputs explains, plus the reference's own.
  long double errorOf(std::size_t o, std::uint64_t i) const {
    const Noise &noise = run.noise[o][i];
    return measure(noise.reference) + noise.moved +
           measure(outputs[o].reference.distance(outputs[o].wideReference, i));
  }

  /// Whether nothing else has to be asked about an element; notes what is found out.
  bool isSettled(std::size_t o, std::uint64_t i) {
    const JudgedOutput &v = outputs[o];
    if (isRounding(v, i, errorOf(o, i))) {
      if (v.floating && std::isfinite(v.plan[i]))
        found.noteRounding(v, i);
      if (!v.floating && !v.plan.same(v.reference, i))
        found.noteDecided(v, i);
      return true;
    }
    const Noise &noise = run.noise[o][i];
    if (!v.floating && noise.plan + noise.reference > 0) {
      found.noteDecided(v, i);
      return true;
    }
    if (!v.floating || std::isfinite(v.plan[i]) == std::isfinite(v.widePlan[i]))
      return false;
    // In wider numbers there is none to compare with, or roundings decide whether there is one.
    const bool isEither = std::isinf(noise.plan) || std::isinf(noise.reference);
    if (isEither)
      ++overflown;
    if (isEither || std::isfinite(v.plan[i]))
      found.noteUnclear(o, i);
    return isEither || std::isfinite(v.plan[i]);
  }

  long double boundOf(const JudgedOutput &v, std::uint64_t i, long double noise) const {
    const double chain =
        std::min(static_cast<double>(asked.depth) * v.narrow.roundoff, mostOfDepth);
    return generous * noise + (generous * v.narrow.roundoff + chain) * std::abs(v.widePlan[i]) +
           generous * v.narrow.leastNormal;
  }

  bool isRounding(const JudgedOutput &v, std::uint64_t i, long double noise) const {
    const long double got = v.plan[i], wide = v.widePlan[i];
    if (v.plan.same(v.reference, i))
      return true;
    if (!v.floating)
      return got == wide;
    if (std::isfinite(got) && std::isfinite(wide))
      return v.plan.distance(v.widePlan, i) <= boundOf(v, i, noise);
    // The narrow type ends where the wide one does not, for the reference too.
    return sameKind(got, wide) || !std::isfinite(v.reference[i]) ||
           (std::isfinite(wide) && std::abs(wide) > v.narrow.largest);
  }

  /// Whether the plan's own roundings explain an error that its inputs and the reference do not.
  bool isOfFormula(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    return v.floating && std::isfinite(v.plan[s.i]) && std::isfinite(v.widePlan[s.i]) &&
           isRounding(v, s.i, errorOf(s.output, s.i) + run.noise[s.output][s.i].plan);
  }

  void conclude(const std::vector<Suspect> &suspects) {
    std::vector<Shared> wrong(outputs.size()), inaccurate(outputs.size());
    const auto narrowText = [&](const JudgedOutput &v, const Suspect &s) {
      return "got " + numberText(v.plan[s.i]) + ", in wider numbers " +
             numberText(v.widePlan[s.i]) + explained(v, s);
    };
    for (const Suspect &s : suspects) {
      const JudgedOutput &v = outputs[s.output];
      if (v.floating && std::isfinite(v.plan[s.i]) && std::isfinite(v.widePlan[s.i]))
        found.noteRounding(v, s.i);
      (isOfFormula(s) ? inaccurate : wrong)[s.output].add(s);
    }
    found.conclude(Verification::Verdict::Wrong, outputs, wrong, {"differs", "differ"},
                   " from the plan's own wide result by more than rounding explains", narrowText);
    if (done.verdict == Verification::Verdict::Right)
      found.conclude(Verification::Verdict::Inaccurate, outputs, inaccurate,
                     {"is inaccurate", "are inaccurate"}, "", narrowText);
  }

  std::string explained(const JudgedOutput &v, const Suspect &s) const {
    if (!v.floating || !std::isfinite(v.widePlan[s.i]))
      return "";
    return " (rounding explains " +
           figureText(static_cast<double>(boundOf(v, s.i, errorOf(s.output, s.i)))) + ")";
  }

  JudgedRun &run;
  const JudgedCase &asked = run.asked;
  const std::vector<JudgedOutput> &outputs = run.outputs;
  Findings &found = run.found;
  Verification &done = run.found.done;
  std::uint64_t overflown = 0; ///< elements that are a number, or none, as roundings have it
};

} // namespace

Status askOnlyRounding(JudgedRun &run) { return OnlyRounding(run).ask(); }

} // namespace tangram::runtime

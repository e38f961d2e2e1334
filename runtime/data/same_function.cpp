// The first question of runtime/data/judge.h: wide plan against wide reference.
#include "runtime/data/judged_run.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

namespace {

/// Wide results of one function agree to this part of an element.
constexpr double agreement = 1e-9;
/// An element whose noise in wider numbers is so large a part of it cannot be compared.
constexpr double nothingLeft = 0.05;
/// Moves of wide numbers are by so many ulps and by powers of it, since few may be lost in the first sum.
constexpr unsigned wideUlps = 4;

class SameFunction {
public:
  explicit SameFunction(JudgedRun &run) : run(run) {}

  Status ask() {
    std::vector<Suspect> suspects;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i) {
        if (!agrees(o, i))
          suspects.push_back({o, i});
      }
    }
    // An element is right where plan and reference agree in narrow numbers, whatever the wide ones decide.
    const auto agreeing =
        std::stable_partition(suspects.begin(), suspects.end(), [&](const Suspect &s) {
          return !outputs[s.output].plan.same(outputs[s.output].reference, s.i);
        });
    const std::vector<Suspect> decided(agreeing, suspects.end());
    suspects.erase(agreeing, suspects.end());
    if (Status status =
            run.measureNoise(suspects, [&](const Suspect &s) { return agrees(s.output, s.i); });
        !status)
      return status;
    for (const Suspect &s : decided) {
      if (!agrees(s.output, s.i) && isDecision(s))
        found.noteDecided(outputs[s.output], s.i);
    }
    if (Status status = suspects.empty() ? ok() : measureWide(suspects); !status)
      return status;
    concludeWide(suspects);
    return ok();
  }

private:
  /// The estimated rounding error of an element in wide numbers.
  long double noiseOf(std::size_t o, std::uint64_t i) const {
    const JudgedOutput &v = outputs[o];
    const Noise &noise = run.noise[o][i];
    // Whether there is a number is not a matter of noise: measureWide() finds that out.
    const double sampled =
        std::isfinite(noise.plan + noise.reference) ? noise.plan + noise.reference : 0;
    return generous * v.ratio() *
           (noise.moved + sampled + measure(v.plan.distance(v.widePlan, i)) +
            measure(v.reference.distance(v.wideReference, i)));
  }

  /// Whether wide results differ by more than noise of wide numbers can be, which is far below a narrow rounding.
  bool isDecision(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    const long double distance = v.widePlan.distance(v.wideReference, s.i);
    return !v.floating || !std::isfinite(distance) ||
           distance > v.narrow.roundoff * v.scale(v.wideReference[s.i]);
  }

  /// Of an output that is no wider than before, such as floats beside doubles, by some of its roundoffs.
  static long double agreementOf(const JudgedOutput &v, std::uint64_t i) {
    return std::max<long double>(agreement, 64 * v.wide.roundoff) * std::abs(v.wideReference[i]);
  }

  /// Whether wide plan and wide reference are the same at an element; notes how far they are apart.
  bool agrees(std::size_t o, std::uint64_t i) {
    const JudgedOutput &v = outputs[o];
    const long double expected = v.wideReference[i], got = v.widePlan[i];
    if (!v.floating)
      return expected == got;
    if (!std::isfinite(expected) || !std::isfinite(got))
      return sameKind(expected, got);
    const long double distance = v.widePlan.distance(v.wideReference, i);
    const long double noise = noiseOf(o, i);
    if (distance > agreementOf(v, i) + noise)
      return false;
    // Noise that is as large as the element explains anything.
    if (distance > agreementOf(v, i) && noise > nothingLeft * v.scale(expected))
      found.noteUnclear(o, i);
    else
      found.noteFunction(v, i);
    return true;
  }

  /// The wide runs once more, with inputs moved by ulps of their own. More often where that explains most suspects.
  Status measureWide(std::vector<Suspect> &suspects) {
    unsigned ulps = 1;
    for (unsigned k = 1;
         run.needsMove(k, suspects, [&](const Suspect &s) { return isExplained(s); }); ++k) {
      ulps = k % noiseMoves == 1 ? wideUlps : ulps * wideUlps;
      const Move move{.number = k, .ulps = ulps, .byWideUlps = true};
      Result<SharedValues> p = runs.of(Way::WidePlan, move);
      Result<SharedValues> r = runs.of(Way::WideReference, move);
      if (!p || !r)
        return p ? r.error() : p.error();
      for (Suspect &s : suspects) {
        const JudgedOutput &v = outputs[s.output];
        const Elements movedPlan(asked.wideTypes[s.output], (**p)[s.output]);
        const Elements movedReference(asked.wideTypes[s.output], (**r)[s.output]);
        if (!std::isfinite(v.widePlan.minus(v.wideReference, s.i))) {
          // The square root of what is 0 but for noise is a number or none.
          const bool isOther =
              std::isfinite(movedPlan[s.i]) != std::isfinite(v.widePlan[s.i]) ||
              std::isfinite(movedReference[s.i]) != std::isfinite(v.wideReference[s.i]);
          s.movement = std::max<long double>(s.movement, isOther ? 1 : 0);
          continue;
        }
        // Signed, since two functions stay as far apart as they are while noise does not.
        const long double before = v.widePlan.minus(v.wideReference, s.i);
        const long double after = movedPlan.minus(movedReference, s.i);
        s.movement = std::max(s.movement, measure(std::abs(after - before)));
        s.apart = std::max(s.apart, measure(std::abs(after)));
      }
    }
    return ok();
  }

  /// Whether the distance is another one wherever inputs are moved. That of two functions is not; and where they
  /// decide differently between equal numbers it is nothing as soon as these are moved.
  bool isExplained(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    const long double distance = v.widePlan.distance(v.wideReference, s.i);
    if (!std::isfinite(distance))
      return s.movement > 0;
    // Where moves do nothing, as with inputs of 0: whether the reference's own error fills the element.
    if (s.movement == 0)
      return v.floating && v.reference.distance(v.wideReference, s.i) >
                               nothingLeft * v.scale(v.wideReference[s.i]);
    return s.movement >= changes * distance && s.apart >= changes * distance;
  }

  /// Whether so little of the element is left that nothing can be said.
  bool isLost(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    const long double distance = v.widePlan.distance(v.wideReference, s.i);
    return !v.floating || !std::isfinite(distance) ||
           distance > nothingLeft * v.scale(v.wideReference[s.i]);
  }

  void concludeWide(const std::vector<Suspect> &suspects) {
    std::vector<std::uint64_t> all(outputs.size()), lost(outputs.size());
    for (const Suspect &s : suspects) {
      ++all[s.output];
      lost[s.output] += isExplained(s) && isLost(s) ? 1 : 0;
    }
    std::vector<Shared> wrong(outputs.size());
    for (const Suspect &s : suspects) {
      const JudgedOutput &v = outputs[s.output];
      // In chaos some elements do not show how far they move.
      if ((isExplained(s) && isLost(s)) || 2 * lost[s.output] > all[s.output])
        found.noteUnclear(s.output, s.i);
      else if (!isExplained(s))
        wrong[s.output].add(s);
      else
        found.noteFunction(v, s.i);
    }
    found.conclude(Verification::Verdict::Wrong, outputs, wrong, {"differs", "differ"},
                   " in wider numbers", [&](const JudgedOutput &v, const Suspect &s) {
                     return "got " + numberText(v.widePlan[s.i]) + ", expected " +
                            numberText(v.wideReference[s.i]);
                   });
    if (done.verdict == Verification::Verdict::Right)
      concludeUnclear();
    if (done.verdict == Verification::Verdict::Right && !done.sameFunctionWithin &&
        done.results > 0)
      done.sameFunctionWithin = 0;
  }

  void concludeUnclear() {
    if (!areMany(done.notJudged, run.countOfAll()))
      return;
    done.verdict = Verification::Verdict::NotComparable;
    const JudgedOutput &v = outputs[found.unclear.output];
    const long double part = std::max(v.widePlan.distance(v.wideReference, found.unclear.i),
                                      noiseOf(found.unclear.output, found.unclear.i)) /
                             v.scale(v.wideReference[found.unclear.i]);
    done.reason = "its wide runs differ: rounding changes " + v.placeOf(found.unclear.i);
    if (v.floating && std::isfinite(part))
      done.reason += " by " + numberText(std::round(part * 1000) / 10) + " %";
    done.reason += ", whatever the plan";
  }

  JudgedRun &run;
  const JudgedCase &asked = run.asked;
  Runs &runs = run.runs;
  const std::vector<JudgedOutput> &outputs = run.outputs;
  Findings &found = run.found;
  Verification &done = run.found.done;
};

} // namespace

Status askSameFunction(JudgedRun &run) { return SameFunction(run).ask(); }

} // namespace tangram::runtime

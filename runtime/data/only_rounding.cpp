// The second question of runtime/data/judge.h: the plan against itself in wider numbers.
#include "runtime/data/judged_run.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

namespace {

/// The part of an element that a long chain of roundings may account for.
constexpr double mostOfDepth = 0.01;
/// An error of a formula is another one so many ulps away.
constexpr unsigned ulpsAway = 64;
/// An error of so many roundings of the largest input may be of terms that cancel.
constexpr double roundingsOfTerms = 64;
/// Elements on either side whose errors are samples of the same.
constexpr std::uint64_t neighbours = 4;

class OnlyRounding {
public:
  explicit OnlyRounding(JudgedRun &run) : run(run), referenceOverflows(doesReferenceOverflow()) {}

  Status ask() {
    std::vector<Suspect> suspects;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      for (std::uint64_t i = 0; i < asked.outputs[o].count; ++i) {
        if (!isSettled(o, i))
          suspects.push_back({o, i});
      }
    }
    if (areMany(overflown, run.countOfAll())) {
      done.verdict = Verification::Verdict::NotComparable;
      done.reason = std::to_string(overflown) + " of " + std::to_string(run.countOfAll()) +
                    " results overflow in one order of their terms and not in another; give " +
                    asked.otherInputs;
      return ok();
    }
    if (Status status = suspects.empty() ? ok() : run.move(); !status)
      return status;
    std::erase_if(suspects, [&](const Suspect &s) { return isSettled(s.output, s.i); });
    for (Suspect &s : suspects)
      s.bound = errorOf(s.output, s.i);
    if (Status status = suspects.empty() ? ok() : measureErrors(suspects); !status)
      return status;
    if (Status status = suspects.empty() ? ok() : moveNarrow(suspects); !status)
      return status;
    if (!done.roundingAtMost && done.results > 0)
      done.roundingAtMost = 0;
    return ok();
  }

private:
  /// The error that an ulp of the inputs explains, plus the reference's own rounding error.
  long double errorOf(std::size_t o, std::uint64_t i) const {
    return run.movement[o][i] + measure(outputs[o].reference.distance(outputs[o].wideReference, i));
  }

  /// Whether nothing else has to be asked about an element; notes what is found out.
  bool isSettled(std::size_t o, std::uint64_t i) {
    const JudgedOutput &v = outputs[o];
    const bool rounding = isRounding(v, i, errorOf(o, i));
    // In wider numbers there is none to compare with.
    if (!rounding && v.floating && std::isfinite(v.plan[i]) && !std::isfinite(v.widePlan[i]) &&
        !overflows(v, i)) {
      found.noteUnclear(o, i);
      return true;
    }
    if (!rounding && v.floating && overflows(v, i)) {
      ++overflown;
      found.noteUnclear(o, i);
      return true;
    }
    if (rounding && v.floating && std::isfinite(v.plan[i]))
      found.noteRounding(v, i);
    if (rounding && !v.floating && !v.plan.same(v.reference, i))
      found.noteDecided(v, i);
    return rounding;
  }

  /// One order of large terms may overflow and another not, or numbers of one size and not of another. An overflow of
  /// the reference shows that these inputs take intermediate results to the end of the type.
  bool overflows(const JudgedOutput &v, std::uint64_t i) const {
    return std::isfinite(v.plan[i]) != std::isfinite(v.widePlan[i]) &&
           (referenceOverflows || asked.inputs.largest > std::pow(v.narrow.largest, 0.25L));
  }

  /// Whether some result of the reference is no number in its own type, and is one in wider ones.
  bool doesReferenceOverflow() const {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const JudgedOutput &v = outputs[o];
      for (std::uint64_t i = 0; v.floating && i < asked.outputs[o].count; ++i) {
        if (!std::isfinite(v.reference[i]) && std::isfinite(v.wideReference[i]))
          return true;
      }
    }
    return false;
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

  /// The largest of an element and its neighbours, whose errors are samples of the same.
  static long double errorsAround(const Suspect &s, std::uint64_t count, const Elements &narrow,
                                  const Elements &wide) {
    long double most = 0;
    for (std::uint64_t i = s.i - std::min(s.i, neighbours);
         i < std::min(count, s.i + neighbours + 1); ++i)
      most = std::max(most, measure(narrow.distance(wide, i)));
    return most;
  }

  /// More moves, and what the reference's own rounding does at each of them.
  Status measureErrors(std::vector<Suspect> &suspects) {
    for (unsigned k = 1; asked.inputs.coarsest && k <= closeMoves; ++k) {
      const Move move{.number = k};
      Result<SharedValues> p = runs.of(Way::WidePlan, move);
      Result<SharedValues> r = runs.of(Way::Reference, move);
      Result<SharedValues> w = runs.of(Way::WideReference, move);
      for (const Result<SharedValues> *values : {&p, &r, &w}) {
        if (!*values)
          return values->error();
      }
      for (Suspect &s : suspects) {
        const JudgedOutput &v = outputs[s.output];
        const Elements narrow(v.output->element, (**r)[s.output]);
        const Elements wide(asked.wideTypes[s.output], (**w)[s.output]);
        const Elements moved(asked.wideTypes[s.output], (**p)[s.output]);
        const long double change = measure(v.widePlan.distance(moved, s.i));
        const long double error = errorsAround(s, v.output->count, narrow, wide);
        s.movement = std::max(s.movement, (v.movesMeasure ? change : 0) + error);
        // An integer that is decided otherwise, or a number that exists or not.
        const bool other = v.floating ? !std::isfinite(narrow[s.i]) || !std::isfinite(moved[s.i])
                                      : change != 0 || !narrow.same(v.reference, s.i);
        s.apart = std::max<long double>(s.apart, other ? 1 : 0);
      }
    }
    std::erase_if(suspects, [&](const Suspect &s) {
      const JudgedOutput &v = outputs[s.output];
      if (v.floating && isRounding(v, s.i, std::max(s.bound, s.movement))) {
        found.noteRounding(v, s.i);
        return true;
      }
      if (s.apart == 0 || (v.floating && std::isfinite(v.plan[s.i])))
        return false;
      if (v.floating)
        found.noteUnclear(s.output, s.i);
      else
        found.noteDecided(v, s.i);
      return true;
    });
    return ok();
  }

  /// The plan itself once more, as it is and with inputs moved: how far its error, or its integer, changes.
  Status moveNarrow(std::vector<Suspect> &suspects) {
    for (Suspect &s : suspects) {
      s.bound = std::max(s.bound, s.movement);
      s.movement = s.apart = 0;
    }
    Result<SharedValues> again = runs.of(Way::Plan, {.again = true});
    if (!again)
      return again.error();
    for (Suspect &s : suspects)
      s.apart = outputs[s.output].plan.distance(
          Elements(asked.outputs[s.output].element, (**again)[s.output]), s.i);
    for (unsigned k = 1;
         run.needsMove(k, suspects, [&](const Suspect &s) { return isOfFormula(s); }); ++k) {
      const Move move{.number = closeMoves + k, .ulps = ulpsAway};
      Result<SharedValues> p = runs.of(Way::Plan, move);
      Result<SharedValues> w = runs.of(Way::WidePlan, move);
      if (!p || !w)
        return p ? w.error() : p.error();
      for (Suspect &s : suspects) {
        const Elements narrow(asked.outputs[s.output].element, (**p)[s.output]);
        const Elements wide(asked.wideTypes[s.output], (**w)[s.output]);
        s.movement = std::max(s.movement, changeOf(s, narrow, wide));
      }
    }
    concludeNarrow(suspects);
    return ok();
  }

  long double changeOf(const Suspect &s, const Elements &narrow, const Elements &wide) const {
    const JudgedOutput &v = outputs[s.output];
    if (!v.floating)
      return measure(v.plan.distance(narrow, s.i));
    return measure(std::abs(narrow.minus(wide, s.i) - v.plan.minus(v.widePlan, s.i)));
  }

  /// An error that the plan makes anew, and differently, wherever its inputs are moved, but not by itself.
  bool isOfFormula(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    if (!v.floating)
      return s.movement > 0 && s.apart == 0;
    return std::isfinite(v.widePlan[s.i]) && s.apart <= s.movement / 4 &&
           changes * v.plan.distance(v.widePlan, s.i) <= s.movement;
  }

  /// An error of the size of a rounding of terms that cancel, which may be as large as the inputs.
  bool isOfTerms(const Suspect &s) const {
    const JudgedOutput &v = outputs[s.output];
    return v.floating && v.plan.distance(v.widePlan, s.i) <=
                             roundingsOfTerms * v.narrow.roundoff * asked.inputs.largest;
  }

  void concludeNarrow(const std::vector<Suspect> &suspects) {
    std::vector<Shared> wrong(outputs.size()), inaccurate(outputs.size());
    const auto narrowText = [&](const JudgedOutput &v, const Suspect &s) {
      return "got " + numberText(v.plan[s.i]) + ", in wider numbers " +
             numberText(v.widePlan[s.i]) + explained(v, s);
    };
    for (const Suspect &s : suspects) {
      const JudgedOutput &v = outputs[s.output];
      if (!v.floating && isOfFormula(s)) {
        found.noteDecided(outputs[s.output], s.i);
        continue;
      }
      if (v.floating && std::isfinite(v.plan[s.i]) && std::isfinite(v.widePlan[s.i]))
        found.noteRounding(v, s.i);
      (isOfFormula(s) || isOfTerms(s) ? inaccurate : wrong)[s.output].add(s);
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
    return " (rounding explains " + figureText(static_cast<double>(boundOf(v, s.i, s.bound))) + ")";
  }

  JudgedRun &run;
  const JudgedCase &asked = run.asked;
  Runs &runs = run.runs;
  const std::vector<JudgedOutput> &outputs = run.outputs;
  Findings &found = run.found;
  Verification &done = run.found.done;
  bool referenceOverflows = false;
  std::uint64_t overflown = 0; ///< elements, in the plan alone or in wider numbers alone
};

} // namespace

Status askOnlyRounding(JudgedRun &run) { return OnlyRounding(run).ask(); }

} // namespace tangram::runtime
